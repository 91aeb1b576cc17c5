internal import WayreelAV
internal import WayreelCore

/// Decodes still images through FFmpeg. The frame is decoded on opening, because its layout is only known then.
final class StillReader: WholeImageReader {
    let header: ImageHeader
    let damage: Damage?

    private let frame: StillFrame
    var pixels: DecodedPixels?
    var nextRow = 0

    init(_ bytes: MediaBytes, as still: StillFormat, limits: Limits) throws(MediaError) {
        try still.check?(bytes.buffer, limits)
        frame = try StillFrame(bytes.buffer, codec: still.codec, limits: limits)
        var header = ImageHeader(format: still.format, size: frame.size)
        header.layout = frame.hasAlpha ? .rgba : .rgb
        header.rowBits = frame.bits
        header.depth = frame.depth
        header.model = still.model ?? Self.models[frame.model] ?? .rgb
        header.profile = frame.profile
        if frame.isLinearLight { header.codePoints = .linearLight }
        still.readMetadata?(bytes.buffer, &header)
        self.header = header
        damage = frame.decoderMessage.map { Damage(missingShare: 0, description: "\(still.format.name): \($0)") }
    }

    private static let models: [StillFrame.Model: ImageHeader.ColorModel] = [
        .grey: .grey, .palette: .palette, .rgb: .rgb, .yCbCr: .yCbCr,
    ]

    func decode(into pixels: DecodedPixels) throws(MediaError) {
        try frame.convert(into: pixels.base, stride: pixels.stride)
    }
}

/// A still image format decoded by FFmpeg or by Wayreel itself.
struct StillFormat {
    let format: ImageFormat
    let codec: StillFrame.Codec
    /// The file's colour model, if FFmpeg outputs another.
    var model: ImageHeader.ColorModel?
    let recognises: @Sendable (UnsafeRawBufferPointer) -> Bool
    /// Checks the file before FFmpeg decodes it.
    var check: Check?
    /// Reads the metadata that FFmpeg does not return.
    var readMetadata: MetadataReading?
    /// Opens files that FFmpeg cannot decode, or not unchanged.
    var opens: Opening?

    typealias Check = @Sendable (UnsafeRawBufferPointer, Limits) throws(MediaError) -> Void
    typealias MetadataReading = @Sendable (UnsafeRawBufferPointer, inout ImageHeader) -> Void
    typealias Opening = @Sendable (MediaBytes, StillFormat, Limits) throws(MediaError) -> any RowReader

    /// Opens a file of this format.
    func open(_ bytes: MediaBytes, limits: Limits) throws(MediaError) -> any RowReader {
        if let opens { return try opens(bytes, self, limits) }
        return try StillReader(bytes, as: self, limits: limits)
    }

    private init(
        _ name: String, _ mimeType: String, codec: StillFrame.Codec? = nil,
        model: ImageHeader.ColorModel? = nil,
        recognises: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool,
        check: Check? = nil,
        readMetadata: MetadataReading? = nil,
        opens: Opening? = nil
    ) {
        format = ImageFormat(name: name, mimeType: mimeType)
        self.codec = codec ?? StillFrame.Codec(name)
        self.model = model
        self.recognises = recognises
        self.check = check
        self.readMetadata = readMetadata
        self.opens = opens
    }

    /// Returns the format whose signature `bytes` match.
    static func recognise(_ bytes: UnsafeRawBufferPointer) -> StillFormat? { all.first { $0.recognises(bytes) } }

    static let jpegLS = StillFormat("jpegls", "image/jls") { _ in false }

