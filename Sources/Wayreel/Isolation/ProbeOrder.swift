internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

/// Looks at a file.
struct ProbeOrder: WorkOrder {
    var path: String
    var limits: Limits
    var videoLimits: VideoLimits
    var secondsAtMost: Double

    var readsStandardInput: Bool { path == "-" }

    func carryOut(_ session: WorkSession) throws(MediaError) -> FileProbe {
        try FileProbe.probe(
            path: path, limits: limits, videoLimits: videoLimits, cancellation: session.cancellation)
    }
}
