public import WayreelCore
public import WayreelImage

/// Prepares one capture, from a file to a file.
public struct CaptureTask: MediaTask {
    /// A path, or `-` for standard input.
    public var input: String
    /// A path, or `-` for standard output.
    public var output: String
    public var options: CaptureOptions

    public init(input: String, output: String, options: CaptureOptions = CaptureOptions()) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var maxSeconds: Double { options.limits.seconds }

    public var outputs: [String] { [output] }

    public var namedFiles: [String] { options.overlays.imagePaths + options.filters.flatMap(\.files) }

    public var isolationNeed: IsolationNeed {
        max(IsolationNeed(of: options.overlays), IsolationNeed(of: options.encoding))
    }

    public var inputNeedsIsolation: Bool { FileHead.isUninterruptibleImage(input, choosesPage: options.page != nil) }

    public func makePipeline() throws(MediaError) -> CapturePipeline { try CapturePipeline(options) }
}

/// Captures prepared concurrently.
public typealias CaptureBatch = TaskBatch<CaptureTask>

extension CapturePipeline: MediaPipeline {
    /// Prepares an image in memory on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func prepare(_ bytes: [UInt8], on pool: WorkPool = .shared) async throws -> PreparedCapture {
        try await pool.run { (cancellation) throws(MediaError) in
            try prepare(MediaBytes(bytes), cancellation: cancellation)
        }
    }

    /// Runs the task on the calling thread and writes its output atomically. Tiles of HEIC and AVIF are decoded on up
    /// to `threads` threads. `task.options` must equal the pipeline's options.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: CaptureTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, threads: threads, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let bytes = try context.step(.read) { () throws(MediaError) in
                try MediaBytes.read(path: task.input, limit: options.limits.inputBytes, task: context)
            }
            report.input.bytes = bytes.count
            if let named = Encoding.Format(fileName: task.output), named != options.encoding.format {
                context.warn(
                    .encode, "\(task.output) is written as \(options.encoding.format.rawValue), despite its name")
            }
            let prepared = try prepare(bytes, task: context)
            report.input.format = prepared.sourceFormat
            report.input.width = prepared.sourceSize.width
            report.input.height = prepared.sourceSize.height
            try context.step(.write) { () throws(MediaError) in
                let sink = try OutputSink.opening(task.output, ifExists: ifExists)
                try sink.write(prepared.bytes)
                try sink.finish()
            }
            report.output = .init(
                path: task.output, format: prepared.format.rawValue, width: prepared.size.width,
                height: prepared.size.height, bytes: prepared.bytes.count)
            report.output.quality = prepared.foundQuality
        }
    }
}
