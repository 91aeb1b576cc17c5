package import WayreelAV
package import WayreelCore

/// Aligns the ends of audio and video, as HLS asks for: silence fills what is missing of the audio, and the last frame is shown as
/// long as the audio lasts.
package struct EndAlignment: Sendable {
    /// The surveys of the audio tracks by stream. A video without audio, or a track that cannot be decoded, has none.
    private let surveys: [Int: AudioSurvey]
    /// Queues that carry the end of the video, in seconds, to the threads that encode audio.
    private let videoEnds: [Int: BoundedQueue<Double>]

    /// Seconds by which the audio may be longer: audio encoders add some samples at the end.
    private static let tolerance = 0.25

    /// The last frame is shown at least until then, in seconds of output.
    package var heldUntil: Double { max(0, (surveys.values.compactMap(\.end).max() ?? 0) - Self.tolerance) }

    /// Decodes the audio of `plan` to its end.
    package init(
        of plan: TranscodePlan, _ source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        var surveys: [Int: AudioSurvey] = [:]
        for track in plan.audio where plan.video != nil {
            do throws(MediaError) {
                surveys[track.stream] = try AudioSurvey(of: source, track, limits: limits, task: task)
            } catch {
                // The encoder warns of it.
                guard error.kind == .decoding || error.kind == .unsupported else { throw error }
            }
        }
        self.surveys = surveys
        videoEnds = Dictionary(plan.audio.map { ($0.stream, BoundedQueue<Double>(limit: 1)) }) { first, _ in first }
    }

    func survey(of track: AudioPlan) -> AudioSurvey? { surveys[track.stream] }

    /// The queue that carries the end of the video to the thread that encodes a track.
    func videoEnd(for track: AudioPlan) -> BoundedQueue<Double>? { videoEnds[track.stream] }

    /// Reports that the video ends at `seconds`.
    func reportVideoEnd(_ seconds: Double) {
        for queue in videoEnds.values { _ = queue.put(seconds) }
    }
}
