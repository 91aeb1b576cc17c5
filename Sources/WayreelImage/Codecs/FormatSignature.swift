package import WayreelCore

/// An image format detected by the first bytes of a file.
enum DetectedFormat {
    case jpeg, png, gif, webp, tiff, jxl
    /// HEIC or AVIF.
    case heif(ImageFormat)
    case icon
    /// A raw photo that is not TIFF.
    case raw(RawPhoto.Kind)
    /// A less common format.
    case still(StillFormat)
    /// Not a supported image: its apparent type and advice.
    case refused(String, advice: MediaError.Advice)
}

/// Bytes at the start of a format.
struct FormatSignature {
    /// One byte each; nil matches any.
    let pattern: [UInt8?]
    let format: DetectedFormat

    /// `pattern` holds one byte per character, up to U+00FF; `?` matches any byte.
    init(_ pattern: String, _ format: DetectedFormat) {
        self.pattern = pattern.unicodeScalars.map { $0 == "?" ? nil : UInt8($0.value) }
        self.format = format
    }

    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        pattern.count <= bytes.count && zip(pattern, bytes).allSatisfy { wanted, byte in wanted ?? byte == byte }
    }

    /// Detects a format by content. Signatures come first; if one is a prefix of another, the longer one comes first.
    static func detect(_ bytes: UnsafeRawBufferPointer) -> DetectedFormat? {
        let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(64))
        if let media = detectISOMedia(bytes) { return media }
        if let found = binary.first(where: { $0.matches(head) }) { return found.format }
        if let still = StillFormat.recognise(bytes) { return .still(still) }
        return detectText(bytes)
    }

    private static let av1Brands: Set = ["avif", "avis"]
    private static let heifBrands: Set = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "mif2", "miaf",
    ]

    /// Detects an ISO media file by the brands in its ftyp box (ISO/IEC 14496-12, section 4.3); nil without one at the
    /// start.
    private static func detectISOMedia(_ bytes: UnsafeRawBufferPointer) -> DetectedFormat? {
        guard bytes.count >= 16, bytes.matches("ftyp".utf8, at: 4) else { return nil }
        let end = min(Int(bytes.bigEndian32(at: 0)), bytes.count, 256)
        guard end >= 16 else { return nil }
        // Major brand, version, then compatible brands.
        let offsets = [8] + stride(from: 16, through: end - 4, by: 4)
        let brands = offsets.map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
        if brands.contains(where: av1Brands.contains) { return .heif(.avif) }
        if brands.contains(where: heifBrands.contains) { return .heif(.heif) }
        if brands[0] == "crx " { return .raw(.canonCR3) }
        return .refused("an MP4 or QuickTime video", advice: videoAdvice)
    }

    /// Detects text formats, after a byte-order mark and white space.
    private static func detectText(_ bytes: UnsafeRawBufferPointer) -> DetectedFormat? {
        let head = Array(bytes.prefix(512))
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else { return nil }
        let start = String(decoding: text.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
        if ["<?xml", "<!--"].contains(where: start.hasPrefix), start.contains("<svg") { return drawing }
        let found = textual.first { start.hasPrefix($0.start) }
        return found?.format ?? .refused(plainText, advice: imageAdvice)
    }

    static let plainText = "plain text"
    static let imageAdvice: MediaError.Advice = "give an image"
    static let videoAdvice: MediaError.Advice = "take a still from it first"
    private static let convertAdvice: MediaError.Advice = "convert it to PNG first"
    private static let archiveAdvice: MediaError.Advice = "unpack it first"

    private static let binary: [FormatSignature] = [
        FormatSignature("\u{FF}\u{D8}\u{FF}\u{F7}", .still(.jpegLS)),
        FormatSignature("\u{FF}\u{D8}\u{FF}", .jpeg),
        FormatSignature("\u{89}PNG\r\n\u{1A}\n", .png),
        FormatSignature("GIF87a", .gif),
        FormatSignature("GIF89a", .gif),
        FormatSignature("RIFF????WEBP", .webp),
        // Looks like an icon without images; these are two start codes of a video object.
        FormatSignature("\0\0\u{01}\0\0\0\u{01}", .refused("an MPEG-4 video", advice: videoAdvice)),
        FormatSignature("\0\0\u{01}\0", .icon),
        FormatSignature("II*\0????CR", .raw(.other(maker: "Canon"))),
        FormatSignature("FUJIFILMCCD-RAW", .raw(.fujifilm)),
        FormatSignature("IIU\0", .raw(.other(maker: "Panasonic"))),
        FormatSignature("IIRO", .raw(.other(maker: "Olympus"))),
        FormatSignature("IIRS", .raw(.other(maker: "Olympus"))),
        FormatSignature("MMOR", .raw(.other(maker: "Olympus"))),
        FormatSignature("FOVb", .raw(.other(maker: "Sigma"))),
        FormatSignature("\0MRM", .raw(.other(maker: "Minolta"))),
        FormatSignature("II\u{1A}\0\0\0HEAPCCDR", .raw(.other(maker: "Canon"))),
        FormatSignature("\0\0\0\u{0C}JXL \r\n\u{87}\n", .jxl),
        FormatSignature("\u{FF}\n", .jxl),
        FormatSignature("II*\0", .tiff),
        FormatSignature("MM\0*", .tiff),
        // BigTIFF.
        FormatSignature("II+\0", .tiff),
        FormatSignature("MM\0+", .tiff),
        FormatSignature("RIFF????AVI ", .refused("an AVI video", advice: videoAdvice)),
        FormatSignature("\u{1A}E\u{DF}\u{A3}", .refused("a Matroska or WebM video", advice: videoAdvice)),
        FormatSignature("\0\0\u{01}\u{BA}", .refused("an MPEG video", advice: videoAdvice)),
        FormatSignature("\0\0\u{01}\u{B3}", .refused("an MPEG video", advice: videoAdvice)),
        FormatSignature("FLV\u{01}", .refused("a Flash video", advice: videoAdvice)),
        FormatSignature("OggS", .refused("an Ogg audio or video file", advice: imageAdvice)),
        FormatSignature("RIFF????WAVE", .refused("a WAV audio file", advice: imageAdvice)),
        FormatSignature("fLaC", .refused("a FLAC audio file", advice: imageAdvice)),
        FormatSignature("ID3", .refused("an MP3 audio file", advice: imageAdvice)),
        FormatSignature("PK\u{03}\u{04}", .refused("a ZIP archive or an office document", advice: archiveAdvice)),
        FormatSignature("\u{1F}\u{8B}", .refused("a gzip archive", advice: archiveAdvice)),
        FormatSignature("BZh", .refused("a bzip2 archive", advice: archiveAdvice)),
        FormatSignature("\u{FD}7zXZ", .refused("an xz archive", advice: archiveAdvice)),
        FormatSignature("(\u{B5}/\u{FD}", .refused("a Zstandard archive", advice: archiveAdvice)),
        FormatSignature("7z\u{BC}\u{AF}", .refused("a 7z archive", advice: archiveAdvice)),
        FormatSignature("Rar!", .refused("a RAR archive", advice: archiveAdvice)),
        FormatSignature("%PDF", .refused("a PDF document", advice: "render its page to PNG first")),
        FormatSignature("%!PS", .refused("a PostScript document", advice: "render its page to PNG first")),
        FormatSignature("\u{7F}ELF", .refused("a program", advice: imageAdvice)),
    ]

    static let drawingName = "an SVG drawing"
    private static let drawing = DetectedFormat.refused(drawingName, advice: "render it to PNG first")

    private static let textual: [(start: String, format: DetectedFormat)] = [
        ("<svg", drawing),
        ("<!doctype html", .refused("a web page", advice: "download the image itself")),
        ("<html", .refused("a web page", advice: "download the image itself")),
        ("<?xml", .refused("an XML document", advice: imageAdvice)),
        ("<", .refused("an XML document", advice: imageAdvice)),
        ("{", .refused("a JSON document", advice: imageAdvice)),
        ("simple  =", .refused("a FITS image", advice: convertAdvice)),
        ("/* xpm */", .refused("an XPM image", advice: convertAdvice)),
        ("#define ", .refused("an XBM image or a C file", advice: convertAdvice)),
    ]
}

