extension MediaError {
    /// The cause of an error: one that programs tell from others, or the general one of its kind.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        case decoding, encoding, parameter, limit, unsupported, io, cancelled

        /// More of the media is missing or damaged than is tolerated.
        case damaged
        /// A library crashed on the media; it ran in a process of its own.
        case crashed
        /// No quality makes a file of so few bytes.
        case sizeUnreachable
        /// A ``TranscodePlan`` is not the one for this input and these options.
        case planOutdated
        /// The image or a frame has more pixels than are allowed, or the output would have.
        case tooManyPixels
        /// The input has more bytes than are allowed.
        case tooManyBytes
        /// The file holds more frames than are allowed.
        case tooManyFrames
        /// The audio or video is longer than is allowed.
        case tooLong
        /// The task took longer than is allowed.
        case timedOut
        /// A library showed no sign of life; it ran in a process of its own.
        case hung
        /// The task needs more memory than is allowed.
        case outOfMemory
        /// The file is in no format that is known.
        case unknownFormat
        /// The file has no video.
        case noVideo
        /// The file has no audio.
        case noAudio
        /// The output exists and is not to be replaced.
        case outputExists
        /// There is no such file.
        case notFound

        /// The general code of a kind.
        init(_ kind: Kind) {
            self =
                switch kind {
                case .decoding: .decoding
                case .encoding: .encoding
                case .parameter: .parameter
                case .limit: .limit
                case .unsupported: .unsupported
                case .io: .io
                case .cancelled: .cancelled
                }
        }
    }
}
