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
            throw TIFFFile.refusal(
                .limit, "a strip or a tile would take more memory than the image",
                "save it with smaller strips or tiles")
        }
        raster = try AlignedMemory(UInt32.self, count: pixels, step: .decode)
        band = try AlignedMemory(UInt32.self, count: Int(page.width) * bandHeight, step: .decode)
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

/// Converts CIE L*a*b* of TIFF (section 23, and the tag's ICC extension) to sRGB.
enum LabColor {
    /// Converts full-range samples (0 to 65 535) to encoded sRGB. Out-of-gamut colours are clipped.
    ///
    /// L* is 0 to 100; a* and b* are −128 to 127. With `isOffset` they are stored with an offset as in ICC profiles,
    /// where 100 is 65 280 in 16 bits; otherwise signed.
    static func srgb(_ l: UInt16, _ a: UInt16, _ b: UInt16, isOffset: Bool, isByte: Bool) -> SIMD3<UInt16> {
        // 8-bit samples are multiplied by 257.
        let step = isByte ? 257.0 : 256.0
        let lightness = Double(l) / (isByte || !isOffset ? 65535 : 65280) * 100
        func chroma(_ value: UInt16) -> Double {
            guard !isOffset else { return Double(value) / step - 128 }
            let code = isByte ? Int(Int8(truncatingIfNeeded: value / 257)) * 256 : Int(Int16(bitPattern: value))
            return Double(code) / 256
        }
        return srgb(lightness, chroma(a), chroma(b))
    }

    /// ISO/CIE 11664-4 with white D50, adapted to sRGB's D65 by Bradford's transform. The matrix is that of B. Lindbloom
    /// for a white of (0.96422, 1, 0.82521): ``XYZ/toSRGB`` differs in the fourth digit, which would move outputs.
    private static func srgb(_ l: Double, _ a: Double, _ b: Double) -> SIMD3<UInt16> {
        let fy = (l + 16) / 116
        func light(_ f: Double) -> Double { f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841 }
        let (x, y, z) = (XYZ.d50.x * light(fy + a / 500), light(fy), XYZ.d50.z * light(fy - b / 200))
        let linear = [
            3.1338561 * x - 1.6168667 * y - 0.4906146 * z, -0.9787684 * x + 1.9161415 * y + 0.0334540 * z,
            0.0719453 * x - 0.2289914 * y + 1.4052427 * z,
        ]
        var result = SIMD3<UInt16>()
        for (index, value) in linear.enumerated() {
            result[index] = UInt16((min(max(value, 0), 1).encodedAsSRGB * 65535).rounded())
        }
        return result
    }
}
