internal import CLCMS2

extension ColorConversion {
    /// Returns the conversion for `profile` and images in `space`. Throws if the profile is for another colour model or
    /// is unreadable.
    static func reading(_ profile: ICCProfile, for space: ICCProfile.Space) throws(ICCProfile.Fault) -> ColorConversion
    {
        guard profile.space == space else { throw ICCProfile.Fault(reason: "is for another colour model") }
        switch space {
        case .cmyk: return ColorConversion(ops: [], cmyk: try CMYKConverter(profile))
        case .grey where profile.isShaper: return ColorConversion(ops: try greyShaper(profile).ops)
        case .rgb where profile.isShaper: return ColorConversion(ops: try shaper(profile).ops)
        case .grey: return ColorConversion(ops: [.curves(try greyTable(profile))])
        case .rgb: return ColorConversion(ops: [try table(profile)])
        }
    }

    private static func shaper(_ profile: ICCProfile) throws(ICCProfile.Fault) -> ShapedColor {
        let curves = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].compactMap {
            profile.curve($0, at: ToneCurve.positions)
        }
        let columns = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].compactMap(profile.colorant)
        guard curves.count == 3, columns.count == 3 else { throw ICCProfile.Fault(reason: "is damaged") }
        let matrix = Matrix3(columns: columns[0], columns[1], columns[2])
        // A valid matrix is invertible and its white is near D50; others produce noise.
        guard matrix.inverse != nil, (0.5...1.5).contains((matrix * [1, 1, 1]).y) else {
            throw ICCProfile.Fault(reason: "is damaged")
        }
        return ShapedColor(curves: curves.map { ToneCurve(samples: $0) }, toXYZ: matrix)
    }

    private static func greyShaper(_ profile: ICCProfile) throws(ICCProfile.Fault) -> ShapedColor {
        guard var curve = profile.curve(cmsSigGrayTRCTag, at: ToneCurve.positions) else {
            throw ICCProfile.Fault(reason: "is damaged")
        }
        if profile.givesLightness {
            // CIE 1976 lightness to luminance.
            curve = curve.map { share in
                let f = (share * 100 + 16) / 116
                return f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 3 * (6.0 / 29) * (6.0 / 29)
            }
        }
        return ShapedColor(curve: ToneCurve(samples: curve))
    }

    /// Returns the curves of red, green and blue for a table-based grey profile, sampled through Little CMS in floats.
    private static func greyTable(_ profile: ICCProfile) throws(ICCProfile.Fault) -> ColorCurves {
        let transform = try ICCTransform(profile, from: wr_format_grey_float, to: wr_format_rgb_float)
        let table = try sampled(transform, ToneCurve.positions, inputs: 1)
        let channel = { (c: Int) in stride(from: c, to: table.count, by: 3).map { table[$0] } }
        return ColorCurves(red: channel(0), green: channel(1), blue: channel(2))
    }

    /// The mean error of a table, in fractions of full scale, from which on Little CMS converts each pixel: a tenth of an
    /// 8-bit code.
    private static let tableTolerance: Float = 0.1 / 255
    /// Points per side of a table.
    private static let tableSize = 33

    /// Returns the operation for a table-based profile: a 3D table, sampled through Little CMS in floats, unless it is
    /// too coarse for the profile.
    private static func table(_ profile: ICCProfile) throws(ICCProfile.Fault) -> ColorOp {
        let transform = try ICCTransform(profile, from: wr_format_rgb_float, to: wr_format_rgb_float)
        let (size, last) = (tableSize, tableSize - 1)
        func grid(_ steps: [Float]) -> [Float] {
            steps.flatMap { blue in steps.flatMap { green in steps.flatMap { red in [red, green, blue] } } }
        }
        let table = try sampled(transform, grid((0..<size).map { Float($0) / Float(last) }), inputs: 3)
        // In the middle of a cell, the interpolation is the mean of two of its corners.
        let cells = Array(stride(from: 0, to: last, by: 2))
        let middles = try sampled(transform, grid(cells.map { (Float($0) + 0.5) / Float(last) }), inputs: 3)
        var (error, visible): (Float, Float) = (0, 0)
        for (index, first) in stride(from: 0, to: middles.count, by: 3).enumerated() {
            guard middles[first..<first + 3].allSatisfy({ (0...1).contains($0) }) else { continue }
            let (red, green, blue) = (
                index % cells.count, index / cells.count % cells.count, index / cells.count / cells.count
            )
            let corner = 3 * ((cells[blue] * size + cells[green]) * size + cells[red])
            for c in 0..<3 {
                let opposite = table[corner + 3 * (size * size + size + 1) + c]
                error += abs((table[corner + c] + opposite) / 2 - middles[first + c])
            }
            visible += 3
        }
        guard error > tableTolerance * visible else { return .lut(CubeLUT(size: size, table: table)) }
        return .kernel { block in
            let planes = [block.red, block.green, block.blue]
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * block.count) { packed in
                // Resampling exceeds 0 to 1 at edges. NaN → 0.
                for c in 0..<3 { for x in 0..<block.count { packed[3 * x + c] = min(max(0, planes[c][x]), 1) } }
                transform.run(packed.baseAddress!, packed.baseAddress!, pixels: block.count)
                for c in 0..<3 { for x in 0..<block.count { planes[c][x] = min(max(-1, packed[3 * x + c]), 2) } }
            }
        }
    }

    /// Returns what `transform` makes of `colors` with `inputs` components each, as RGB. Throws if it is not numbers.
    ///
    /// The corners of a large space, such as XYB, are far outside of sRGB. They are clamped: a steep table would bend
    /// the interpolation of the visible colours beside them.
    private static func sampled(
        _ transform: ICCTransform, _ colors: [Float], inputs: Int
    ) throws(ICCProfile.Fault) -> [Float] {
        let pixels = colors.count / inputs
        var table = [Float](repeating: 0, count: pixels * 3)
        table.withUnsafeMutableBytes { transform.run(colors, $0.baseAddress!, pixels: pixels) }
        guard table.allSatisfy(\.isFinite) else { throw ICCProfile.Fault(reason: "is damaged") }
        return table.map { min(max($0, -1), 2) }
    }
}

/// A Little CMS transform from a profile to sRGB. Thread-safe because it has no cache.
final class ICCTransform: Sendable {
    /// Owns the context of the transform; not modified.
    private nonisolated(unsafe) let profile: ICCProfile
    private nonisolated(unsafe) let pointer: cmsHTRANSFORM

    init(_ profile: ICCProfile, from input: UInt32, to output: UInt32) throws(ICCProfile.Fault) {
        let flags = UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION)
        let sRGB = cmsCreate_sRGBProfileTHR(profile.context)
        defer { cmsCloseProfile(sRGB) }
        guard
            let sRGB,
            let pointer = cmsCreateTransformTHR(
                profile.context, profile.pointer, input, sRGB, output, UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        else { throw ICCProfile.Fault(reason: "is damaged") }
        self.profile = profile
        self.pointer = pointer
    }

    deinit { cmsDeleteTransform(pointer) }

    /// Transforms interleaved components in the formats given at creation.
    func run(_ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, pixels: Int) {
        cmsDoTransform(pointer, input, output, UInt32(pixels))
    }
}
