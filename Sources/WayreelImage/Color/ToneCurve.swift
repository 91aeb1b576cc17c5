internal import Glibc

/// A transfer function for the colour pass: encoded to linear light.
enum ToneCurve: Equatable {
    /// sRGB's, computed by the pass.
    case srgb
    case linear
    /// Samples at `positions`, interpolated linearly.
    case sampled([Float])

    /// Enough for an error below 1e-7 of full scale with a power of 2.2.
    static let positions: [Float] = (0..<2048).map { Float($0) / 2047 }

    /// The curve with these values at `positions`. It counts as sRGB's if it differs by less than a sixteenth of an
    /// 8-bit code: profile tables are that coarse.
    init(samples: [Float]) {
        let isSRGB = zip(Self.positions, samples).allSatisfy { abs(Double($1).encodedAsSRGB - Double($0)) < 1 / 4096 }
        self = isSRGB ? .srgb : .sampled(samples)
    }

    init(_ function: (Double) -> Double) {
        self.init(samples: Self.positions.map { Float(function(Double($0))) })
    }

    /// linear = encoded^exponent.
    static func power(_ exponent: Double) -> ToneCurve {
        exponent == 1 ? .linear : ToneCurve { pow($0, exponent) }
    }

    var samples: [Float] {
        switch self {
        case .srgb: Self.positions.map { Float(Double($0).linearFromSRGB) }
        case .linear: Self.positions
        case .sampled(let samples): samples
        }
    }

    /// Linear light for a code of 0 to 1.
    func callAsFunction(_ code: Double) -> Double {
        switch self {
        case .srgb: return code.linearFromSRGB
        case .linear: return code
        case .sampled(let samples):
            let position = code * Double(samples.count - 1)
            let index = min(Int(position), samples.count - 2)
            let (low, high) = (Double(samples[index]), Double(samples[index + 1]))
            return low + (position - Double(index)) * (high - low)
        }
    }
}
