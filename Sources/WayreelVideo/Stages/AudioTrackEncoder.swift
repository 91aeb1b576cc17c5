package import WayreelAV
package import WayreelCore

/// Encodes an audio track. The file is read independently of the video, on the same timeline, which begins at 0.
///
/// Belongs to one thread at a time.
package final class AudioTrackEncoder: @unchecked Sendable {
    package let encoder: AudioEncoder
    private let reader: AudioExcerpt
    private let watch: TaskWatch

    /// Opens the track and its encoder, which multiplies every sample by `gain`.
    package init(
        _ source: MediaInput, _ plan: AudioPlan, gain: Double = 1, limits: VideoLimits, watch: TaskWatch
    ) throws(MediaError) {
        reader = try Self.reader(of: source, plan, limits: limits, watch: watch)
        self.watch = watch
        encoder = try AudioEncoder(
            AudioEncoder.Settings(
                sampleRate: plan.sampleRate, channelCount: plan.channelCount, bitRate: plan.bitRate, gain: gain),
            source: reader.info.format)
    }

    static func reader(
        of source: MediaInput, _ plan: AudioPlan, limits: VideoLimits, watch: TaskWatch
    ) throws(MediaError) -> AudioExcerpt {
        let limits = AudioLimits(audioSeconds: limits.videoSeconds, seconds: limits.seconds)
        return AudioExcerpt(try AudioReader(source, track: plan.track, limits: limits, watch: watch), plan.range)
    }

    /// Encodes to the end, and then silence up to the end of the video, which `videoEnd` carries.
    package func run(into sink: any PacketSink, videoEnd: BoundedQueue<Double>? = nil) throws(MediaError) {
        var failure: MediaError?
        do throws(MediaError) {
            try reader.read { (block) throws(MediaError) in
                try watch.check()
                guard !block.isPadding else { return }
                do throws(MediaError) {
                    try watch.span("encode audio") { () throws(MediaError) in
                        try encoder.encode(block) { (packet) throws(MediaError) in try sink.take(packet) }
                    }
                } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            // Damaged audio does not fail the video.
            guard failure == nil, error.kind == .decoding else { throw error }
            watch.warn("audio", error.reason)
        }
        let silenceUntil = try videoEnd?.take() ?? 0
        // Hours of silence may be missing.
        try encoder.finish(silenceUntil: silenceUntil) { (packet) throws(MediaError) in
            try watch.check()
            try sink.take(packet)
        }
        try sink.finish()
    }
}
