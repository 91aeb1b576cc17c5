package import WayreelCore

/// Bytes on their way to a sink, gathered to large writes; numbers become digits right in the buffer.
///
/// ``flush()`` is the last call: what was gathered since is lost without it.
package final class BufferedOutput {
    private let sink: any ByteSink
    private let memory: UnsafeMutablePointer<UInt8>
    private var count = 0
    private static let capacity = 1 << 16
    /// More than a sign, the 20 digits of 2⁶⁴ and a point.
    private static let longestNumber = 32

    package init(_ sink: any ByteSink) {
        self.sink = sink
        memory = .allocate(capacity: Self.capacity)
    }

    deinit { memory.deallocate() }

    package func flush() throws(MediaError) {
        guard count > 0 else { return }
        try sink.write(UnsafeRawBufferPointer(start: memory, count: count))
        count = 0
    }

    @inline(__always)
    private func reserve(_ room: Int) throws(MediaError) {
        if count + room > Self.capacity { try flush() }
    }

    @inline(__always)
    package func append(_ byte: UInt8) throws(MediaError) {
        try reserve(1)
        memory[count] = byte
        count += 1
    }

    /// Bytes of any number.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        try reserve(bytes.count)
        guard bytes.count <= Self.capacity else { return try sink.write(bytes) }
        guard let start = bytes.baseAddress else { return }
        UnsafeMutableRawPointer(memory + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    package func append(_ text: StaticString) throws(MediaError) {
        try append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package func append(_ text: String) throws(MediaError) {
        for byte in text.utf8 { try append(byte) }
    }

    /// The bytes of a whole number, the lowest first.
    package func append<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian value: Number) throws(MediaError) {
        let size = value.bitWidth / 8
        try reserve(size)
        UnsafeMutableRawPointer(memory + count).storeBytes(of: value.littleEndian, as: Number.self)
        count += size
    }

    /// `value` / 10^`decimals` in digits, without needless zeros at the end: `-12.5`, `0`, `0.003`. At most nine decimals.
    package func append(_ value: Int, decimals: Int = 0) throws(MediaError) {
        // For the number, for where it is made, and for what is moved along with it.
        try reserve(3 * Self.longestNumber)
        var digits = value.magnitude
        var places = decimals
        while places > 0, digits % 10 == 0 {
            digits /= 10
            places -= 1
        }
        // From the last digit to the first, behind the place that the number then moves to.
        let end = memory + count + 2 * Self.longestNumber
        var start = end
        repeat {
            start -= 1
            start.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10)
            digits /= 10
            places -= 1
            if places == 0 {
                start -= 1
                start.pointee = UInt8(ascii: ".")
            }
        } while digits > 0 || places >= 0
        if value < 0 {
            start -= 1
            start.pointee = UInt8(ascii: "-")
        }
        // A move of known length is a few instructions.
        (memory + count).update(from: start, count: Self.longestNumber)
        count += end - start
    }

    /// A text in quotes, as JSON has it (RFC 8259, section 7).
    package func append(quoted text: String) throws(MediaError) {
        try append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                try append(UInt8(ascii: "\\"))
                try append(byte)
            case 0..<0x20:
                try append("\\u00")
                try append(hexadecimal: byte >> 4)
                try append(hexadecimal: byte & 15)
            default: try append(byte)
            }
        }
        try append(UInt8(ascii: "\""))
    }

    private func append(hexadecimal digit: UInt8) throws(MediaError) {
        try append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
}
