package import WayreelCore

/// How an output is encoded.
public struct Encoding: Hashable, Sendable, Codable {
    public enum Format: String, Sendable, Codable, CaseIterable {
        case jpeg, png, webp, avif

        /// The endings of a file's name that stand for the format; the first is the one that outputs get.
        public var extensions: [String] {
            switch self {
            case .jpeg: ["jpg", "jpeg"]
            case .png: ["png"]
            case .webp: ["webp"]
            case .avif: ["avif"]
            }
        }
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
        /// Who made the image, whom it belongs to and on what terms it may be used, wherever EXIF, XMP, IPTC or PNG's texts
        /// tell it; written as EXIF and XMP.
        case copyright
        /// EXIF, XMP and IPTC as they are, place and device included, without the thumbnail. IPTC stays as it is in JPEG, and
        /// becomes XMP in other formats.
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
    /// IPTC-IIM records, which only JPEG has a place for.
    package var iptc: [UInt8]?

    package init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil) {
        self.exif = exif
        self.xmp = xmp
        self.iptc = iptc
    }
}

/// One format's encoder.
package protocol PictureEncoder: SendableMetatype {
    /// Encodes `picture` (clamped to 0…1; alpha dropped onto black where the format has none) into a whole file, tagged sRGB.
    static func encode(
        _ picture: Picture, as encoding: Encoding, metadata: OutputMetadata, watch: TaskWatch
    ) throws(MediaError) -> [UInt8]
}

extension Encoding {
    /// Throws a `parameter` error that names the range of the value that is out of it.
    package func check() throws(MediaError) {
        func refuse(_ value: String, _ range: String) -> MediaError {
            MediaError(.parameter, step: "encode", reason: "\(value) is out of range", advice: "use \(range)")
        }
        guard (1...100).contains(quality) else { throw refuse("quality \(quality)", "1 to 100") }
        guard bits == 8 || bits == 16 else { throw refuse("bits \(bits)", "8 or 16") }
        if let maxBytes, maxBytes < 1 { throw refuse("max-bytes \(maxBytes)", "a number above 0") }
        // A setting that the format does not have would be ignored in silence.
        let misplaced: [(Bool, String, [Format])] = [
            (progressive, "progressive", [.jpeg]), (bits == 16, "bits 16", [.png]),
            (lossless, "lossless", [.webp, .avif, .png]), (subsampling != .quarter, "subsampling", [.jpeg]),
        ]
        for (isSet, name, formats) in misplaced where isSet && !formats.contains(format) {
            throw MediaError(
                .parameter, step: "encode", reason: "\(format.rawValue) has no setting '\(name)'",
                advice: "use it with \(formats.map(\.rawValue).joined(separator: " or "))")
        }
    }
}
