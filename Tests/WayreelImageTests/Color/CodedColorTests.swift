import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Colour spaces that a header describes without a profile.
@Suite struct CodedColorTests {
    /// Narrow range of a PNG's cICP: codes 16 to 235, of 16 bits 4096 to 60160, are black to white (ITU-T H.273,
    /// equations 26 to 28). Other decoders have converted the range.
    @Test(arguments: [(8, 16.0 / 255, 235.0 / 255), (16, 4096.0 / 65535, 60160.0 / 65535)])
    func narrowRangeIsExpanded(bits: Int, black: Double, white: Double) throws {
        var header = ImageHeader(format: .png, size: PixelSize(width: 1, height: 1))
        header.rowBits = bits
        header.codePoints = ColorCodePoints(primaries: 1, transfer: 13, matrix: 0, isFullRange: false)
        let codes = [black, (black + white) / 2, white].map { Float($0) }
        #expect(ColorConversionTests.worst(try ColorConversionTests.converted(codes, header), [0, 0.5, 1]) < 1e-5)
        header.codePoints?.isFullRange = true
        #expect(ColorConversionTests.worst(try ColorConversionTests.converted(codes, header), codes) < 1e-5)
        header.codePoints?.isFullRange = false
        header.format = .avif
        #expect(ColorConversionTests.worst(try ColorConversionTests.converted(codes, header), codes) < 1e-5)
    }

    private static func header(_ change: (inout ImageHeader) -> Void) -> ImageHeader {
        var header = ImageHeader(format: .png, size: PixelSize(width: 1, height: 1))
        change(&header)
        return header
    }

    private static func coded(_ primaries: Int, _ transfer: Int) -> ImageHeader {
        header {
            $0.codePoints = ColorCodePoints(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: true)
        }
    }

    @Test(arguments: [(1, 13), (1, 1), (2, 2), (1, 6), (1, 14)])
    func sRGBIsUnchanged(primaries: Int, transfer: Int) throws {
        let (conversion, warnings) = try ColorConversionTests.conversion(Self.coded(primaries, transfer))
        #expect(conversion.ops.isEmpty && warnings.isEmpty)
    }

