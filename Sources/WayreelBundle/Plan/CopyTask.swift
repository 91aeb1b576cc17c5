public import WayreelCore
public import WayreelTasks

/// A task that copies a file unchanged.
public struct CopyTask: MediaTask {
    public struct Options: Hashable, Sendable, Codable {
        public var limits: Limits

        public init(limits: Limits = .standard) { self.limits = limits }
    }

    public var input: String
    public var output: String
    public var options: Options

    public init(input: String, output: String, options: Options = Options()) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }
    public var maxSeconds: Double { options.limits.seconds }

    public func makePipeline() throws(MediaError) -> CopyPipeline { CopyPipeline(options) }
}

/// Runs copy tasks.
public struct CopyPipeline: MediaPipeline {
    let options: CopyTask.Options

    init(_ options: CopyTask.Options) { self.options = options }

    public func run(
        _ task: CopyTask, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let bytes = try MediaBytes.read(path: task.input, limit: options.limits.inputBytes, task: context)
            let sink = try OutputSink.opening(task.output, ifExists: ifExists)
            try sink.write(bytes.buffer)
            try sink.finish()
            report.input.bytes = bytes.count
            report.output.bytes = bytes.count
        }
    }
}
