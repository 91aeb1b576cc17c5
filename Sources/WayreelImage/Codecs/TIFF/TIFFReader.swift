internal import CTIFF
internal import WayreelCore

/// Decodes a page of a TIFF file through libtiff: strips by rows, tiles by rows of tiles.
///
/// Floats are encoded values clipped to 0…1. An extra sample of unspecified meaning is not used as alpha.
final class TIFFReader: SeekableRowReader {
    let header: ImageHeader

    private enum Rows {
        case samples(TIFFRows, TIFFSamples)
        case color(TIFFColorRows)
    }

    /// Four floats of 64 bits, and as much again for tiles that are larger than the image.
    private static let maxBytesPerPixel = 64
    /// A strip or a row of tiles may be larger than the image up to this size, in bytes.
    private static let smallBand = 128 << 20

    private let file: TIFFFile
    private let rows: Rows
    private let isPremultiplied: Bool
    var nextRow = 0

    /// `page` counts from 1.
    init(_ bytes: MediaBytes, page number: Int = 1, limits: Limits) throws(MediaError) {
        // libtiff allocates the decoded strip or tile row, and the compressed data as stored.
        let maxAllocation = max(min(limits.pixels, .max / 16) * 16, 1 << 24)
        file = try TIFFFile(bytes, maxAllocation: max(maxAllocation, bytes.count))
        let pages = file.pageCount
        try limits.check(frames: pages)
        try limits.check(page: number, of: pages)
        let page = try file.page(number - 1)
        let size = PixelSize(width: Int(page.width), height: Int(page.height))
        try limits.check(size: size)
        let imageBytes = min(size.pixels, .max / Self.maxBytesPerPixel) * Self.maxBytesPerPixel
        let maxBytes = min(max(imageBytes, Self.smallBand), maxAllocation)
        let metadata = TIFFMetadata(TIFFBlock(bytes), directory: Int(clamping: page.directory_offset))
        guard ctiff_can_decode(page.compression) != 0 else {
            throw TIFFFile.unsupported(
                "compression \(page.compression) is not supported by this build of libtiff",
                advice: "save it with LZW, Deflate or no compression first")
        }

        var header = ImageHeader(format: .tiff, size: size)
        header.frames = pages
        header.orientation = Orientation(exif: Int(page.orientation))
        header.obeysEXIFOrientation = false
        if Self.convertsColor(page) {
            rows = .color(try TIFFColorRows(file, page, maxBytes: maxBytes))
            isPremultiplied = false
            header.model = .yCbCr
        } else {
            let samples = try TIFFSamples(page)
            rows = .samples(try TIFFRows(file, page, samples, maxBytes: maxBytes), samples)
            isPremultiplied = samples.alpha == .associated
            header.layout = samples.layout
            header.rowBits = samples.rowBits
            header.depth = min(samples.bits, 16)
            header.model = page.photometric == 6 ? .yCbCr : samples.model
            header.ignoresAlpha = samples.ignoresAlpha
        }
        // The profile describes L*a*b*, which has been converted.
        header.profile = header.model == .lab ? nil : metadata.profile
        header.xmp = metadata.xmp
        header.iptc = metadata.iptc
        header.exif = metadata.exif
        self.header = header
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        let y = nextRow
        nextRow += 1
        let isRead: Bool
        switch rows {
        case .samples(let rows, let samples):
            let planes = rows.row(y)
            isRead = planes != nil
            if let planes { samples.convert(planes, width: header.size.width, into: row) }
        case .color(let rows): isRead = rows.read(y, into: row)
        }
        guard nextRow < header.size.height || missingPixels < header.size.pixels else {
            throw TIFFFile.fault(file.error ?? "the file ends early")
        }
        guard isRead else { return header.fillMissing(row, count: header.rowBytes) }
        if isPremultiplied { header.straighten(row) }
    }

    private var missingPixels: Int {
        switch rows {
        case .samples(let rows, _): rows.missingPixels
        case .color(let rows): rows.missingPixels
        }
    }

    var damage: Damage? {
        let missing = missingPixels
        guard missing > 0 else {
            return file.error.map { Damage(missingShare: 0, description: "damaged data (libtiff: \($0))") }
        }
        return Damage(
            missingShare: Double(missing) / Double(header.size.pixels),
            description: "damaged data (libtiff: \(file.error ?? "the file ends early"))")
    }

    /// YCbCr other than plain JPEG, and SGI's LogL and LogLuv.
    private static func convertsColor(_ page: ctiff_page) -> Bool {
        page.photometric == 6 && page.compression != 7 || page.photometric == 32844 || page.photometric == 32845
    }
}

/// A TIFF file opened by libtiff.
final class TIFFFile {
    let pointer: OpaquePointer
    let bytes: MediaBytes

    /// `maxAllocation` is the max size of a single allocation by libtiff in bytes.
    init(_ bytes: MediaBytes, maxAllocation: Int) throws(MediaError) {
        try SharedLibrary.libtiff.require(step: .decode)
        var message = [CChar](repeating: 0, count: Int(CTIFF_MESSAGE))
        guard let pointer = ctiff_open(bytes.buffer.baseAddress, bytes.count, UInt64(maxAllocation), &message) else {
            throw Self.fault(String(cMessage: message))
        }
        self.pointer = pointer
        self.bytes = bytes
    }

    deinit { ctiff_close(pointer) }

    var pageCount: Int { Int(ctiff_page_count(pointer)) }

    /// Selects a page, from 0.
    func page(_ index: Int) throws(MediaError) -> ctiff_page {
        var page = ctiff_page()
        guard ctiff_choose(pointer, UInt32(clamping: index), &page) == 0 else {
            throw Self.fault(error ?? "page \(index + 1) cannot be read")
        }
        return page
    }

    var error: String? {
        let text = String(cString: ctiff_error(pointer))
        return text.isEmpty ? nil : text.onOneLine
    }

    static let fault = ErrorSite(step: .decode, format: .tiff) { "not a readable TIFF (libtiff: \($0))" }

    /// Errors of TIFFs that libtiff reads.
    static let refusal = ErrorSite(step: .decode, format: .tiff)

    static func unsupported(
        _ what: String, advice: MediaError.Advice = "save it as RGB with 8 or 16 bits first"
    ) -> MediaError {
        refusal(.unsupported, what, advice)
    }
}
