internal import WayreelCore

/// Decodes the colour indices of a run-length encoded bitmap, one byte each, from the bottom row (Microsoft, "Bitmap
/// Compression").
struct BMPRuns {
    let pixels: AlignedMemory
    /// The fraction of the pixels after the position at which the data ends without an end marker; where runs reach
    /// beyond their row, of those that no run has set.
    private(set) var missingShare = 0.0
    /// Whether runs reach beyond their row, by more than the padding that encoders add.
    private(set) var isBroken = false

    private static let maxPadding = 3

    /// With `isNibbles`, a byte holds two indices (BI_RLE4). Skipped pixels are 0.
    ///
    /// Throws a `limit` error if memory is exhausted.
    init(_ data: UnsafeRawBufferPointer, size: PixelSize, isNibbles: Bool) throws(MediaError) {
        let (width, height) = (size.width, size.height)
        self.pixels = try AlignedMemory(zeroed: width * height, step: "decode")
        let pixels = self.pixels.pointer(to: UInt8.self)
        var (x, y, offset) = (0, 0, 0)
        var count = 0
        var farthest = 0
        func put(_ value: UInt8) {
            if x < width, y < height {
                pixels[y * width + x] = value
                count += 1
            }
            x += 1
            farthest = max(farthest, x)
        }
        defer {
            isBroken = farthest > width + Self.maxPadding
            let unset = 1 - Double(min(count, width * height)) / Double(width * height)
            if isBroken { missingShare = max(missingShare, unset) }
        }
        while y < height {
            guard offset + 1 < data.count else {
                let delivered = y * width + min(x, width)
                missingShare = 1 - Double(delivered) / Double(width * height)
                return
            }
            let (length, value) = (Int(data[offset]), data[offset + 1])
            offset += 2
            if length > 0 {
                for i in 0..<length { put(isNibbles ? (i % 2 == 0 ? value >> 4 : value & 15) : value) }
                continue
            }
            switch value {
            case 0: (x, y) = (0, y + 1)
            case 1: return
            case 2 where offset + 1 < data.count:
                (x, y) = (x + Int(data[offset]), y + Int(data[offset + 1]))
                offset += 2
            case 2: offset = data.count
            default:
                let listed = Int(value)
                for i in 0..<listed {
                    let at = offset + (isNibbles ? i / 2 : i)
                    guard at < data.count else { break }
                    put(isNibbles ? (i % 2 == 0 ? data[at] >> 4 : data[at] & 15) : data[at])
                }
                // Padded to two bytes.
                let used = isNibbles ? (listed + 1) / 2 : listed
                offset += used + used % 2
            }
        }
    }
}
