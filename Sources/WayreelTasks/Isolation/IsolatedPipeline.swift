internal import Synchronization
public import WayreelCore
public import WayreelImage
package import WayreelLevels

/// Runs tasks in child processes: sequentially on the calling thread, in parallel on several.
///
/// A process is reused for the next task (see ``Isolation/tasksPerProcess``) as long as this value or a copy of it
/// exists.
public struct IsolatedPipeline<Work: MediaTask>: MediaPipeline {
    public var isolation: Isolation { processes.isolation }
    let processes: WorkerProcessPool
    /// Runs tasks that need no child process; nil until its first use.
    private let plain: Work.Pipeline?

    public init(_ isolation: Isolation) { self.init(WorkerProcessPool(isolation), plain: nil) }

    /// `idleBytes`: a process that holds more than that after a task is not kept for the next one.
    package init(_ isolation: Isolation, idleBytes: Int) {
        self.init(WorkerProcessPool(isolation, idleBytes: idleBytes), plain: nil)
    }

    init(_ processes: WorkerProcessPool, plain: Work.Pipeline?) {
        self.processes = processes
        self.plain = plain
    }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: Work, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        run(task, ifExists: ifExists, threads: threads, cancellation: cancellation) { _ in }
    }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: Work, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation,
        progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport {
        guard task.isIsolated(isolation.scope, inputNeeds: task.inputNeedsIsolation) else {
            do {
                return try pipeline(for: task).run(
                    task, ifExists: ifExists, threads: threads, cancellation: cancellation, progress: progress)
            } catch {
                return TaskReport(failed: task, error)
            }
        }
        let start = Clock.wall
        var sent = task
        sent.input = DescriptorPath.forChildren(task.input)
        var supervisor = WorkerSupervisor(processes)
        var report: TaskReport
        do throws(MediaError) {
            // Avoids starting a process if the task is already cancelled.
            try cancellation.check(step: .start)
            report = try supervisor.execute(
                TaskRequest(task: sent, ifExists: ifExists, threads: threads), cancellation: cancellation,
                progress: progress)
        } catch {
            report = TaskReport(failed: task, error)
            report.wallMilliseconds = (Clock.wall - start) * 1000
            report.peakMemoryBytes = supervisor.peakBytes
        }
        report.cpuMilliseconds = supervisor.cpuMilliseconds
        if report.input.path == sent.input { report.input.path = task.input }
        if report.error?.subject == sent.input { report.error?.subject = task.input }
        return report
    }

    /// Returns the in-process pipeline for `task`.
    func pipeline(for task: Work) throws(MediaError) -> Work.Pipeline {
        if let plain { return plain }
        return try processes.pipelines.pipeline(for: task)
    }
}

extension MediaTask {
    /// Returns whether the task runs in a child process: either all tasks do, or those with a library call that can
    /// only be interrupted by ending its process.
    ///
    /// A pipe named by the options can be read only once, and this process has already read it.
    func isIsolated(_ scope: Isolation.Scope, inputNeeds: @autoclosure () -> Bool) -> Bool {
        canBePreparedAgain && (scope == .everyTask || isolationNeed > .none || inputNeeds())
    }

    /// Whether creating the pipeline makes such a call.
    var needsIsolatedPipeline: Bool { canBePreparedAgain && isolationNeed == .pipeline }

    private var canBePreparedAgain: Bool { namedFiles.allSatisfy { !FileHead.isPipe($0) } }
}

extension IsolatedPipeline where Work == CaptureTask {
    /// Prepares an encoded image in memory, such as an upload, on one of `pool`'s threads and, depending on
    /// ``Isolation/scope``, in a child process. A decoder that hangs or crashes costs at most `options.limits.seconds`.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func prepare(
        _ bytes: [UInt8], _ options: CaptureOptions = CaptureOptions(), on pool: WorkPool = .shared
    ) async throws -> PreparedCapture {
        try await pool.run { (cancellation) throws(MediaError) in
            try prepare(MediaBytes(bytes), options, cancellation: cancellation)
        }
    }

    /// Prepares an encoded image on the calling thread.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func prepare(
        _ bytes: MediaBytes, _ options: CaptureOptions, cancellation: Cancellation
    ) throws(MediaError) -> PreparedCapture {
        let task = CaptureTask(input: "", output: "", options: options)
        guard task.isIsolated(isolation.scope, inputNeeds: Self.isUninterruptible(bytes, options)) else {
            return try prepareHere(bytes, options, cancellation: cancellation)
        }
        return try prepareInChild(bytes, options, cancellation: cancellation)
    }

    private static func isUninterruptible(_ bytes: MediaBytes, _ options: CaptureOptions) -> Bool {
        ImageProbe.isUninterruptible(beginningWith: bytes, choosesPage: options.page != nil)
    }

    /// What is known of an image before it is prepared.
    package struct Need: Sendable {
        /// Whether it needs a child process for a time limit to end it.
        package var needsChild: Bool
        /// The memory that it takes at most beside the file, in bytes; nil for formats whose header only their library
        /// reads.
        package var memoryBytes: Int?
    }

    /// Returns what preparing an image needs, from its header and the options. Throws the errors of opening it.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    package func need(
        _ bytes: MediaBytes, _ options: CaptureOptions, cancellation: Cancellation
    ) throws(MediaError) -> Need {
        let hasOpaqueOverlay = options.overlays.imagePaths.contains(where: FileHead.isUninterruptibleImage)
        if hasOpaqueOverlay || Self.isUninterruptible(bytes, options) { return Need(needsChild: true) }
        let task = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return Need(
            needsChild: CaptureTask(input: "", output: "", options: options).isolationNeed > .none,
            memoryBytes: try CaptureMemory.estimate(bytes, options, task: task))
    }

    /// Prepares an image in this process, on the calling thread.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    package func prepareHere(
        _ bytes: MediaBytes, _ options: CaptureOptions, cancellation: Cancellation
    ) throws(MediaError) -> PreparedCapture {
        try pipeline(for: CaptureTask(input: "", output: "", options: options)).prepare(
            bytes, cancellation: cancellation)
    }

    /// Prepares an image in a child process with at most `memoryBytes`, if that is not nil, else with the limit of the
    /// isolation.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    package func prepareInChild(
        _ bytes: MediaBytes, _ options: CaptureOptions, memoryBytes: Int? = nil, cancellation: Cancellation
    ) throws(MediaError) -> PreparedCapture {
        defer { withExtendedLifetime(bytes) {} }
        let (source, result) = (try MemoryFile(bytes.buffer), try MemoryFile())
        defer { withExtendedLifetime((source, result)) {} }
        let task = CaptureTask(input: source.path, output: result.path, options: options)
        var supervisor = WorkerSupervisor(processes, memoryBytes: memoryBytes)
        return try supervisor.execute(PrepareRequest(task: task), cancellation: cancellation).capture(result.bytes())
    }
}

