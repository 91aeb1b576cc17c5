internal import WayreelAV
internal import WayreelCore

/// Has sound and pictures end together, as HLS wants it: silence fills what is missing of the sound, and the last picture stays
/// as long as the sound goes on.
struct EndAlignment {
    /// What listening to the audio tracks has told, by their streams. One that has nothing beside it, or that cannot be
    /// decoded, is not in it.
    private let surveys: [Int: AudioSurvey]
    /// Bring the end of the pictures, in seconds, to the threads that encode the audio tracks.
    private let pictureEnds: [Int: BoundedQueue<Double>]

    /// Seconds by which the sound may be the longer one: encoders of sound add some samples at the end.
    private static let tolerance = 0.25

    /// Seconds of output that the last picture stays until.
    var heldUntil: Double { max(0, (surveys.values.compactMap(\.end).max() ?? 0) - Self.tolerance) }

    /// Listens to the audio of `plan` to its end.
    init(
        of plan: TranscodePlan, _ source: AudioSource, limits: VideoLimits, watch: TaskWatch
    ) throws(MediaError) {
        var surveys: [Int: AudioSurvey] = [:]
        for sound in plan.audio where plan.picture != nil {
            do throws(MediaError) {
                surveys[sound.stream] = try AudioSurvey(of: source, sound, limits: limits, watch: watch)
            } catch {
                // Of this, encoding warns.
                guard error.kind == .decoding || error.kind == .unsupported else { throw error }
            }
        }
        self.surveys = surveys
        pictureEnds = Dictionary(uniqueKeysWithValues: plan.audio.map { ($0.stream, BoundedQueue<Double>(limit: 1)) })
    }

    func survey(of sound: AudioPlan) -> AudioSurvey? { surveys[sound.stream] }

    /// What the end of the pictures comes through, for the thread that encodes a track.
    func pictureEnd(for sound: AudioPlan) -> BoundedQueue<Double>? { pictureEnds[sound.stream] }

    /// Says that the pictures end at `seconds`.
    func tellPictureEnd(_ seconds: Double) {
        for queue in pictureEnds.values { _ = queue.put(seconds) }
    }
}
