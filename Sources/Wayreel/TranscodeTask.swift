public import WayreelCore
public import WayreelVideo

/// One video to make ready: from a file to a file or a folder of HLS, and to a poster where one is asked for.
public struct TranscodeTask: MediaTask {
    /// A path, or `-` for standard input.
    public var input: String
    /// A path, or `-` for standard output; of HLS the folder.
    public var output: String
    /// The path of the poster that the options ask for.
    public var poster: String?
    public var options: TranscodeOptions

    public init(input: String, output: String, poster: String? = nil, options: TranscodeOptions = TranscodeOptions()) {
        self.input = input
        self.output = output
        self.poster = poster
        self.options = options
    }

    public var outputs: [String] { [output] + (poster.map { [$0] } ?? []) }

    public var secondsAtMost: Double { options.limits.seconds }

    /// Throws a `parameter` error also where there is a path without a poster, or a poster without a path.
    public func makePipeline() throws(MediaError) -> TranscodePipeline {
        guard (poster == nil) == (options.poster == nil) else {
            throw MediaError(
                .parameter, step: "plan", subject: input,
                reason: poster == nil ? "the poster has no path" : "no poster is asked for")
        }
        return try TranscodePipeline(options)
    }
}

/// Many videos, made ready side by side.
public typealias TranscodeBatch = TaskBatch<TranscodeTask>

extension TranscodePipeline: MediaPipeline {
    public func run(
        _ task: TranscodeTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        run(task, ifExists: ifExists, threads: threads, cancellation: cancellation) { _ in }
    }

    public func run(
        _ task: TranscodeTask, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation,
        progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport {
        let watch = TaskWatch(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(ifExists: ifExists, watch: watch) { (report) throws(MediaError) in
        }
    }
}
