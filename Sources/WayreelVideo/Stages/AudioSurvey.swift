internal import Glibc
package import WayreelAV
package import WayreelCore
internal import WayreelLevels

/// Facts about an audio track that its encoder needs before it begins and that require decoding the whole track.
package struct AudioSurvey: Sendable {
    /// The end of the track in seconds; nil if none of it can be decoded.
    package private(set) var end: Double?
    /// The gain that brings the encoded track to the loudness of the plan, limited by its peaks.
    package private(set) var gain = 1.0

    /// The maximum true peak of amplified audio in dBTP: a lossy codec increases it (EBU R 128).
    private static let maxPeak = -1.0

    /// Decodes the whole track. A truncated track is measured as far as possible; its encoder warns.
    package init(
        of source: MediaInput, _ plan: AudioPlan, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        let silent = task.child()
        let reader = try AudioTrackEncoder.reader(of: source, plan, limits: limits, task: silent)
        let meter = try plan.loudness.map { (_) throws(MediaError) in try ConvertedMeter(reader.info.format, plan) }
        let rate = Double(reader.info.format.sampleRate)
        try task.span("survey audio") { () throws(MediaError) in
            do throws(MediaError) {
                while let block = try reader.next() {
                    try silent.check()
                    guard !block.isPadding else { continue }
                    end = Double(block.start + block.count) / rate
                    try meter?.add(block)
                }
            } catch {
                guard error.kind == .decoding else { throw error }
            }
        }
        if let meter, let target = plan.loudness { gain = Self.gain(to: target, from: try meter.finish(), task) }
    }

    private static func gain(to target: Double, from loudness: Loudness, _ task: TaskContext) -> Double {
        guard let integrated = loudness.integrated else {
            task.warn("loudness", "the audio is silent, or too short for a loudness; its gain is not changed")
            return 1
        }
        let wanted = target - integrated
        let allowed = max(maxPeak - (loudness.truePeak ?? -.infinity), 0)
        if wanted > allowed {
            let reached = ((integrated + allowed) * 10).rounded() / 10
            task.warn(
                "loudness",
                "peaks of \(maxPeak.shortDescription) dBTP are reached at \(reached.shortDescription) LUFS; "
                    + "\(target.shortDescription) would be too loud")
        }
        return pow(10, min(wanted, allowed) / 20)
    }

    /// Measures audio in the form of the encoder's input.
    private struct ConvertedMeter {
        let converter: AudioConverter
        let meter: LoudnessMeter

        init(_ format: AudioFormat, _ plan: AudioPlan) throws(MediaError) {
            converter = try AudioConverter(from: format, sampleRate: plan.sampleRate, channelCount: plan.channelCount)
            meter = try LoudnessMeter(
                format: AudioFormat(
                    sampleRate: plan.sampleRate, channels: AudioChannel.unnamed(count: plan.channelCount)))
        }

        /// Adds a block; nil at the end.
        func add(_ block: AudioBlock?) throws(MediaError) {
            if let converted = try converter.convert(block) { try meter.add(converted) }
        }

        func finish() throws(MediaError) -> Loudness {
            try add(nil)
            return meter.finish().loudness
        }
    }
}
