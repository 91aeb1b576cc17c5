internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// Colour spaces described by code points of ITU-T H.273 (07/2021), tables 2 and 3.
enum CodedColor {
    /// Chromaticities of a code point. 2 is unspecified and read as sRGB; 0 and 3 are reserved.
    static func chromaticities(primaries: Int) -> Chromaticities? { primarySets[primaries] }

    private static let primarySets: [Int: Chromaticities] = {
        let (d65, c): (SIMD2<Double>, SIMD2<Double>) = ([0.3127, 0.3290], [0.310, 0.316])
        let bt601 = Chromaticities(white: d65, red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070])
        let p3: [SIMD2<Double>] = [[0.680, 0.320], [0.265, 0.690], [0.150, 0.060]]
        return [
            1: .sRGB, 2: .sRGB,
            4: Chromaticities(white: c, red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08]),
            5: Chromaticities(white: d65, red: [0.64, 0.33], green: [0.29, 0.60], blue: [0.15, 0.06]),
            6: bt601, 7: bt601,
            8: Chromaticities(white: c, red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049]),
            9: Chromaticities(white: d65, red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046]),
            10: Chromaticities(white: [1.0 / 3, 1.0 / 3], red: [1, 0], green: [0, 1], blue: [0, 0]),
            11: Chromaticities(white: [0.314, 0.351], red: p3[0], green: p3[1], blue: p3[2]),
            12: Chromaticities(white: d65, red: p3[0], green: p3[1], blue: p3[2]),
            22: Chromaticities(white: d65, red: [0.630, 0.340], green: [0.295, 0.605], blue: [0.155, 0.077]),
        ]
    }()

    /// A transfer characteristic of images.
    enum Transfer {
        case standard(ToneCurve)
        /// Brighter than a standard display: `curve` gives linear light with 1 as the white of a standard display, to
        /// be compressed by `ToneMapping.ops` in the output's primaries.
        case high(name: String, curve: ToneCurve)
        /// HLG: `curve` gives scene light, which `HybridLogGamma.display` converts to display light.
        case hybrid(curve: ToneCurve)
    }

    /// Returns the transfer characteristic of a code point; nil for reserved ones and those not used by images
    /// (logarithmic).
    ///
    /// Video camera curves (1, 6, 7, 11, 12, 14, 15) are read as sRGB, which is how such images are meant to be
    /// displayed: camera curves describe scene light, not display light.
    static func transfer(_ code: Int) -> Transfer? {
        switch code {
        case 1, 2, 6, 7, 11, 12, 13, 14, 15: .standard(.srgb)
        case 4: .standard(.power(2.2))
        case 5: .standard(.power(2.8))
        case 8: .standard(.linear)
        case 16: .high(name: "PQ", curve: ToneCurve { PerceptualQuantizer.nits($0) / ToneMapping.white })
        case 17: .standard(.power(2.6))
        case 18: .hybrid(curve: ToneCurve(HybridLogGamma.scene))
        default: nil
        }
    }
}

/// SMPTE ST 2084, as in ITU-R BT.2100-2, table 4.
enum PerceptualQuantizer {
    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

    /// Display light in cd/m² for a code of 0 to 1.
    static func nits(_ code: Double) -> Double {
        let power = pow(code, 1 / m2)
        return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    static func code(nits: Double) -> Double {
        let power = pow(max(nits, 0) / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}

/// ITU-R BT.2100-2, table 5, on a display of 1000 cd/m².
enum HybridLogGamma {
    private static let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)

    /// Scene light, 0 to 1, for a code of 0 to 1.
    static func scene(_ code: Double) -> Double {
        code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
    }

    /// Applies the display gamma to scene light; 1 is the white of a standard display. The gamma depends on the
    /// luminance, which keeps the ratios of the channels. The weights are those of linear red, green and blue.
    static func display(luminanceWeights: SIMD3<Double>) -> ColorOp {
        let (gamma, peak) = (1.2, 1000.0)
        let weights = (0..<3).map { Float(luminanceWeights[$0]) }
        return .kernel {
            wr_scale_by_luminance(
                $0.red, $0.green, $0.blue, $0.count, weights, Float(gamma - 1), Float(peak / ToneMapping.white))
        }
    }
}

/// Compresses HDR to SDR: ITU-R BT.2390-10, section 5.4.1, for each channel separately.
enum ToneMapping {
    /// Assumed peak luminance of content, and reference white of a standard display (ITU-R BT.2408-5), in cd/m².
    static let (peak, white) = (1000.0, 203.0)

    /// Maps sRGB-encoded light, possibly brighter than white, to sRGB. The curve is sampled in encoded light for even
    /// precision, from black to `peak`; brighter values become white.
    static var ops: [ColorOp] {
        let brightest = (peak / white).encodedAsSRGB
        let scale = Float(1 / brightest)
        let samples = ToneCurve.positions.map { position in
            Float(compress((Double(position) * brightest).linearFromSRGB * white).encodedAsSRGB)
        }
        return [
            .matrix(ColorMatrix(red: [scale, 0, 0, 0], green: [0, scale, 0, 0], blue: [0, 0, scale, 0])),
            .curves(ColorCurves(red: samples, green: samples, blue: samples)),
        ]
    }

    /// Maps light in cd/m² to linear light, 0 to 1. Values below half of white keep their ratios; highlights are
    /// compressed.
    static func compress(_ nits: Double) -> Double {
        let range = PerceptualQuantizer.code(nits: peak)
        let end = PerceptualQuantizer.code(nits: white) / range
        let knee = 1.5 * end - 0.5
        let encoded = min(PerceptualQuantizer.code(nits: nits) / range, 1)
        guard encoded > knee else { return nits / white }
        let t = (encoded - knee) / (1 - knee)
        let spline =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * end
        return PerceptualQuantizer.nits(spline * range) / white
    }
}
