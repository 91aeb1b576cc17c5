package import WayreelCore

/// What a decoder knows of a picture before it has decoded any of it.
package struct PictureHeader: Sendable {
    /// What the rows of a reader hold. Components are interleaved.
    package enum RowLayout: Sendable {
        /// Red, green, blue.
        case rgb
        /// Red, green, blue, alpha; straight.
        case rgba
        /// Cyan, magenta, yellow, black; 0 is no ink.
        case cmyk

        package var components: Int { self == .rgb ? 3 : 4 }
    }

    /// The colour model of the encoded picture, before any conversion by its decoder.
    package enum ColorModel: String, Sendable, Codable {
        case grey
        case rgb = "RGB"
        case palette
        case yCbCr = "YCbCr"
        case cmyk = "CMYK"
        case ycck = "YCCK"
        case lab = "Lab"
    }

    package var format: PictureFormat
    /// As stored, before it is turned upright.
    package var size: PixelSize
    /// How the rows must be turned to stand upright. `.upright` where the decoder has done it.
    package var orientation: Orientation = .upright
    /// Whether EXIF's orientation holds, where there is an EXIF block. False where the format has its own way to say
    /// so, which `orientation` or the decoder has taken into account.
    package var obeysEXIFOrientation = true
    package var layout: RowLayout = .rgb
    /// 8 or 16: the bits of a component in a row, as UInt8 or as UInt16 in the machine's order, always full range.
    package var rowBits = 8
    /// Bits of a component in the encoded picture: 1 to 16.
    package var depth = 8
    package var model: ColorModel = .rgb
    /// The embedded ICC profile.
    package var profile: [UInt8]?
    /// Whether a profile is embedded but unusable (its chunks are incomplete).
    package var profileIsDamaged = false
    /// What the file says of its colours in code points (HEIF, AVIF, PNG's cICP), where there is no profile or beside
    /// it.
    package var codePoints: ColorCodePoints?
    /// The exponent with which linear light was encoded, of a PNG that has gAMA but neither a profile nor an sRGB
    /// chunk, where it is not sRGB's 1/2.2.
    package var gamma: Double?
    /// The primaries of a PNG that has cHRM but neither a profile nor an sRGB chunk, where they are not sRGB's.
    package var chromaticities: Chromaticities?
    /// The EXIF block, from its TIFF header on.
    package var exif: [UInt8]?
    /// The XMP packet.
    package var xmp: [UInt8]?
    /// Whether a JPEG has more XMP than its packet, in segments that are not read.
    package var hasExtendedXMP = false
    /// The IPTC-IIM records.
    package var iptc: IPTCBlock?
    /// What PNG's text chunks say of the author and the copyright.
    package var textAttribution = DescriptiveMetadata()
    package var frames = 1
    package var isProgressive = false
    /// As in `4:2:0`, where chroma is stored apart.
    package var subsampling: String?
    /// Whether the file carries a gain map (Ultra HDR, ISO 21496-1) beside its base picture.
    package var hasGainMap = false
    /// Images beside the primary one that are left aside, by name and, where it is known, size: `gain map 2016×1512`.
    package var auxiliaryImages: [String] = []
    /// Whether the file carries an embedded thumbnail.
    package var hasThumbnail = false

    package init(format: PictureFormat, size: PixelSize) {
        self.format = format
        self.size = size
    }

    /// Bytes of a row as a reader hands it out, without padding.
    package var rowBytes: Int { size.width * layout.components * (rowBits / 8) }
}

/// Coding-independent code points (ITU-T H.273): 1, 13, 6 is sRGB, 12 is Display P3's primaries, 9 BT.2020's,
/// 16 and 18 are the PQ and HLG transfer characteristics, 2 is unspecified.
package struct ColorCodePoints: Hashable, Sendable {
    package var primaries: Int
    package var transfer: Int
    /// Of the encoded picture; the decoder has applied it, rows are RGB.
    package var matrix: Int
    /// Of the encoded picture; the decoder has applied it, rows are full range.
    package var isFullRange: Bool

    package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}

/// Where the white point and the primaries lie in the CIE 1931 diagram, as x and y.
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

    /// Whether every coordinate is within `tolerance` of that of `other`.
    package func isNear(_ other: Chromaticities, tolerance: Double = 0.002) -> Bool {
        zip([white, red, green, blue], [other.white, other.red, other.green, other.blue]).allSatisfy { mine, theirs in
            let distance = mine - theirs
            return max(abs(distance.x), abs(distance.y)) <= tolerance
        }
    }
}

/// What a decoder found missing or broken in a picture that it could decode all the same.
package struct Damage: Sendable {
    /// The share of the picture's area that is not there, 0 to 1.
    package var missingShare: Double
    /// What is wrong, as a clause: `the file ends early`.
    package var description: String

    package init(missingShare: Double, description: String) {
        self.missingShare = missingShare
        self.description = description
    }
}

/// A picture being decoded, row by row from the top, on one thread.
package protocol RowReader: AnyObject {
    var header: PictureHeader { get }

    /// Decodes the next row into `row`, which has room for `header.rowBytes` and 64 bytes more that may be overwritten.
    ///
    /// Throws a `decoding` error where no picture can be had. Damage that leaves the rest of the picture usable does
    /// not throw: the rows concerned are filled in as well as can be and `damage` tells. Not called more than
    /// `size.height` times.
    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError)

    /// Passes over the next `count` rows as cheaply as the format allows.
    func skipRows(_ count: Int) throws(MediaError)

    /// What has been found missing or broken so far.
    var damage: Damage? { get }
}
