internal import Glibc
package import WayreelAV
package import WayreelCore
internal import WayreelLevels

/// Encodes the sound of a file. It is read apart from the pictures, on the same timeline, which begins at 0.
///
/// Belongs to one thread at a time.
package final class SoundTrack: @unchecked Sendable {
    package let encoder: AudioEncoder
    private let reader: AudioReader
    private let watch: TaskWatch

    /// Opens the sound and its encoder; where the plan asks for a loudness, listens to the whole before.
    package init(_ source: AudioSource, _ plan: SoundPlan, limits: VideoLimits, watch: TaskWatch) throws(MediaError) {
        let heard = AudioLimits(soundSeconds: limits.videoSeconds, seconds: limits.seconds)
        let open = { () throws(MediaError) in
            try AudioReader(source, track: plan.track, limits: heard, watch: watch)
        }
        var gain = 1.0
        if let target = plan.loudness {
            gain = try Self.gain(for: target, of: try open(), plan, watch)
        }
        reader = try open()
        self.watch = watch
        encoder = try AudioEncoder(
            AudioEncoder.Settings(
                sampleRate: plan.sampleRate, channelCount: plan.channelCount, bitRate: plan.bitRate, gain: gain),
            source: reader.info.format)
    }

    /// dBTP that a louder sound may reach at most: a lossy codec adds some (EBU R 128).
    private static let highestPeak = -1.0

    /// The factor that brings a sound, as it will be encoded, to `target` LUFS, or less where its peaks forbid it.
    private static func gain(
        for target: Double, of reader: AudioReader, _ plan: SoundPlan, _ watch: TaskWatch
    ) throws(MediaError) -> Double {
        let converter = try SoundConverter(
            from: reader.info.format, sampleRate: plan.sampleRate, channelCount: plan.channelCount)
        let meter = try LoudnessMeter(
            format: AudioFormat(sampleRate: plan.sampleRate, channels: AudioChannel.unnamed(count: plan.channelCount)))
        try reader.read { (block) throws(MediaError) in
            guard !block.isPadding else { return }
            try converter.convert(block) { (converted) throws(MediaError) in try meter.add(converted) }
        }
        try converter.convert(nil) { (converted) throws(MediaError) in try meter.add(converted) }
        let loudness = meter.finish().loudness
        guard let integrated = loudness.integrated else {
            watch.warn("loudness", "the sound is silent, or too short for a loudness; it stays as it is")
            return 1
        }
        let wanted = target - integrated
        let allowed = max(highestPeak - (loudness.truePeak ?? -.infinity), 0)
        if wanted > allowed {
            let reached = ((integrated + allowed) * 10).rounded() / 10
            watch.warn(
                "loudness",
                "peaks of \(highestPeak.shortDescription) dBTP are reached at \(reached.shortDescription) LUFS; "
                    + "\(target.shortDescription) would be too loud")
        }
        return pow(10, min(wanted, allowed) / 20)
    }

    /// Encodes to the end.
    package func run(into sink: any PacketSink) throws(MediaError) {
        var failure: MediaError?
        do throws(MediaError) {
            try reader.read { (block) throws(MediaError) in
                try watch.check()
                guard !block.isPadding else { return }
                do throws(MediaError) {
                    try watch.span("encode sound") { () throws(MediaError) in
                        try encoder.encode(block) { (packet) throws(MediaError) in try sink.take(packet) }
                    }
                } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            // A sound that cannot be decoded is no reason to lose the pictures.
            guard failure == nil, error.kind == .decoding else { throw error }
            watch.warn("sound", error.reason)
        }
        try encoder.finish { (packet) throws(MediaError) in try sink.take(packet) }
        try sink.finish()
    }
}
