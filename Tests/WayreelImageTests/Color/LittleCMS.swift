import CLCMS2

/// Profiles and conversions by Little CMS only, for comparison.
enum LittleCMS {
    /// Loads the library; its functions cannot be called before, even in tests.
    static func load() { precondition(lcms2_load() == nil, "liblcms2.so.2") }

    struct Primaries: Sendable {
        var white: (Double, Double) = (0.3127, 0.3290)
        var red: (Double, Double)
        var green: (Double, Double)
        var blue: (Double, Double)

        static let sRGB = Primaries(red: (0.64, 0.33), green: (0.30, 0.60), blue: (0.15, 0.06))
        static let displayP3 = Primaries(red: (0.68, 0.32), green: (0.265, 0.69), blue: (0.15, 0.06))
        static let adobeRGB = Primaries(red: (0.64, 0.33), green: (0.21, 0.71), blue: (0.15, 0.06))
        /// ROMM RGB, with a white of D50.
        static let proPhoto = Primaries(
            white: (0.3457, 0.3585), red: (0.7347, 0.2653), green: (0.1596, 0.8404), blue: (0.0366, 0.0001))
    }

    enum Curve: Sendable {
        case gamma(Double)
        /// IEC 61966-2-1 as a formula.
        case srgb
        /// A number of samples of a function.
        case table(Int, @Sendable (Double) -> Double)

        /// Returns the profile that `body` makes of this curve for each of three components.
        func profile(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> cmsHPROFILE?) -> [UInt8] {
            load()
            let curve: OpaquePointer? =
                switch self {
                case .gamma(let gamma): cmsBuildGamma(nil, gamma)
                case .srgb: cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
                case .table(let count, let function):
                    cmsBuildTabulatedToneCurve16(
                        nil, UInt32(count),
                        (0..<count).map { UInt16((function(Double($0) / Double(count - 1)) * 65535).rounded()) })
                }
            defer { cmsFreeToneCurve(curve) }
            var curves = [curve, curve, curve]
            return saved(body(&curves))
        }
    }

    private static func saved(_ profile: cmsHPROFILE?) -> [UInt8] {
        var size: UInt32 = 0
        cmsSaveProfileToMem(profile, nil, &size)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        cmsSaveProfileToMem(profile, &bytes, &size)
        cmsCloseProfile(profile)
        return bytes
    }