/// Measures audio in the memory of the parent process.
struct MeasureRequest: WorkRequest {
    /// A task whose paths are two memory files: the encoded audio, and an empty one for its output.
    var task: LevelsTask
    /// Max size of the output in bytes.
    var maxBytes: Int

    var maxSeconds: Double { task.maxSeconds }

    /// Returns the size of the output in bytes.
    func execute(_ session: WorkSession) throws(MediaError) -> Int {
        let context = TaskContext(seconds: maxSeconds, cancellation: session.cancellation)
        do throws(MediaError) {
            let audio = try LevelsPipeline(task.options).measureAlone(task.input, isNamed: false, task: context)
            let sink = try MemoryFileSink(task.outputs[0], maxBytes: maxBytes)
            try audio.write(0, to: sink)
            return sink.count
        } catch {
            // The file has no name that its sender knows.
            throw error.forgetting(task.input)
        }
    }
}

/// Writes levels into a memory file of another process.
private final class MemoryFileSink: ByteSink {
    private let file: MemoryFile.Writer
    private let maxBytes: Int
    private(set) var count = 0

    init(_ path: String, maxBytes: Int) throws(MediaError) {
        file = try MemoryFile.Writer(path)
        self.maxBytes = maxBytes
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        guard count + bytes.count <= maxBytes else {
            throw MediaError(
                .limit, code: .tooManyBytes, step: .write, reason: "the levels have more than \(maxBytes) bytes",
                advice: "ask for fewer readings")
        }
        try file.write(bytes)
        count += bytes.count
    }
}

extension IsolatedPipeline where Work == LevelsTask {
    /// Measures encoded audio in a child process with at most `memoryBytes`, and returns the first output of the
    /// options. What a demuxer takes for its index, or a decoder that crashes, ends that process alone.
    ///
    /// Throws a ``MediaError``; a `limit` error if the output has more than `maxBytes` bytes.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    package func measureInChild(
        _ bytes: MediaBytes, _ options: LevelsOptions, maxBytes: Int, memoryBytes: Int, cancellation: Cancellation,
        reserve: (_ bytes: Int) throws(MediaError) -> Void
    ) throws(MediaError) -> [UInt8] {
        defer { withExtendedLifetime(bytes) {} }
        let (source, result) = (try MemoryFile(bytes.buffer), try MemoryFile())
        defer { withExtendedLifetime((source, result)) {} }
        let task = LevelsTask(input: source.path, outputs: [result.path], options: options)
        var supervisor = WorkerSupervisor(processes, memoryBytes: memoryBytes)
        let count = try supervisor.execute(MeasureRequest(task: task, maxBytes: maxBytes), cancellation: cancellation)
        try reserve(count)
        return try result.bytes()
    }
}

/// Prepares an image in the memory of the parent process.
struct PrepareRequest: WorkRequest {
    /// A task whose paths are two memory files: the encoded image, and an empty one for the output.
    var task: CaptureTask

    /// The properties of a ``PreparedCapture`` other than its bytes.
    struct Answer: Codable {
        var format: Encoding.Format
        var foundQuality: Int?
        var size: PixelSize
        var sourceFormat: String
        var sourceSize: PixelSize
        var steps: [TaskReport.Step]
        var warnings: [MediaWarning]

        init(_ capture: PreparedCapture) {
            (format, foundQuality, size) = (capture.format, capture.foundQuality, capture.size)
            (sourceFormat, sourceSize) = (capture.sourceFormat, capture.sourceSize)
            (steps, warnings) = (capture.steps, capture.warnings)
        }

        func capture(_ bytes: [UInt8]) -> PreparedCapture {
            PreparedCapture(
                bytes: bytes, format: format, foundQuality: foundQuality, size: size, sourceFormat: sourceFormat,
                sourceSize: sourceSize, steps: steps, warnings: warnings)
        }
    }

    var maxSeconds: Double { task.maxSeconds }

    func execute(_ session: WorkSession) throws(MediaError) -> Answer {
        let context = TaskContext(seconds: maxSeconds, cancellation: session.cancellation)
        let pipeline = try session.pipelines.pipeline(for: task)
        let bytes: MediaBytes
        do throws(MediaError) { bytes = try MediaBytes.read(path: task.input, limit: .max, task: context) } catch {
            var unnamed = error
            unnamed.subject = nil
            throw unnamed
        }
        let prepared = try pipeline.prepare(bytes, task: context)
        try MemoryFile.Writer(task.output).write(prepared.bytes)
        return Answer(prepared)
    }
}
