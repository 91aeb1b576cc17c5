internal import WayreelCore

/// The pixels of a bitmap, in a BMP file or in an icon, where a transparency mask follows.
struct BMPFile: RasterFile {
    let format = ImageFormat(name: "bmp", mimeType: "image/bmp")
    let missingShare: Double
    let isBroken: Bool
    let alpha: RasterAlpha

    private let header: BMPHeader
    private let bytes: MediaBytes
    /// Offset of the rows, bottom row first unless the header declares otherwise.
    private let start: Int
    private let stride: Int
    /// Bytes of a row without its padding, which may be missing after the last row.
    private let rowBytes: Int
    /// Colour indices, one byte each, from the bottom row, if the file is run-length encoded.
    private let unpacked: AlignedMemory?
    /// Offset of an icon's mask, in which a set bit is transparent.
    private let mask: Int?

    var size: PixelSize { header.size }
    var depth: Int { header.bitsPerPixel <= 8 ? 8 : min(8, max(1, header.fields[0].bits)) }
    var model: ImageHeader.ColorModel { header.bitsPerPixel <= 8 ? .palette : .rgb }
    var profile: [UInt8]? { header.profile }

    /// Creates a bitmap file, or with `isIcon` a bitmap inside an icon: without file header, with a mask.
    init(_ bytes: MediaBytes, isIcon: Bool = false, limits: Limits) throws(MediaError) {
        self.bytes = bytes
        let source = bytes.buffer
        header = try BMPHeader(source, at: isIcon ? 0 : 14, isIcon: isIcon, limits: limits)
        let stated = isIcon ? 0 : Int(source.littleEndian32(at: 10))
        let start = stated == 0 ? header.end : stated
        self.start = start
        let stride = Self.stride(header.size.width, bits: header.bitsPerPixel)
        self.stride = stride
        let rowBytes = (header.size.width * header.bitsPerPixel + 7) / 8
        self.rowBytes = rowBytes
        let height = header.size.height
        guard start < source.count else { throw BMPHeader.fault("the file ends before its pixels") }
        if header.compression == .none {
            unpacked = nil
            isBroken = false
            let rows = min((source.count - start + stride - rowBytes) / stride, height)
            missingShare = 1 - Double(rows) / Double(height)
        } else {
            let data = UnsafeRawBufferPointer(rebasing: source[start...])
            let runs = try BMPRuns(data, size: header.size, isNibbles: header.compression == .runs4)
            unpacked = runs.pixels
            missingShare = runs.missingShare
            isBroken = runs.isBroken
        }
        let maskStart = start + stride * height
        let maskBytes = Self.stride(header.size.width, bits: 1) * height
        mask = isIcon && maskStart + maskBytes <= source.count ? maskStart : nil
        alpha = !header.fields[3].isEmpty && header.bitsPerPixel >= 16 || mask != nil ? .straight : .none
        usesMask = mask != nil
        if mask != nil, header.bitsPerPixel == 32 { usesMask = !hasAlphaOfItsOwn() }
    }

    /// Whether the mask determines transparency: always, unless some pixel has a non-zero alpha.
    private var usesMask = false

    private func hasAlphaOfItsOwn() -> Bool {
        let source = bytes.buffer
        let end = min(start + stride * size.height, source.count - 3)
        return Swift.stride(from: start, to: end, by: 4).contains {
            header.fields[3].value(source.littleEndian32(at: $0)) > 0
        }
    }

    /// Rows are padded to four bytes. Limits keep the width below 2³¹.
    private static func stride(_ width: Int, bits: Int) -> Int { (width * bits + 31) / 32 * 4 }

    func decode(row y: Int, into pixels: UnsafeMutablePointer<UInt8>) -> Bool {
        let stored = header.isTopDown ? y : size.height - 1 - y
        if let unpacked {
            let row = unpacked.pointer(to: UInt8.self) + stored * size.width
            for x in 0..<size.width { put(palette: Int(row[x]), into: pixels + 4 * x) }
            return true
        }
        let row = start + stored * stride
        guard row + rowBytes <= bytes.count else { return false }
        switch header.bitsPerPixel {
        case 24: decode24(row, into: pixels)
        case 16, 32: decodeFields(row, into: pixels)
        default: decodePalette(row, into: pixels)
        }
        if usesMask, let mask { apply(mask: mask + stored * Self.stride(size.width, bits: 1), to: pixels) }
        return true
    }

    private func decode24(_ row: Int, into pixels: UnsafeMutablePointer<UInt8>) {
        let source = bytes.buffer
        for x in 0..<size.width {
            for c in 0..<3 { pixels[4 * x + c] = source[row + 3 * x + 2 - c] }
            pixels[4 * x + 3] = 255
        }
    }

    private func decodeFields(_ row: Int, into pixels: UnsafeMutablePointer<UInt8>) {
        let source = bytes.buffer
        let (red, green, blue, alpha) = (header.fields[0], header.fields[1], header.fields[2], header.fields[3])
        let isShort = header.bitsPerPixel == 16
        for x in 0..<size.width {
            let pixel =
                isShort ? UInt32(source.littleEndian16(at: row + 2 * x)) : source.littleEndian32(at: row + 4 * x)
            let out = pixels + 4 * x
            (out[0], out[1], out[2]) = (red.value(pixel), green.value(pixel), blue.value(pixel))
            out[3] = alpha.isEmpty ? 255 : alpha.value(pixel)
        }
    }

    private func decodePalette(_ row: Int, into pixels: UnsafeMutablePointer<UInt8>) {
        let source = bytes.buffer
        let bits = header.bitsPerPixel
        let perByte = 8 / bits
        for x in 0..<size.width {
            let shift = 8 - bits - x % perByte * bits
            put(palette: Int(source[row + x / perByte]) >> shift & (1 << bits - 1), into: pixels + 4 * x)
        }
    }

    /// Missing palette entries are black.
    private func put(palette index: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        let color = index < header.palette.count ? header.palette[index] : SIMD4(0, 0, 0, 255)
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (color.x, color.y, color.z, color.w)
    }

    private func apply(mask row: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        let source = bytes.buffer
        for x in 0..<size.width { pixels[4 * x + 3] = source[row + x / 8] >> (7 - x % 8) & 1 == 1 ? 0 : 255 }
    }
}