extension MediaError.Format {
    package static let avif = MediaError.Format(rawValue: "AVIF")
    package static let bmp = MediaError.Format(rawValue: "BMP")
    package static let dds = MediaError.Format(rawValue: "DDS")
    package static let exr = MediaError.Format(rawValue: "EXR")
    package static let gif = MediaError.Format(rawValue: "GIF")
    package static let heif = MediaError.Format(rawValue: "HEIF")
    package static let icon = MediaError.Format(rawValue: "icon")
    package static let jpeg = MediaError.Format(rawValue: "JPEG")
    package static let jxl = MediaError.Format(rawValue: "JPEG XL")
    package static let pfm = MediaError.Format(rawValue: "PFM")
    package static let png = MediaError.Format(rawValue: "PNG")
    package static let psd = MediaError.Format(rawValue: "PSD")
    package static let qoi = MediaError.Format(rawValue: "QOI")
    package static let tga = MediaError.Format(rawValue: "TGA")
    package static let tiff = MediaError.Format(rawValue: "TIFF")
    package static let webp = MediaError.Format(rawValue: "WebP")
}

/// A still image format.
package struct ImageFormat: Hashable, Sendable {
    /// `jpeg`, `png`, `webp`, `heif`, `avif`, or FFmpeg's name for formats that only FFmpeg decodes.
    package let name: String
    package let mimeType: String

    package init(name: String, mimeType: String) {
        self.name = name
        self.mimeType = mimeType
    }

    package static let jpeg = ImageFormat(name: "jpeg", mimeType: "image/jpeg")
    package static let png = ImageFormat(name: "png", mimeType: "image/png")
    package static let gif = ImageFormat(name: "gif", mimeType: "image/gif")
    package static let webp = ImageFormat(name: "webp", mimeType: "image/webp")
    package static let heif = ImageFormat(name: "heif", mimeType: "image/heic")
    package static let tiff = ImageFormat(name: "tiff", mimeType: "image/tiff")
    package static let jxl = ImageFormat(name: "jxl", mimeType: "image/jxl")
    /// The formats of cameras for sensor data, of which the preview is read.
    package static let raw = ImageFormat(name: "raw", mimeType: "image/x-dcraw")
    package static let avif = ImageFormat(name: "avif", mimeType: "image/avif")
}

