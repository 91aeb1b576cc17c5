import CLCMS2
import TestSupport
import Testing
import WayreelImage

@Suite struct SRGBProfileTests {
    @Test func isSmallAndKeepsItsBytes() {
        #expect(SRGBProfile.bytes.count == 480)
        // FNV-1a: a change of the profile changes every output.
        let hash = SRGBProfile.bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(hash == 18_254_389_149_168_480_429)
    }

    @Test func agreesWithTheFormula() {
        // Converted through XYZ by Little CMS only, compared with IEC 61966-2-1 with its primaries adapted to D50
        // (ICC's figures).
        LittleCMS.load()
        let profile = cmsOpenProfileFromMem(SRGBProfile.bytes, UInt32(SRGBProfile.bytes.count))
        let xyz = cmsCreateXYZProfile()
        let xyzFloat = UInt32(1) << 22 | UInt32(PT_XYZ) << 16 | 3 << 3 | 4
        let transform = cmsCreateTransform(
            profile, wr_format_rgb_float, xyz, xyzFloat, UInt32(INTENT_RELATIVE_COLORIMETRIC),
            UInt32(cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE))
        defer {
            cmsDeleteTransform(transform)
            cmsCloseProfile(xyz)
            cmsCloseProfile(profile)
        }
        let rows = [[0.43607, 0.38515, 0.14307], [0.22249, 0.71687, 0.06061], [0.01392, 0.09708, 0.71410]]
        let colors = ColorConversionTests.colors(channels: 3)
        var result = [Float](repeating: 0, count: colors.count)
        cmsDoTransform(transform, colors, &result, UInt32(colors.count / 3))
        for pixel in 0..<colors.count / 3 {
            let light = (0..<3).map { Double(colors[3 * pixel + $0]).linear }
            for c in 0..<3 {
                let expected = rows[c][0] * light[0] + rows[c][1] * light[1] + rows[c][2] * light[2]
                #expect(abs(Double(result[3 * pixel + c]) - expected) < 2e-4)
            }
        }
    }

    @Test func convertsToItself() {
        let colors = ColorConversionTests.colors(channels: 3)
        let result = LittleCMS.convert(colors, by: SRGBProfile.bytes, channels: 3)
        #expect(ColorConversionTests.worst(result, colors) < 0.5 / 255)
        #expect(ColorConversionTests.worst(result, colors) < 1e-3)
    }
}
