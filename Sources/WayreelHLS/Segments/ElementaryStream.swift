internal import WayreelCore

/// The description of an audio stream in an `esds` box (ISO/IEC 14496-1 and 14496-3).
package struct ElementaryStream {
    /// The codec name for `CODECS`, such as `mp4a.40.2`: from the object type of the DecoderConfigDescriptor and, for
    /// MPEG-4 audio, that of the AudioSpecificConfig.
    package private(set) var codec: String?
    /// The average bit rate, or the maximum if only that is known; nil if neither is.
    package private(set) var bitRate: Int?

    /// Parses the content of the box, which may be damaged.
    package init(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            // Skip the version and flags of the box.
            guard bytes.count > 4 else { return }
            read(Descriptors(bytes.skipping(4)))
        }
    }

    private mutating func read(_ descriptors: Descriptors) {
        var (descriptors, objectType) = (descriptors, Int?.none)
        while let tag = descriptors.byte(), let length = descriptors.length() {
            switch tag {
            case 3:  // ES_Descriptor; its flags specify which fields follow its number.
                descriptors.skip(2)
                let flags = descriptors.byte() ?? 0
                if flags & 0x80 != 0 { descriptors.skip(2) }
                if flags & 0x40 != 0 { descriptors.skip(descriptors.byte() ?? 0) }
                if flags & 0x20 != 0 { descriptors.skip(2) }
            case 4:  // DecoderConfigDescriptor: the object type, the stream type, a buffer size, two rates.
                objectType = descriptors.byte()
                descriptors.skip(4)
                let (maximum, average) = (descriptors.word(), descriptors.word())
                bitRate = [average, maximum].first { $0 > 0 }
            case 5 where objectType == 0x40:  // DecoderSpecificInfo
                codec = descriptors.audioObjectType().map { "mp4a.40.\($0)" }
                return
            default: descriptors.skip(length)
            }
        }
        codec = objectType.map { "mp4a." + String($0, radix: 16, uppercase: true) }
    }
}

/// Reads the fields of nested descriptors in order, up to the end of the bytes.
private struct Descriptors {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    mutating func byte() -> Int? {
        guard let first = rest.first else { return nil }
        skip(1)
        return Int(first)
    }

    /// Returns 32 bits, or 0 past the end.
    mutating func word() -> Int {
        guard rest.count >= 4 else { return 0 }
        defer { skip(4) }
        return Int(rest.bigEndian32(at: 0))
    }

    mutating func skip(_ count: Int) { rest = rest.skipping(count) }

    /// Returns the length of a descriptor, which is coded in up to four bytes of seven bits each.
    mutating func length() -> Int? {
        var length = 0
        for _ in 0..<4 {
            guard let byte = byte() else { return nil }
            length = length << 7 | byte & 0x7F
            if byte & 0x80 == 0 { break }
        }
        return length
    }

    mutating func audioObjectType() -> Int? {
        guard let first = byte() else { return nil }
        let short = first >> 3
        guard short == 31 else { return short }
        return byte().map { 32 + (first & 7) << 3 + $0 >> 5 }
    }
}
