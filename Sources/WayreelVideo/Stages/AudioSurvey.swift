internal import Glibc
package import WayreelAV
package import WayreelCore
internal import WayreelLevels

/// What only listening to a whole sound tells, and its encoder has to know before it begins.
package struct AudioSurvey: Sendable {
    /// Where it ends, in seconds; nil where nothing of it can be decoded.
    package private(set) var end: Double?
    /// The factor that brings it, as it will be encoded, to the loudness that the plan asks for, or less where its peaks forbid
    /// that.
    package private(set) var gain = 1.0

    /// dBTP that a louder sound may reach at most: a lossy codec adds some (EBU R 128).
    private static let highestPeak = -1.0

    /// Decodes all of the sound. What breaks off is judged by what there is of it; of that, encoding warns.
    package init(
        of source: AudioSource, _ plan: AudioPlan, limits: VideoLimits, watch: TaskWatch
    ) throws(MediaError) {
        let silent = watch.companion()
        let reader = try AudioTrackEncoder.reader(of: source, plan, limits: limits, watch: silent)
        let meter = try plan.loudness.map { (_) throws(MediaError) in try ConvertedMeter(reader.info.format, plan) }
        let rate = Double(reader.info.format.sampleRate)
        try watch.span("listen") { () throws(MediaError) in
            do throws(MediaError) {
                try reader.read { (block) throws(MediaError) in
                    try silent.check()
                    guard !block.isPadding else { return }
                    end = Double(block.start + block.count) / rate
                    try meter?.add(block)
                }
            } catch {
                guard error.kind == .decoding else { throw error }
            }
        }
        if let meter, let target = plan.loudness { gain = Self.gain(to: target, from: try meter.finish(), watch) }
    }

    private static func gain(to target: Double, from loudness: Loudness, _ watch: TaskWatch) -> Double {
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

    /// Measures a sound as it will be handed to its encoder.
    private struct ConvertedMeter {
        let converter: SoundConverter
        let meter: LoudnessMeter

        init(_ format: AudioFormat, _ plan: AudioPlan) throws(MediaError) {
            converter = try SoundConverter(from: format, sampleRate: plan.sampleRate, channelCount: plan.channelCount)
            meter = try LoudnessMeter(
                format: AudioFormat(
                    sampleRate: plan.sampleRate, channels: AudioChannel.unnamed(count: plan.channelCount)))
        }

        /// nil is the end.
        func add(_ block: AudioBlock?) throws(MediaError) {
            try converter.convert(block) { (converted) throws(MediaError) in try meter.add(converted) }
        }

        func finish() throws(MediaError) -> Loudness {
            try add(nil)
            return meter.finish().loudness
        }
    }
}
