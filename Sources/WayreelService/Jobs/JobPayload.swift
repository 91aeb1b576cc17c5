internal import FoundationEssentials
internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks
internal import WayreelVideo

/// The operation that a job performs on its input.
struct JobPayload: Sendable, Codable {
    enum Kind: String, Sendable, Codable, CaseIterable {
        case transcode, capture
    }

    private enum Work: Codable {
        case transcode(TranscodeOptions)
        case capture(CaptureOptions)
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

    var kind: Kind {
        switch work {
        case .transcode: .transcode
        case .capture: .capture
        }
    }

    /// The media type of the result.
    var resultType: String {
        switch work {
        case .transcode(let options):
            options.delivery.hls != nil
                ? MediaType.of(Self.playlist) : options.video.isDropped ? "audio/mp4" : "video/mp4"
        case .capture(let options): options.encoding.format.mediaType
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

    /// Runs the operation in a child process.
    func run(
        _ input: String, _ output: String, poster: String?, threads: Int, cancellation: Cancellation,
        progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport {
        func run<Task: MediaTask>(_ task: Task) -> TaskReport {
            IsolatedPipeline<Task>(Isolation(executable: Isolation.ownExecutable, tasksPerProcess: 1)).run(
                task, ifExists: .replace, threads: threads, cancellation: cancellation, progress: progress)
        }
        return switch work {
        case .transcode(let options): run(TranscodeTask(input: input, output: output, poster: poster, options: options))
        case .capture(let options): run(CaptureTask(input: input, output: output, options: options))
        }
    }

    // MARK: Text

    private static let special = (plus: "+inf", minus: "-inf", none: "nan")

    /// JSON.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: Self.special.plus, negativeInfinity: Self.special.minus, nan: Self.special.none)
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    init(text: String) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: Self.special.plus, negativeInfinity: Self.special.minus, nan: Self.special.none)
        self = try decoder.decode(JobPayload.self, from: Data(text.utf8))
    }
}
