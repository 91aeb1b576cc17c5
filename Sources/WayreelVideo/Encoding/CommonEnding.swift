internal import WayreelAV
internal import WayreelCore

/// Has sound and pictures end together, as HLS wants it: silence fills what is missing of the sound, and the last picture stays
/// as long as the sound goes on.
struct CommonEnding {
    /// What listening to the sound has told; nil where there is none, nothing beside it, or it cannot be decoded.
    let survey: SoundSurvey?
    /// Brings the end of the pictures, in seconds, to the thread that encodes the sound.
    let pictureEnd = BoundedQueue<Double>(limit: 1)

    /// Seconds by which the sound may be the longer one: encoders of sound add some samples at the end.
    private static let tolerance = 0.25

    /// Seconds of output that the last picture stays until.
    var heldUntil: Double { max(0, (survey?.end ?? 0) - Self.tolerance) }

    /// Listens to the sound of `plan` to its end.
    init(
        of plan: TranscodePlan, _ source: AudioSource, limits: VideoLimits, watch: TaskWatch
    ) throws(MediaError) {
        guard plan.picture != nil, let sound = plan.sound else {
            survey = nil
            return
        }
        do throws(MediaError) {
            survey = try SoundSurvey(of: source, sound, limits: limits, watch: watch)
        } catch {
            // Of this, encoding warns.
            guard error.kind == .decoding || error.kind == .unsupported else { throw error }
            survey = nil
        }
    }
}
