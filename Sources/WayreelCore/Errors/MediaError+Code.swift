extension MediaError {
    /// The cause of an error: a specific one that programs can distinguish, or the general one of the error's kind.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        case decoding, encoding, parameter, limit, unsupported, io, cancelled

        /// More of the media is missing or damaged than is tolerated, or a database is damaged.
        case damaged
        /// A library crashed on the media; it ran in a separate process.
        case crashed
        /// No quality setting reaches the requested file size.
        case sizeUnreachable
        /// A ``TranscodePlan`` does not match the input or the options.
        case planOutdated
        /// The image, a frame or the output has more pixels than allowed.
        case tooManyPixels
        /// The input has more bytes than allowed.
        case tooManyBytes
        /// The file holds more frames than allowed.
        case tooManyFrames
        /// The audio or video is longer than allowed.
        case tooLong
        /// The task took longer than allowed.
        case timedOut
        /// A library stopped responding; it ran in a separate process.
        case hung
        /// The task needs more memory than allowed.
        case outOfMemory
        /// The format of the file is unknown.
        case unknownFormat
        /// The file has no video.
        case noVideo
        /// The file has no audio.
        case noAudio
        /// The output exists and must not be replaced.
        case outputExists
        /// The file does not exist.
        case notFound
        /// The disk, or the quota on it, is full.
        case diskFull
        /// The disk is read-only or fails.
        case diskFailed

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
