internal import WayreelCore

/// Tagged fields in directories, as defined by TIFF 6.0 (section 2) and BigTIFF: of TIFF files, of raw photos that are
/// built like one, and of the blocks of EXIF and MPF.
///
/// Ignores values outside the bytes. Directories are followed only on request, so that chains and cycles cost nothing.
package struct TIFFBlock {
    /// A field of a directory.
    package struct Field {
        package let tag: Int
        package let type: Int
        package let count: Int
        /// Range of its value in the block; its length follows from `type` and `count`.
        package let value: Range<Int>
    }

    package struct Directory {
        package var fields: [Field] = []
        /// Offset of the next directory; 0 if there is none.
        var next = 0

        package subscript(tag: Int) -> Field? { fields.first { $0.tag == tag } }
    }

    /// Keeps `bytes` in memory.
    private let file: MediaBytes
    let bytes: UnsafeRawBufferPointer
    let isLittleEndian: Bool
    private let isBig: Bool
    /// Bytes of a value by type.
    private let sizes: [Int: Int]

    /// Reads a block of EXIF or MPF; nil without the header of classic TIFF.
    init?(_ block: [UInt8]) {
        guard block.count >= 8 else { return nil }
        switch Array(block.prefix(4)) {
        case [0x49, 0x49, 42, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 42]: isLittleEndian = false
        default: return nil
        }
        file = MediaBytes(block)
        (bytes, isBig, sizes) = (file.buffer, false, Self.sizes)
    }

    /// Reads a file, or `part` of it. Only the byte order of its signature counts, because cameras have signatures of
    /// their own; nil if it is too small.
    init?(_ file: MediaBytes, part: UnsafeRawBufferPointer? = nil) {
        let bytes = part ?? file.buffer
        guard bytes.count >= 16 else { return nil }
        (self.file, self.bytes, sizes) = (file, bytes, Self.fileSizes)
        isLittleEndian = bytes[0] == 0x49
        isBig = bytes[isLittleEndian ? 2 : 3] == 43
    }

    /// 129 is EXIF 3.0's UTF-8.
    private static let sizes = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 129: 1,
    ]
    /// Those from 16 on are BigTIFF's.
    private static let fileSizes = sizes.merging([16: 8, 17: 8, 18: 8]) { old, _ in old }

    /// Offset of the first directory.
    var firstOffset: Int { isBig ? integer(at: 8, size: 8) : integer(at: 4, size: 4) }

    var first: Directory { directory(at: firstOffset) }

    /// Returns the fields of the directory at `offset` that are inside the block.
    func directory(at offset: Int) -> Directory {
        var directory = Directory()
        let (countBytes, entryBytes, placeBytes) = isBig ? (8, 20, 8) : (2, 12, 4)
        guard offset >= 8, offset <= bytes.count - countBytes else { return directory }
        let stated = integer(at: offset, size: countBytes)
        let start = offset + countBytes
        // Classic TIFF's max number of fields.
        let count = min(stated, (bytes.count - start) / entryBytes, 65535)
        directory.fields = (0..<count).compactMap { field(at: start + $0 * entryBytes, placeBytes: placeBytes) }
        let end = start + count * entryBytes
        if count == stated, end <= bytes.count - placeBytes { directory.next = integer(at: end, size: placeBytes) }
        return directory
    }

    /// Returns the directory that a field refers to, if present.
    func directory(_ tag: Int, of parent: Directory) -> Directory? {
        parent[tag].flatMap { integer($0) }.map(directory(at:))
    }

    private func field(at offset: Int, placeBytes: Int) -> Field? {
        let type = integer(at: offset + 2, size: 2)
        let count = integer(at: offset + 4, size: placeBytes)
        guard let size = sizes[type] else { return nil }
        let (length, overflow) = count.multipliedReportingOverflow(by: size)
        let inside = offset + 4 + placeBytes
        let start = length <= placeBytes ? inside : integer(at: inside, size: placeBytes)
        guard !overflow, start <= bytes.count, length <= bytes.count - start else { return nil }
        return Field(tag: integer(at: offset, size: 2), type: type, count: count, value: start..<start + length)
    }

    // MARK: Values

    /// Returns the bytes of a field's value.
    package func bytes(of field: Field) -> [UInt8] { Array(bytes[field.value]) }

    /// Returns the first value of a field of unsigned integers.
    package func integer(_ field: Field) -> Int? { integers(field, max: 1).first }

    /// Returns up to `max` values of a field of unsigned integers.
    func integers(_ field: Field, max: Int) -> [Int] {
        guard [1, 3, 4, 13, 16, 18].contains(field.type), field.count > 0 else { return [] }
        let size = field.value.count / field.count
        return (0..<min(field.count, max)).map { integer(at: field.value.lowerBound + $0 * size, size: size) }
    }

    /// Returns the text of a field up to its first NUL, trimmed; nil if empty.
    package func text(_ field: Field) -> String? {
        guard [2, 129].contains(field.type) else { return nil }
        let spaces: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let text = bytes[field.value].prefix { $0 != 0 }.drop { spaces.contains($0) }
        let end = text.lastIndex { !spaces.contains($0) } ?? text.startIndex - 1
        return text.isEmpty ? nil : String(utf8OrWindows1252: text[...end])
    }

    /// Returns the NUL-separated texts of a field; empty if it is not text.
    func texts(_ field: Field) -> [String] {
        guard [2, 129].contains(field.type) else { return [] }
        return bytes[field.value].split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(utf8OrWindows1252: $0) }
    }

    /// Returns a field for a block of the same byte order.
    func copied(_ field: Field) -> TIFFBlockWriter.Field {
        TIFFBlockWriter.Field(
            tag: field.tag, type: field.type, count: field.count, value: .bytes(bytes(of: field)))
    }

    /// Returns an unsigned 32-bit number inside a value; the caller checks the offset.
    package func unsigned32(at offset: Int) -> Int { integer(at: offset, size: 4) }

    /// Returns an unsigned number of up to eight bytes; the caller checks the offset.
    private func integer(at offset: Int, size: Int) -> Int {
        let digits = bytes[offset..<offset + size]
        return Int(
            clamping: isLittleEndian
                ? digits.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                : digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// Writes a block of tagged fields in directories (TIFF 6.0, section 2).
struct TIFFBlockWriter {
    struct Field {
        enum Value {
            /// In the block's byte order.
            case bytes([UInt8])
            case directory([Field])
        }

        let tag: Int
        let type: Int
        let count: Int
        let value: Value
    }

    private var bytes: [UInt8]
    private let isLittleEndian: Bool

    /// Returns a block whose first directory contains `fields`, starting with the TIFF header.
    static func block(_ fields: [Field], isLittleEndian: Bool) -> [UInt8] {
        var writer = TIFFBlockWriter(isLittleEndian: isLittleEndian)
        writer.append(fields)
        return writer.bytes
    }

    private init(isLittleEndian: Bool) {
        self.isLittleEndian = isLittleEndian
        bytes = isLittleEndian ? [0x49, 0x49, 42, 0, 8, 0, 0, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    }

    /// Returns a number in the block's byte order.
    static func number(_ value: Int, size: Int, isLittleEndian: Bool) -> [UInt8] {
        let digits = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittleEndian ? digits : digits.reversed()
    }

    private mutating func put(_ value: Int, size: Int, at offset: Int) {
        let number = Self.number(value, size: size, isLittleEndian: isLittleEndian)
        bytes.replaceSubrange(offset..<offset + size, with: number)
    }

    /// Appends the directory, then values that do not fit into it and subdirectories, all at even offsets.
    private mutating func append(_ fields: [Field]) {
        let start = bytes.count
        let fields = fields.sorted { $0.tag < $1.tag }
        bytes += Array(repeating: 0, count: 2 + 12 * fields.count + 4)
        put(fields.count, size: 2, at: start)
        for (index, field) in fields.enumerated() {
            let offset = start + 2 + 12 * index
            put(field.tag, size: 2, at: offset)
            put(field.type, size: 2, at: offset + 2)
            put(field.count, size: 4, at: offset + 4)
            if case .bytes(let value) = field.value, value.count <= 4 {
                bytes.replaceSubrange(offset + 8..<offset + 8 + value.count, with: value)
                continue
            }
            put(bytes.count, size: 4, at: offset + 8)
            switch field.value {
            case .bytes(let value): bytes += value
            case .directory(let fields): append(fields)
            }
            if bytes.count % 2 == 1 { bytes.append(0) }
        }
    }
}
