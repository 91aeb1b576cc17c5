internal import WayreelCore

/// A Targa file ("Truevision TGA File Format Specification, Version 2.0").
struct TGAFile: RasterFile {
    let format: ImageFormat
    let size: PixelSize
    let depth: Int
    let model: ImageHeader.ColorModel
    let profile: [UInt8]? = nil
    let alpha: RasterAlpha
    let missingShare: Double

    private let bytes: MediaBytes
    /// Decompressed pixels of a run-length encoded file.
    private let unpacked: [UInt8]?
    private let start: Int
    private let pixelBytes: Int
    private let isTopDown: Bool
    private let isRightToLeft: Bool
    private let hasOneBitAlpha: Bool
    /// Palette: red, green, blue, alpha.
    private let palette: [SIMD4<UInt8>]?
    private let firstColor: Int
    /// Number of pixel bytes present in the file.
    private let delivered: Int

    init(_ bytes: MediaBytes, format: ImageFormat, limits: Limits) throws(MediaError) {
        let source = bytes.buffer
        guard source.count > 18 else { throw Self.fault("the file ends within its header") }
        self.bytes = bytes
        self.format = format
        let size = PixelSize(width: Int(source.littleEndian16(at: 12)), height: Int(source.littleEndian16(at: 14)))
        try limits.check(size: size)
        self.size = size

        // 1, 2, 3 are indexed, RGB and grey; 8 is added for run-length encoding.
        let (kind, bits, descriptor) = (Int(source[2]) & 7, Int(source[16]), source[17])
        let allowed = [1: [8, 16], 2: [15, 16, 24, 32], 3: [8, 16]][kind] ?? []
        guard [1, 2, 3, 9, 10, 11].contains(source[2]), allowed.contains(bits) else {
            throw Self.fault(
                .unsupported, "type \(source[2]) at \(bits) bits per pixel is not supported", "save it as PNG first")
        }
        model = kind == 1 ? .palette : kind == 3 ? .grey : .rgb
        let pixelBytes = (bits + 7) / 8
        self.pixelBytes = pixelBytes
        isRightToLeft = descriptor & 0x10 != 0
        isTopDown = descriptor & 0x20 != 0

        let mapFirst = 18 + Int(source[0])
        let (mapCount, mapBits) = (Int(source.littleEndian16(at: 5)), Int(source[7]))
        let mapBytes = source[1] == 1 ? mapCount * ((mapBits + 7) / 8) : 0
        start = mapFirst + mapBytes
        guard start < source.count else { throw Self.fault("the file ends before its pixels") }
        firstColor = Int(source.littleEndian16(at: 3))
        let isShort = bits <= 16 && kind == 2 || kind == 1 && mapBits <= 16
        depth = isShort ? 5 : 8
        let hasAlphaBit = isShort && descriptor & 0x0F == 1
        hasOneBitAlpha = hasAlphaBit
        guard kind != 1 || source[1] == 1 && [15, 16, 24, 32].contains(mapBits) else {
            throw Self.fault("its colour map is missing")
        }
        palette =
            kind != 1
            ? nil
            : (0..<mapCount).map { i in
                Self.color(source, at: mapFirst + i * ((mapBits + 7) / 8), bits: mapBits, hasAlphaBit: hasAlphaBit)
            }

        let hasFourth = kind == 3 && bits == 16 || kind == 2 && bits == 32 || kind == 1 && mapBits == 32 || hasAlphaBit
        alpha = hasFourth ? Self.statedAlpha(source) : .none
        let total = size.pixels * pixelBytes
        let data = UnsafeRawBufferPointer(rebasing: source[start...])
        if source[2] >= 9 {
            unpacked = Self.unpack(data, total: total, pixelBytes: pixelBytes)
            delivered = unpacked?.count ?? 0
        } else {
            unpacked = nil
            delivered = min(total, data.count)
        }
        missingShare = 1 - Double(delivered) / Double(total)
    }

