internal import CTIFF
internal import WayreelCore

/// Rows of a TIFF page whose colour space libtiff converts: YCbCr without JPEG or with old-style JPEG, LogLuv. Output
/// is 8-bit RGB.
final class TIFFColorRows {
    private let file: TIFFFile
    private let page: ctiff_page
    private let bandHeight: Int
    private let bandWidth: Int
    private let raster: AlignedMemory
    private let band: AlignedMemory
    private var bandStart = -1
    private var isBroken = false
    private(set) var missingPixels = 0

    private var width: Int { Int(page.width) }
    private var height: Int { Int(page.height) }

    /// Throws a `limit` error if a strip or a row of tiles needs more than `maxBytes`.
    init(_ file: TIFFFile, _ page: ctiff_page, maxBytes: Int) throws(MediaError) {
        self.file = file
        self.page = page
        let isTiled = page.tile_width > 0
        bandHeight = min(Int(clamping: isTiled ? page.tile_height : page.rows_per_strip), Int(page.height))
        bandWidth = isTiled ? Int(page.tile_width) : Int(page.width)
        let rasterRows = isTiled ? Int(page.tile_height) : bandHeight
        let (pixels, overflow) = bandWidth.multipliedReportingOverflow(by: rasterRows)
        guard !overflow, bandHeight > 0, bandWidth > 0, pixels <= maxBytes / 4 else {
            throw MediaError(
                .limit, step: "decode", reason: "TIFF: a strip or a tile would take more memory than the image",
                advice: "save it with smaller strips or tiles")
        }
        raster = try AlignedMemory(UInt32.self, count: pixels, step: "decode")
        band = try AlignedMemory(UInt32.self, count: Int(page.width) * bandHeight, step: "decode")
    }

    /// Writes row `y`; false if it cannot be decoded.
    func read(_ y: Int, into row: UnsafeMutableRawPointer) -> Bool {
        let start = y / bandHeight * bandHeight
        if start != bandStart {
            bandStart = start
            decode(from: start)
        }
        guard !isBroken else { return false }
        let pixels = band.pointer(to: UInt32.self) + (y - start) * width
        let bytes = row.assumingMemoryBound(to: UInt8.self)
        for x in 0..<width {
            for c in 0..<3 { bytes[3 * x + c] = UInt8(truncatingIfNeeded: pixels[x] >> UInt32(8 * c)) }
        }
        return true
    }

    private func decode(from start: Int) {
        isBroken = false
        let rows = min(bandHeight, height - start)
        let isTiled = page.tile_width > 0
        let (raster, band) = (raster.pointer(to: UInt32.self), band.pointer(to: UInt32.self))
        for x in stride(from: 0, to: width, by: bandWidth) {
            let status =
                isTiled
                ? ctiff_read_rgba_tile(file.pointer, UInt32(x), UInt32(start), raster)
                : ctiff_read_rgba_strip(file.pointer, UInt32(start), raster)
            if status != 0 {
                isBroken = true
                missingPixels += rows * width
                return
            }
            // Rasters are stored bottom-up; a tile's has its full height.
            let rasterRows = isTiled ? Int(page.tile_height) : rows
            for row in 0..<rows {
                (band + row * width + x).update(
                    from: raster + (rasterRows - 1 - row) * bandWidth, count: min(bandWidth, width - x))
            }
        }
    }
}
