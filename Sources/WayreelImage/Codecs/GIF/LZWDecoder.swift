/// Decodes the LZW data of a GIF image: variable-width codes in sub-blocks (GIF89a specification, appendix F).
struct LZWDecoder {
    /// Whether an invalid code was found or the image ended before its last row. False for a truncated file.
    private(set) var isBroken = false

    private var codes: CodeReader
    private let rootBits: Int

    private static let maxBits = 12

    /// `data` starts with the minimum code size; data after the image are ignored.
    init(_ data: UnsafeRawBufferPointer) {
        rootBits = data.first.map { Int($0) } ?? 0
        codes = CodeReader(UnsafeRawBufferPointer(rebasing: data.dropFirst()))
    }

    /// Passes up to `height` rows of colour indices to `use`. Returns the number of complete rows.
    mutating func decode(width: Int, height: Int, use: (UnsafePointer<UInt8>) -> Void) -> Int {
        // Codes have at least one bit more. Colours have up to 8 bits, but some encoders declare more.
        guard (1..<Self.maxBits).contains(rootBits) else {
            isBroken = true
            return 0
        }
        let room = 1 << Self.maxBits
        let (clear, end) = (1 << rootBits, 1 << rootBits + 1)
        var rows = 0
        withUnsafeTemporaryAllocation(of: Entry.self, capacity: room) { table in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width + room) { pixels in
                for root in 0..<room {
                    table[root] = Entry(
                        previous: 0, length: root < clear ? 1 : 0, first: UInt8(truncatingIfNeeded: root),
                        last: UInt8(truncatingIfNeeded: root))
                }
                var (bits, next, last) = (rootBits + 1, end + 1, -1)
                var filled = 0
                while rows < height, let code = codes.read(bits) {
                    if code == clear {
                        (bits, next, last) = (rootBits + 1, end + 1, -1)
                        continue
                    }
                    guard code != end, code < next || code == next && last >= 0, last >= 0 || code < clear,
                        code < 256 || code >= clear
                    else {
                        isBroken = true
                        return
                    }
                    if last >= 0, next < room {
                        // A code used while it is being defined ends with its own first pixel.
                        let first = code == next ? table[last].first : table[code].first
                        table[next] = Entry(
                            previous: UInt16(truncatingIfNeeded: last), length: table[last].length + 1,
                            first: table[last].first, last: first)
                        next += 1
                        if next == 1 << bits, bits < Self.maxBits { bits += 1 }
                    }
                    last = code
                    // Pixels are written backwards from the code's last one.
                    let length = Int(table[code].length)
                    var entry = code
                    for index in stride(from: filled + length - 1, through: filled, by: -1) {
                        pixels[index] = table[entry].last
                        entry = Int(table[entry].previous)
                    }
                    filled += length
                    var used = 0
                    while filled - used >= width, rows < height {
                        use(pixels.baseAddress! + used)
                        used += width
                        rows += 1
                    }
                    if used > 0 {
                        filled -= used
                        (pixels.baseAddress!).update(from: pixels.baseAddress! + used, count: filled)
                    }
                }
                isBroken = isBroken || rows < height && codes.isComplete
            }
        }
        return rows
    }

    /// A code's sequence of pixels: another code's and one more.
    private struct Entry {
        var previous: UInt16
        /// In pixels; 0 for control codes.
        var length: UInt16
        var first: UInt8
        var last: UInt8
    }
}

/// Reads variable-width codes, least significant bit first, from sub-blocks.
private struct CodeReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    /// Bytes left in the current sub-block.
    private var left = 0
    private var held: UInt32 = 0
    private var heldBits = 0
    /// Whether the terminating empty sub-block was read.
    private(set) var isComplete = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns nil at the end of the data.
    mutating func read(_ count: Int) -> Int? {
        while heldBits < count {
            guard offset < bytes.count, !isComplete else { return nil }
            let byte = bytes[offset]
            offset += 1
            if left == 0 {
                left = Int(byte)
                isComplete = left == 0
            } else {
                left -= 1
                held |= UInt32(byte) << UInt32(heldBits)
                heldBits += 8
            }
        }
        let code = Int(held & (1 << UInt32(count) - 1))
        held >>= UInt32(count)
        heldBits -= count
        return code
    }
}
