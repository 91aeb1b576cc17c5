/// What an `esds` box says of a sound (ISO/IEC 14496-1 and 14496-3).
package struct ElementaryStream {
    /// As in `CODECS`: `mp4a.40.2`, by the object type of its DecoderConfigDescriptor and, for MPEG-4 audio, that of its
    /// AudioSpecificConfig.
    package private(set) var codec: String?
    /// Bits per second on average, or at most where only that is told; nil where neither is.
    package private(set) var bitRate: Int?

    /// From the content of the box, which may be damaged.
    package init(_ bytes: [UInt8]) {
        var cursor = ByteCursor(bytes, 0..<bytes.count)
        cursor.skip(4)
        var objectType: Int?
        while let tag = cursor.number(1), let length = Self.length(&cursor) {
            switch tag {
            case 3:  // ES_Descriptor; its flags say what stands behind its number.
                cursor.skip(2)
                let flags = cursor.number(1) ?? 0
                if flags & 0x80 != 0 { cursor.skip(2) }
                if flags & 0x40 != 0 { cursor.skip(cursor.number(1) ?? 0) }
                if flags & 0x20 != 0 { cursor.skip(2) }
            case 4:  // DecoderConfigDescriptor: the type, that of the stream, the size of a buffer, two rates.
                objectType = cursor.number(1)
                cursor.skip(4)
                let (most, average) = (cursor.number(4) ?? 0, cursor.number(4) ?? 0)
                bitRate = [average, most].first { $0 > 0 }
            case 5 where objectType == 0x40:  // DecoderSpecificInfo
                codec = Self.audioObjectType(&cursor).map { "mp4a.40.\($0)" }
                return
            default: cursor.skip(length)
            }
        }
        codec = objectType.map { "mp4a." + String($0, radix: 16, uppercase: true) }
    }

    private static func audioObjectType(_ cursor: inout ByteCursor) -> Int? {
        guard let first = cursor.number(1) else { return nil }
        let short = first >> 3
        guard short == 31 else { return short }
        return cursor.number(1).map { 32 + (first & 7) << 3 + $0 >> 5 }
    }

    private static func length(_ cursor: inout ByteCursor) -> Int? {
        var length = 0
        for _ in 0..<4 {
            guard let byte = cursor.number(1) else { return nil }
            length = length << 7 | byte & 0x7F
            if byte & 0x80 == 0 { break }
        }
        return length
    }
}