    /// In detection order; formats without a signature come last.
    private static let all: [StillFormat] = [
        StillFormat(
            "bmp", "image/bmp", recognises: isBMP,
            opens: { (bytes, _, limits) throws(MediaError) in try RasterReader(BMPFile(bytes, limits: limits)) }),
        StillFormat(
            "psd", "image/vnd.adobe.photoshop", recognises: begins("8BPS\0\u{01}", "8BPS\0\u{02}"),
            opens: { (bytes, still, limits) throws(MediaError) in
                try PSDReader(bytes, format: still.format, limits: limits)
            }),
        StillFormat(
            "jpeg2000", "image/jp2", recognises: begins("\0\0\0\u{0C}jP  \r\n\u{87}\n", "\u{FF}O\u{FF}Q"),
            readMetadata: JP2Metadata.read),
        StillFormat(
            "exr", "image/x-exr", codec: StillFrame.Codec("exr", isLinearLight: true),
            recognises: begins("v/1\u{01}"), readMetadata: EXRAttributes.readOwner,
            opens: { (bytes, still, limits) throws(MediaError) in try EXRReader(bytes, as: still, limits: limits) }),
        StillFormat("pbm", "image/x-portable-bitmap", recognises: isNetpbm("14")),
        StillFormat("pgm", "image/x-portable-graymap", recognises: isNetpbm("25")),
        StillFormat("ppm", "image/x-portable-pixmap", recognises: isNetpbm("36")),
        StillFormat("pam", "image/x-portable-arbitrarymap", recognises: isNetpbm("7")),
        StillFormat(
            "pfm", "image/x-portable-floatmap", recognises: isNetpbm("Ff"),
            opens: { (bytes, still, limits) throws(MediaError) in
                try PFMReader(bytes, format: still.format, limits: limits)
            }),
        StillFormat(
            "qoi", "image/qoi", recognises: begins("qoif"),
            opens: { (bytes, still, limits) throws(MediaError) in
                try QOIReader(bytes, format: still.format, limits: limits)
            }),
        StillFormat("dpx", "image/x-dpx", recognises: begins("SDPX", "XPDS")),
        StillFormat("sunrast", "image/x-sun-raster", recognises: begins("Y\u{A6}j\u{95}")),
        StillFormat(
            "dds", "image/vnd-ms.dds", recognises: begins("DDS |\0\0\0"),
            check: { (bytes, limits) throws(MediaError) in try DDSHeader.check(bytes, limits: limits) }),
        StillFormat("sgi", "image/sgi", recognises: isSGI),
        StillFormat("pcx", "image/x-pcx", recognises: isPCX),
        StillFormat(
            "targa", "image/x-tga", recognises: isTarga,
            opens: { (bytes, still, limits) throws(MediaError) in
                try RasterReader(TGAFile(bytes, format: still.format, limits: limits))
            }),
    ]

    private static func begins(_ patterns: String...) -> @Sendable (UnsafeRawBufferPointer) -> Bool {
        let starts = patterns.map { $0.unicodeScalars.map { UInt8($0.value) } }
        return { bytes in starts.contains { bytes.matches($0, at: 0) } }
    }

    /// "BM", then a known size of the second header.
    private static let isBMP: @Sendable (UnsafeRawBufferPointer) -> Bool = { bytes in
        bytes.count >= 26 && bytes.matches("BM".utf8, at: 0)
            && [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes.littleEndian32(at: 14))
    }

    /// "P", one of `kinds`, white space.
    private static func isNetpbm(_ kinds: String) -> @Sendable (UnsafeRawBufferPointer) -> Bool {
        let kinds = Array(kinds.utf8)
        return { bytes in
            bytes.count >= 3 && bytes[0] == UInt8(ascii: "P") && kinds.contains(bytes[1])
                && [0x09, 0x0A, 0x0D, 0x20].contains(bytes[2])
        }
    }

    /// 474, raw or run-length encoded, one or two bytes per component, one to three dimensions.
    private static let isSGI: @Sendable (UnsafeRawBufferPointer) -> Bool = { bytes in
        bytes.count >= 12 && bytes.bigEndian16(at: 0) == 474 && bytes[2] <= 1 && (1...2).contains(bytes[3])
            && (1...3).contains(bytes.bigEndian16(at: 4))
    }

    /// 10, a known version, run-length encoded, a known depth.
    private static let isPCX: @Sendable (UnsafeRawBufferPointer) -> Bool = { bytes in
        bytes.count >= 128 && bytes[0] == 10 && [0, 2, 3, 4, 5].contains(bytes[1]) && bytes[2] == 1
            && [1, 2, 4, 8].contains(bytes[3]) && (1...4).contains(bytes[65])
    }

