/// Bytes of hand-made files.
enum FileBytes {
    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }
}

/// A bitmap without compression (Microsoft, "Bitmap Header Types"), written independently of Wayreel's reader.
struct BMPBytes {
    var width: Int
    /// The height; negative if the top row is first.
    var height: Int
    var bits: Int
    /// 40, 108 or 124.
    var headerBytes = 40
    var compression = 0
    /// Red, green, blue, alpha.
    var masks: [Int] = []
    /// Blue, green, red, 0 each.
    var palette: [UInt8] = []
    var pixels: [UInt8]
    var profile: [UInt8] = []

    /// The bytes from the second header on, as in icons.
    var bitmap: [UInt8] {
        let l = FileBytes.little
        var header = l(headerBytes, 4) + l(width, 4) + l(height, 4) + l(1, 2) + l(bits, 2) + l(compression, 4)
        header += l(0, 12) + l(palette.count / 4, 4) + l(0, 4)
        let words = masks.flatMap { l($0, 4) }
        if headerBytes > 40 {
            header += words
            header += [UInt8](repeating: 0, count: headerBytes - header.count)
            if !profile.isEmpty {
                header.replaceSubrange(56..<60, with: l(0x4D42_4544, 4))
                header.replaceSubrange(
                    112..<120, with: l(headerBytes + palette.count + pixels.count, 4) + l(profile.count, 4))
            }
        } else {
            header += words
        }
        return header + palette + pixels + profile
    }

    var file: [UInt8] {
        let l = FileBytes.little
        let start = 14 + bitmap.count - pixels.count - profile.count
        return Array("BM".utf8) + l(14 + bitmap.count, 4) + l(0, 4) + l(start, 4) + bitmap
    }
}

/// An uncompressed TIFF file with one byte per pixel.
struct TIFFBytes {
    var width: Int, height: Int
    var pixels: [UInt8]
    /// Further fields: tag, type, count, value.
    var fields: [[Int]] = []
    /// The fields of the EXIF directory.
    var capture: [[Int]] = []
    /// Bytes that the fields may refer to, at ``dataOffset``.
    var data: [UInt8] = []

    static let dataOffset = 8

    var file: [UInt8] {
        let l = FileBytes.little
        func directory(_ fields: [[Int]]) -> [UInt8] {
            let sorted = fields.sorted { $0[0] < $1[0] }
            return l(fields.count, 2) + sorted.flatMap { l($0[0], 2) + l($0[1], 2) + l($0[2], 4) + l($0[3], 4) }
                + l(0, 4)
        }
        var body = data + pixels
        if body.count % 2 == 1 { body.append(0) }
        let start = Self.dataOffset + body.count
        let exif = capture.isEmpty ? [] : directory(capture)
        let image = [
            [256, 3, 1, width], [257, 3, 1, height], [258, 3, 1, 8], [259, 3, 1, 1], [277, 3, 1, 1],
            [273, 4, 1, Self.dataOffset + data.count], [278, 3, 1, height], [279, 4, 1, pixels.count],
        ]
        let link = capture.isEmpty ? [] : [[34665, 4, 1, start]]
        return Array("II*\0".utf8) + l(start + exif.count, 4) + body + exif + directory(image + fields + link)
    }
}

/// A Targa file without compression.
struct TGABytes {
    var type: UInt8
    var width: Int, height: Int
    var bits: UInt8
    /// 0x20 for the top row first, with the bits of alpha.
    var descriptor: UInt8
    var pixels: [UInt8]
    /// The extension area's attributes type; nil for no extension area.
    var attributes: UInt8?

    var file: [UInt8] {
        let l = FileBytes.little
        var bytes: [UInt8] = [0, 0, type, 0, 0, 0, 0, 0] + l(0, 4) + l(width, 2) + l(height, 2) + [bits, descriptor]
        bytes += pixels
        guard let attributes else { return bytes }
        let area = bytes.count
        bytes += l(495, 2) + [UInt8](repeating: 0, count: 492) + [attributes]
        return bytes + l(area, 4) + l(0, 4) + Array("TRUEVISION-XFILE.\0".utf8)
    }
}

/// A Photoshop document without layers (Adobe, "Photoshop File Formats Specification").
struct PSDBytes {
    var width: Int, height: Int
    /// Samples of `depth` bits, one plane per channel.
    var channels: [[Int]]
    var depth = 8
    var mode: Int
    var profile: [UInt8] = []
    /// Written into the layer section, if there is one: for 8 bits at its beginning, for others in a block.
    var layerCount: Int?
    /// Packs rows into runs and literals of one byte.
    var isPacked = false

    var file: [UInt8] {
        let b = FileBytes.big
        var bytes = Array("8BPS".utf8) + b(1, 2) + b(0, 6) + b(channels.count, 2) + b(height, 4) + b(width, 4)
        bytes += b(depth, 2) + b(mode, 2) + b(0, 4)
        let padded = profile + (profile.count % 2 == 1 ? [0] : [])
        let resource = Array("8BIM".utf8) + b(1039, 2) + [0, 0] + b(profile.count, 4) + padded
        let other = Array("8BIM".utf8) + b(1005, 2) + [3, 0x61, 0x62, 0x63] + b(3, 4) + [1, 2, 3, 0]
        bytes += profile.isEmpty ? b(0, 4) : b(other.count + resource.count, 4) + other + resource
        let name = Array("8BIM\(depth == 32 ? "Lr32" : "Lr16")".utf8)
        let pattern = Array("8BIMPatt".utf8) + b(3, 4) + [1, 2, 3, 0]
        let layers = layerCount.map { count in
            depth == 8
                ? b(2, 4) + b(count, 2) : b(0, 4) + b(1, 4) + [9] + pattern + name + b(2, 4) + b(count, 2) + b(0, 2)
        }
        bytes += layers.map { b($0.count, 4) + $0 } ?? b(0, 4)
        let rows = channels.flatMap { plane in
            (0..<height).map { y in plane[y * width..<(y + 1) * width].flatMap { b($0, depth / 8) } }
        }
        guard isPacked else { return bytes + b(0, 2) + rows.flatMap(\.self) }
        // A literal of one byte, then runs of the others, each of length 2 − 1 = 1 if bytes differ.
        let packed = rows.map { row -> [UInt8] in
            var (out, i) = ([UInt8](), 0)
            while i < row.count {
                var end = i
                while end < row.count, row[end] == row[i], end - i < 128 { end += 1 }
                out += end - i == 1 ? [0, row[i]] : [UInt8(truncatingIfNeeded: 1 - (end - i)), row[i]]
                i = end
            }
            return out
        }
        return bytes + b(1, 2) + packed.flatMap { b($0.count, 2) } + packed.flatMap(\.self)
    }
}
