internal import FoundationEssentials
internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks
internal import WayreelVideo

/// The operation that a job performs on its input.
struct JobPayload: Sendable, Codable {
    enum Kind: String, Sendable, Codable, CaseIterable {
        case transcode, capture
        /// Another version of Wayreel made the job, and this one cannot read its options.
        case unknown
    }

    private enum Work: Codable {
        case transcode(TranscodeOptions)
        case capture(CaptureOptions)
        /// The text of another version of Wayreel.
        case unknown(String)
    }

    private let work: Work
    /// The `Content-Disposition` of the result.
    let disposition: String?

    init(transcode options: TranscodeOptions, disposition: String?) {
        (work, self.disposition) = (.transcode(options), disposition)
    }

    init(capture options: CaptureOptions, disposition: String?) {
        (work, self.disposition) = (.capture(options), disposition)
    }

    /// `text`: that of another version of Wayreel, which ``text()`` returns unchanged.
    init(unknown text: String) { (work, disposition) = (.unknown(text), nil) }

    var kind: Kind {
        switch work {
        case .transcode: .transcode
        case .capture: .capture
        case .unknown: .unknown
        }
    }

    /// The media type of the result.
    var resultType: String {
        switch work {
        case .transcode(let options):
            options.delivery.hls != nil
                ? MediaType.of(Self.playlist) : options.video.isDropped ? "audio/mp4" : "video/mp4"
        case .capture(let options): options.encoding.format.mediaType
        case .unknown: MediaType.of("")
        }
    }

    /// The name of the playlist in a result that is a folder; nil for one file.
    var playlist: String? {
        guard case .transcode(let options) = work, options.delivery.hls != nil else { return nil }
        return Self.playlist
    }

    /// The name of the poster beside the result, or in its folder; nil for none.
    var poster: String? {
        guard case .transcode(let options) = work, options.poster != nil else { return nil }
        return Self.poster
    }

    private static let playlist = "master.m3u8"
    private static let poster = "poster.jpg"

    /// Runs the operation in a child process. Returns the error if it fails.
    func run(
        _ input: String, _ output: String, poster: String?, threads: Int, isolation: Isolation,
        cancellation: Cancellation, progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> MediaError? {
        func run<Task: MediaTask>(_ task: Task) -> MediaError? {
            IsolatedPipeline<Task>(isolation).run(
                task, ifExists: .replace, threads: threads, cancellation: cancellation, progress: progress
            ).error
        }
        return switch work {
        case .transcode(let options): run(TranscodeTask(input: input, output: output, poster: poster, options: options))
        case .capture(let options): run(CaptureTask(input: input, output: output, options: options))
        case .unknown:
            MediaError(.unsupported, step: .jobs, reason: "the job was made by another version of Wayreel")
        }
    }

    // MARK: Text

    /// JSON.
    func text() throws -> String {
        if case .unknown(let text) = work { return text }
        return String(decoding: try WorkJSON.encode(self), as: UTF8.self)
    }

    /// Reads JSON. The kind of a text that this version cannot read is ``Kind/unknown``.
    init(text: String) {
        self = (try? WorkJSON.decode(JobPayload.self, from: text.utf8)) ?? JobPayload(unknown: text)
    }
}
