internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

/// Probes a file.
struct ProbeRequest: WorkRequest {
    var path: String
    var limits: Limits
    var videoLimits: VideoLimits
    var maxSeconds: Double

    var readsStandardInput: Bool { path == "-" }

    func execute(_ session: WorkSession) throws(MediaError) -> FileProbe {
        try FileProbe.probe(
            path: path, limits: limits, videoLimits: videoLimits, cancellation: session.cancellation)
    }
}
