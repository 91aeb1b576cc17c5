internal import WayreelCore

/// Reads fields in the wire format of protocol buffers, one after the other.
package struct WireReader {
    package enum Value {
        case number(UInt64)
        case bytes(UnsafeRawBufferPointer)
        /// A fixed number of 4 or 8 bytes, little-endian.
        case fixed(UInt64)
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    /// Whether the bytes end within a field, or have one of another kind: nothing more is read then.
    package private(set) var isDamaged = false

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var isAtEnd: Bool { offset >= bytes.count }

    /// The next field; nil at the end, or where the bytes are damaged.
    package mutating func next() -> (field: UInt64, value: Value)? {
        guard !isDamaged, !isAtEnd, let key = varint() else { return nil }
        switch key & 7 {
        case 0: return varint().map { (key >> 3, .number($0)) }
        case 1: return fixed(8).map { (key >> 3, .fixed($0)) }
        case 2:
            guard let count = varint(), let part = take(count) else { return nil }
            return (key >> 3, .bytes(part))
        case 5: return fixed(4).map { (key >> 3, .fixed($0)) }
        default:
            isDamaged = true
            return nil
        }
    }

    /// The next number of a packed field, or of any other bytes; nil at the end, or where they are damaged.
    package mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        isDamaged = true
        return nil
    }

    private mutating func fixed(_ count: UInt64) -> UInt64? {
        take(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: UInt64) -> UnsafeRawBufferPointer? {
        guard count <= UInt64(bytes.count - offset) else {
            isDamaged = true
            return nil
        }
        defer { offset += Int(count) }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)])
    }

    /// The number that zigzag encoding made of a signed one.
    package static func signed(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
