internal import CPNG
internal import WayreelCore

/// A text chunk of a PNG: tEXt, zTXt or iTXt (PNG Specification, Third Edition, section 11.3.3).
struct PNGText {
    /// The keyword of the iTXt chunk that holds XMP (XMP Specification Part 3, section 1.1.5).
    static let xmpKeyword = "XML:com.adobe.xmp"

    let keyword: String
    private let isLatin: Bool
    private let isCompressed: Bool
    private let data: UnsafeRawBufferPointer.SubSequence

    /// Returns nil for other chunk types and truncated chunks.
    init?(_ chunk: PNGChunks.Chunk) {
        let fields = chunk.data.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard fields.count == 2, (1...79).contains(fields[0].count) else { return nil }
        keyword = String(windows1252: fields[0])
        isLatin = chunk.type != "iTXt"
        switch chunk.type {
        case "tEXt":
            isCompressed = false
            data = fields[1]
        case "zTXt":
            // The compression method precedes the text; only one is defined.
            guard !fields[1].isEmpty else { return nil }
            isCompressed = true
            data = fields[1].dropFirst()
        case "iTXt":
            // Compression flag and method, then language and translated keyword, each NUL-terminated.
            guard fields[1].count >= 2 else { return nil }
            isCompressed = fields[1].first == 1
            let text = fields[1].dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            guard text.count == 3 else { return nil }
            data = text[2]
        default: return nil
        }
    }

    /// Returns the decompressed text; nil if it exceeds `limit` or is corrupt.
    func bytes(limit: Int) -> [UInt8]? {
        guard data.count <= limit else { return nil }
        return isCompressed ? inflated(limit: limit) : Array(data)
    }

    func text(limit: Int) -> String? {
        bytes(limit: limit).map { isLatin ? String(windows1252: $0) : String(utf8OrWindows1252: $0) }
    }

    private func inflated(limit: Int) -> [UInt8]? {
        // Memory beyond the text is not touched.
        let unpacked = [UInt8](unsafeUninitializedCapacity: limit) { out, count in
            let source = UnsafeRawBufferPointer(rebasing: data)
            let written = cpng_inflate(
                source.baseAddress?.assumingMemoryBound(to: UInt8.self), source.count, out.baseAddress, out.count)
            count = max(0, Int(written))
        }
        return unpacked.isEmpty ? nil : unpacked
    }

    /// Returns a metadata block that older programs store as text: name, length, and hexadecimal digits, each on
    /// separate lines (ImageMagick's convention).
    func rawProfile(limit: Int) -> [UInt8]? {
        // Two digits per byte and a line end after 72 digits.
        guard let text = bytes(limit: limit * 3) else { return nil }
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
        guard lines.count == 3 else { return nil }
        let digits = lines[2].compactMap(Self.digit)
        return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Metadata in the text chunks of a PNG. Only the first chunk of each keyword counts, which bounds the cost.
struct PNGTexts {
    private(set) var xmp: [UInt8]?
    private(set) var iptc: IPTCBlock?
    /// EXIF in a text chunk, as stored before the eXIf chunk was defined.
    private(set) var exif: [UInt8]?
    private(set) var attribution = DescriptiveMetadata()

    private let byteLimit: Int
    private var seen: Set<String> = []
    private static let attributionLimit = 64 << 10

    /// `byteLimit` is the max size of a decompressed block.
    init(byteLimit: Int) { self.byteLimit = byteLimit }

    private static let readers: [String: @Sendable (inout PNGTexts, PNGText) -> Void] = [
        PNGText.xmpKeyword: { $0.xmp = $1.bytes(limit: $0.byteLimit) ?? $0.xmp },
        "Raw profile type xmp": { $0.xmp = $0.xmp ?? $1.rawProfile(limit: $0.byteLimit) },
        "Raw profile type exif": { $0.exif = $0.exif ?? exifBlock($0, $1) },
        "Raw profile type APP1": { $0.exif = $0.exif ?? exifBlock($0, $1) },
        "Raw profile type iptc": { $0.iptc = $0.iptc ?? $1.rawProfile(limit: $0.byteLimit).flatMap(iptcBlock) },
        "Raw profile type 8bim": { $0.iptc = $0.iptc ?? $1.rawProfile(limit: $0.byteLimit).flatMap(iptcBlock) },
        "Author": { $0.attribution[.creator] = attributed($1) },
        "Copyright": { $0.attribution[.notice] = attributed($1) },
    ]

    mutating func read(_ chunk: PNGChunks.Chunk) {
        guard let text = PNGText(chunk), let read = Self.readers[text.keyword] else { return }
        if seen.insert(text.keyword).inserted { read(&self, text) }
    }

    private static func exifBlock(_ texts: PNGTexts, _ text: PNGText) -> [UInt8]? {
        text.rawProfile(limit: texts.byteLimit).map(EXIFBlock.withoutIdentifier)
    }

    /// IPTC records, plain or inside Photoshop resources.
    private static func iptcBlock(_ bytes: [UInt8]) -> IPTCBlock? {
        bytes.first == 0x1C ? IPTCBlock(bytes) : bytes.withUnsafeBytes { IPTCBlock(PhotoshopResources($0)) }
    }

    private static func attributed(_ text: PNGText) -> [DescriptiveMetadata.Text] {
        [text.text(limit: attributionLimit).flatMap { DescriptiveMetadata.Text($0) }].compactMap(\.self)
    }
}

extension ImageHeader {
    /// Adds metadata from text chunks that no dedicated chunk provides.
    mutating func take(_ texts: PNGTexts) {
        exif = exif ?? texts.exif
        xmp = texts.xmp
        iptc = texts.iptc
        textAttribution = texts.attribution
    }
}
