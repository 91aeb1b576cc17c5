import Glibc
import WayreelCore
import WayreelTones

/// Renders tones as 32-bit floats and returns the samples of each channel.
func render(
    _ tones: [Tone], sampleRate: Int = 48_000, channels: Int = 1, seconds: Double, isNaive: Bool = false,
    seed: UInt64 = 1
) throws -> [[Double]] {
    let mix = ToneMix(
        tones, sampleRate: sampleRate, channelCount: channels, seconds: seconds, isNaive: isNaive, seed: seed)
    let bytes = try bytes(of: mix, ToneFile(.raw, samples: .float))
    let floats = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return (0..<channels).map { channel in
        stride(from: channel, to: floats.count, by: channels).map { Double(floats[$0]) }
    }
}

/// The content of a file, not of FLAC.
func bytes(of mix: ToneMix, _ file: ToneFile) throws -> [UInt8] {
    _ = try file.check(mix)
    let sink = MemorySink()
    _ = try file.writePCM(mix, to: sink)
    return sink.bytes
}

/// The 16-bit samples of a raw file.
func integers(_ bytes: [UInt8]) -> [Int16] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } }

func rms(_ samples: some Collection<Double>) -> Double {
    (samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)).squareRoot()
}

extension Double {
    /// As a level, relative to 1.
    var decibels: Double { 20 * log10(self) }
}

/// The discrete Fourier transform by its definition: amplitudes of the cosine and of the sine with `bin` cycles in all.
func amplitudes(_ samples: [Double], bin: Int) -> (cosine: Double, sine: Double) {
    var (cosine, sine) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
        let angle = 2 * .pi * Double(index * bin % samples.count) / Double(samples.count)
        cosine += sample * cos(angle)
        sine += sample * sin(angle)
    }
    let scale = (bin == 0 || 2 * bin == samples.count ? 1.0 : 2.0) / Double(samples.count)
    return (cosine * scale, sine * scale)
}

/// The powers of all frequencies of a power of two of samples, by the recursive fast Fourier transform.
func powers(_ samples: [Double]) -> [Double] {
    func transform(_ values: [(re: Double, im: Double)]) -> [(re: Double, im: Double)] {
        let count = values.count
        guard count > 1 else { return values }
        let even = transform(stride(from: 0, to: count, by: 2).map { values[$0] })
        let odd = transform(stride(from: 1, to: count, by: 2).map { values[$0] })
        var result = even + even
        for k in 0..<count / 2 {
            let (c, s) = (cos(2 * .pi * Double(k) / Double(count)), -sin(2 * .pi * Double(k) / Double(count)))
            let turned = (re: odd[k].re * c - odd[k].im * s, im: odd[k].re * s + odd[k].im * c)
            result[k] = (even[k].re + turned.re, even[k].im + turned.im)
            result[k + count / 2] = (even[k].re - turned.re, even[k].im - turned.im)
        }
        return result
    }
    return transform(samples.map { ($0, 0) }).prefix(samples.count / 2).map { $0.re * $0.re + $0.im * $0.im }
}
