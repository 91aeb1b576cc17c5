internal import WayreelCore

/// The blocks of a GIF file, read without decoding (GIF89a specification, sections 18 to 27).
struct GIFFile {
    /// An image as declared by its descriptor.
    struct Image {
        let frame: AnimationFrame
        let isInterlaced: Bool
        /// Where red, green and blue of each colour are; empty without a colour table.
        let colors: Range<Int>
        /// Index of the transparent colour.
        let transparent: Int?
        /// Where the data begin with the LZW minimum code size; they may go to the end of the file.
        let data: Int
    }

    /// The file, which the images refer to.
    let file: MediaBytes
    let size: PixelSize
    /// At most as many as `limits` allow.
    let images: [Image]
    /// Number of images in the file.
    let imageCount: Int
    /// The XMP packet (XMP Specification Part 3, section 1.1.2).
    let xmp: [UInt8]?

    /// Throws a `limit` error if the canvas exceeds `limits`.
    init(_ file: MediaBytes, limits: Limits) throws(MediaError) {
        self.file = file
        let bytes = file.buffer
        guard bytes.count >= Self.headerBytes else { throw Self.fault("the file ends within its header") }
        size = PixelSize(width: Int(bytes.littleEndian16(at: 6)), height: Int(bytes.littleEndian16(at: 8)))
        try limits.check(size: size)
        var blocks = Blocks(bytes)
        (images, imageCount) = blocks.readImages(limit: limits.frames)
        xmp = blocks.xmp
    }

    private static let headerBytes = 13

    static let fault = ErrorSite(step: .decode, format: .gif)
}

/// Walks the blocks of a GIF.
private struct Blocks {
    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let globalColors: Range<Int>
    /// The first XMP packet that was passed.
    private(set) var xmp: [UInt8]?

    private enum Mark {
        static let image: UInt8 = 0x2C
        static let `extension`: UInt8 = 0x21
        static let control: UInt8 = 0xF9
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = 13
        globalColors = Self.colors(bytes, at: 13, flags: bytes[10])
        offset += Self.colorBytes(bytes[10])
    }

    /// The application extension that contains an XMP packet: its mark, length, application and authentication code.
    private static let xmpExtension = [Mark.extension, 0xFF, 11] + Array("XMP DataXMP".utf8)
    /// The bytes after the packet. As lengths of sub-blocks, they end the packet from each of its bytes.
    private static let xmpTrailerBytes = 258

    /// Reads image descriptors up to the trailer or the first invalid block. Keeps at most `limit` of them.
    mutating func readImages(limit: Int) -> (images: [GIFFile.Image], count: Int) {
        var images: [GIFFile.Image] = []
        var count = 0
        var control = Control()
        while offset < bytes.count {
            let start = offset
            switch bytes[offset] {
            case Mark.extension:
                if let found = Control(bytes, at: offset) { control = found }
                offset += 2
            case Mark.image where offset + 10 <= bytes.count:
                if images.count < limit { images.append(image(control)) }
                count += 1
                control = Control()
                // Descriptor, colour table, LZW minimum code size.
                offset += 10 + Self.colorBytes(bytes[offset + 9]) + 1
            default: return (images, count)
            }
            // Length-prefixed sub-blocks up to an empty one.
            while offset < bytes.count, bytes[offset] > 0 { offset += 1 + Int(bytes[offset]) }
            offset += 1
            readXMP(start..<offset)
        }
        return (images, count)
    }

    /// Reads the packet if it is the content of the block at `range`.
    private mutating func readXMP(_ range: Range<Int>) {
        guard xmp == nil, bytes.matches(Self.xmpExtension, at: range.lowerBound) else { return }
        let packet = range.dropFirst(Self.xmpExtension.count).dropLast(Self.xmpTrailerBytes)
        if !packet.isEmpty, range.upperBound <= bytes.count { xmp = Array(bytes[packet]) }
    }

    private func image(_ control: Control) -> GIFFile.Image {
        func field(_ index: Int) -> Int { Int(bytes.littleEndian16(at: offset + 1 + 2 * index)) }
        let flags = bytes[offset + 9]
        let own = Self.colors(bytes, at: offset + 10, flags: flags)
        let data = min(offset + 10 + Self.colorBytes(flags), bytes.count)
        return GIFFile.Image(
            frame: AnimationFrame(
                area: PixelRectangle(columns: field(0)..<field(0) + field(2), rows: field(1)..<field(1) + field(3)),
                hasAlpha: control.transparent != nil, blends: true, disposal: control.disposal),
            isInterlaced: flags & 0x40 != 0, colors: own.isEmpty ? globalColors : own,
            transparent: control.transparent, data: data)
    }

    private static func colorBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func colors(_ bytes: UnsafeRawBufferPointer, at offset: Int, flags: UInt8) -> Range<Int> {
        bytes.indices.dropFirst(offset).prefix(colorBytes(flags))
    }

    /// The graphic control extension of the following image (section 23).
    private struct Control {
        var disposal = AnimationFrame.Disposal.keep
        var transparent: Int?

        init() {}

        /// Returns nil if another extension is at `offset`.
        init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
            guard offset + 7 <= bytes.count, bytes[offset + 1] == Mark.control, bytes[offset + 2] >= 4 else {
                return nil
            }
            let flags = bytes[offset + 3]
            // 4 is undefined, but some encoders write it for 3.
            disposal = [2: .clear, 3: .restore, 4: .restore][flags >> 2 & 7] ?? .keep
            transparent = flags & 1 == 0 ? nil : Int(bytes[offset + 6])
        }
    }
}
