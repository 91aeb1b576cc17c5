internal import CPNG
internal import WayreelCore

/// Decodes PNG through libpng: row by row, or as a whole if it is interlaced.
final class PNGReader: RowReader {
    let header: ImageHeader
    var damage: Damage? { loss ?? warning.map { Damage(missingShare: 0, description: $0) } }

    /// Rows that could not be decoded.
    private var loss: Damage?
    /// An error in the file that does not affect pixels.
    private var warning: String?
    private let bytes: MediaBytes
    private let png: OpaquePointer
    private let isInterlaced: Bool
    private var interlaced: DecodedPixels?
    private var nextRow = 0

    /// Max size of a decompressed profile or text chunk.
    private static let chunkLimit = 16 << 20

    /// `frames` is the number of frames in the animation that this image belongs to; nil for a still image.
    init(_ bytes: MediaBytes, frames: Int? = nil, limits: Limits) throws(MediaError) {
        try SharedLibrary.libpng.require(step: .decode)
        var header = try Self.readChunks(bytes, limits: limits)
        let reordered = PNGChunks.reordered(bytes.buffer)
        let bytes = reordered ?? bytes
        self.bytes = bytes
        var info = CPNGHeader()
        var message = [CChar](repeating: 0, count: Int(CPNG_MESSAGE))
        let start = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let png = cpng_reader_open(start, bytes.count, Self.chunkLimit, &info, &message) else {
            throw Self.fault(String(cMessage: message))
        }
        self.png = png
        isInterlaced = info.is_interlaced != 0
        if let frames { header.frames = frames }
        header.isProgressive = isInterlaced
        header.layout = info.channels == 4 ? .rgba : .rgb
        header.rowBits = Int(info.bits)
        header.depth = Int(info.depth)
        header.model = Self.models[Int(info.color_type)] ?? .rgb
        header.readColor(info)
        self.header = header
        if reordered != nil {
            warning = "PNG: transparency precedes the palette, where other programs ignore it"
        }
    }

    deinit { cpng_reader_close(png) }

    /// Colour models by PNG colour type.
    private static let models: [Int: ImageHeader.ColorModel] = [0: .grey, 2: .rgb, 3: .palette, 4: .grey, 6: .rgb]

    static let fault = ErrorSite(step: .decode, format: .png)

    /// Reads the chunks that libpng skips, starting with the size, so that limits are checked before libpng allocates
    /// memory.
    private static func readChunks(_ bytes: MediaBytes, limits: Limits) throws(MediaError) -> ImageHeader {
        var chunks = PNGChunks(bytes.buffer)
        guard let first = chunks.next() else { throw fault("the file ends within its header") }
        guard first.type != "CgBI" else {
            throw fault(
                .unsupported, "Apple's private variant of an iOS app bundle",
                "convert it with 'pngcrush -revert-iphone-optimizations'")
        }
        guard first.type == "IHDR", first.data.count == 13 else { throw fault("it does not start with a header chunk") }
        let size = PixelSize(width: Int(first.data.bigEndian32(at: 0)), height: Int(first.data.bigEndian32(at: 4)))
        try limits.check(size: size, isStreamed: first.data[12] == 0)
        var header = ImageHeader(format: .png, size: size)
        var texts = PNGTexts(byteLimit: chunkLimit)
        for chunk in chunks {
            switch chunk.type {
            case "eXIf" where chunk.data.count <= chunkLimit: header.exif = Array(chunk.data)
            case "tEXt", "zTXt", "iTXt": texts.read(chunk)
            case "iCCP": header.profileIsDamaged = true  // cleared once libpng has parsed it
            case "acTL" where chunk.data.count == 8: header.frames = max(1, Int(chunk.data.bigEndian32(at: 0)))
            case "cICP" where chunk.data.count == 4:
                header.codePoints = ColorCodePoints(
                    primaries: Int(chunk.data[0]), transfer: Int(chunk.data[1]), matrix: Int(chunk.data[2]),
                    isFullRange: chunk.data[3] != 0)
            default: break
            }
        }
        header.take(texts)
        try limits.check(frames: header.frames)
        return header
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        if isInterlaced {
            let pixels = try decodedInterlaced()
            row.copyMemory(from: pixels.row(nextRow), byteCount: header.rowBytes)
            nextRow += 1
        } else {
            try advance(into: row)
        }
    }

    func skipRows(_ count: Int) throws(MediaError) {
        if isInterlaced {
            nextRow += count
        } else {
            for _ in 0..<count { try advance(into: nil) }
        }
    }

