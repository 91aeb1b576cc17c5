package import WayreelCore

/// How an output is encoded.
public struct Encoding: Hashable, Sendable, Codable {
    public enum Format: String, Sendable, Codable, CaseIterable {
        case jpeg, png, webp, avif
    }

    /// How much of the chroma of a JPEG is kept.
    public enum Subsampling: String, Sendable, Codable, CaseIterable {
        case full = "4:4:4"
        case half = "4:2:2"
        case quarter = "4:2:0"
    }

    /// What of the input's metadata is carried over. The output is tagged sRGB in any case, and never carries an
    /// orientation, since it is upright.
    public enum Metadata: String, Sendable, Codable, CaseIterable {
        /// Nothing: no place, no device, no time, no thumbnail.
        case none
        /// The artist and copyright fields of EXIF.
        case copyright
        /// EXIF and XMP as they are, place and device included, without the thumbnail.
        case all
    }

    public var format: Format
    /// 1 to 100, for JPEG, lossy WebP and AVIF.
    public var quality: Int
    /// Progressive JPEG: a little smaller, slower to make.
    public var progressive: Bool
    /// Of JPEG.
    public var subsampling: Subsampling
    /// 8 or 16, of PNG.
    public var bits: Int
    /// Of WebP and AVIF.
    public var lossless: Bool
    /// Finds the best quality whose file is at most this large. In bytes.
    public var maxBytes: Int?
    public var metadata: Metadata

    public init(
        _ format: Format = .jpeg, quality: Int = 82, progressive: Bool = false, subsampling: Subsampling = .quarter,
        bits: Int = 8, lossless: Bool = false, maxBytes: Int? = nil, metadata: Metadata = .none
    ) {
        self.format = format
        self.quality = quality
        self.progressive = progressive
        self.subsampling = subsampling
        self.bits = bits
        self.lossless = lossless
        self.maxBytes = maxBytes
        self.metadata = metadata
    }
}

/// The metadata blocks that an encoder writes into its file.
package struct OutputMetadata: Sendable {
    /// From the TIFF header on.
    package var exif: [UInt8]?
    package var xmp: [UInt8]?

    package init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil) {
        self.exif = exif
        self.xmp = xmp
    }
}

/// One format's encoder.
package protocol PictureEncoder: SendableMetatype {
    /// Encodes `picture` (clamped to 0…1; alpha dropped onto black where the format has none) into a whole file, tagged sRGB.
    static func encode(
        _ picture: Picture, as encoding: Encoding, metadata: OutputMetadata, watch: TaskWatch
    ) throws(MediaError) -> [UInt8]
}
