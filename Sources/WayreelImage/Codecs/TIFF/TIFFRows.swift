internal import CTIFF
internal import WayreelCore

/// Decoded samples of a TIFF page by rows, with at most one strip or one row of tiles in memory.
final class TIFFRows {
    private let file: TIFFFile
    private let page: ctiff_page
    /// Number of planes: one per used sample if planes are separate, otherwise one.
    private let planes: Int
    private let rowBytes: Int
    private static let packBits = 32773
    /// Rows decoded together.
    private let bandHeight: Int
    private let band: AlignedMemory
    private let tile: AlignedMemory
    private var bandStart = -1
    /// The strip whose remaining scanlines cannot be decoded; -1 if none.
    private var brokenStrip = -1
    private(set) var missingPixels = 0

    private var width: Int { Int(page.width) }
    private var height: Int { Int(page.height) }
    private var isTiled: Bool { page.tile_width > 0 }
    /// Whether strips are decoded as a whole, and not by rows: those of separate planes, and those of PackBits, which
    /// some programs compress across the ends of rows (libtiff drops the rest of a run that does not end with its row).
    private let decodesWholeStrips: Bool

    /// Throws a `limit` error if a strip or a row of tiles needs more than `maxBytes`.
    init(_ file: TIFFFile, _ page: ctiff_page, _ samples: TIFFSamples, maxBytes: Int) throws(MediaError) {
        self.file = file
        self.page = page
        let isSeparate = page.planar_configuration == 2 && samples.count > 1
        decodesWholeStrips = page.tile_width == 0 && (isSeparate || page.compression == Self.packBits)
        planes = isSeparate ? min(samples.count, samples.color.samples + (samples.alpha != nil ? 1 : 0)) : 1
        let bitsPerPixel = samples.bits * (isSeparate ? 1 : samples.count)
        let columns =
            page.tile_width == 0
            ? 1 : (Int(page.width) + Int(page.tile_width) - 1) / Int(page.tile_width)
        if page.tile_width > 0 {
            // Tile widths are multiples of 16, so that rows end on bytes.
            guard page.tile_width % 8 == 0, page.tile_height > 0 else {
                throw TIFFFile.fault("tiles of \(page.tile_width)×\(page.tile_height)")
            }
            rowBytes = columns * Int(page.tile_width) * bitsPerPixel / 8
            bandHeight = min(Int(page.tile_height), Int(page.height))
        } else {
            rowBytes = (Int(page.width) * bitsPerPixel + 7) / 8
            bandHeight = decodesWholeStrips ? min(Int(clamping: page.rows_per_strip), Int(page.height)) : 1
        }
        let bandRows = page.tile_width > 0 ? Int(page.tile_height) : max(bandHeight, 1)
        let (bytes, overflow) = rowBytes.multipliedReportingOverflow(by: bandRows * planes)
        let tileBytes = Int(clamping: page.tile_bytes)
        guard !overflow, bytes <= maxBytes, tileBytes <= maxBytes, bandHeight > 0 else {
            throw TIFFFile.refusal(
                .limit, "a strip or a row of tiles would take more memory than the image",
                "save it with smaller strips or tiles")
        }
        // Slack for libtiff and the row conversion.
        let scanlineBytes = Int(clamping: page.scanline_bytes)
        guard scanlineBytes <= maxBytes else { throw TIFFFile.fault("a row of \(scanlineBytes) bytes") }
        band = try AlignedMemory(uninitialized: max(bytes, scanlineBytes) + 64, step: .decode)
        tile = try AlignedMemory(uninitialized: page.tile_width > 0 ? tileBytes + 64 : 0, step: .decode)
    }

    /// Returns the rows of the planes at `y`, which must increase between calls; nil if they cannot be decoded.
    func row(_ y: Int) -> [UnsafeRawPointer]? {
        if !isTiled, !decodesWholeStrips { return scanline(y).map { [$0] } }
        let start = y / bandHeight * bandHeight
        if start != bandStart {
            bandStart = start
            isTiled ? decodeTiles(from: start) : decodeStrips(from: start)
        }
        guard !isBandBroken else { return nil }
        return (0..<planes).map { UnsafeRawPointer(band.base + ($0 * bandRows + y - start) * rowBytes) }
    }

    private var bandRows: Int { isTiled ? Int(page.tile_height) : bandHeight }
    private var isBandBroken = false

    private func scanline(_ y: Int) -> UnsafeRawPointer? {
        let strip = y / max(1, Int(clamping: page.rows_per_strip))
        if strip != brokenStrip, ctiff_read_scanline(file.pointer, UInt32(y), band.base) == 0 {
            return UnsafeRawPointer(band.base)
        }
        brokenStrip = strip
        missingPixels += width
        return nil
    }

    private func decodeStrips(from start: Int) {
        let rows = min(bandHeight, height - start)
        isBandBroken = (0..<planes).contains { plane in
            let target = band.base + plane * bandRows * rowBytes
            return ctiff_read_strip(file.pointer, UInt32(start), UInt16(plane), target, rows * rowBytes) != 0
        }
        if isBandBroken { missingPixels += rows * width }
    }

    private func decodeTiles(from start: Int) {
        isBandBroken = false
        let tileWidth = Int(page.tile_width)
        let tileRowBytes = rowBytes / ((width + tileWidth - 1) / tileWidth)
        for x in stride(from: 0, to: width, by: tileWidth) {
            var isMissing = false
            for plane in 0..<planes {
                let status = ctiff_read_tile(
                    file.pointer, UInt32(x), UInt32(start), UInt16(plane), tile.base, Int(page.tile_bytes))
                if status != 0 {
                    isMissing = true
                    tile.base.initializeMemory(as: UInt8.self, repeating: 0x80, count: tile.byteCount)
                }
                for row in 0..<min(bandRows, height - start) {
                    let target = band.base + (plane * bandRows + row) * rowBytes + x / tileWidth * tileRowBytes
                    target.copyMemory(from: tile.base + row * tileRowBytes, byteCount: tileRowBytes)
                }
            }
            if isMissing { missingPixels += min(tileWidth, width - x) * min(bandRows, height - start) }
        }
    }
}
