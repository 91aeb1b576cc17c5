package import WayreelCore

/// The last stage of the pipeline: encodes according to a plan, and writes the output in one format.
package protocol VideoDelivery: Sendable {
    /// `progress` gets the position in seconds of output. Throws the errors of encoding and writing.
    func deliver(
        _ plan: TranscodePlan, _ job: TranscodeJob, progress: (Double) -> Void
    ) throws(MediaError) -> TranscodedVideo
}

/// A transcoded video.
public struct TranscodedVideo: Sendable {
    /// The plan as it was carried out: with the CRF that was found, and without streams that could not be decoded.
    public let plan: TranscodePlan
    public let seconds: Double
    /// The number of frames of a rendition; 0 if the video was copied.
    public let frames: Int
    /// The size of the file, or of all files of the folder.
    public let bytes: Int
    public internal(set) var poster: Poster?

    package init(plan: TranscodePlan, seconds: Double, frames: Int, bytes: Int) {
        self.plan = plan
        self.seconds = seconds
        self.frames = frames
        self.bytes = bytes
    }
}
