internal import WayreelCore

/// A block of tagged fields in directories, as defined by TIFF 6.0 (section 2) and used by EXIF and MPF.
///
/// Ignores data outside the block. Directories are followed only on request, so that chains and cycles cost nothing.
struct TIFFBlock {
    /// A field of a directory.
    struct Field {
        let tag: UInt16
        let type: UInt16
        let count: Int
        /// Range of its value in the block; its length follows from `type` and `count`.
        let value: Range<Int>
    }

    struct Directory {
        var fields: [Field] = []
        /// Offset of the next directory; 0 if there is none.
        var next = 0

        subscript(tag: UInt16) -> Field? { fields.first { $0.tag == tag } }
    }

    let bytes: [UInt8]
    let isLittleEndian: Bool

    /// Returns nil without a TIFF header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        switch Array(bytes.prefix(4)) {
        case [0x49, 0x49, 42, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 42]: isLittleEndian = false
        default: return nil
        }
        self.bytes = bytes
    }

    /// Size of a value by type; 129 is EXIF 3.0's UTF-8.
    static let sizes: [UInt16: Int] = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 129: 1,
    ]

    var first: Directory { directory(at: integer(at: 4, size: 4)) }

    /// Returns the fields of the directory at `offset` that are inside the block.
    func directory(at offset: Int) -> Directory {
        var directory = Directory()
        guard offset >= 8, offset <= bytes.count - 2 else { return directory }
        let stated = integer(at: offset, size: 2)
        let start = offset + 2
        let count = min(stated, (bytes.count - start) / 12)
        directory.fields = (0..<count).compactMap { field(at: start + $0 * 12) }
        let end = start + count * 12
        if count == stated, end <= bytes.count - 4 { directory.next = integer(at: end, size: 4) }
        return directory
    }

    /// Returns the directory that a field refers to, if present.
    func directory(_ tag: UInt16, of parent: Directory) -> Directory? {
        parent[tag].flatMap { integer($0) }.map(directory(at:))
    }

    private func field(at offset: Int) -> Field? {
        let type = UInt16(integer(at: offset + 2, size: 2))
        let count = integer(at: offset + 4, size: 4)
        guard let size = Self.sizes[type] else { return nil }
        let length = count * size
        let start = length <= 4 ? offset + 8 : integer(at: offset + 8, size: 4)
        guard start <= bytes.count, length <= bytes.count - start else { return nil }
        return Field(
            tag: UInt16(integer(at: offset, size: 2)), type: type, count: count, value: start..<start + length)
    }

    /// Returns the first value of a field of unsigned integers.
    func integer(_ field: Field) -> Int? {
        guard field.count > 0, [1, 3, 4, 13].contains(field.type) else { return nil }
        return integer(at: field.value.lowerBound, size: Self.sizes[field.type] ?? 0)
    }

    /// Returns the text of a field up to its first NUL, trimmed; nil if empty.
    func text(_ field: Field) -> String? {
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

    /// Returns an unsigned 32-bit number inside a value; the caller checks the offset.
    func unsigned32(at offset: Int) -> Int { integer(at: offset, size: 4) }

    /// Returns an unsigned number of 1, 2 or 4 bytes; the caller checks the offset.
    private func integer(at offset: Int, size: Int) -> Int {
        let digits = bytes[offset..<offset + size]
        return isLittleEndian
            ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
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

        let tag: UInt16
        let type: UInt16
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
            put(Int(field.tag), size: 2, at: offset)
            put(Int(field.type), size: 2, at: offset + 2)
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