    /// Returns the attributes type of the extension area (field 24), located by the footer; straight alpha by default.
    private static func statedAlpha(_ source: UnsafeRawBufferPointer) -> RasterAlpha {
        guard source.count >= 26, source.matches("TRUEVISION-XFILE.".utf8, at: source.count - 18) else {
            return .straight
        }
        let area = Int(source.littleEndian32(at: source.count - 26))
        guard area > 0, area + 495 <= source.count, source.littleEndian16(at: area) >= 495 else { return .straight }
        switch source[area + 494] {
        case 0, 1: return .none
        case 4: return .premultiplied
        default: return .straight
        }
    }

    /// Decompresses up to `total` bytes.
    private static func unpack(_ data: UnsafeRawBufferPointer, total: Int, pixelBytes: Int) -> [UInt8] {
        var pixels: [UInt8] = []
        // A packet of one byte and one pixel yields up to 128 pixels.
        pixels.reserveCapacity(min(total, data.count * 128))
        var offset = 0
        while pixels.count < total, offset < data.count {
            let packet = data[offset]
            let count = min((Int(packet & 0x7F) + 1) * pixelBytes, total - pixels.count)
            offset += 1
            if packet & 0x80 == 0 {
                let present = min(count, data.count - offset)
                pixels += data[offset..<offset + present]
                offset += count
            } else {
                guard offset + pixelBytes <= data.count else { break }
                let pixel = data[offset..<offset + pixelBytes]
                for _ in 0..<count / pixelBytes { pixels += pixel }
                offset += pixelBytes
            }
        }
        return pixels
    }

    func decode(row y: Int, into pixels: UnsafeMutablePointer<UInt8>) -> Bool {
        let stored = isTopDown ? y : size.height - 1 - y
        let first = stored * size.width * pixelBytes
        guard first + size.width * pixelBytes <= delivered else { return false }
        if let unpacked {
            unpacked.withUnsafeBytes { decode($0, at: first, into: pixels) }
        } else {
            decode(bytes.buffer, at: start + first, into: pixels)
        }
        return true
    }

    private func decode(_ source: UnsafeRawBufferPointer, at row: Int, into pixels: UnsafeMutablePointer<UInt8>) {
        for x in 0..<size.width {
            let out = pixels + 4 * (isRightToLeft ? size.width - 1 - x : x)
            let offset = row + x * pixelBytes
            if let palette {
                let number = pixelBytes == 1 ? Int(source[offset]) : Int(source.littleEndian16(at: offset))
                let index = number - firstColor
                put(palette.indices.contains(index) ? palette[index] : SIMD4(0, 0, 0, 255), into: out)
            } else if model == .grey {
                let grey = source[offset]
                (out[0], out[1], out[2]) = (grey, grey, grey)
                out[3] = pixelBytes == 2 ? source[offset + 1] : 255
            } else if pixelBytes == 2 {
                put(Self.color(source, at: offset, bits: 16, hasAlphaBit: hasOneBitAlpha), into: out)
            } else {
                for c in 0..<3 { out[c] = source[offset + 2 - c] }
                out[3] = pixelBytes == 4 ? source[offset + 3] : 255
            }
        }
    }

    private func put(_ color: SIMD4<UInt8>, into pixel: UnsafeMutablePointer<UInt8>) {
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (color.x, color.y, color.z, color.w)
    }

    /// Returns a colour of `bits`: blue, green, red and optional alpha, from the lowest bits.
    private static func color(
        _ source: UnsafeRawBufferPointer, at offset: Int, bits: Int, hasAlphaBit: Bool
    ) -> SIMD4<UInt8> {
        if bits >= 24 {
            return SIMD4(source[offset + 2], source[offset + 1], source[offset], bits == 32 ? source[offset + 3] : 255)
        }
        let pixel = Int(source.littleEndian16(at: offset))
        func part(_ shift: Int) -> UInt8 { UInt8(((pixel >> shift & 31) * 255 + 15) / 31) }
        return SIMD4(part(10), part(5), part(0), hasAlphaBit && pixel >> 15 == 0 ? 0 : 255)
    }

    private static let fault = ErrorSite(step: .decode, format: .tga)
}
