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

/// The header of a Windows or OS/2 bitmap: BITMAPCOREHEADER, BITMAPINFOHEADER, BITMAPV4HEADER or BITMAPV5HEADER
/// (Microsoft, "Bitmap Header Types").
struct BMPHeader {
    enum Compression {
        case none, runs8, runs4
    }

    let size: PixelSize
    let isTopDown: Bool
    /// 1, 2, 4, 8, 16, 24 or 32.
    let bitsPerPixel: Int
    let compression: Compression
    /// Red, green, blue, alpha.
    let fields: [BitField]
    /// Red, green, blue and full alpha.
    let palette: [SIMD4<UInt8>]
    /// Default offset of the pixels.
    let end: Int
    let profile: [UInt8]?

    /// Reads the header at `start`. In an icon the height includes the mask.
    init(_ bytes: UnsafeRawBufferPointer, at start: Int, isIcon: Bool, limits: Limits) throws(MediaError) {
        let available = bytes.count - start
        guard available >= 12 else { throw Self.fault("the file ends within its header") }
        let length = Int(bytes.littleEndian32(at: start))
        guard [12, 16, 40, 52, 56, 64, 108, 124].contains(length), length <= available else {
            throw Self.fault("the file ends within its header")
        }
        let isCore = length == 12
        func word(_ offset: Int) -> Int { Int(bytes.littleEndian16(at: start + offset)) }
        func long(_ offset: Int) -> UInt32 { offset + 4 <= length ? bytes.littleEndian32(at: start + offset) : 0 }

        let width = isCore ? word(4) : Int(Int32(bitPattern: long(4)))
        let height = isCore ? word(6) : Int(Int32(bitPattern: long(8)))
        isTopDown = height < 0
        size = PixelSize(width: width, height: abs(height) / (isIcon ? 2 : 1))
        guard width > 0 else { throw Self.fault("the header declares an image of \(size) pixels") }
        try limits.check(size: size)

        let bits = isCore ? word(10) : word(14)
        guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else {
            throw Self.fault("invalid bit depth of \(bits) bits per pixel")
        }
        bitsPerPixel = bits

        let code = isCore ? 0 : Int(long(16))
        let isOS2 = length == 16 || length == 64
        compression = try Self.compression(code, bits: bits, isOS2: isOS2)
        // Masks are part of longer headers and follow the shortest one.
        let following = length == 40 ? (code == 3 ? 3 : code == 6 ? 4 : 0) : 0
        let maskCount = code == 3 || code == 6 ? (length == 40 ? following : length >= 56 ? 4 : 3) : 0
        guard 40 + following * 4 <= available || following == 0 else {
            throw Self.fault("the file ends within its header")
        }
        let defaults: [UInt32] = bits == 16 ? [0x7C00, 0x3E0, 0x1F, 0] : [0xFF0000, 0xFF00, 0xFF, 0]
        var masks = (0..<4).map { i in
            maskCount == 0 ? defaults[i] : i < maskCount ? bytes.littleEndian32(at: start + 40 + 4 * i) : 0
        }
        // The fourth byte of an icon's pixels is alpha.
        if isIcon && bits == 32 && maskCount == 0 { masks[3] = 0xFF00_0000 }
        fields = masks.map(BitField.init)

        let used = Int(long(32))
        let entryBytes = isCore ? 3 : 4
        let listed = bits <= 8 ? (used == 0 ? 1 << bits : min(used, 1 << bits)) : 0
        let first = start + length + following * 4
        palette = (0..<min(listed, max(0, bytes.count - first) / entryBytes)).map { i in
            let entry = first + i * entryBytes
            return SIMD4(bytes[entry + 2], bytes[entry + 1], bytes[entry], 255)
        }
        end = first + listed * entryBytes
        profile = Self.profile(bytes, at: start, length: length)
    }

