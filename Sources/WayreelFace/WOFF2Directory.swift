internal import WayreelCore

/// The tables that a WOFF2 file names, without its compression.
///
/// Source: W3C WOFF 2.0, section 4.1 (the directory) and table 3 (the known tags).
struct WOFF2Directory {
    /// The tags of those that matter here: of outlines and of colours. Others have no name.
    private(set) var tags: Set<String> = []
    /// What all tables have without their compression, in bytes.
    private(set) var byteCount = 0
    /// Whether it holds several fonts.
    private(set) var isCollection = false

    private static let known = [
        10: "glyf", 11: "loca", 32: "CBDT", 33: "CBLC", 34: "COLR", 36: "SVG ", 37: "sbix",
    ]

    /// Returns nil if the directory is cut off or damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var cursor = ByteCursor(bytes)
        cursor.skip(4)
        isCollection = cursor.readType() == "ttcf"
        cursor.skip(4)
        let count = cursor.read(2)
        cursor.skip(34)
        for _ in 0..<count {
            let flags = cursor.read(1)
            let number = flags & 0x3F
            let tag = number == 0x3F ? cursor.readType() : Self.known[number] ?? ""
            guard var length = Self.number(&cursor) else { return nil }
            // Version 3 of these, and 0 of all others, is the table as it is.
            let isTransformed = ["glyf", "loca"].contains(tag) ? flags >> 6 != 3 : flags >> 6 != 0
            if isTransformed {
                guard let transformed = Self.number(&cursor) else { return nil }
                length = transformed
            }
            byteCount += length
            if !tag.isEmpty { tags.insert(tag) }
        }
        guard !cursor.isPastEnd, count > 0 else { return nil }
    }

    /// Reads a `UIntBase128`: seven bits in each of at most five bytes.
    private static func number(_ cursor: inout ByteCursor) -> Int? {
        var value = 0
        for index in 0..<5 {
            let byte = cursor.read(1)
            if index == 0, byte == 0x80 { return nil }
            value = value << 7 | byte & 0x7F
            if byte < 0x80 { return value <= UInt32.max ? value : nil }
        }
        return nil
    }
}
