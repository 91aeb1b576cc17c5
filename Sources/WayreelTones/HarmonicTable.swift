internal import Glibc

/// One cycle of a sum of sines at the harmonics of a frequency, sampled so densely that it can be read at any phase.
///
/// It has at least 16 values per cycle of the highest harmonic. Lagrange's polynomial through eight values then is off by
/// at most 5·10⁻⁷ of a harmonic's amplitude there, which is below −120 dB of it, and 48 dB less an octave below.
struct HarmonicTable: Sendable {
    /// The cycle, with ``margin`` values before it and after it, which repeat its end and start.
    private let values: [Double]
    /// The table has 2 to this power values a cycle.
    private let bits: UInt64

    private static let margin = 4
    /// The highest harmonic of any table, which bounds its memory to 80 MB while it is computed.
    static let harmonicLimit = 100_000

    /// The sum of `amplitudes[k − 1]` · sin 2πkφ.
    init(_ amplitudes: [Double]) {
        precondition(!amplitudes.isEmpty && amplitudes.count <= Self.harmonicLimit)
        var bits = 11
        while 1 << bits < 16 * amplitudes.count { bits += 1 }
        let cycle = Self.synthesised(amplitudes, count: 1 << bits)
        values = Array(cycle.suffix(Self.margin)) + cycle + Array(cycle.prefix(Self.margin))
        self.bits = UInt64(bits)
    }

    /// The sums for all phases of the table: the imaginary part of an inverse discrete Fourier transform, by Cooley and
    /// Tukey's algorithm.
    private static func synthesised(_ amplitudes: [Double], count: Int) -> [Double] {
        let bits = count.trailingZeroBitCount
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        for (index, amplitude) in amplitudes.enumerated() {
            // In the order of reversed bits.
            real[Int(truncatingIfNeeded: UInt64(index + 1).bitReversed >> UInt64(64 - bits))] = amplitude
        }
        let turn = (0..<count / 2).map { index in
            let angle = 2 * .pi * Double(index) / Double(count)
            return (cosine: cos(angle), sine: sin(angle))
        }
        var half = 1
        while half < count {
            let step = count / (2 * half)
            for start in stride(from: 0, to: count, by: 2 * half) {
                for offset in 0..<half {
                    let (cosine, sine) = turn[offset * step]
                    let (low, high) = (start + offset, start + offset + half)
                    let x = real[high] * cosine - imaginary[high] * sine
                    let y = real[high] * sine + imaginary[high] * cosine
                    (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                    (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                }
            }
            half *= 2
        }
        return imaginary
    }

    /// Sets each of `samples` to `gain` times the sum at its phase, in units of 2⁻⁶⁴ cycles, by its index.
    @inline(__always)
    func fill(_ samples: UnsafeMutableBufferPointer<Double>, gain: Double, phase: (Int) -> UInt64) {
        values.withUnsafeBufferPointer { values in
            for index in samples.indices { samples[index] = gain * Self.value(at: phase(index), in: values, bits) }
        }
    }

    /// Lagrange's polynomial of degree 7 through the four values before and after the phase.
    @inline(__always)
    private static func value(at phase: UInt64, in values: UnsafeBufferPointer<Double>, _ bits: UInt64) -> Double {
        // The values −3 … 4 from the one at or before the phase, of which the distance is `t`.
        let first = Int(truncatingIfNeeded: phase >> (64 - bits)) + margin - 3
        let t = Double((phase << bits) >> 11) * 0x1p-53
        // Products of the distances to the values before and after each one.
        let (d0, d1, d2, d3) = (t + 3, t + 2, t + 1, t)
        let (d4, d5, d6, d7) = (t - 1, t - 2, t - 3, t - 4)
        let (a2, b5) = (d0 * d1, d6 * d7)
        let (a4, b3) = (a2 * d2 * d3, d4 * d5 * b5)
        let low = d1 * d2 * d3 * b3 * values[first] * (-1 / 5040) + d0 * d2 * d3 * b3 * values[first + 1] * (1 / 720)
        let left = a2 * d3 * b3 * values[first + 2] * (-1 / 240) + a2 * d2 * b3 * values[first + 3] * (1 / 144)
        let right = a4 * d5 * b5 * values[first + 4] * (-1 / 144) + a4 * d4 * b5 * values[first + 5] * (1 / 240)
        let end = d7 * values[first + 6] * (-1 / 720) + d6 * values[first + 7] * (1 / 5040)
        return (low + left) + (right + a4 * d4 * d5 * end)
    }
}

extension UInt64 {
    /// The bits in reverse order.
    fileprivate var bitReversed: UInt64 {
        var value = byteSwapped
        value = (value >> 4) & 0x0F0F_0F0F_0F0F_0F0F | (value & 0x0F0F_0F0F_0F0F_0F0F) << 4
        value = (value >> 2) & 0x3333_3333_3333_3333 | (value & 0x3333_3333_3333_3333) << 2
        return (value >> 1) & 0x5555_5555_5555_5555 | (value & 0x5555_5555_5555_5555) << 1
    }

    /// A step of a phase, in units of 2⁻⁶⁴ cycles, for a number of cycles, which is finite; whole cycles do not count.
    init(cycles: Double) {
        let part = cycles - cycles.rounded(.down)
        self = part < 1 ? UInt64(part * 0x1p64) : 0
    }
}
