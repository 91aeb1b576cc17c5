internal import CEBUR128
package import WayreelCore

/// Measures the loudness of decoded audio. libebur128 filters the samples and finds the peaks. Windows and gates are
/// computed here from energies of 10 ms each, because libebur128 keeps every block or rounds them to 0.1 LU, and sums 3
/// s for each short-term value.
///
/// Belongs to one thread at a time.
package final class LoudnessMeter {
    /// Bounds the half second of doubles in libebur128 to 50 MB.
    private static let maxSampleRate = 768_000
    private static let maxSamplesPerSecond = 16_000_000
    /// The K-weighting filter is unstable below twice the corner frequency of its shelving filter (3.4 kHz). Up to 8
    /// kHz the shelving filter is distorted by at most half an LU.
    private static let minSampleRate = 4000
    private static let hopsPerSecond = 100
    private static let hopsPerBlock = 40

    private let state: UnsafeMutablePointer<ebur128_state>
    private let format: AudioFormat
    private var statistics = LoudnessStatistics()
    /// Energies of the last 3 s as a ring; the latest is at index `hopCount` − 1 modulo its size.
    private var hops = [Double](repeating: 0, count: 3 * hopsPerSecond)
    private var hopCount = 0
    private var sampleCount = 0
    /// Buffer for interleaving planar samples.
    private let interleaved: UnsafeMutableRawBufferPointer

    /// Throws `unsupported` for a sample rate below 4 kHz or above 768 kHz, more than 64 channels, or more than 16
    /// million samples per second in total.
    package init(format: AudioFormat) throws(MediaError) {
        let rates = Self.minSampleRate...Self.maxSampleRate
        guard rates.contains(format.sampleRate) else {
            throw MediaError(
                .unsupported, step: .loudness, reason: "the sample rate is \(format.sampleRate) Hz",
                advice: "resample to 48000 Hz first: loudness is measured from 4 kHz to 768 kHz")
        }
        guard (1...64).contains(format.channels.count),
            format.sampleRate * format.channels.count <= Self.maxSamplesPerSecond
        else {
            throw MediaError(
                .unsupported, step: .loudness,
                reason: "\(format.channels.count) channels at \(format.sampleRate) Hz are not supported",
                advice: "measure fewer channels: up to 64, and 16 million samples per second in total")
        }
        try SharedLibrary.check(ebur128_load(), "libebur128", packages: "libebur128-1", step: .loudness)
        guard
            let state = ebur128_init(
                UInt32(format.channels.count), UInt(format.sampleRate), Int32(EBUR128_MODE_TRUE_PEAK.rawValue))
        else { throw Self.outOfMemory }
        self.state = state
        self.format = format
        interleaved = .allocate(
            byteCount: (format.sampleRate / Self.hopsPerSecond + 1) * format.channels.count * 4, alignment: 16)
        for (index, position) in format.channels.loudnessPositions.enumerated() {
            ebur128_set_channel(state, UInt32(index), Int32(position.rawValue))
        }
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
        interleaved.deallocate()
    }

    /// Adds samples with the meter's channels; padding is ignored.
    package func add(_ block: AudioBlock) throws(MediaError) {
        if block.isPadding { return }
        precondition(block.channelCount == format.channels.count, "the channels of the audio")
        var begin = 0
        while begin < block.count {
            // A hop starts with the first sample at or after its time.
            let edge = ((hopCount + 1) * format.sampleRate + Self.hopsPerSecond - 1) / Self.hopsPerSecond
            let end = min(block.count, begin + edge - sampleCount)
            let part = block.slice(begin..<end)
            let status =
                switch block.type {
                case .int16: ebur128_add_frames_short(state, samples(part), part.count)
                case .int32: ebur128_add_frames_int(state, samples(part), part.count)
                case .float32: ebur128_add_frames_float(state, samples(part), part.count)
                }
            guard status == Int32(EBUR128_SUCCESS.rawValue) else { throw Self.outOfMemory }
            sampleCount += part.count
            begin = end
            if sampleCount == edge { endHop() }
        }
    }

    /// Returns the accumulated statistics, for the ``LoudnessStatistics/loudness`` of this file and of several files.
    package func finish() -> LoudnessStatistics {
        var result = statistics
        for channel in 0..<UInt32(format.channels.count) {
            var (truePeak, samplePeak) = (0.0, 0.0)
            ebur128_true_peak(state, channel, &truePeak)
            ebur128_sample_peak(state, channel, &samplePeak)
            result.addChannel(truePeak: truePeak, samplePeak: samplePeak)
        }
        return result
    }

    private func endHop() {
        var loudness = 0.0
        ebur128_loudness_window(state, UInt(1000 / Self.hopsPerSecond), &loudness)
        hops[hopCount % hops.count] = energy(lufs: loudness)
        hopCount += 1
        let momentary = meanOfLast(Self.hopsPerBlock)
        let shortTerm = meanOfLast(hops.count)
        statistics.note(momentary: momentary, shortTerm: shortTerm)
        guard hopCount.isMultiple(of: Self.hopsPerSecond / 10) else { return }
        if hopCount >= Self.hopsPerBlock { statistics.addBlock(momentary) }
        if hopCount >= hops.count { statistics.addShortTerm(shortTerm) }
    }

    /// Summed anew each time: a running sum would carry rounding errors of loud passages into silence.
    private func meanOfLast(_ count: Int) -> Double {
        var sum = 0.0
        for hop in hopCount - count..<hopCount { sum += hops[(hop + hops.count) % hops.count] }
        return sum / Double(count)
    }

    /// Returns the interleaved samples, valid until the next call.
    private func samples<Sample>(_ block: AudioBlock) -> UnsafePointer<Sample> {
        if block.planes.count == 1 { return block.samples(of: 0, as: Sample.self) }
        let destination = interleaved.assumingMemoryBound(to: Sample.self)
        for channel in 0..<block.channelCount {
            let source = block.samples(of: channel, as: Sample.self)
            for index in 0..<block.count { destination[index * block.channelCount + channel] = source[index] }
        }
        return UnsafePointer(destination.baseAddress!)
    }

    private static var outOfMemory: MediaError {
        MediaError(.limit, step: .loudness, reason: "not enough memory", advice: "run fewer tasks at once")
    }
}

extension [AudioChannel] {
    /// The channel positions for libebur128, by the weights of BS.1770-4, table 4: LFE is ignored, surrounds at 60° to
    /// 120° have weight 1.41. Back channels are surrounds if there are no side channels, as in 5.1; in 7.1 they are at
    /// 135° and more. Mono counts once, not twice; so does an unknown channel.
    var loudnessPositions: [channel] {
        let hasSides = contains(.sideLeft) || contains(.sideRight)
        return map { channel in
            switch channel {
            case .lowFrequency: EBUR128_UNUSED
            case .sideLeft: EBUR128_LEFT_SURROUND
            case .sideRight: EBUR128_RIGHT_SURROUND
            case .backLeft where !hasSides: EBUR128_LEFT_SURROUND
            case .backRight where !hasSides: EBUR128_RIGHT_SURROUND
            default: EBUR128_LEFT
            }
        }
    }
}
