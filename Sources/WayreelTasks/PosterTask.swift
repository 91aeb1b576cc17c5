public import WayreelCore
internal import WayreelImage
public import WayreelVideo

/// Makes the poster image of one video, from a file to a file.
public struct PosterTask: MediaTask {
    /// A path, or `-` for standard input.
    public var input: String
    /// A path, or `-` for standard output.
    public var output: String
    public var options: PosterOptions

    public init(input: String, output: String, options: PosterOptions = PosterOptions()) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }

    public var maxSeconds: Double { options.limits.seconds }

    public var namedFiles: [String] { options.overlays.imagePaths + options.filters.flatMap(\.files) }

    public var isolationNeed: IsolationNeed {
        max(IsolationNeed(of: options.overlays), IsolationNeed(of: options.encoding))
    }

    public func makePipeline() throws(MediaError) -> PosterPipeline { try PosterPipeline(options) }
}

/// Posters of several videos.
public typealias PosterBatch = TaskBatch<PosterTask>

extension PosterPipeline: MediaPipeline {
    /// Makes the poster of the video at `path` in memory, on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func poster(of path: String, on pool: WorkPool = .shared) async throws -> Poster {
        try await pool.run { (cancellation) throws(MediaError) in
            try makePoster(path, cancellation: cancellation)
        }
    }

    /// Makes the poster on the calling thread.
    func makePoster(_ path: String, cancellation: Cancellation) throws(MediaError) -> Poster {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return try RereadableInput(path, task: context).read { (source) throws(MediaError) in
            try make(source, task: context)
        }
    }

    /// Makes the poster of the task's input, decoding on `threads`, and writes it atomically. `task.options` must equal
    /// the pipeline's options.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: PosterTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context, cpuOf: .process) {
            (report) throws(MediaError) in
            let original = try context.step(.read) { () throws(MediaError) in
                try RereadableInput(task.input, task: context)
            }
            let poster = try original.read { (source) throws(MediaError) in
                try make(source, threads: threads, task: context)
            }
            report.input = TaskReport.Media(path: task.input, poster.source)
            try context.step(.write) { () throws(MediaError) in
                let sink = try OutputSink.opening(task.output, ifExists: ifExists)
                try sink.write(poster.bytes)
                try sink.finish()
            }
            report.output = TaskReport.Media(path: task.output, poster)
        }
    }
}
