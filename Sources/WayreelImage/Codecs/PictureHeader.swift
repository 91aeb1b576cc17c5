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
    }

    package var format: PictureFormat
    /// As stored, before it is turned upright.
    package var size: PixelSize
    /// How the rows must be turned to stand upright. `.upright` where the decoder has done it.
    package var orientation: Orientation = .upright
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
    /// The EXIF block, from its TIFF header on.
    package var exif: [UInt8]?
    /// The XMP packet.
    package var xmp: [UInt8]?
    package var frames = 1
    package var isProgressive = false
    /// As in `4:2:0`, where chroma is stored apart.
    package var subsampling: String?
    /// Whether the file carries a gain map (Ultra HDR, ISO 21496-1) beside its base picture.
    package var hasGainMap = false
    /// Whether the file carries an embedded thumbnail.
    package var hasThumbnail = false

    package init(format: PictureFormat, size: PixelSize) {
        self.format = format
        self.size = size
    }

    /// Bytes of a row as a reader hands it out, without padding.
    package var rowBytes: Int { size.width * layout.components * (rowBits / 8) }
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
    /// Throws a `decoding` error where no picture can be had. Damage that leaves the rest of the picture usable does not
    /// throw: the rows concerned are filled in as well as can be and `damage` tells. Not called more than `size.height` times.
    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError)

    /// Passes over the next `count` rows as cheaply as the format allows.
    func skipRows(_ count: Int) throws(MediaError)

    /// What has been found missing or broken so far.
    var damage: Damage? { get }
}
