package import WayreelAV
package import WayreelCore

/// Aligns the ends of audio and video, as HLS requires: silence is added to shorter audio, and the last frame is
/// shown until longer audio ends.
package struct EndAlignment: Sendable {
    /// The surveys of the audio tracks by stream. There is none for a video without audio, or for a track that cannot
    /// be decoded.
    private let surveys: [Int: AudioSurvey]
    /// Queues that carry the end of the video, in seconds, to the threads that encode audio.
    private let videoEnds: [Int: BoundedQueue<Double>]

    /// The time in seconds of output until which the last frame is shown: the end of the longest audio.
    package var heldUntil: Double { max(0, surveys.values.compactMap(\.end).max() ?? 0) }

    /// Decodes the audio of `plan` to its end.
    package init(
        of plan: TranscodePlan, _ source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        var surveys: [Int: AudioSurvey] = [:]
        for track in plan.audio where plan.video != nil {
            do throws(MediaError) {
                surveys[track.stream] = try AudioSurvey(of: source, track, limits: limits, task: task)
            } catch {
                // The encoder of the track warns of this error.
                guard error.kind == .decoding || error.kind == .unsupported else { throw error }
            }
        }
        self.surveys = surveys
        videoEnds = Dictionary(plan.audio.map { ($0.stream, BoundedQueue<Double>(limit: 1)) }) { first, _ in first }
    }

    func survey(of track: AudioPlan) -> AudioSurvey? { surveys[track.stream] }

    /// Returns the queue that carries the end of the video to the thread that encodes a track.
    func videoEnd(for track: AudioPlan) -> BoundedQueue<Double>? { videoEnds[track.stream] }

    /// Reports that the video ends at `seconds`.
    func reportVideoEnd(_ seconds: Double) {
        for queue in videoEnds.values { _ = queue.put(seconds) }
    }
}