    static func rgbProfile(_ primaries: Primaries, _ curve: Curve) -> [UInt8] {
        var white = cmsCIExyY(x: primaries.white.0, y: primaries.white.1, Y: 1)
        var triple = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: primaries.red.0, y: primaries.red.1, Y: 1),
            Green: cmsCIExyY(x: primaries.green.0, y: primaries.green.1, Y: 1),
            Blue: cmsCIExyY(x: primaries.blue.0, y: primaries.blue.1, Y: 1))
        return curve.profile { cmsCreateRGBProfile(&white, &triple, $0) }
    }

    static func greyProfile(_ curve: Curve) -> [UInt8] {
        curve.profile { cmsCreateGrayProfile(cmsD50_xyY(), $0[0]) }
    }

    /// Returns a profile that is a table of nine points per side: for 3 channels a screen of gamma 2 with some
    /// cross-talk, for 1 greys, which become the reds of the screen, for 4 inks on paper.
    static func tableProfile(channels: UInt32) -> [UInt8] {
        let inks = channels == 4
        load()
        let profile = cmsCreateProfilePlaceholder(nil)
        cmsSetProfileVersion(profile, 4.3)
        cmsSetDeviceClass(profile, inks ? cmsSigOutputClass : cmsSigInputClass)
        cmsSetColorSpace(profile, inks ? cmsSigCmykData : channels == 1 ? cmsSigGrayData : cmsSigRgbData)
        cmsSetPCS(profile, cmsSigLabData)
        let stage = cmsStageAllocCLut16bit(nil, 9, channels, 3, nil)
        let sampler: cmsSAMPLER16 = { input, output, channels in
            guard let input, let output else { return 0 }
            guard UInt(bitPattern: channels) == 1 else {
                return LittleCMS.sample(input, output, inks: UInt(bitPattern: channels) == 4)
            }
            return LittleCMS.sample([input[0], input[0] / 2, input[0] / 4], output, inks: false)
        }
        cmsStageSampleCLut16bit(stage, sampler, UnsafeMutableRawPointer(bitPattern: UInt(channels)), 0)
        let table = cmsPipelineAlloc(nil, channels, 3)
        // The format requires a table to be between two sets of curves; these are identities.
        cmsPipelineInsertStage(table, cmsAT_END, cmsStageAllocToneCurves(nil, channels, nil))
        cmsPipelineInsertStage(table, cmsAT_END, stage)
        cmsPipelineInsertStage(table, cmsAT_END, cmsStageAllocToneCurves(nil, 3, nil))
        for tag in [cmsSigAToB0Tag, cmsSigAToB1Tag] { cmsWriteTag(profile, tag, UnsafeRawPointer(table)) }
        cmsPipelineFree(table)
        cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ())
        return saved(profile)
    }

    /// Returns `profile` with a multi-process element for every intent, which turns all colours black.
    static func withProcessElements(_ profile: [UInt8]) -> [UInt8] {
        load()
        let opened = cmsOpenProfileFromMem(profile, UInt32(profile.count))
        let table = cmsPipelineAlloc(nil, 3, 3)
        cmsPipelineInsertStage(
            table, cmsAT_END, cmsStageAllocMatrix(nil, 3, 3, [Double](repeating: 0, count: 9), nil))
        for tag in [cmsSigDToB0Tag, cmsSigDToB1Tag] { cmsWriteTag(opened, tag, UnsafeRawPointer(table)) }
        cmsPipelineFree(table)
        return saved(opened)
    }

    private static func sample(_ input: UnsafePointer<UInt16>, _ output: UnsafeMutablePointer<UInt16>, inks: Bool)
        -> Int32
    {
        var light = (0..<3).map { c -> Double in
            let code = Double(input[c]) / 65535
            return inks ? (1 - 0.9 * code) * (1 - 0.95 * Double(input[3]) / 65535) : code
        }
        light = (0..<3).map { c in
            let mixed = 0.9 * light[c] + 0.05 * (light[(c + 1) % 3] + light[(c + 2) % 3])
            return mixed * mixed
        }
        var xyz = cmsCIEXYZ(
            X: 0.4361 * light[0] + 0.3851 * light[1] + 0.1431 * light[2],
            Y: 0.2225 * light[0] + 0.7169 * light[1] + 0.0606 * light[2],
            Z: 0.0139 * light[0] + 0.0971 * light[1] + 0.7141 * light[2])
        var lab = cmsCIELab()
        cmsXYZ2Lab(nil, &lab, &xyz)
        cmsFloat2LabEncoded(output, &lab)
        return 1
    }

    /// Converts interleaved components, 0…1, to red, green, blue of sRGB, in floats and without any optimisation.
    static func convert(_ components: [Float], by profile: [UInt8], channels: Int) -> [Float] {
        let spaces = [1: PT_GRAY, 3: PT_RGB, 4: PT_CMYK]
        let format = UInt32(1) << 22 | UInt32(spaces[channels] ?? 0) << 16 | UInt32(channels) << 3 | 4
        load()
        let source = cmsOpenProfileFromMem(profile, UInt32(profile.count))
        let sRGB = cmsCreate_sRGBProfile()
        let transform = cmsCreateTransform(
            source, format, sRGB, wr_format_rgb_float, UInt32(INTENT_RELATIVE_COLORIMETRIC),
            UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE))
        defer {
            cmsDeleteTransform(transform)
            cmsCloseProfile(sRGB)
            cmsCloseProfile(source)
        }
        // Little CMS measures ink in percent.
        let input = channels == 4 ? components.map { $0 * 100 } : components
        let pixels = components.count / channels
        var output = [Float](repeating: 0, count: pixels * 3)
        cmsDoTransform(transform, input, &output, UInt32(pixels))
        return output
    }
}
