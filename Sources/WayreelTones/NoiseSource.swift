internal import WayreelCore

/// White and pink noise. The same seed gives the same samples on every machine.
struct NoiseSource {
    private var generator: SeededGenerator
    private var filter: PinkFilter?

    /// Pink noise for a sample rate, or white noise for nil.
    init(seed: UInt64, pinkAt sampleRate: Double?) {
        // Seeds that are near to each other give unrelated sequences.
        var mixer = SeededGenerator(seed: seed)
        generator = SeededGenerator(seed: mixer.next() ^ 0x746F_6E65_6E6F_6973)
        guard let sampleRate else { return }
        let filter = PinkFilter(sampleRate: sampleRate)
        self.filter = filter
        for _ in 0..<filter.settlingCount { _ = next() }
    }

    /// White noise has the peak 1 and the RMS 1/√3, pink noise the RMS 1.
    mutating func next() -> Double {
        let white = Double(Int64(bitPattern: generator.next()) >> 11) * 0x1p-52
        return filter?.next(white) ?? white
    }
}

/// A filter of −3.01 dB an octave: sections (1 − b z⁻¹) / (1 − a z⁻¹), whose poles and zeros were fitted to the slope by
/// least squares, with weights that make the largest error the smallest.
///
/// All of them are within ±0.04 dB from 8·10⁻⁶ to 0.4999 of the sample rate. Those whose zero is below 4 Hz are left out,
/// which costs 0.2 dB at 20 Hz: the spectrum is flat below about 5 Hz, so that the level is not that of inaudible sound.
private struct PinkFilter {
    private static let poles = [
        0.9999649545881609, 0.9998116217270429, 0.9991833578278791, 0.996471425272267, 0.984694678276784,
        0.93375116279076, 0.7317616176494735, 0.1833818876176937, -0.729181667465513,
    ]
    private static let zeros = [
        0.9999120353658082, 0.9996068234940485, 0.9983034986389157, 0.9926542818527021, 0.9680933735761462,
        0.8643911680145273, 0.5041749775530142, -1.3394978180346682, -0.07041124373519035,
    ]

    private let coefficients: [(pole: Double, zero: Double)]
    /// The last value before each section and, at the end, the last one of all.
    private var states: [Double]
    private var gain = 1.0
    /// Samples after which an impulse has fallen by 170 dB.
    let settlingCount: Int

    init(sampleRate: Double) {
        coefficients = zip(Self.poles, Self.zeros).enumerated().filter { index, section in
            index >= Self.poles.count - 3 || (1 - section.1) * sampleRate / (2 * .pi) >= 4
        }.map { ($0.element.0, $0.element.1) }
        let silence = [Double](repeating: 0, count: coefficients.count + 1)
        states = silence
        settlingCount = Int(20 / (1 - coefficients[0].pole))
        // The RMS that the filter makes of white noise is the root of the energy of its impulse response.
        var energy = 0.0
        for index in 0..<settlingCount {
            let value = next(index == 0 ? 1 : 0)
            energy += value * value
        }
        states = silence
        gain = (3 / energy).squareRoot()
    }

    mutating func next(_ white: Double) -> Double {
        var value = white * gain
        for section in coefficients.indices {
            let (pole, zero) = coefficients[section]
            let output = value - zero * states[section] + pole * states[section + 1]
            states[section] = value
            value = output
        }
        states[coefficients.count] = value
        return value
    }
}
