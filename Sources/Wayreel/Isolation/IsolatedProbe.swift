public import WayreelCore
internal import WayreelImage

/// Looks at files as ``FileProbe`` does, in processes of their own, so that none crashes this one or is looked at for longer
/// than its limits allow. A process is kept for the next file as long as this value, or a copy of it, is.
public struct IsolatedProbe: Sendable {
    private let crew: WorkerCrew

    public init(_ isolation: Isolation) { crew = WorkerCrew(isolation) }

    /// Of the file at `path`, or standard input for `-`. Blocks the calling thread.
    ///
    /// Throws what ``FileProbe/probe(path:limits:videoLimits:cancellation:)`` throws, and `limit` and `decoding` errors where
    /// the process took too long or too much memory, or crashed.
    public func probe(
        path: String, limits: Limits = .standard, videoLimits: VideoLimits = .standard,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> FileProbe {
        guard crew.isolation.scope == .everyTask || FileHead.isUninterruptibleImage(path) else {
            return try FileProbe.probe(
                path: path, limits: limits, videoLimits: videoLimits, cancellation: cancellation)
        }
        let isImage = FileHead.look(at: path) { PictureProbe.isPicture(beginningWith: $0) } ?? false
        var attendance = Attendance(crew)
        do throws(MediaError) {
            return try attendance.carryOut(
                ProbeOrder(
                    path: path, limits: limits, videoLimits: videoLimits,
                    secondsAtMost: isImage ? limits.seconds : videoLimits.seconds), cancellation: cancellation)
        } catch {
            throw error.naming(path == "-" ? "standard input" : path)
        }
    }
}
