public import WayreelCore
internal import WayreelLevels

/// Loudness by EBU R 128, of the samples themselves.
extension ToneMix {
    /// Loudness that ``matched(toLoudness:cancellation:)`` takes, in LUFS: above the absolute gate.
    public static let loudnessRange = -65.0...20

    /// Returns the integrated loudness in LUFS; nil for a mixture below −70 LUFS or shorter than 400 ms. Channels have the
    /// roles that files give them: three to eight those of FLAC, more count like left and right.
    ///
    /// Throws the errors of ``warnings()``, an `unsupported` error for a sample rate below 4 kHz or above 768 kHz, and
    /// `cancelled`.
    public func loudness(cancellation: Cancellation? = nil) throws(MediaError) -> Double? {
        _ = try warnings()
        let meter = try LoudnessMeter(format: AudioFormat(sampleRate: sampleRate, channels: channels))
        let renderer = ToneRenderer(self)
        var quantizer = SampleQuantizer(.float, channelCount: channelCount, hasDither: false, seed: seed)
        var start = 0
        while true {
            try cancellation?.check(step: .tone)
            let count = renderer.next()
            guard count > 0 else { return meter.finish().loudness.integrated }
            let floats = quantizer.interleaved(renderer.planes, count: count, isSounding: renderer.isSounding)
            try floats.withBytes { (bytes) throws(MediaError) in
                guard let samples = bytes.baseAddress else { return }
                try meter.add(
                    AudioBlock(.float32, count: count, channelCount: channelCount, planes: [samples], start: start))
            }
            start += count
        }
    }

    /// Returns the mixture with the ``gain`` that gives it an integrated loudness of `target` LUFS, ±0.05 LU.
    ///
    /// It is measured again with the gain, because the gates of the measurement depend on the level. Throws the errors of
    /// ``loudness(cancellation:)``, and a `parameter` error for a target out of ``loudnessRange`` and for a mixture without a
    /// loudness.
    public func matched(
        toLoudness target: Double, cancellation: Cancellation? = nil
    ) throws(MediaError) -> ToneMix {
        let fault = ErrorSite(.parameter, step: .tone)
        guard Self.loudnessRange.contains(target) else {
            throw fault("a loudness of \(target.shortDescription) LUFS", "use -65 to 20")
        }
        var mix = self
        for _ in 0..<4 {
            guard let found = try mix.loudness(cancellation: cancellation) else {
                throw fault(
                    "the signals have no loudness: they are silent, or shorter than 400 ms",
                    "give them a level above -70 LUFS")
            }
            if abs(found - target) <= 0.05 { return mix }
            mix.gain += target - found
        }
        throw fault(
            "no gain gives the signals a loudness of \(target.shortDescription) LUFS", "give them levels instead")
    }

    /// The roles of the channels in files.
    private var channels: [AudioChannel] {
        let mask = ToneHeaders.speakers(channelCount)
        guard mask != 0 else { return AudioChannel.unnamed(count: channelCount) }
        if channelCount == 1 { return [.mono] }
        return AudioChannel.maskOrder.enumerated().filter { mask >> UInt32($0.offset) & 1 == 1 }.map(\.element)
    }
}
