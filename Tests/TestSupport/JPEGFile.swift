/// Changes of the segments before the scan of a JPEG.
package enum JPEGFile {
    /// Returns the file without the segments of a marker.
    package static func removingSegments(_ marker: UInt8, from bytes: [UInt8]) -> [UInt8] {
        var (kept, next) = (Array(bytes[..<2]), 2)
        // Up to the scan.
        while next + 4 <= bytes.count, bytes[next + 1] != 0xDA {
            let end = next + 2 + Int(bytes[next + 2]) << 8 + Int(bytes[next + 3])
            if bytes[next + 1] != marker { kept += bytes[next..<end] }
            next = end
        }
        return kept + bytes[next...]
    }

    /// Returns the file with a segment after its first marker.
    package static func inserting(_ marker: UInt8, _ content: [UInt8], into bytes: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return bytes[..<2] + [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content + bytes[2...]
    }
}
