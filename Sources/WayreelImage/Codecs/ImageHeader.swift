package import WayreelCore

/// Properties of an image known before decoding.
package struct ImageHeader: Sendable {
    /// Components of decoded rows, interleaved.
    package enum RowLayout: Sendable {
        /// Red, green, blue.
        case rgb
        /// Red, green, blue, straight alpha.
        case rgba
        /// Cyan, magenta, yellow, black; 0 is no ink.
        case cmyk

        package var components: Int { self == .rgb ? 3 : 4 }
    }

    /// Colour model of the encoded image, before conversion by the decoder.
    package enum ColorModel: String, Sendable, Codable {
        case grey
        case rgb = "RGB"
        case palette
        case yCbCr = "YCbCr"
        case cmyk = "CMYK"
        case ycck = "YCCK"
        case lab = "Lab"
    }

    package var format: ImageFormat
    /// Stored size, before rotation.
    package var size: PixelSize
    /// The rotation that shows the rows upright; `.upright` if the decoder rotates.
    package var orientation: Orientation = .upright
    /// Whether EXIF's orientation applies. False if the format declares the orientation otherwise, which `orientation`
    /// or the decoder takes into account.
    package var obeysEXIFOrientation = true
    package var layout: RowLayout = .rgb
    /// Bits per component in decoded rows, 8 or 16, in native byte order and full range.
    package var rowBits = 8
    /// Bits per component in the encoded image, 1 to 16.
    package var depth = 8
    package var model: ColorModel = .rgb
    /// The embedded ICC profile.
    package var profile: [UInt8]?
    /// Whether an embedded profile is unusable because its chunks are incomplete.
    package var profileIsDamaged = false
    /// Colour space as code points (HEIF, AVIF, PNG's cICP), with or without a profile.
    package var codePoints: ColorCodePoints?
    /// Encoding gamma of a PNG with gAMA but neither profile nor sRGB chunk, unless it equals sRGB's 1/2.2.
    package var gamma: Double?
    /// Primaries of a PNG with cHRM but neither profile nor sRGB chunk, unless they equal sRGB's.
    package var chromaticities: Chromaticities?
    /// The EXIF block, starting with the TIFF header.
    package var exif: [UInt8]?
    /// The XMP packet.
    package var xmp: [UInt8]?
    /// Whether a JPEG has further XMP in segments that are not read.
    package var hasExtendedXMP = false
    /// The IPTC-IIM records.
    package var iptc: IPTCBlock?
    /// Author, copyright and owner in PNG text chunks and OpenEXR attributes.
    package var textAttribution = DescriptiveMetadata()
    package var frames = 1
    package var isProgressive = false
    /// What a JPEG's decoder keeps until all scans are read, in bytes.
    package var keptBytes = 0
    /// Chroma subsampling, as in `4:2:0`.
    package var subsampling: String?
    /// Whether the file contains a gain map (Ultra HDR, ISO 21496-1).
    package var hasGainMap = false
    /// Further images that are not used, by name and, if known, size: `gain map 2016×1512`.
    package var auxiliaryImages: [String] = []
    /// Whether the file contains a thumbnail.
    package var hasThumbnail = false
    /// The camera of a raw photo, of which only the embedded preview is read.
    package var rawCamera: String?
    /// Whether the image has alpha that is not used.
    package var ignoresAlpha = false

    package init(format: ImageFormat, size: PixelSize) {
        self.format = format
        self.size = size
    }

    /// Bytes per decoded row, without padding.
    package var rowBytes: Int { size.width * layout.components * (rowBits / 8) }

    /// The rotation that shows the rows upright, including EXIF if it applies.
    package var uprightOrientation: Orientation {
        let stated = obeysEXIFOrientation ? exif.flatMap { EXIFBlock($0) }?.orientation : nil
        return stated ?? orientation
    }

    /// Divides the premultiplied red, green and blue of a row by alpha.
    func straighten(_ row: UnsafeMutableRawPointer) {
        guard layout == .rgba else { return }
        if rowBits == 16 {
            straighten(row.assumingMemoryBound(to: UInt16.self))
        } else {
            straighten(row.assumingMemoryBound(to: UInt8.self))
        }
    }

    private func straighten<Component: FixedWidthInteger>(_ row: UnsafeMutablePointer<Component>) {
        let full = Int(Component.max)
        for x in 0..<size.width {
            let pixel = row + 4 * x
            let alpha = Int(pixel[3])
            guard alpha > 0, alpha < full else { continue }
            for c in 0..<3 { pixel[c] = Component(min(full, (Int(pixel[c]) * full + alpha / 2) / alpha)) }
        }
    }
}

/// Code points of ITU-T H.273: 1, 13, 6 is sRGB, 12 is Display P3's primaries, 9 BT.2020's, 16 and 18 are the PQ and
/// HLG transfer characteristics, 2 is unspecified.
package struct ColorCodePoints: Hashable, Sendable {
    package var primaries: Int
    package var transfer: Int
    /// Matrix of the encoded image. The decoder has applied it; rows are RGB.
    package var matrix: Int
    /// Range of the encoded image. The decoder has converted it; rows have full range.
    package var isFullRange: Bool

    /// Linear light with the primaries of sRGB.
    static let linearLight = ColorCodePoints(primaries: 1, transfer: 8, matrix: 0, isFullRange: true)

    package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}

/// White point and primaries as CIE 1931 x and y.
package struct Chromaticities: Hashable, Sendable {
    package var white: SIMD2<Double>
    package var red: SIMD2<Double>
    package var green: SIMD2<Double>
    package var blue: SIMD2<Double>

    package init(white: SIMD2<Double>, red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>) {
        self.white = white
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// IEC 61966-2-1.
    package static let sRGB = Chromaticities(
        white: [0.3127, 0.3290], red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06])

    /// Returns whether every coordinate is within `tolerance` of `other`'s.
    package func isNear(_ other: Chromaticities, tolerance: Double = 0.002) -> Bool {
        zip([white, red, green, blue], [other.white, other.red, other.green, other.blue]).allSatisfy { mine, theirs in
            let distance = mine - theirs
            return max(abs(distance.x), abs(distance.y)) <= tolerance
        }
    }
}

/// Damage in an image that could be decoded.
package struct Damage: Sendable {
    /// The missing fraction of the image's area, 0 to 1.
    package var missingShare: Double
    /// A clause that describes it: `the file ends early`.
    package var description: String
}
