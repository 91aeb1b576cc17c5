internal import Glibc
internal import WayreelCore

/// A cascade of second-order sections.
///
/// The coefficients are those of `scipy.signal.butter(…, output='sos')` and `scipy.signal.iirnotch`, in the same
/// sections. It begins in the state of `scipy.signal.sosfilt_zi`, so that a constant offset does not ring.
struct SecondOrderSections: RatedFilter {
    private(set) var sections: [Section]

    /// A section in the transposed direct form II:
    /// y = b₀·x + z₁, z₁ = b₁·x − a₁·y + z₂, z₂ = b₂·x − a₂·y.
    struct Section: Sendable {
        var b: (Double, Double, Double)
        var a: (Double, Double)
        private var z = (0.0, 0.0)

        init(b: (Double, Double, Double), a: (Double, Double)) {
            self.b = b
            self.a = a
        }

        /// Begins in the state after a long time of a value; returns the output in this state.
        mutating func start(_ value: Double) -> Double {
            let output = (b.0 + b.1 + b.2) / (1 + a.0 + a.1) * value
            z = (output - b.0 * value, b.2 * value - a.1 * output)
            return output
        }

        mutating func next(_ value: Double) -> Double {
            let output = b.0 * value + z.0
            z = (b.1 * value - a.0 * output + z.1, b.2 * value - a.1 * output)
            return output
        }
    }

    mutating func start(_ value: Double) {
        var value = value
        for index in sections.indices { value = sections[index].start(value) }
    }

    mutating func next(_ value: Double) -> Double {
        var value = value
        for index in sections.indices { value = sections[index].next(value) }
        return value
    }
}

/// The frequencies that a Butterworth filter lets pass, with −3.01 dB at their ends, in Hz.
enum PassBand: Sendable {
    case below(Double)
    case above(Double)
    case between(Double, Double)

    /// The ends of the band, the lower first.
    var ends: [Double] {
        switch self {
        case .below(let end), .above(let end): [end]
        case .between(let low, let high): [low, high]
        }
    }
}

extension SecondOrderSections {
    /// Designs a notch filter by the formulas of `scipy.signal.iirnotch`: S. J. Orfanidis, Introduction to Signal
    /// Processing, 1996.
    ///
    /// - Parameters:
    ///   - frequency: In Hz.
    ///   - quality: The frequency divided by the bandwidth at −3 dB.
    ///   - rate: In samples a second.
    /// - Throws: A `parameter` error if the frequency is not below half the rate.
    init(notch frequency: Double, quality: Double, rate: Double) throws(MediaError) {
        try Self.check(frequency, rate)
        let angle = 2 * Double.pi * frequency / rate
        let gain = 1 / (1 + tan(angle / quality / 2))
        sections = [
            Section(b: (gain, -2 * gain * cos(angle), gain), a: (-2 * gain * cos(angle), 2 * gain - 1))
        ]
    }

    /// Designs a Butterworth filter by the bilinear transform of its analogue poles.
    ///
    /// - Parameters:
    ///   - order: That of the low-pass prototype, 1 or more: a band has twice as many poles.
    ///   - rate: In samples a second.
    /// - Throws: A `parameter` error if a frequency is not below half the rate.
    init(butterworth band: PassBand, order: Int, rate: Double) throws(MediaError) {
        for end in band.ends { try Self.check(end, rate) }
        // The bilinear transform for 2 samples a second: s = 4·(z − 1) / (z + 1).
        let warped = band.ends.map { 4 * tan(.pi * $0 / rate) }
        var poles = (0..<order).map { index in
            let angle = Double.pi * Double(2 * index + 1 - order) / Double(2 * order)
            // The middle pole of an odd order is real.
            return Complex(-cos(angle), 2 * index + 1 == order ? 0 : -sin(angle))
        }
        var gain = 1.0
        // The zeros of the digital filter.
        let zeros: [Double]
        switch band {
        case .below:
            poles = poles.map { $0 * warped[0] }
            gain = pow(warped[0], Double(order))
            zeros = [Double](repeating: -1, count: order)
        case .above:
            poles = poles.map { Complex(warped[0], 0) / $0 }
            zeros = [Double](repeating: 1, count: order)
            // That of the zeros at s = 0.
            gain = pow(4, Double(order))
        case .between:
            let (width, square) = (warped[1] - warped[0], warped[0] * warped[1])
            poles = poles.map { $0 * (width / 2) }.flatMap { pole in
                let root = (pole * pole - Complex(square, 0)).squareRoot
                return [pole + root, pole - root]
            }
            gain = pow(4 * width, Double(order))
            zeros = [Double](repeating: -1, count: order) + [Double](repeating: 1, count: order)
        }
        gain /= poles.reduce(Complex(1, 0)) { $0 * (Complex(4, 0) - $1) }.real
        sections = Self.sections(zeros, poles.map { (Complex(4, 0) + $0) / (Complex(4, 0) - $0) }, gain)
    }

