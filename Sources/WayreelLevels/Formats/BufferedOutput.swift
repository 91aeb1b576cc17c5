package import WayreelCore

/// Bytes on their way to a sink, gathered to large writes; numbers become digits right in the buffer.
///
/// ``flush()`` is the last call: what was gathered since is lost without it.
package final class BufferedOutput {
    private let sink: any ByteSink
    private let memory: UnsafeMutablePointer<UInt8>
    private var count = 0
    private static let capacity = 1 << 16
    /// A sign, the 20 digits of 2⁶⁴, nine zeros in front of them and a point.
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

    package func append(_ text: StaticString) throws(MediaError) {
        let length = text.utf8CodeUnitCount
        try reserve(length)
        (memory + count).update(from: text.utf8Start, count: length)
        count += length
    }

    package func append(_ text: some StringProtocol) throws(MediaError) {
        for byte in text.utf8 { try append(byte) }
    }

    /// The bytes of a whole number, the lowest first.
    package func append(littleEndian value: some FixedWidthInteger) throws(MediaError) {
        for place in stride(from: 0, to: value.bitWidth, by: 8) {
            try append(UInt8(truncatingIfNeeded: value >> place))
        }
    }

    /// `value` / 10^`decimals` in digits, without needless zeros at the end: `-12.5`, `0`, `0.003`. At most nine decimals.
    package func append(_ value: Int, decimals: Int = 0) throws(MediaError) {
        try reserve(Self.longestNumber)
        var digits = value.magnitude
        var places = decimals
        while places > 0, digits % 10 == 0 {
            digits /= 10
            places -= 1
        }
        if value < 0 {
            memory[count] = UInt8(ascii: "-")
            count += 1
        }
        var length = 1
        var rest = digits / 10
        while rest > 0 || length <= places {
            rest /= 10
            length += 1
        }
        let hasPoint = places > 0
        var place = count + length + (hasPoint ? 1 : 0)
        count = place
        for index in 0..<length {
            if hasPoint, index == places {
                place -= 1
                memory[place] = UInt8(ascii: ".")
            }
            place -= 1
            memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10)
            digits /= 10
        }
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
