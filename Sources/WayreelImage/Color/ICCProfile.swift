internal import CLCMS2
internal import WayreelCore

/// An open ICC profile. Belongs to one thread.
final class ICCProfile {
    /// The colour model of images with this profile.
    enum Space {
        case grey
        case rgb
        case cmyk
    }

    /// The reason why a profile cannot be used, as a clause.
    struct Fault: Error {
        let reason: String
    }

    /// Max size; printing profiles take up to 9 MB.
    static let byteLimit = 16 << 20

    let space: Space
    let context: cmsContext
    let pointer: cmsHPROFILE

    /// Throws if `bytes` are not a profile of an input, display or output device or a colour space.
    init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.byteLimit else { throw Fault(reason: "is larger than \(Self.byteLimit >> 20) MB") }
        guard let context = wr_lcms_context() else { throw Fault(reason: "could not be opened: no memory") }
        guard let pointer = cmsOpenProfileFromMemTHR(context, bytes, UInt32(bytes.count)) else {
            cmsDeleteContext(context)
            throw Fault(reason: "is damaged")
        }
        // Multi-process elements are optional for readers (ICC.1:2022, section 9.2.17), and a small profile can chain a
        // hundred thousand of them; without these tags, its tables are used.
        for tag in [cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag] where cmsIsTag(pointer, tag) != 0 {
            cmsWriteTag(pointer, tag, nil)
        }
        let space = Self.spaces.first { $0.signature == cmsGetColorSpace(pointer) }?.space
        let isDevice = Self.classes.contains(cmsGetDeviceClass(pointer))
        guard let space, isDevice else {
            cmsCloseProfile(pointer)
            cmsDeleteContext(context)
            throw Fault(reason: isDevice ? "is for another colour model" : "does not describe a device")
        }
        self.context = context
        self.pointer = pointer
        self.space = space
    }

    deinit {
        cmsCloseProfile(pointer)
        cmsDeleteContext(context)
    }

    private static let spaces: [(signature: cmsColorSpaceSignature, space: Space)] = [
        (cmsSigGrayData, .grey), (cmsSigRgbData, .rgb), (cmsSigCmykData, .cmyk),
    ]

    private static let classes = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]

    /// Its description, in English if available, without control characters; nil if there is none.
    var name: String? {
        var units = [wchar_t](repeating: 0, count: 256)
        let size = UInt32(units.count * MemoryLayout<wchar_t>.size)
        guard cmsGetProfileInfo(pointer, cmsInfoDescription, "en", "US", &units, size) > 0 else { return nil }
        // UTF-16, one unit per wide character.
        let text = units.prefix { $0 != 0 }.map { UInt16(truncatingIfNeeded: $0) }
        let name = String(decoding: text, as: UTF16.self).onOneLine
        return name.isEmpty ? nil : name
    }

    /// Whether colours are converted by curves and at most a matrix, without a table.
    ///
    /// A table takes precedence over a matrix (ICC.1:2022, section 8.10.2), as in Little CMS.
    var isShaper: Bool {
        let tables = [cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag]
        return space != .cmyk && !tables.contains { cmsIsTag(pointer, $0) != 0 }
    }

    /// Returns the tone curve of a tag at `positions`, encoded to linear; nil if it is missing or unreadable.
    func curve(_ tag: cmsTagSignature, at positions: [Float]) -> [Float]? {
        guard let curve = cmsReadTag(pointer, tag) else { return nil }
        let values = positions.map { cmsEvalToneCurveFloat(OpaquePointer(curve), $0) }
        return values.allSatisfy(\.isFinite) ? values : nil
    }

    /// Returns a colorant in XYZ under D50.
    func colorant(_ tag: cmsTagSignature) -> SIMD3<Double>? {
        guard let value = cmsReadTag(pointer, tag)?.load(as: cmsCIEXYZ.self) else { return nil }
        return [value.X, value.Y, value.Z]
    }

    /// Whether a grey profile's curve gives lightness (L* / 100) instead of luminance.
    var givesLightness: Bool { cmsGetPCS(pointer) == cmsSigLabData }
}