    private static func compression(_ code: Int, bits: Int, isOS2: Bool) throws(MediaError) -> Compression {
        switch (code, bits) {
        case (0, _): return .none
        case (1, 8): return .runs8
        case (2, 4): return .runs4
        case (3, 16), (3, 32), (6, 16), (6, 32):
            if !isOS2 { return .none }
        default: break
        }
        let names =
            isOS2 ? [3: "Huffman", 4: "run-length of 24 bits"] : [3: "bit fields", 4: "JPEG", 5: "PNG"]
        let name = names[code] ?? "type \(code)"
        throw fault(.unsupported, "compression \(name) at \(bits) bits is not supported", "save it as PNG first")
    }

    /// Returns the profile embedded by a BITMAPV5HEADER of type `MBED`; its offset is relative to the header.
    private static func profile(_ bytes: UnsafeRawBufferPointer, at start: Int, length: Int) -> [UInt8]? {
        guard length == 124, bytes.littleEndian32(at: start + 56) == 0x4D42_4544 else { return nil }
        let first = start + Int(bytes.littleEndian32(at: start + 112))
        let count = Int(bytes.littleEndian32(at: start + 116))
        guard count > 0, first <= bytes.count, count <= bytes.count - first else { return nil }
        return Array(bytes[first..<first + count])
    }

    static let fault = ErrorSite(step: .decode, format: .bmp)
}

/// Decodes the colour indices of a run-length encoded bitmap, one byte each, from the bottom row (Microsoft, "Bitmap
/// Compression").
struct BMPRuns {
    let pixels: AlignedMemory
    /// The fraction of the pixels after the position at which the data ends without an end marker; where runs reach
    /// beyond their row, of those that no run has set.
    private(set) var missingShare = 0.0
    /// Whether runs reach beyond their row, by more than the padding that encoders add.
    private(set) var isBroken = false

    private static let maxPadding = 3

    /// With `isNibbles`, a byte holds two indices (BI_RLE4). Skipped pixels are 0.
    ///
    /// Throws a `limit` error if memory is exhausted.
    init(_ data: UnsafeRawBufferPointer, size: PixelSize, isNibbles: Bool) throws(MediaError) {
        let (width, height) = (size.width, size.height)
        self.pixels = try AlignedMemory(zeroed: width * height, step: .decode)
        let pixels = self.pixels.pointer(to: UInt8.self)
        var (x, y, offset) = (0, 0, 0)
        var count = 0
        var farthest = 0
        func put(_ value: UInt8) {
            if x < width, y < height {
                pixels[y * width + x] = value
                count += 1
            }
            x += 1
            farthest = max(farthest, x)
        }
        defer {
            isBroken = farthest > width + Self.maxPadding
            let unset = 1 - Double(min(count, width * height)) / Double(width * height)
            if isBroken { missingShare = max(missingShare, unset) }
        }
        while y < height {
            guard offset + 1 < data.count else {
                let delivered = y * width + min(x, width)
                missingShare = 1 - Double(delivered) / Double(width * height)
                return
            }
            let (length, value) = (Int(data[offset]), data[offset + 1])
            offset += 2
            if length > 0 {
                for i in 0..<length { put(isNibbles ? (i % 2 == 0 ? value >> 4 : value & 15) : value) }
                continue
            }
            switch value {
            case 0: (x, y) = (0, y + 1)
            case 1: return
            case 2 where offset + 1 < data.count:
                (x, y) = (x + Int(data[offset]), y + Int(data[offset + 1]))
                offset += 2
            case 2: offset = data.count
            default:
                let listed = Int(value)
                for i in 0..<listed {
                    let at = offset + (isNibbles ? i / 2 : i)
                    guard at < data.count else { break }
                    put(isNibbles ? (i % 2 == 0 ? data[at] >> 4 : data[at] & 15) : data[at])
                }
                // Padded to two bytes.
                let used = isNibbles ? (listed + 1) / 2 : listed
                offset += used + used % 2
            }
        }
    }
}
