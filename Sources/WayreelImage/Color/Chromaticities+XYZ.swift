/// Conversions to and from CIE 1931 XYZ, relative to a white of Y = 1.
enum XYZ {
    /// The illuminant of ICC's profile connection space (ICC.1:2022, section 7.2.16).
    static let d50: SIMD3<Double> = [0.9642, 1, 0.8249]

    /// Converts linear sRGB to XYZ under D50.
    static let fromSRGB = Chromaticities.sRGB.matrixToD50 ?? .identity
    /// Converts XYZ under D50 to linear sRGB.
    static let toSRGB = fromSRGB.inverse ?? .identity

    /// Cone responses after Bradford (ICC.1:2022, annex E.1).
    private static let bradford = Matrix3(
        rows: [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])

    /// Adapts colours under `white` to D50.
    static func adaptation(from white: SIMD3<Double>) -> Matrix3? {
        let cones = bradford * white
        guard cones.min() > 1e-6, let back = bradford.inverse else { return nil }
        return back * Matrix3(diagonal: (bradford * d50) / cones) * bradford
    }
}

extension Chromaticities {
    /// Converts linear RGB, 0…1, to XYZ adapted to D50; white becomes D50.
    ///
    /// nil for degenerate primaries (derivation: SMPTE RP 177-1993).
    var matrixToD50: Matrix3? {
        guard let white = xyz(white), let shares, let primaries else { return nil }
        return XYZ.adaptation(from: white).map { $0 * primaries * Matrix3(diagonal: shares) }
    }

    /// Weights of linear red, green and blue in the luminance, with a sum of 1; nil for degenerate primaries.
    var luminanceWeights: SIMD3<Double>? { shares }

    /// XYZ of the primaries as columns, each with Y = 1.
    private var primaries: Matrix3? {
        guard let red = xyz(red), let green = xyz(green), let blue = xyz(blue) else { return nil }
        return Matrix3(columns: red, green, blue)
    }

    /// Weights of the primaries that give white.
    private var shares: SIMD3<Double>? {
        guard let white = xyz(white), let shares = primaries?.inverse.map({ $0 * white }), shares.min() > 1e-6 else {
            return nil
        }
        return shares
    }

    /// XYZ of a chromaticity with Y = 1.
    private func xyz(_ point: SIMD2<Double>) -> SIMD3<Double>? {
        guard point.x.isFinite, point.y.isFinite, point.y > 1e-6 else { return nil }
        return [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
    }
}