    /// Decodes the next row, into `row` if it is not nil.
    private func advance(into row: UnsafeMutableRawPointer?) throws(MediaError) {
        let height = header.size.height
        if loss == nil, cpng_reader_row(png, row?.assumingMemoryBound(to: UInt8.self)) != 0 {
            try lose(Double(height - nextRow) / Double(height))
        }
        if loss != nil, let row { header.fillMissing(row, count: header.rowBytes) }
        nextRow += 1
        if nextRow == height, loss == nil { try finish() }
    }

    private func decodedInterlaced() throws(MediaError) -> DecodedPixels {
        if let interlaced { return interlaced }
        let pixels = try DecodedPixels(header)
        interlaced = pixels
        header.fillMissing(pixels.base, count: pixels.stride * header.size.height)
        let (width, height) = (UInt32(header.size.width), UInt32(header.size.height))
        let start = pixels.base.assumingMemoryBound(to: UInt8.self)
        let delivered = Int(cpng_reader_interlaced(png, start, pixels.stride, width, height))
        if delivered < header.size.pixels {
            try lose(Double(header.size.pixels - delivered) / Double(header.size.pixels))
        } else {
            try finish()
        }
        return pixels
    }

    /// Reports a missing fraction of the image; throws if all of it is missing.
    private func lose(_ share: Double) throws(MediaError) {
        let reason = String(cString: cpng_reader_message(png))
        guard share < 1 else { throw Self.fault(reason) }
        loss = Damage(missingShare: share, description: "PNG: \(reason)")
    }

    private func finish() throws(MediaError) {
        if cpng_reader_finish(png) != 0 { try lose(0) }
    }
}

extension ImageHeader {
    /// Reads the colour space. Precedence: profile, sRGB, then gAMA and cHRM (PNG Specification, Third Edition, section
    /// 4.3).
    fileprivate mutating func readColor(_ info: CPNGHeader) {
        if let profile = info.profile {
            self.profile = Array(UnsafeBufferPointer(start: profile, count: Int(info.profile_count)))
            profileIsDamaged = false
            return
        }
        guard info.is_srgb == 0 else { return }
        if info.gamma > 0, abs(info.gamma - 1 / 2.2) > 0.005 { gamma = info.gamma }
        let c = info.chromaticities
        let stated = Chromaticities(
            white: [c.0, c.1], red: [c.2, c.3], green: [c.4, c.5], blue: [c.6, c.7])
        if c.1 > 0, !stated.isNear(.sRGB) { chromaticities = stated }
    }
}

/// The chunks of a PNG, read without decoding (PNG Specification, Third Edition, section 5).
///
/// Finds chunks that libpng is configured to skip, anywhere in the file: EXIF, XMP, code points, frame count.
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        /// Four letters.
        let type: String
        let data: UnsafeRawBufferPointer
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let bytes: UnsafeRawBufferPointer
    private var offset = Self.signature.count

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns the next complete chunk; nil at the end of the file.
    mutating func next() -> Chunk? {
        guard offset + 12 <= bytes.count else { return nil }
        let length = Int(bytes.bigEndian32(at: offset))
        guard length <= bytes.count - offset - 12 else { return nil }
        let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
        let data = UnsafeRawBufferPointer(rebasing: bytes[offset + 8..<offset + 8 + length])
        offset += 12 + length
        return type == "IEND" ? nil : Chunk(type: type, data: data)
    }

    /// The colour types that may have both a palette and transparency: RGB, for which it is a suggestion, and indices.
    private static let paletteTypes: Set<UInt8> = [2, 3]

    /// Returns the file with a palette's transparency moved behind the palette; nil if the order is correct or there is
    /// none.
    ///
    /// libpng ignores transparency before its palette.
    static func reordered(_ bytes: UnsafeRawBufferPointer) -> MediaBytes? {
        var chunks = PNGChunks(bytes)
        var transparency: Range<Int>?
        while true {
            let start = chunks.offset
            guard let chunk = chunks.next(), chunk.type != "IDAT" else { return nil }
            if chunk.type == "IHDR", chunk.data.count < 10 || !paletteTypes.contains(chunk.data[9]) { return nil }
            if chunk.type == "tRNS", transparency == nil { transparency = start..<chunks.offset }
            guard chunk.type == "PLTE" else { continue }
            guard let transparency else { return nil }
            let parts = [
                0..<transparency.lowerBound, transparency.upperBound..<chunks.offset, transparency,
                chunks.offset..<bytes.count,
            ]
            return MediaBytes(parts.flatMap { bytes[$0] })
        }
    }
}
