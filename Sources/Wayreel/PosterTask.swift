public import WayreelCore
public import WayreelVideo

/// The picture that stands for one video: from a file to a file.
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

    public var secondsAtMost: Double { options.limits.seconds }

    public func makePipeline() throws(MediaError) -> PosterPipeline { try PosterPipeline(options) }
}

/// The posters of many videos.
public typealias PosterBatch = TaskBatch<PosterTask>

extension PosterPipeline: MediaPipeline {
    public func run(
        _ task: PosterTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let watch = TaskWatch(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(ifExists: ifExists, watch: watch) { (report) throws(MediaError) in
        }
    }
}
