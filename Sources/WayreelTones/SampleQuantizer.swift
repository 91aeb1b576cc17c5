internal import WayreelCore

/// How samples are stored.
public enum ToneSamples: String, Hashable, Sendable, CaseIterable {
    case int16 = "16"
    case int24 = "24"
    case int32 = "32"
    /// 32-bit floating point, in which full scale is 1. Nothing is clipped, and there is no dither.
    case float

    var bits: Int {
        switch self {
        case .int16: 16
        case .int24: 24
        case .int32, .float: 32
        }
    }

    var byteCount: Int { bits / 8 }
}

/// Rounds samples to integers with dither, and interleaves them as little-endian bytes. Belongs to one thread.
///
/// Full scale is 2ⁿ⁻¹ steps; the highest value is one less. Dither is the difference of two uniform random numbers of one
/// step each (TPDF, ±1 LSB): its error has neither a mean nor a variance that depends on the signal. Where no signal
/// sounds, samples are 0.
struct SampleQuantizer {
    let samples: ToneSamples
    /// A generator for each channel; none without dither.
    private var dither: [SeededGenerator]
    /// Samples above full scale, which integers clip.
    private(set) var overCount = 0
    private var words: [Int32] = []

    init(_ samples: ToneSamples, channelCount: Int, hasDither: Bool, seed: UInt64) {
        self.samples = samples
        var seeds = SeededGenerator(seed: ~seed)
        let isDithered = hasDither && samples != .float
        dither = (0..<(isDithered ? channelCount : 0)).map { _ in SeededGenerator(seed: seeds.next()) }
    }

    /// Appends the first `count` samples of all channels.
    mutating func append(_ planes: [[Double]], count: Int, isSounding: [Bool], to bytes: inout [UInt8]) {
        fill(planes, count: count, isSounding: isSounding)
        let size = samples.byteCount
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: words.count * size))
        bytes.withUnsafeMutableBytes { bytes in
            words.withUnsafeBufferPointer { words in
                var place = start
                for word in words {
                    for byte in 0..<size { bytes[place + byte] = UInt8(truncatingIfNeeded: word >> Int32(8 * byte)) }
                    place += size
                }
            }
        }
    }

    /// Returns the first `count` samples of all channels, interleaved: integers, or the bit patterns of floats.
    mutating func interleaved(_ planes: [[Double]], count: Int, isSounding: [Bool]) -> [Int32] {
        fill(planes, count: count, isSounding: isSounding)
        return words
    }

    private mutating func fill(_ planes: [[Double]], count: Int, isSounding: [Bool]) {
        let channelCount = planes.count
        if words.count != count * channelCount { words = [Int32](repeating: 0, count: count * channelCount) }
        let scale = Double(1 << (samples.bits - 1))
        let (lowest, highest) = (-scale, scale - 1)
        var overs = 0
        words.withUnsafeMutableBufferPointer { words in
            for (channel, plane) in planes.enumerated() {
                plane.withUnsafeBufferPointer { plane in
                    var place = channel
                    if samples == .float {
                        for index in 0..<count {
                            words[place] = Int32(bitPattern: Float(plane[index]).bitPattern)
                            if plane[index].magnitude > 1 + 1e-9 { overs += 1 }
                            place += channelCount
                        }
                        return
                    }
                    let isDithered = !dither.isEmpty && isSounding[channel]
                    for index in 0..<count {
                        var value = plane[index] * scale
                        if value.magnitude > scale * (1 + 1e-9) { overs += 1 }
                        if isDithered {
                            let random = dither[channel].next()
                            value += (Double(random >> 32) - Double(random & 0xFFFF_FFFF)) * 0x1p-32
                        }
                        words[place] = Int32(min(max(value.rounded(), lowest), highest))
                        place += channelCount
                    }
                }
            }
        }
        overCount += overs
    }
}