/// What the first bytes of a file show about its format.
package enum MediaSignature: Hashable, Sendable {
    case empty
    /// An image in a format that is read.
    case image
    /// A video, or a container that also holds audio alone: `an MP4 or QuickTime video`.
    case video(String)
    /// `a WAV audio file`.
    case audio(String)
    /// `plain text`.
    case text(String)
    /// Something else that is recognised: `a PDF document`.
    case other(String)
    /// Nothing is recognised. Some audio, and Targa images, begin in no way of their own.
    case unknown

    /// Reads the first bytes of a regular file; unknown if they cannot be read.
    package init(ofFile path: String) {
        self = FileHead.withFirstBytes(of: path) { MediaSignature($0) } ?? .unknown
    }

    package init(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else {
            self = .empty
            return
        }
        switch FormatSignature.detect(bytes) {
        case .jpeg?, .png?, .gif?, .webp?, .tiff?, .jxl?, .heif?, .icon?, .raw?, .still?: self = .image
        case .refused(let description, let advice)?:
            if advice == FormatSignature.videoAdvice {
                self = .video(description)
            } else if description.contains("audio") {
                self = .audio(description)
            } else {
                self = description == FormatSignature.plainText ? .text(description) : .other(description)
            }
        case nil: self = .unknown
        }
    }
}
