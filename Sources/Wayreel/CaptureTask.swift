public import WayreelCore
public import WayreelImage

/// One capture to prepare: from a file to a file.
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

    public var secondsAtMost: Double { options.limits.seconds }

    public var outputs: [String] { [output] }

    public var namedFiles: [String] { options.overlays.imagePaths + options.filters.flatMap(\.files) }

    public var isolationNeed: IsolationNeed {
        max(IsolationNeed(of: options.overlays), IsolationNeed(of: options.encoding))
    }

    public var inputNeedsIsolation: Bool { FileHead.isUninterruptibleImage(input, choosesPage: options.page != nil) }

    public func makePipeline() throws(MediaError) -> CapturePipeline { try CapturePipeline(options) }
}

/// Many captures, prepared side by side.
public typealias CaptureBatch = TaskBatch<CaptureTask>

extension CapturePipeline: MediaPipeline {
    /// Prepares a picture in memory, on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` when the surrounding task is cancelled.
    public func prepare(_ bytes: [UInt8], on pool: WorkPool = .shared) async throws -> PreparedCapture {
        try await pool.run { (cancellation) throws(MediaError) in
            try prepare(MediaBytes(bytes), cancellation: cancellation)
        }
    }

    /// Reads the task's input, prepares it, and writes its output whole or not at all, on the calling thread; tiles of HEIC and
    /// AVIF are decoded on as many more as `threads` allows. The task's own options are taken to be this pipeline's.
    public func run(
        _ task: CaptureTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let watch = TaskWatch(seconds: options.limits.seconds, threads: threads, cancellation: cancellation)
        return task.report(ifExists: ifExists, watch: watch) { (report) throws(MediaError) in
            let bytes = try watch.step("read") { () throws(MediaError) in
                try MediaBytes.read(path: task.input, limit: options.limits.inputBytes, watch: watch)
            }
            report.input.bytes = bytes.count
            let prepared = try prepare(bytes, watch: watch)
            report.input.format = prepared.sourceFormat
            report.input.width = prepared.sourceSize.width
            report.input.height = prepared.sourceSize.height
            try watch.step("write") { () throws(MediaError) in
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
