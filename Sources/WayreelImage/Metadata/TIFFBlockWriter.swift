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