    @Test(arguments: [
        (12, LittleCMS.Primaries.displayP3),
        (9, LittleCMS.Primaries(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046))),
        (11, LittleCMS.Primaries(white: (0.314, 0.351), red: (0.68, 0.32), green: (0.265, 0.69), blue: (0.15, 0.06))),
    ])
    func primariesAgreeWithLittleCMS(code: Int, primaries: LittleCMS.Primaries) throws {
        let colors = ColorConversionTests.colors(channels: 3)
        let expected = LittleCMS.convert(colors, by: LittleCMS.rgbProfile(primaries, .srgb), channels: 3)
        let result = try ColorConversionTests.converted(colors, Self.coded(code, 13))
        #expect(ColorConversionTests.worst(result, expected) < ColorConversionTests.tolerance)
    }

    @Test(arguments: [0.45, 0.5555, 1.0, 0.38])
    func gammaIsUndone(gamma: Double) throws {
        let greys = (0...255).flatMap { [Float](repeating: Float($0) / 255, count: 3) }
        let expected = greys.map { Float(power(Double($0), 1 / gamma).encoded) }
        let header = Self.header { $0.gamma = gamma }
        let result = try ColorConversionTests.converted(greys, header)
        #expect(ColorConversionTests.worst(result, expected) < 1e-4)
    }

    @Test func chromaticitiesAgreeWithLittleCMS() throws {
        let header = Self.header {
            $0.gamma = 1 / 2.2
            $0.chromaticities = Chromaticities(
                white: [0.3127, 0.3290], red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06])
        }
        let colors = ColorConversionTests.colors(channels: 3)
        let expected = LittleCMS.convert(colors, by: LittleCMS.rgbProfile(.adobeRGB, .gamma(2.2)), channels: 3)
        let result = try ColorConversionTests.converted(colors, header)
        #expect(ColorConversionTests.worst(result, expected) < ColorConversionTests.tolerance)
    }

    @Test(arguments: [
        Chromaticities(white: [0.3, 0], red: [0.6, 0.3], green: [0.3, 0.6], blue: [0.1, 0.1]),
        Chromaticities(white: [0.3, 0.3], red: [0.3, 0.3], green: [0.3, 0.3], blue: [0.3, 0.3]),
        Chromaticities(white: [.nan, 0.3], red: [0.6, 0.3], green: [0.3, 0.6], blue: [0.1, 0.1]),
        Chromaticities(white: [0.9, 0.9], red: [0.6, 0.3], green: [0.3, 0.6], blue: [0.1, 0.1]),
    ])
    func senselessPrimariesAreReported(points: Chromaticities) throws {
        let (conversion, warnings) = try ColorConversionTests.conversion(Self.header { $0.chromaticities = points })
        #expect(conversion.ops.isEmpty && warnings.count == 1)
    }

    @Test(arguments: [0, -1, 1e-9, 1e9, .nan, .infinity])
    func reportsInvalidGamma(gamma: Double) throws {
        let (conversion, warnings) = try ColorConversionTests.conversion(Self.header { $0.gamma = gamma })
        #expect(conversion.ops.isEmpty && warnings.count == 1)
    }

    @Test(arguments: [(3, 13), (255, 13), (1, 9), (1, 255), (-1, 13)])
    func unknownCodePointsAreReported(primaries: Int, transfer: Int) throws {
        let (conversion, warnings) = try ColorConversionTests.conversion(Self.coded(primaries, transfer))
        #expect(conversion.ops.isEmpty && warnings.count == 1)
    }

    /// Codes for display light in cd/m², from ITU-R BT.2408-5, table 1, and BT.2100's formulas.
    @Test(arguments: [16, 18])
    func highDynamicRangeIsCompressed(transfer: Int) throws {
        let (_, warnings) = try ColorConversionTests.conversion(Self.coded(9, transfer))
        #expect(warnings.count == 1)
        let greys = (0...500).flatMap { [Float](repeating: Float($0) / 500, count: 3) }
        let result = try ColorConversionTests.converted(greys, Self.coded(9, transfer))
        #expect(zip(result, result.dropFirst(3)).allSatisfy { $0 <= $1 + 1e-5 }, "brighter stays brighter")
        #expect(abs(result[0]) < 1e-5 && abs((result.last ?? 0) - 1) < 1e-3)
        // Middle grey of 26 cd/m² (38 % of either signal) keeps its ratio to a white of 203.
        let middle = try ColorConversionTests.converted([0.38, 0.38, 0.38], Self.coded(9, transfer))
        #expect(abs(Double(middle[1]) - (26.0 / 203).encoded) < 0.01)
        // Diffuse white, 58 % of PQ and 75 % of HLG, stays bright and leaves headroom for highlights.
        let code: Float = transfer == 16 ? 0.58 : 0.75
        let white = try ColorConversionTests.converted([code, code, code], Self.coded(9, transfer))
        #expect((0.85...0.95).contains(white[0]))
    }

    /// Display light in cd/m² of sRGB's red, green and blue: below the knee of the tone curve, then above it.
    @Test(arguments: [[60, 20, 10], [10, 70, 30], [400, 40, 20], [30, 300, 800], [900, 850, 100]] as [[Double]])
    func theSameLightLooksTheSameInAnyPrimaries(light: [Double]) throws {
        // From linear sRGB: ITU-R BT.2087-0, and CSS Color 4 for Display P3.
        let toBT2020 = [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
        let toP3 = [[0.82246, 0.17754, 0], [0.03319, 0.96681, 0], [0.01708, 0.07240, 0.91052]]
        let results = try [(9, toBT2020), (12, toP3)].map { primaries, matrix in
            let codes = matrix.map { row in Float(Self.pq(zip(row, light).reduce(0) { $0 + $1.0 * $1.1 })) }
            return try ColorConversionTests.converted(codes, Self.coded(primaries, 16))
        }
        #expect(ColorConversionTests.worst(results[0], results[1]) < 0.006)
        for (channel, nits) in light.enumerated() where nits <= 70 {
            for result in results {
                #expect(abs(Double(result[channel]) - (nits / 203).encoded) < 0.008)
            }
        }
    }

    /// Returns the code for light in cd/m² by SMPTE ST 2084.
    private static func pq(_ nits: Double) -> Double {
        let y = power(nits / 10_000, 0.1593017578125)
        return power((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
    }

    /// ITU-R BT.2100-2, table 5: light on a display of 1000 cd/m² is scene light times 1000·Y^0.2, with Y the luminance
    /// of the scene light. In BT.2020's primaries, below the knee of the tone curve; converted to linear sRGB by ITU-R
    /// BT.2087-0.
    @Test(arguments: [[0.3, 0.3, 0.3], [0.45, 0.3, 0.28], [0.25, 0.4, 0.3], [0.3, 0.35, 0.48]] as [[Double]])
    func gammaOfHLGGoesByLuminance(codes: [Double]) throws {
        let scene = codes.map { $0 * $0 / 3 }
        let luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
        let light = scene.map { $0 * 1000 * power(luminance, 0.2) }
        let toSRGB = [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]]
        let expected = toSRGB.map { row in zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } / 203 }
        let result = try ColorConversionTests.converted(codes.map { Float($0) }, Self.coded(9, 18))
        for (value, wanted) in zip(result, expected) {
            #expect(abs(Double(value) - max(wanted, 0).encoded) < 0.004, "\(result), not \(expected.map(\.encoded))")
        }
    }

    @Test func codePointsOutrankAProfileInPNGOnly() {
        var header = Self.coded(12, 13)
        header.profile = SRGBProfile.bytes
        #expect(SourceColor(header) == .coded(primaries: 12, transfer: 13))
        header.format = .avif
        #expect(SourceColor(header) == .profile(SRGBProfile.bytes))
    }
}