    /// Throws an error unless the bilinear transform is precise for a frequency.
    private static func check(_ frequency: Double, _ rate: Double) throws(MediaError) {
        let site = ErrorSite(.parameter, step: .filter)
        let text = "\(frequency.shortDescription) Hz"
        let samples = "\(rate.rounded(places: 3).shortDescription) samples a second"
        guard frequency < rate / 2 else {
            throw site("\(text) is not below half the rate of \(samples)", "choose a lower frequency")
        }
        guard frequency >= rate / 1_000_000 else {
            throw site(
                "\(text) is below a millionth of the rate of \(samples)",
                "choose a higher frequency, or resample to a lower rate before")
        }
    }

    /// Pairs poles and zeros as `scipy.signal.zpk2sos` does: the poles nearest to the unit circle are in the last section,
    /// each with the zeros that are nearest to it. The first section has the gain.
    private static func sections(_ zeros: [Double], _ poles: [Complex], _ gain: Double) -> [Section] {
        // One of each conjugate pair, and the real ones.
        func isReal(_ pole: Complex) -> Bool { abs(pole.imaginary) <= 100 * .ulpOfOne * pole.magnitude }
        var poles =
            poles.filter { !isReal($0) && $0.imaginary > 0 } + poles.filter(isReal).map { Complex($0.real, 0) }
        var zeros = zeros
        if zeros.count % 2 == 1 {
            poles.append(Complex(0, 0))
            zeros.append(0)
        }
        func takeWorst(_ isSuitable: (Complex) -> Bool) -> Complex? {
            let worst = poles.indices.filter { isSuitable(poles[$0]) }
                .min { abs(1 - poles[$0].magnitude) < abs(1 - poles[$1].magnitude) }
            return worst.map { poles.remove(at: $0) }
        }
        func takeZero(nearest pole: Complex) -> Double {
            let nearest = zeros.indices.min {
                (Complex(zeros[$0], 0) - pole).magnitude < (Complex(zeros[$1], 0) - pole).magnitude
            }
            return nearest.map { zeros.remove(at: $0) } ?? 0
        }
        var sections: [Section] = []
        while let pole = takeWorst({ _ in true }) {
            let partner = isReal(pole) ? takeWorst(isReal) ?? Complex(0, 0) : pole.conjugate
            let (first, second) = (takeZero(nearest: pole), takeZero(nearest: pole))
            sections.append(
                Section(
                    b: (1, -(first + second), first * second),
                    a: (-(pole + partner).real, (pole * partner).real)))
        }
        sections.reverse()
        let first = sections[0].b
        sections[0].b = (first.0 * gain, first.1 * gain, first.2 * gain)
        return sections
    }
}

private struct Complex: Sendable {
    var real: Double
    var imaginary: Double

    init(_ real: Double, _ imaginary: Double) {
        self.real = real
        self.imaginary = imaginary
    }

    var magnitude: Double { hypot(real, imaginary) }
    var conjugate: Complex { Complex(real, -imaginary) }

    /// The square root with a real part that is not negative.
    var squareRoot: Complex {
        let root = ((magnitude + abs(real)) / 2).squareRoot()
        guard root > 0 else { return self }
        let other = imaginary / (2 * root)
        return real >= 0 ? Complex(root, other) : Complex(abs(other), imaginary < 0 ? -root : root)
    }

    static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
    static func - (a: Complex, b: Complex) -> Complex { Complex(a.real - b.real, a.imaginary - b.imaginary) }
    static func * (a: Complex, b: Double) -> Complex { Complex(a.real * b, a.imaginary * b) }
    static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
    static func / (a: Complex, b: Complex) -> Complex {
        a * b.conjugate * (1 / (b.real * b.real + b.imaginary * b.imaginary))
    }
}
