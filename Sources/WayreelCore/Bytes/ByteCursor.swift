/// Reads consecutive big-endian numbers. Reads past the end return zeros and set ``isPastEnd``.
package struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    package private(set) var isPastEnd = false

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads an unsigned number of `count` bytes (0 to 8), clamped to `Int.max`.
    package mutating func read(_ count: Int) -> Int {
        take(count).map { Int(clamping: $0.bigEndian(at: 0, count: count)) } ?? 0
    }

    package mutating func skip(_ count: Int) { _ = take(count) }

    /// The next `count` bytes, or nil if fewer are left.
    package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= bytes.count - offset else {
            isPastEnd = true
            return nil
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Returns the remaining bytes.
    package mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count - offset)! }

    /// Reads a NUL-terminated string.
    package mutating func readText() -> String {
        let rest = bytes[offset...]
        let end = rest.firstIndex(of: 0) ?? rest.endIndex
        defer { offset = min(end + 1, bytes.count) }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    package mutating func readType() -> String { take(4).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

/// Reads numbers from the bytes of a file. The caller checks every offset against `count`.
extension UnsafeRawBufferPointer {
    @inlinable package func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inlinable package func bigEndian16(at offset: Int) -> UInt16 {
        UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inlinable package func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inlinable package func littleEndian64(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inlinable package func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// A big-endian number of up to eight bytes.
    @inlinable package func bigEndian(at offset: Int, count: Int) -> UInt64 {
        self[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether `pattern` is at `offset`; false past the end.
    @inlinable package func matches(_ pattern: some Collection<UInt8>, at offset: Int) -> Bool {
        offset >= 0 && offset + pattern.count <= count && self[offset..<offset + pattern.count].elementsEqual(pattern)
    }
}

extension Array {
    /// `withUnsafeBytes`, whose closure throws errors of one type.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { (buffer) throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
    }

    /// `withUnsafeMutableBytes`, whose closure throws errors of one type.
    package mutating func withMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeMutableBufferPointer { (buffer) throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

extension [UInt8] {
    /// Parses pairs of hexadecimal digits; nil if there is anything else.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap(\.hexDigit)
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension UInt8 {
    /// The value of the byte as a hexadecimal digit of ASCII; nil if it is none.
    package var hexDigit: UInt8? { Character(Unicode.Scalar(self)).hexDigitValue.map { UInt8($0) } }
}

extension Sequence<UInt8> {
    /// Two hexadecimal digits for each byte, in lower case.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
