internal import CTIFF
internal import WayreelCore

/// Decodes a page of a TIFF file through libtiff: strips a row at a time, tiles a row of tiles at a time.
///
/// Floats are taken as encoded values from 0 to 1 and clipped to that; what an extra sample of unspecified meaning holds is not
/// taken for alpha.
final class TIFFReader: RowReader {
    let header: PictureHeader

    private enum Rows {
        case samples(TIFFRows, TIFFSamples)
        case color(TIFFColorRows)
    }

    private let file: TIFFFile
    private let rows: Rows
    private let isPremultiplied: Bool
    private var nextRow = 0

    /// `page` is counted from 1.
    init(_ bytes: MediaBytes, page number: Int = 1, limits: Limits) throws(MediaError) {
        // libtiff takes memory for what is decoded together, and for a strip's or tile's data as they are in the file.
        let maxBytes = max(limits.pixels.multipliedReportingOverflow(by: 16).partialValue, 1 << 24)
        file = try TIFFFile(bytes, maxAllocation: max(maxBytes, bytes.count))
        let pages = file.pageCount
        try limits.check(frames: pages)
        try limits.check(page: number, of: pages)
        let page = try file.page(number - 1)
        let size = PixelSize(width: Int(page.width), height: Int(page.height))
        try limits.check(size: size)
        let metadata = TIFFMetadata(bytes.buffer, directory: Int(clamping: page.directory_offset))
        try Self.refuseCameraRaw(page, metadata)
        guard ctiff_can_decode(page.compression) != 0 else {
            throw TIFFFile.unsupported("compression \(page.compression) is not handled by this build of libtiff")
        }

        var header = PictureHeader(format: .tiff, size: size)
        header.frames = pages
        header.orientation = Orientation(rawValue: Int(page.orientation)) ?? .upright
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
        }
        // The profile of L*a*b* describes what has been converted already.
        header.profile = header.model == .lab ? nil : metadata.profile
        header.xmp = metadata.xmp
        header.iptc = metadata.iptc
        header.exif = metadata.exif
        self.header = header
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        let y = nextRow
        nextRow += 1
        let isThere: Bool
        switch rows {
        case .samples(let rows, let samples):
            let planes = rows.row(y)
            isThere = planes != nil
            if let planes { samples.convert(planes, width: header.size.width, into: row) }
        case .color(let rows): isThere = rows.read(y, into: row)
        }
        guard nextRow < header.size.height || missingPixels < header.size.pixels else {
            throw TIFFFile.fault(file.error ?? "the file ends early")
        }
        guard isThere else { return header.fillMissing(row, count: header.rowBytes) }
        if isPremultiplied { header.straighten(row) }
    }

    func skipRows(_ count: Int) { nextRow += count }

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

    /// YCbCr that is not plain JPEG, and SGI's LogL and LogLuv.
    private static func convertsColor(_ page: ctiff_page) -> Bool {
        page.photometric == 6 && page.compression != 7 || page.photometric == 32844 || page.photometric == 32845
    }

    /// Throws an `unsupported` error for the raw files of cameras: what TIFF readers find in them is a thumbnail or a mosaic.
    private static func refuseCameraRaw(_ page: ctiff_page, _ metadata: TIFFMetadata) throws(MediaError) {
        let isThumbnail = page.subfile_type == 1 && page.has_subdirectories != 0
        let isMosaic = page.photometric == 32803 || page.photometric == 34892
        guard isThumbnail || isMosaic || metadata.isDNG else { return }
        throw MediaError(
            .unsupported, step: "decode", reason: "it is a camera raw file",
            advice: "export it as JPEG, HEIC or TIFF first")
    }
}
