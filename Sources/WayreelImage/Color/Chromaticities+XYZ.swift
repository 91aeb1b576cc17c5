/// Colours as CIE 1931 XYZ, relative to a white of Y = 1.
enum XYZ {
    /// The illuminant of ICC's connection space (ICC.1:2022, section 7.2.16).
    static let d50: SIMD3<Double> = [0.9642, 1, 0.8249]

    /// Linear sRGB → XYZ under D50.
    static let fromSRGB = Chromaticities.sRGB.matrixToD50 ?? .identity
    /// XYZ under D50 → linear sRGB.
    static let toSRGB = fromSRGB.inverse ?? .identity

    /// Cone responses after Bradford (ICC.1:2022, annex E.1).
    private static let bradford = Matrix3(
        rows: [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])

    /// Turns colours seen under `white` into those that look the same under D50.
    static func adaptation(from white: SIMD3<Double>) -> Matrix3? {
        let cones = bradford * white
        guard cones.min() > 1e-6, let back = bradford.inverse else { return nil }
        return back * Matrix3(diagonal: (bradford * d50) / cones) * bradford
    }
}

extension Chromaticities {
    /// Linear red, green and blue, 0…1 → XYZ adapted to D50; white becomes D50.
    ///
    /// nil where the primaries span no colours (SMPTE RP 177-1993 has the derivation).
    var matrixToD50: Matrix3? {
        guard let white = xyz(white), let shares, let primaries else { return nil }
        return XYZ.adaptation(from: white).map { $0 * primaries * Matrix3(diagonal: shares) }
    }

    /// What linear red, green and blue, 0…1, each add to the luminance of a colour, that of white being 1; nil where the primaries
    /// span no colours.
    var luminanceWeights: SIMD3<Double>? { shares }

    /// XYZ of the primaries as columns, each with Y = 1.
    private var primaries: Matrix3? {
        guard let red = xyz(red), let green = xyz(green), let blue = xyz(blue) else { return nil }
        return Matrix3(columns: red, green, blue)
    }

    /// How much of each primary makes white.
    private var shares: SIMD3<Double>? {
        guard let white = xyz(white), let shares = primaries?.inverse.map({ $0 * white }), shares.min() > 1e-6 else {
            return nil
        }
        return shares
    }

    /// With Y = 1.
    private func xyz(_ point: SIMD2<Double>) -> SIMD3<Double>? {
        guard point.x.isFinite, point.y.isFinite, point.y > 1e-6 else { return nil }
        return [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
    }
}
