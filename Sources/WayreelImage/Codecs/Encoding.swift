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

    /// Throws a `parameter` error that names the valid range.
    package func check() throws(MediaError) {
        func refuse(_ value: String, _ range: String) -> MediaError {
            MediaError(.parameter, step: .encode, reason: "\(value) is out of range", advice: "use \(range)")
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
                .parameter, step: .encode, reason: "\(format.rawValue) has no setting '\(name)'",
                advice: "use it with \(formats.map(\.rawValue).alternatives)")
        }
    }

    /// Whether `quality` has an effect: not for PNG and lossless formats.
    package var hasQuality: Bool { format == .jpeg || (format != .png && !lossless) }
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

extension Encoding.Format {
    /// The limits of sides are those of the formats; JPEG's is libjpeg's. libaom takes about 32 bytes per pixel to
    /// encode a still image: 36 megapixels take 1.2 GB.
    private var limit: (side: Int, pixels: Int, advice: MediaError.Advice) {
        switch self {
        case .jpeg: (65_500, .max, "choose a smaller screen, or \(.format) png")
        case .png: (.max, .max, "choose a smaller screen")
        case .webp: (16_383, .max, "choose a smaller screen, or \(.format) jpeg, png or avif")
        case .avif: (65_536, 36_000_000, "choose a smaller screen, or \(.format) jpeg, png or webp")
        }
    }

    /// Throws a `limit` error if `size` exceeds the format's limit or the encoder's memory limit.
    package func check(output size: PixelSize) throws(MediaError) {
        let limit = limit
        let fault = { (what: String) in
            MediaError(
                .limit, code: .tooManyPixels, step: .encode, reason: "the output would be \(size); \(what)",
                advice: limit.advice)
        }
        guard max(size.width, size.height) <= limit.side else {
            throw fault("a side of \(rawValue) is at most \(limit.side) pixels")
        }
        guard size.pixels <= limit.pixels else {
            throw fault("\(rawValue) is encoded up to \(limit.pixels.inMegapixels)")
        }
    }

    /// The media type: `image/jpeg`.
    package var mediaType: String { "image/\(rawValue)" }

    /// Further names in common use besides ``extensions``.
    private static let aliases: [String: Encoding.Format] = ["jpe": .jpeg]

    /// Formats that can be read but not written, and alternatives.
    private static let unwritten = [
        "heic": "avif, which is HEIF with AV1 in it", "heif": "avif, which is HEIF with AV1 in it",
        "tif": "png, which has 16 bits as well", "tiff": "png, which has 16 bits as well", "gif": "webp or png",
        "bmp": "png", "jxl": "avif or webp",
    ]

    /// The format for a file extension.
    package init?(fileName: String) {
        guard let ending = fileName.fileExtension?.lowercased(),
            let format = Self.allCases.first(where: { $0.extensions.contains(ending) })
        else { return nil }
        self = format
    }

    /// Looks up a format by name, ignoring case: `jpeg`, `jpg`, …
    ///
    /// Throws a `parameter` error with a suggestion.
    package init(named name: String) throws(MediaError) {
        let plain = name.lowercased()
        if let format = Self.allCases.first(where: { $0.extensions.contains(plain) }) ?? Self.aliases[plain] {
            self = format
            return
        }
        if let unwritten = Self.unwritten(plain) { throw unwritten }
        let names = Self.allCases.map(\.rawValue)
        let near: MediaError.Advice? = nearestName(to: plain, in: names.sorted()).map { "did you mean '\($0)'?" }
        throw MediaError(
            .parameter, step: .encode, reason: "unknown output format '\(name)'",
            advice: near ?? "use \(names.alternatives)")
    }

    /// Returns the error for a format that can only be read, by name or file extension; nil for others.
    package static func unwritten(_ name: String) -> MediaError? {
        unwritten[name.lowercased()].map {
            MediaError(.parameter, step: .encode, reason: "\(name) can be read but not written", advice: "use \($0)")
        }
    }
}

/// All encoders.
package enum ImageEncoders {
    private static let table: [Encoding.Format: any ImageEncoder.Type] = [
        .jpeg: JPEGWriter.self, .png: PNGWriter.self, .webp: WebPWriter.self, .avif: AVIFWriter.self,
    ]

    /// Encodes `image`, with the best quality that fits if `encoding.maxBytes` is set. `foundQuality` is that
    /// quality.
    package static func encode(
        _ image: Image, as encoding: Encoding, metadata: OutputMetadata, task: TaskContext
    ) throws(MediaError) -> (bytes: [UInt8], foundQuality: Int?) {
        guard let encoder = table[encoding.format] else {
            throw MediaError(.unsupported, step: .encode, reason: "no encoder for \(encoding.format.rawValue)")
        }
        try encoding.format.check(output: image.size)
        guard let maxBytes = encoding.maxBytes, encoding.hasQuality else {
            let bytes = try encoder.encode(image, as: encoding, metadata: metadata, task: task)
            if let maxBytes = encoding.maxBytes { try QualitySearch.check(bytes, maxBytes: maxBytes) }
            return (bytes, nil)
        }
        let found = try QualitySearch.encode(
            maxBytes: maxBytes, maxQuality: encoding.maxQuality, task: task
        ) { (quality) throws(MediaError) in
            var candidate = encoding
            candidate.quality = quality
            return try encoder.encode(image, as: candidate, metadata: metadata, task: task)
        }
        return (found.bytes, found.quality)
    }
}
