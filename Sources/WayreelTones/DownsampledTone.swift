internal import Glibc

/// Samples of a mixture, block by block. Belongs to one thread.
protocol ToneBlocks: AnyObject {
    /// The samples of the last block, by channel; more than its count may be there.
    var planes: [[Double]] { get }
    /// Whether anything that is not silence sounds on a channel during the last block.
    var isSounding: [Bool] { get }

    /// Renders the next block. Returns its samples per channel, 0 at the end.
    func next() -> Int
}

extension ToneRenderer: ToneBlocks {}

/// A mixture that is synthesised at four times its sample rate, low-pass filtered to half the rate, and downsampled: so that
/// a tone that begins or ends at once does not alias, and its peak is between samples.
final class DownsampledTone: ToneBlocks {
    private(set) var planes: [[Double]]
    private(set) var isSounding: [Bool]
    private let renderer: ToneRenderer
    private let count: Int
    private let kernel: [Double]
    /// The number of the next sample.
    private var position = 0
    /// The samples of four times the rate that the next ones are made of, by channel.
    private var waiting: [[Double]]

    private static let (factor, blockSize) = (4, 1024)
    /// Coefficients before and after the middle one.
    private static let reach = 127

    /// The mixture is checked. `offset` is the first sample of four times the rate that is taken, 0 to 3.
    init(_ mix: ToneMix, offset: Int) {
        renderer = ToneRenderer(mix, oversampling: Self.factor)
        count = mix.frameCount
        kernel = Self.lowPass()
        // Before the first sample are zeros.
        waiting = Array(repeating: Array(repeating: 0, count: Self.reach - offset), count: mix.channelCount)
        planes = Array(repeating: Array(repeating: 0, count: Self.blockSize), count: mix.channelCount)
        isSounding = Array(repeating: false, count: mix.channelCount)
    }

    /// The coefficients of a low-pass filter for half the lower rate: sin(πx/4)/πx with a Blackman window, whose sum is 1; and
    /// a zero, for a whole number of fours. Its transition is 0.46 to 0.54 times the lower rate.
    private static func lowPass() -> [Double] {
        let values = (-reach...reach).map { place in
            let (x, turn) = (Double(place), .pi * Double(place) / Double(reach))
            let window = 0.42 + 0.5 * cos(turn) + 0.08 * cos(2 * turn)
            return (place == 0 ? 0.25 : sin(.pi * x / 4) / (.pi * x)) * window
        }
        let sum = values.reduce(0, +)
        return values.map { $0 / sum } + [0]
    }

    func next() -> Int {
        let size = min(Self.blockSize, count - position)
        guard size > 0 else { return 0 }
        let wanted = Self.factor * (size - 1) + kernel.count
        while (waiting.first?.count ?? wanted) < wanted {
            let rendered = renderer.next()
            for channel in waiting.indices {
                // After the last sample are zeros.
                let missing = rendered > 0 ? 0 : wanted - waiting[channel].count
                waiting[channel] += renderer.planes[channel].prefix(rendered)
                waiting[channel] += repeatElement(0, count: missing)
            }
        }
        for channel in waiting.indices {
            isSounding[channel] = waiting[channel].prefix(wanted).contains { $0 != 0 }
            filter(channel, size)
            waiting[channel].removeFirst(min(Self.factor * size, waiting[channel].count))
        }
        position += size
        return size
    }

    private func filter(_ channel: Int, _ size: Int) {
        waiting[channel].withUnsafeBufferPointer { samples in
            kernel.withUnsafeBufferPointer { kernel in
                for index in 0..<size {
                    let first = Self.factor * index
                    // Four sums, so that no addition waits for the one before it.
                    var (a, b, c, d) = (0.0, 0.0, 0.0, 0.0)
                    for place in stride(from: 0, to: kernel.count, by: 4) {
                        a += samples[first + place] * kernel[place]
                        b += samples[first + place + 1] * kernel[place + 1]
                        c += samples[first + place + 2] * kernel[place + 2]
                        d += samples[first + place + 3] * kernel[place + 3]
                    }
                    planes[channel][index] = (a + b) + (c + d)
                }
            }
        }
    }
}