    /// Targa has no signature at the start: matches its footer, or a header whose fields are all valid.
    private static let isTarga: @Sendable (UnsafeRawBufferPointer) -> Bool = { bytes in
        if bytes.matches("TRUEVISION-XFILE.\0".utf8, at: bytes.count - 18) { return true }
        guard bytes.count > 18, bytes[1] <= 1 else { return false }
        let isMapped = bytes[1] == 1
        return (isMapped ? [1, 9] : [2, 3, 10, 11]).contains(bytes[2])
            && (isMapped ? [15, 16, 24, 32] : [0]).contains(bytes[7])
            && (isMapped || bytes.littleEndian32(at: 3) == 0)
            && bytes.littleEndian16(at: 12) > 0 && bytes.littleEndian16(at: 14) > 0
            && [8, 15, 16, 24, 32].contains(bytes[16]) && bytes[17] & 0xC0 == 0
    }
}

/// The header of a DirectDraw surface (Microsoft, "DDS_HEADER structure"), which shows whether FFmpeg decodes its
/// colours correctly.
enum DDSHeader {
    private static let fault = ErrorSite(step: .decode, format: .dds)

    /// Throws an `unsupported` error for textures that FFmpeg would decode incorrectly.
    static func check(_ bytes: UnsafeRawBufferPointer, limits: Limits) throws(MediaError) {
        guard bytes.count >= 128 else { throw fault("the file ends within its header") }
        let size = PixelSize(width: Int(bytes.littleEndian32(at: 16)), height: Int(bytes.littleEndian32(at: 12)))
        try limits.check(size: size)
        if let kind = undecodable(bytes) {
            throw fault(
                .unsupported, "textures of type \(kind) cannot be read",
                "convert it to PNG first, with texconv or another texture tool")
        }
    }

    private static let hasCode: UInt32 = 1 << 2
    private static let isNormalMap: UInt32 = 1 << 31
    private static let codes: Set = ["DXT1", "DXT2", "DXT3", "DXT4", "DXT5"]
    /// BC1 to BC3 as DXGI numbers.
    private static let formats = Set((70...78).map(UInt32.init))
    private static let namedFormats: [UInt32: String] = [
        79: "BC4", 80: "BC4", 81: "BC4", 82: "BC5", 83: "BC5", 84: "BC5", 94: "BC6H", 95: "BC6H", 96: "BC6H", 97: "BC7",
        98: "BC7", 99: "BC7",
    ]
    private static let namedCodes = [
        "ATI1": "BC4", "BC4U": "BC4", "BC4S": "BC4", "ATI2": "BC5", "BC5U": "BC5", "BC5S": "BC5",
    ]

    /// Returns the name of a texture type that FFmpeg cannot decode correctly; nil for others.
    private static func undecodable(_ bytes: UnsafeRawBufferPointer) -> String? {
        let flags = bytes.littleEndian32(at: 80)
        if flags & isNormalMap != 0 { return "normal map" }
        guard flags & hasCode != 0 else { return nil }
        let code = String(decoding: bytes[84..<88].map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        guard code == "DX10" else { return codes.contains(code) ? nil : namedCodes[code] ?? "'\(code)'" }
        guard bytes.count >= 148 else { return "DX10" }
        let format = bytes.littleEndian32(at: 128)
        return formats.contains(format) ? nil : namedFormats[format] ?? "DXGI \(format)"
    }
}

/// The metadata of a JPEG 2000 file, in boxes that are identified by a UUID (ISO/IEC 15444-1, annex I.7.2).
enum JP2Metadata {
    private static let readers: [(id: [UInt8], read: @Sendable ([UInt8], inout ImageHeader) -> Void)] = [
        // XMP Specification Part 3, section 1.1.4.
        (
            [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC],
            { $1.xmp = $1.xmp ?? $0 }
        ),
        // The identifiers that Exiv2 and ExifTool write for EXIF and IPTC.
        (Array("JpgTiffExif->JP2".utf8), { $1.exif = $1.exif ?? EXIFBlock.withoutIdentifier($0) }),
        (
            [0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38],
            { $1.iptc = $1.iptc ?? IPTCBlock($0) }
        ),
    ]

    /// Adds the metadata of the file to a header. Its EXIF orientation is ignored, as by other decoders.
    static let read: StillFormat.MetadataReading = { bytes, header in
        for box in ISOBoxes(bytes) where box.type == "uuid" && !box.isTruncated {
            for (id, read) in readers where box.body.starts(with: id) && box.body.count > id.count {
                read(Array(box.body.dropFirst(id.count)), &header)
            }
        }
        header.obeysEXIFOrientation = false
    }
}
