package import WayreelCore

/// Buffers writes to a sink; numbers are formatted in the buffer.
///
/// ``flush()`` must be the last call, or buffered bytes are lost.
package final class BufferedOutput {
    private let sink: any ByteSink
    private let memory: UnsafeMutablePointer<UInt8>
    private var count = 0
    private static let capacity = 1 << 16
    /// Sufficient for a sign, the 20 digits of 2⁶⁴ and a point.
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

    /// Appends any number of bytes.
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

    /// Appends an integer in little-endian order.
    package func append<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian value: Number) throws(MediaError) {
        let size = value.bitWidth / 8
        try reserve(size)
        UnsafeMutableRawPointer(memory + count).storeBytes(of: value.littleEndian, as: Number.self)
        count += size
    }

    /// Appends `value` / 10^`decimals` without trailing zeros: `-12.5`, `0`, `0.003`. At most nine decimals.
    package func append(_ value: Int, decimals: Int = 0) throws(MediaError) {
        // Room for the number, for its working area, and for the fixed-size move.
        try reserve(3 * Self.longestNumber)
        var digits = value.magnitude
        var decimalsLeft = decimals
        while decimalsLeft > 0, digits % 10 == 0 {
            digits /= 10
            decimalsLeft -= 1
        }
        // Digits are written from last to first, beyond the final position.
        let end = memory + count + 2 * Self.longestNumber
        var start = end
        repeat {
            start -= 1
            start.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10)
            digits /= 10
            decimalsLeft -= 1
            if decimalsLeft == 0 {
                start -= 1
                start.pointee = UInt8(ascii: ".")
            }
        } while digits > 0 || decimalsLeft >= 0
        if value < 0 {
            start -= 1
            start.pointee = UInt8(ascii: "-")
        }
        // A move of constant length compiles to a few instructions.
        (memory + count).update(from: start, count: Self.longestNumber)
        count += end - start
    }

    /// Appends a quoted JSON string (RFC 8259, section 7).
    package func append(quoted text: String) throws(MediaError) { try append(text.jsonQuoted) }
}
