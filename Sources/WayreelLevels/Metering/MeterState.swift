internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// Meter states, one per channel, updated by every sample.
final class MeterState {
    private typealias Follow =
        @convention(c) (
            UnsafePointer<wr_ballistics>?, UnsafePointer<Float>?, UnsafePointer<Float>?, Int,
            UnsafeMutablePointer<wr_meter_state>?
        ) -> Void

    private let channelCount: Int
    private let follow: Follow
    private let showsSquares: Bool
    private var ballistics: wr_ballistics
    /// States of two channels each.
    private let pairs: UnsafeMutableBufferPointer<wr_meter_state>
    private let scratch: UnsafeMutableBufferPointer<Float>
    private static let chunk = 1024

    init(_ meter: MeterBallistics, channelCount: Int, sampleRate: Int) {
        self.channelCount = channelCount
        let definition = meter.definition
        let rate = Double(sampleRate)
        let share = { (seconds: Double) in -expm1(-1 / (seconds * rate)) }
        ballistics = wr_ballistics()
        ballistics.gain = 1
        ballistics.decay = definition.fall?.factor(sampleRate: rate) ?? 0
        ballistics.hold_samples = definition.holdSeconds * rate
        ballistics.hold_decay = definition.holdFall.factor(sampleRate: rate)
        switch definition.movement {
        case .instant: follow = wr_follow_peak
        case .power(let seconds):
            follow = wr_follow_power
            ballistics.attack.0 = share(seconds)
            ballistics.decay *= ballistics.decay
        case .quasiPeak(let seconds, let gain):
            follow = wr_follow_quasi_peak
            ballistics.attack = (share(seconds.0), share(seconds.1))
            ballistics.gain = gain
        case .swing(let frequency, let damping, let gain):
            follow = wr_follow_mean
            ballistics.swing = Self.swing(frequency: frequency, damping: damping, seconds: 1 / rate)
            ballistics.gain = gain
        }
        showsSquares = if case .power = definition.movement { true } else { false }
        pairs = .allocate(capacity: (channelCount + 1) / 2)
        pairs.initialize(repeating: wr_meter_state())
        scratch = .allocate(capacity: 2 * Self.chunk)
        scratch.initialize(repeating: 0)
    }

    deinit {
        pairs.deallocate()
        scratch.deallocate()
    }

    /// Returns the exact step of x'' = f²(u - x) - 2df·x' with constant u: the matrix for position and velocity.
    private static func swing(
        frequency: Double, damping: Double, seconds: Double
    ) -> (Double, Double, Double, Double) {
        let ringing = frequency * (1 - damping * damping).squareRoot()
        let decay = damping * frequency
        let envelope = exp(-decay * seconds)
        let (cosine, sine) = (cos(ringing * seconds), sin(ringing * seconds) / ringing)
        return (
            envelope * (cosine + decay * sine), envelope * sine,
            -envelope * frequency * frequency * sine, envelope * (cosine - decay * sine)
        )
    }

    /// Updates the states with the samples of `block` in `range`.
    func add(_ block: AudioBlock, _ range: Range<Int>) {
        for pair in pairs.indices {
            // The last one of an odd count is processed twice.
            let (first, second) = (2 * pair, min(2 * pair + 1, channelCount - 1))
            if block.type == .float32, block.stride == 1 {
                let a = block.samples(of: first, as: Float.self) + range.lowerBound
                let b = block.samples(of: second, as: Float.self) + range.lowerBound
                follow(&ballistics, a, b, range.count, pairs.baseAddress! + pair)
                continue
            }
            let a = scratch.baseAddress!
            let b = second > first ? a + Self.chunk : a
            var start = range.lowerBound
            while start < range.upperBound {
                let count = min(Self.chunk, range.upperBound - start)
                block.floats(of: first, start..<start + count, into: a)
                if second > first { block.floats(of: second, start..<start + count, into: b) }
                follow(&ballistics, a, b, count, pairs.baseAddress! + pair)
                start += count
            }
        }
    }

    /// Returns the max of a channel's meter state and of its peak hold since ``beginBucket()``. Values near silence are
    /// 0.
    func reading(of channel: Int) -> (meter: Float, hold: Float) {
        let pair = pairs[channel / 2]
        let (level, held) =
            channel % 2 == 0
            ? (pair.highest.0, pair.highest_held.0) : (pair.highest.1, pair.highest_held.1)
        let shown = { (value: Double) in
            value > 10 * WR_METER_FLOOR ? min(Float(value), Float.greatestFiniteMagnitude) : 0
        }
        return (shown(showsSquares ? level.squareRoot() : level), shown(held))
    }

    func beginBucket() {
        for index in pairs.indices {
            pairs[index].highest = (0, 0)
            pairs[index].highest_held = (0, 0)
        }
    }
}
