public import WayreelCore
public import WayreelImage

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
        ImageProbe.isUninterruptible(beginningWith: bytes.buffer, choosesPage: options.page != nil)
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
