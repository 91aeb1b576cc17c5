public import WayreelCore
internal import WayreelImage

/// Probes files like ``FileProbe``, in child processes, so that no file crashes this process or exceeds its time limit.
/// A process is reused for the next file as long as this value or a copy of it exists.
public struct IsolatedProbe: Sendable {
    private let processes: WorkerProcessPool

    public init(_ isolation: Isolation) { processes = WorkerProcessPool(isolation) }

    /// Probes the file at `path`, or standard input for `-`. Blocks the calling thread.
    ///
    /// Throws what ``FileProbe/probe(path:limits:videoLimits:cancellation:)`` throws, and `limit` and `decoding` errors
    /// if the process exceeded its time or memory, or crashed.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func probe(
        path: String, limits: Limits = .standard, videoLimits: VideoLimits = .standard,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> FileProbe {
        guard processes.isolation.scope == .everyTask || FileHead.isUninterruptibleImage(path) else {
            return try FileProbe.probe(
                path: path, limits: limits, videoLimits: videoLimits, cancellation: cancellation)
        }
        let isImage = FileHead.withFirstBytes(of: path) { ImageProbe.isImage(beginningWith: $0) } ?? false
        let sent = DescriptorPath.forChildren(path)
        var supervisor = WorkerSupervisor(processes)
        do throws(MediaError) {
            return try supervisor.execute(
                ProbeRequest(
                    path: sent, limits: limits, videoLimits: videoLimits,
                    maxSeconds: isImage ? limits.seconds : videoLimits.seconds), cancellation: cancellation)
        } catch {
            var error = error
            if error.subject == sent { error.subject = nil }
            throw error.naming(path == "-" ? "standard input" : path)
        }
    }
}
