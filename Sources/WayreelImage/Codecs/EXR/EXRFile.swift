internal import WayreelCore

/// The header of a single-part OpenEXR file ("OpenEXR File Layout").
struct EXRFile {
    /// A rectangle of pixels; the file includes its far corner, this type excludes it.
    struct Window: Equatable {
        let x: Range<Int>
        let y: Range<Int>

        var size: PixelSize { PixelSize(width: x.count, height: y.count) }
    }

    /// The stored pixels.
    let data: Window
    /// The displayed pixels.
    let display: Window
    /// The fraction of chunks missing from the file, 0 to 1.
    let missingShare: Double

    private let windowOffsets: [Int]
    /// Offsets of the present chunks, for files that identify chunks by their first line.
    private let lineChunks: [Int]

    private static let isTiled: UInt32 = 0x200
    private static let isDeepOrMultipart: UInt32 = 0x1800
    /// Lines per chunk, by compression.
    private static let chunkLines = [1, 1, 1, 16, 32, 16, 32, 32, 32, 256]

    /// Returns nil for files left to the decoder: several parts, deep data, invalid headers.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 8 else { return nil }
        let version = bytes.littleEndian32(at: 4)
        guard version & Self.isDeepOrMultipart == 0, let attributes = EXRAttributes(bytes),
            let dataOffset = attributes.offset(of: "dataWindow", bytes: 16),
            let displayOffset = attributes.offset(of: "displayWindow", bytes: 16),
            let compression = attributes.offset(of: "compression", bytes: 1).map({ Int(bytes[$0]) }),
            Self.chunkLines.indices.contains(compression),
            let data = Self.window(bytes, at: dataOffset), let display = Self.window(bytes, at: displayOffset)
        else { return nil }
        (self.data, self.display) = (data, display)
        windowOffsets = [dataOffset, displayOffset]

        var chunkCount = (data.y.count - 1) / Self.chunkLines[compression] + 1
        let isTiled = version & Self.isTiled != 0
        if isTiled {
            guard let tiles = attributes.offset(of: "tiles", bytes: 9) else { return nil }
            let (width, height) = (Int(bytes.littleEndian32(at: tiles)), Int(bytes.littleEndian32(at: tiles + 4)))
            guard width > 0, height > 0 else { return nil }
            chunkCount =
                PixelSize(width: (data.x.count - 1) / width + 1, height: (data.y.count - 1) / height + 1).pixels
        }
        let table = attributes.end
        let listed = min(chunkCount, (bytes.count - table) / 8)
        let headBytes = isTiled ? 20 : 8
        let present = (0..<listed).compactMap { (i) -> Int? in
            let low = Int(bytes.littleEndian32(at: table + 8 * i))
            guard bytes.littleEndian32(at: table + 8 * i + 4) == 0, low >= table, low + headBytes <= bytes.count
            else { return nil }
            let length = Int(bytes.littleEndian32(at: low + headBytes - 4))
            return length <= bytes.count - low - headBytes ? low : nil
        }
        missingShare = 1 - Double(present.count) / Double(chunkCount)
        lineChunks = isTiled ? [] : present
    }

    private static func window(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Window? {
        let edges = (0..<4).map { Int(Int32(bitPattern: bytes.littleEndian32(at: offset + 4 * $0))) }
        guard edges[2] >= edges[0], edges[3] >= edges[1] else { return nil }
        return Window(x: edges[0]..<edges[2] + 1, y: edges[1]..<edges[3] + 1)
    }

    /// Returns the file with both windows moved to the data window's origin, so that FFmpeg decodes only the data.
    func moved(_ bytes: UnsafeRawBufferPointer) -> MediaBytes {
        var copy = Array(bytes)
        func put(_ value: Int, at offset: Int) {
            for i in 0..<4 { copy[offset + i] = UInt8(truncatingIfNeeded: value >> (8 * i)) }
        }
        for offset in windowOffsets {
            for (i, edge) in [0, 0, data.x.count - 1, data.y.count - 1].enumerated() { put(edge, at: offset + 4 * i) }
        }
        for chunk in lineChunks {
            put(Int(Int32(bitPattern: bytes.littleEndian32(at: chunk))) - data.y.lowerBound, at: chunk)
        }
        return MediaBytes(copy)
    }
}

