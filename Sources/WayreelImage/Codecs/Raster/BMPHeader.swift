internal import WayreelCore

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
        throw MediaError(
            .unsupported, step: "decode", reason: "BMP: compression \(name) at \(bits) bits is not supported",
            advice: "save it as PNG first")
    }

    /// Returns the profile embedded by a BITMAPV5HEADER of type `MBED`; its offset is relative to the header.
    private static func profile(_ bytes: UnsafeRawBufferPointer, at start: Int, length: Int) -> [UInt8]? {
        guard length == 124, bytes.littleEndian32(at: start + 56) == 0x4D42_4544 else { return nil }
        let first = start + Int(bytes.littleEndian32(at: start + 112))
        let count = Int(bytes.littleEndian32(at: start + 116))
        guard count > 0, first <= bytes.count, count <= bytes.count - first else { return nil }
        return Array(bytes[first..<first + count])
    }

    static func fault(_ reason: String) -> MediaError {
        MediaError(.decoding, step: "decode", reason: "BMP: \(reason)")
    }
}
