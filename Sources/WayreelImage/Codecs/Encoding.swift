package import WayreelCore

/// Encoding of an output image.
public struct Encoding: Hashable, Sendable, Codable {
    public enum Format: String, Sendable, Codable, CaseIterable {
        case jpeg, png, webp, avif

        /// File extensions of the format; outputs use the first.
        public var extensions: [String] {
            switch self {
            case .jpeg: ["jpg", "jpeg"]
            case .png: ["png"]
            case .webp: ["webp"]
            case .avif: ["avif"]
            }
        }
    }

    /// Chroma subsampling of a JPEG.
    public enum Subsampling: String, Sendable, Codable, CaseIterable {
        case full = "4:4:4"
        case half = "4:2:2"
        case quarter = "4:2:0"
    }

    /// The metadata of the input that are kept. Outputs are always tagged sRGB and have no orientation because they are
    /// upright.
    public enum Metadata: String, Sendable, Codable, CaseIterable {
        /// No metadata: no location, device, time or thumbnail.
        case none
        /// Creator, copyright and usage terms from EXIF, XMP, IPTC or PNG text, written as EXIF and XMP.
        case copyright
        /// EXIF, XMP and IPTC unchanged, including location and device, without the thumbnail. IPTC is kept in JPEG and
        /// converted to XMP in other formats.
        case all
    }

    public var format: Format
    /// Quality of JPEG, lossy WebP and AVIF, 1 to 100.
    public var quality: Int
    /// Progressive JPEG: slightly smaller, slower to encode.
    public var progressive: Bool
    /// Chroma subsampling of JPEG.
    public var subsampling: Subsampling
    /// Bit depth of PNG, 8 or 16.
    public var bits: Int
    /// Lossless WebP or AVIF.
    public var lossless: Bool
    /// Max file size in bytes; the encoder chooses the best quality that fits.
    public var maxBytes: Int?
    /// The highest quality that is tried for ``maxBytes``; nil: 100.
    public var maxQuality: Int?
    public var metadata: Metadata

    public init(
        _ format: Format = .jpeg, quality: Int = 82, progressive: Bool = false, subsampling: Subsampling = .quarter,
        bits: Int = 8, lossless: Bool = false, maxBytes: Int? = nil, maxQuality: Int? = nil,
        metadata: Metadata = .none
    ) {
        self.format = format
        self.quality = quality
        self.progressive = progressive
        self.subsampling = subsampling
        self.bits = bits
        self.lossless = lossless
        self.maxBytes = maxBytes
        self.maxQuality = maxQuality
        self.metadata = metadata
    }
}

/// Metadata blocks for an encoder.
package struct OutputMetadata: Sendable {
    /// Starts with the TIFF header.
    package var exif: [UInt8]?
    package var xmp: [UInt8]?
    /// IPTC-IIM records, only supported by JPEG.
    package var iptc: [UInt8]?

    package init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil) {
        self.exif = exif
        self.xmp = xmp
        self.iptc = iptc
    }
}

/// The encoder of a format.
package protocol ImageEncoder: SendableMetatype {
    /// Encodes `image`, clamped to 0…1 and composited on black if the format has no alpha, as a file tagged sRGB.
    static func encode(
        _ image: Image, as encoding: Encoding, metadata: OutputMetadata, task: TaskContext
    ) throws(MediaError) -> [UInt8]
}

extension Encoding {
    /// Throws a `parameter` error that names the valid range.
    package func check() throws(MediaError) {
        func refuse(_ value: String, _ range: String) -> MediaError {
            MediaError(.parameter, step: "encode", reason: "\(value) is out of range", advice: "use \(range)")
        }
        guard (1...100).contains(quality) else { throw refuse("quality \(quality)", "1 to 100") }
        if let maxQuality, !(1...100).contains(maxQuality) { throw refuse("quality \(maxQuality)", "1 to 100") }
        guard bits == 8 || bits == 16 else { throw refuse("bits \(bits)", "8 or 16") }
        if let maxBytes, maxBytes < 1 { throw refuse("max-bytes \(maxBytes)", "a positive number") }
        // A setting that the format lacks would be ignored silently.
        let misplaced: [(Bool, String, [Format])] = [
            (progressive, "progressive", [.jpeg]), (bits == 16, "bits 16", [.png]),
            (lossless, "lossless", [.webp, .avif, .png]), (subsampling != .quarter, "subsampling", [.jpeg]),
        ]
        for (isSet, name, formats) in misplaced where isSet && !formats.contains(format) {
            throw MediaError(
                .parameter, step: "encode", reason: "\(format.rawValue) has no setting '\(name)'",
                advice: "use it with \(formats.map(\.rawValue).alternatives)")
        }
    }
}