/// Offsets of a header's attributes: name, type, length, value.
struct EXRAttributes {
    private var ranges: [String: Range<Int>] = [:]
    /// Offset of the end of the header.
    private(set) var end = 8

    init?(_ bytes: UnsafeRawBufferPointer) {
        while end < bytes.count, bytes[end] != 0 {
            guard let name = text(bytes), text(bytes) != nil, end + 4 <= bytes.count else { return nil }
            let length = Int(bytes.littleEndian32(at: end))
            guard length <= bytes.count - end - 4 else { return nil }
            ranges[name] = end + 4..<end + 4 + length
            end += 4 + length
        }
        guard end < bytes.count else { return nil }
        end += 1
    }

    /// Reads the text at `end` and moves behind its NUL.
    private mutating func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard let stop = bytes[end..<min(end + 256, bytes.count)].firstIndex(of: 0) else { return nil }
        defer { end = stop + 1 }
        return String(decoding: bytes[end..<stop], as: UTF8.self)
    }

    /// Adds the owner, the only standard attribute about rights ("Standard Optional Attributes"), to a header.
    static let readOwner: StillFormat.MetadataReading = { bytes, header in
        guard bytes.count > 8, let range = EXRAttributes(bytes)?.ranges["owner"], range.count <= maxTextBytes else {
            return
        }
        let owner = DescriptiveMetadata.Text(String(utf8OrWindows1252: bytes[range]))
        header.textAttribution[.owner] = [owner].compactMap(\.self)
    }

    private static let maxTextBytes = 64 << 10

    /// Returns the offset of the value of an attribute with at least `bytes` bytes.
    func offset(of name: String, bytes: Int) -> Int? {
        ranges[name].flatMap { $0.count >= bytes ? $0.lowerBound : nil }
    }
}

/// Decodes OpenEXR through FFmpeg and shows its display window: data outside is cropped, missing data inside is black.
final class EXRReader: SeekableRowReader {
    private static let fault = ErrorSite(step: .decode, format: .exr)

    let header: ImageHeader
    let damage: Damage?

    private let decoder: StillReader
    private let data: EXRFile.Window
    private let display: EXRFile.Window
    var nextRow = 0
    /// The next row of `decoder`.
    private var nextDataRow = 0
    private let scratch: AlignedMemory

    init(_ bytes: MediaBytes, as still: StillFormat, limits: Limits) throws(MediaError) {
        let file = EXRFile(bytes.buffer)
        if let file {
            try limits.check(size: file.display.size)
            try limits.check(size: file.data.size)
            guard file.missingShare < 1 else { throw Self.fault("the file ends before its pixels") }
        }
        let isMoved = file.map { $0.data != $0.display || $0.data.x.lowerBound != 0 || $0.data.y.lowerBound != 0 }
        let source = isMoved == true ? file?.moved(bytes.buffer) ?? bytes : bytes
        let decoder = try StillReader(source, as: still, limits: limits)
        self.decoder = decoder
        let size = decoder.header.size
        let whole = EXRFile.Window(x: 0..<size.width, y: 0..<size.height)
        data = isMoved == true ? file?.data ?? whole : whole
        display = isMoved == true ? file?.display ?? whole : whole
        guard data.size == size else { throw Self.fault("the decoded size does not match its windows") }
        var header = decoder.header
        header.size = display.size
        self.header = header
        scratch = try AlignedMemory(zeroed: decoder.header.rowBytes + 64, step: .decode)
        let missing = file?.missingShare ?? 0
        damage =
            missing > 0 ? Damage(missingShare: missing, description: "EXR: the file ends early") : decoder.damage
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        let y = display.y.lowerBound + nextRow
        nextRow += 1
        let columns = data.x.clamped(to: display.x)
        row.initializeMemory(as: UInt8.self, repeating: 0, count: header.rowBytes)
        guard data.y.contains(y), !columns.isEmpty else { return }
        let wanted = y - data.y.lowerBound
        decoder.skipRows(wanted - nextDataRow)
        try decoder.readRow(into: scratch.base)
        nextDataRow = wanted + 1
        let pixelBytes = header.layout.components * (header.rowBits / 8)
        (row + (columns.lowerBound - display.x.lowerBound) * pixelBytes).copyMemory(
            from: scratch.base + (columns.lowerBound - data.x.lowerBound) * pixelBytes,
            byteCount: columns.count * pixelBytes)
    }
}
