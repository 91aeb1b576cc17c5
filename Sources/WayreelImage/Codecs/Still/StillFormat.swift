internal import WayreelAV
internal import WayreelCore

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
