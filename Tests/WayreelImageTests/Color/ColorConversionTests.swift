import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct ColorConversionTests {
    /// Profiles contain colorants and tables in steps of 1/65536, and Little CMS evaluates tables in the same steps:
    /// near black that is thirteen times as much in code values. A thirteenth of an 8-bit step.
    static let tolerance: Float = 20.0 / 65536

    static func header(
        _ profile: [UInt8]?, model: ImageHeader.ColorModel = .rgb, layout: ImageHeader.RowLayout = .rgb
    ) -> ImageHeader {
        var header = ImageHeader(format: .jpeg, size: PixelSize(width: 1, height: 1))
        header.profile = profile
        header.model = model
        header.layout = layout
        return header
    }

    static func conversion(
        _ header: ImageHeader
    ) throws -> (conversion: ColorConversion, warnings: [MediaWarning]) {
        let task = TaskContext()
        return (try ColorConversion.shared(for: header, task: task), task.warnings)
    }

    /// Makes an image of one row from interleaved colours.
    static func image(_ colors: [Float], channels: Int = 3) throws -> Image {
        let width = colors.count / channels
        var image = try Image(size: PixelSize(width: width, height: 1), hasAlpha: channels == 4)
        image.set { x, _, c in colors[channels * x + c] }
        return image
    }

    static func colors(_ image: Image) -> [Float] {
        (0..<image.width).flatMap { x in (0..<(image.hasAlpha ? 4 : 3)).map { image.value(x, 0, $0) } }
    }

    static func converted(_ colors: [Float], _ header: ImageHeader, isLinear: Bool = false) throws -> [Float] {
        var (image, ops) = try conversion(header).conversion.convert(image(colors), isLinear: isLinear)
        try ColorPipeline(ops).apply(to: &image, task: TaskContext())
        return Self.colors(image)
    }

    /// Returns the corners, the greys and random colours.
    static func colors(channels: Int, random count: Int = 2000, seed: UInt64 = 1) -> [Float] {
        var generator = SeededRandom(seed: seed)
        let corners = (0..<1 << channels).flatMap { corner in (0..<channels).map { Float(corner >> $0 & 1) } }
        let greys = (0...64).flatMap { [Float](repeating: Float($0) / 64, count: channels) }
        let random = (0..<count * channels).map { _ in Float.random(in: 0...1, using: &generator) }
        return corners + greys + random
    }

    /// Returns the largest difference between two lists of colours as displayed, that is, clamped.
    static func worst(_ some: [Float], _ others: [Float]) -> Float {
        #expect(some.count == others.count)
        return zip(some, others).map { abs(min(max($0, 0), 1) - min(max($1, 0), 1)) }.max() ?? .infinity
    }

    static let profiles: KeyValuePairs<String, [UInt8]> = [
        "Display P3": LittleCMS.rgbProfile(.displayP3, .srgb),
        "Adobe RGB": LittleCMS.rgbProfile(.adobeRGB, .gamma(563.0 / 256)),
        "ProPhoto": LittleCMS.rgbProfile(.proPhoto, .gamma(1.8)),
        "linear": LittleCMS.rgbProfile(.sRGB, .gamma(1)),
        "P3 by table": LittleCMS.rgbProfile(.displayP3, .table(1024, { $0 * $0 * (1.2 - 0.2 * $0) })),
        "lifted black": LittleCMS.rgbProfile(.adobeRGB, .table(256, { 0.01 + 0.99 * $0 * $0 })),
    ]

    @Test(arguments: profiles.map(\.key))
    func matrixProfilesAgreeWithLittleCMS(name: String) throws {
        let profile = try #require(Self.profiles.first { $0.key == name }).value
        let colors = Self.colors(channels: 3)
        let (_, warnings) = try Self.conversion(Self.header(profile))
        #expect(warnings.isEmpty)
        let expected = LittleCMS.convert(colors, by: profile, channels: 3)
        let result = try Self.converted(colors, Self.header(profile))
        #expect(Self.worst(result, expected) < Self.tolerance)
        #expect(Self.worst(result, colors) > 0.02)
    }

    @Test(arguments: [LittleCMS.Curve.gamma(1.8), .gamma(2.2), .gamma(1), .table(256, { 0.02 + 0.98 * $0 * $0 })])
    func greyProfilesAgreeWithLittleCMS(curve: LittleCMS.Curve) throws {
        let profile = LittleCMS.greyProfile(curve)
        let greys = (0...255).map { Float($0) / 255 }
        let expected = LittleCMS.convert(greys, by: profile, channels: 1)
        let colors = greys.flatMap { [$0, $0, $0] }
        let result = try Self.converted(colors, Self.header(profile, model: .grey))
        #expect(Self.worst(result, expected) < Self.tolerance)
    }

    @Test func tablesAgreeWithLittleCMS() throws {
        let profile = LittleCMS.tableProfile(channels: 3)
        let colors = Self.colors(channels: 3)
        let result = try Self.converted(colors, Self.header(profile))
        // The table has only nine points per side: the difference is the curvature of sRGB's curve between them.
        #expect(Self.worst(result, LittleCMS.convert(colors, by: profile, channels: 3)) < 1.5 / 255)
        #expect(Self.worst(result, colors) > 0.02)
    }

    /// The profile of XYB, of libjxl, is a table of two points per side between curves, whose corners are far outside of
    /// sRGB: no table of ours is as exact as Little CMS itself.
    @Test func aTableFarOutsideOfSRGBIsUsed() throws {
        let profile = try Fixture.imageBytes("xyb.icc")
        let colors = Self.colors(channels: 3)
        let (_, warnings) = try Self.conversion(Self.header(profile))
        #expect(warnings.isEmpty)
        let expected = LittleCMS.convert(colors, by: profile, channels: 3)
        #expect(expected.contains { $0 < -1 })
        let result = try Self.converted(colors, Self.header(profile))
        #expect(Self.worst(result, expected) < 1e-5)
    }

    @Test func tablesOfGreyAgreeWithLittleCMS() throws {
        let profile = LittleCMS.tableProfile(channels: 1)
        let greys = (0...255).map { Float($0) / 255 }
        let header = Self.header(profile, model: .grey)
        #expect(try Self.conversion(header).warnings.isEmpty)
        let result = try Self.converted(greys.flatMap { [$0, $0, $0] }, header)
        #expect(Self.worst(result, LittleCMS.convert(greys, by: profile, channels: 1)) < Self.tolerance)
        #expect(Self.worst(result, greys.flatMap { [$0, $0, $0] }) > 0.02)
    }

    @Test func inksAgreeWithLittleCMS() throws {
        let profile = LittleCMS.tableProfile(channels: 4)
        let colors = Self.colors(channels: 4)
        let header = Self.header(profile, model: .cmyk, layout: .cmyk)
        let (conversion, warnings) = try Self.conversion(header)
        #expect(warnings.isEmpty)
        let (image, ops) = try conversion.convert(Self.image(colors, channels: 4), isLinear: true)
        #expect(ops.isEmpty && !image.hasAlpha)
        let expected = LittleCMS.convert(colors, by: profile, channels: 4)
        // Its seventeen points per ink are coarse for colours outside of sRGB; on the whole they are not.
        let result = Self.colors(image)
        #expect(Self.worst(result, expected) < 3.0 / 255)
        let total = zip(result, expected).reduce(0) { $0 + abs($1.0 - min(max($1.1, 0), 1)) }
        #expect(total / Float(result.count) < 0.3 / 255)
    }

    @Test func inksWithoutProfileFollowPostScript() throws {
        let (conversion, warnings) = try Self.conversion(Self.header(nil, model: .ycck, layout: .cmyk))
        #expect(warnings.count == 1 && warnings[0].description.contains("approximate"))
        let inks: [Float] = [0, 0, 0, 0, 1, 0, 0, 0, 0.25, 0.5, 0.75, 0.5, 0, 0, 0, 1, -0.1, 1.2, .nan, 0]
        let image = try conversion.convert(Self.image(inks, channels: 4), isLinear: false).image
        let expected: [Float] = [1, 1, 1, 0, 1, 1, 0.375, 0.25, 0.125, 0, 0, 0, 1, 0, 1]
        #expect(Self.worst(Self.colors(image), expected) < 1e-6)
    }

    @Test func inksMayBeConvertedOnSeveralThreads() throws {
        let profile = LittleCMS.tableProfile(channels: 4)
        let header = Self.header(profile, model: .cmyk, layout: .cmyk)
        let colors = Self.colors(channels: 4, random: 20_000)
        let expected = try Self.colors(
            Self.conversion(header).conversion.convert(Self.image(colors, channels: 4), isLinear: false).image)
        onThreads(4) {
            for _ in 0..<5 {
                let image = try? Self.conversion(header).conversion.convert(
                    Self.image(colors, channels: 4), isLinear: false
                ).image
                #expect(image.map(Self.colors) == expected)
            }
        }
    }

    @Test(arguments: [
        ("our own", SRGBProfile.bytes), ("by formula", LittleCMS.rgbProfile(.sRGB, .srgb)),
        ("by table", LittleCMS.rgbProfile(.sRGB, .table(1024, { $0.linear }))),
    ])
    func sRGBIsUnchanged(name: String, profile: [UInt8]) throws {
        let (conversion, warnings) = try Self.conversion(Self.header(profile))
        #expect(conversion.ops.isEmpty && warnings.isEmpty, "\(name)")
    }

    @Test func linearLightIsEncodedFirst() throws {
        let profile = LittleCMS.rgbProfile(.displayP3, .srgb)
        let colors = Self.colors(channels: 3)
        let light = colors.map { Float(Double($0).linear) }
        let result = try Self.converted(light, Self.header(profile), isLinear: true)
        #expect(Self.worst(result, LittleCMS.convert(colors, by: profile, channels: 3)) < 1e-4)
        let untagged = try Self.converted(light, Self.header(nil), isLinear: true)
        #expect(Self.worst(untagged, colors) < 1e-5)
    }

    @Test(arguments: [
        (ImageHeader.ColorModel.grey, ImageHeader.RowLayout.rgb, LittleCMS.rgbProfile(.displayP3, .srgb)),
        (.yCbCr, .rgb, LittleCMS.greyProfile(.gamma(1.8))), (.rgb, .rgba, LittleCMS.tableProfile(channels: 4)),
        (.cmyk, .cmyk, LittleCMS.rgbProfile(.displayP3, .srgb)), (.rgb, .rgb, []), (.rgb, .rgb, [0x61]),
    ])
    func anUnusableProfileIsReportedAndIgnored(
        model: ImageHeader.ColorModel, layout: ImageHeader.RowLayout, profile: [UInt8]
    ) throws {
        let (conversion, warnings) = try Self.conversion(Self.header(profile, model: model, layout: layout))
        #expect(conversion.ops.isEmpty)
        #expect((conversion.cmyk != nil) == (layout == .cmyk))
        #expect(warnings.first?.description.contains("profile") == true)
    }

    @Test func anAbsurdlyLargeProfileIsReportedAndIgnored() throws {
        let profile = SRGBProfile.bytes + [UInt8](repeating: 0, count: 17 << 20)
        let (conversion, warnings) = try Self.conversion(Self.header(profile))
        #expect(conversion.ops.isEmpty)
        #expect(warnings.map(\.message) == ["the embedded colour profile is larger than 16 MB; it is ignored"])
    }

    @Test func aProfileWithMissingChunksIsReported() throws {
        var header = Self.header(nil)
        header.profileIsDamaged = true
        #expect(
            try Self.conversion(header).warnings.map(\.description) == [
                "color: the embedded colour profile is damaged; it is ignored"
            ])
    }

    @Test(arguments: [LittleCMS.rgbProfile(.adobeRGB, .table(64, { $0 * $0 })), LittleCMS.greyProfile(.gamma(2))])
    func everyTruncationIsHarmless(profile: [UInt8]) throws {
        for length in 0..<profile.count {
            _ = try Self.conversion(Self.header(Array(profile.prefix(length))))
            _ = try Self.conversion(Self.header(Array(profile.prefix(length)), model: .grey))
        }
    }

    @Test(arguments: [
        (LittleCMS.rgbProfile(.adobeRGB, .table(64, { $0 * $0 })), ImageHeader.ColorModel.rgb, 2000),
        (LittleCMS.greyProfile(.gamma(2)), .grey, 1000), (LittleCMS.tableProfile(channels: 3), .rgb, 40),
        (LittleCMS.tableProfile(channels: 4), .cmyk, 10),
    ])
    func flippedBytesAreHarmless(profile: [UInt8], model: ImageHeader.ColorModel, times: Int) throws {
        var random = SeededRandom(seed: 3)
        let layout: ImageHeader.RowLayout = model == .cmyk ? .cmyk : .rgb
        for _ in 0..<times {
            var bytes = profile
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Most changes are in the header and the tag table, which contain sizes.
                let end = Bool.random(using: &random) ? 300 : bytes.count
                bytes[Int.random(in: 0..<min(end, bytes.count), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let (conversion, _) = try Self.conversion(Self.header(bytes, model: model, layout: layout))
            let channels = layout == .cmyk ? 4 : 3
            let colors = Self.colors(channels: channels, random: 16)
            var (image, ops) = try conversion.convert(Self.image(colors, channels: channels), isLinear: false)
            try ColorPipeline(ops).apply(to: &image, task: TaskContext())
            #expect(Self.colors(image).allSatisfy { $0.isFinite })
        }
    }

    @Test func rejectsTablesThatDeclareTooMuchMemory() throws {
        var profile = LittleCMS.tableProfile(channels: 4)
        // The grid of its tables, four sides of nine points, is changed to one of 62 points: 89 MB.
        let grids = profile.indices.filter { profile[$0...].starts(with: [9, 9, 9, 9, 0, 0, 0, 0]) }
        #expect(grids.count == 2)
        for offset in grids.flatMap({ $0..<$0 + 4 }) { profile[offset] = 62 }
        let (conversion, warnings) = try Self.conversion(Self.header(profile, model: .cmyk, layout: .cmyk))
        #expect(conversion.cmyk != nil && warnings.count == 2)
    }

    @Test func processElementsAreNotFollowed() throws {
        let plain = LittleCMS.tableProfile(channels: 3)
        let profile = LittleCMS.withProcessElements(plain)
        #expect(profile.count > plain.count)
        let colors = Self.colors(channels: 3)
        let result = try Self.converted(colors, Self.header(profile))
        #expect(try result == Self.converted(colors, Self.header(plain)))
    }

    @Test func conversionsAreShared() throws {
        let profile = LittleCMS.tableProfile(channels: 4)
        let make = { try Self.conversion(Self.header(profile, model: .cmyk, layout: .cmyk)).conversion }
        // Concurrent tests may evict it from the cache, but not each time.
        #expect(try (0..<20).contains { _ in try make().cmyk === make().cmyk })
    }
}

extension Double {
    /// IEC 61966-2-1: code → linear light, extended to negative values.
    var linear: Double {
        let a = magnitude
        return Double(signOf: self, magnitudeOf: a <= 0.04045 ? a / 12.92 : power((a + 0.055) / 1.055, 2.4))
    }

    /// IEC 61966-2-1: linear light → code, extended to negative values.
    var encoded: Double {
        let a = magnitude
        return Double(signOf: self, magnitudeOf: a <= 0.0031308 ? a * 12.92 : 1.055 * power(a, 1 / 2.4) - 0.055)
    }
}
