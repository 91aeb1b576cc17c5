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
