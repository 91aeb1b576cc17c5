internal import Glibc
internal import WayreelCore

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

/// The linear values of all codes by sRGB's transfer function.
enum SRGBTransfer {
    static func table(bits: Int) -> [Float] { bits == 8 ? bytes : words }

    private static let bytes = makeTable(codes: 256)
    private static let words = makeTable(codes: 65_536)

    private static func makeTable(codes: Int) -> [Float] {
        (0..<codes).map { Float((Double($0) / Double(codes - 1)).linearFromSRGB) }
    }
}

/// A colour space defined by a curve per channel and a matrix, as for most cameras and displays.
struct ShapedColor {
    /// For red, green and blue: encoded to linear.
    var curves: [ToneCurve]
    /// Linear RGB to XYZ under D50.
    var toXYZ: Matrix3
    /// Operations on linear RGB before `toXYZ`.
    var linearOps: [ColorOp] = []

    init(curves: [ToneCurve], toXYZ: Matrix3) {
        precondition(curves.count == 3)
        self.curves = curves
        self.toXYZ = toXYZ
    }

    init(curve: ToneCurve, toXYZ: Matrix3 = XYZ.fromSRGB, linearOps: [ColorOp] = []) {
        self.init(curves: [curve, curve, curve], toXYZ: toXYZ)
        self.linearOps = linearOps
    }

    /// The operations that convert to sRGB; empty if the space equals sRGB within half an 8-bit step.
    ///
    /// Relative colorimetric; the darkest colour becomes black (Adobe's black-point compensation, which scales XYZ
    /// about the white; ISO 18619).
    var ops: [ColorOp] {
        let black = min((toXYZ * linear([0, 0, 0])).y, 0.5)
        let compensation = 1 / (1 - max(black, 0))
        let matrix = XYZ.toSRGB * toXYZ * compensation
        let offset = 1 - compensation
        if linearOps.isEmpty, isSRGB(matrix, offset) { return [] }
        let toLinear: [ColorOp] =
            if curves == [.srgb, .srgb, .srgb] {
                [.decodeSRGB]
            } else if curves == [.linear, .linear, .linear] {
                []
            } else {
                [.curves(sampled)]
            }
        return toLinear + linearOps + [.matrix(ColorMatrix(matrix, offset: offset)), .encodeSRGB]
    }

    /// Equal curves share their samples, and thus the cache.
    private var sampled: ColorCurves {
        let red = curves[0].samples
        let (green, blue) = (curves[1].samples, curves[2].samples)
        return ColorCurves(red: red, green: green == red ? red : green, blue: blue == red ? red : blue)
    }

    private func linear(_ color: SIMD3<Double>) -> SIMD3<Double> {
        [curves[0](color.x), curves[1](color.y), curves[2](color.z)]
    }

    /// Tested on greys and a grid of colours.
    private func isSRGB(_ matrix: Matrix3, _ offset: Double) -> Bool {
        let greys = (0...255).map { SIMD3<Double>(repeating: Double($0) / 255) }
        let steps = (0...8).map { Double($0) / 8 }
        let grid = steps.flatMap { r in steps.flatMap { g in steps.map { b in SIMD3(r, g, b) } } }
        return (greys + grid).allSatisfy { color in
            let result = matrix * linear(color) + offset
            let error = SIMD3(result.x.encodedAsSRGB, result.y.encodedAsSRGB, result.z.encodedAsSRGB) - color
            return max(abs(error.x), abs(error.y), abs(error.z)) < 0.5 / 255
        }
    }
}
