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
        defer { withExtendedLifetime(bytes) {} }
        var task = CaptureTask(input: "", output: "", options: options)
        let inputNeeds = ImageProbe.isUninterruptible(
            beginningWith: bytes.buffer, choosesPage: options.page != nil)
        guard task.isIsolated(isolation.scope, inputNeeds: inputNeeds) else {
            return try pipeline(for: task).prepare(bytes, cancellation: cancellation)
        }
        let (source, result) = (try MemoryFile(bytes.buffer), try MemoryFile())
        defer { withExtendedLifetime((source, result)) {} }
        (task.input, task.output) = (source.path, result.path)
        var supervisor = WorkerSupervisor(processes)
        return try supervisor.execute(PrepareRequest(task: task), cancellation: cancellation).capture(result.bytes())
    }
}
