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

/// Inspects coded frames.
enum AccessUnit {
    /// Whether decoding can start with this access unit, and nothing before it is needed for later frames in any
    /// order: an IDR frame of H.264 or HEVC, or for other codecs a packet that is marked as a keyframe.
    ///
    /// NAL units are preceded by lengths of `lengthSize` bytes or, if that is nil, by start codes.
    static func isIndependent(
        _ bytes: UnsafeRawBufferPointer, codec: String, lengthSize: Int?, isKeyFrame: Bool
    ) -> Bool {
        guard let format = NALFormat.all[codec] else { return isKeyFrame }
        return firstSliceType(bytes, format, lengthSize: lengthSize).map(format.idrTypes.contains) ?? false
    }

    /// Returns the type of the first NAL unit that is a slice.
    private static func firstSliceType(
        _ bytes: UnsafeRawBufferPointer, _ format: NALFormat, lengthSize: Int?
    ) -> UInt8? {
        var offset = 0
        while true {
            var length: Int?
            if let lengthSize {
                guard lengthSize < bytes.count - offset else { return nil }
                length = bytes[offset..<offset + lengthSize].reduce(0) { $0 << 8 | Int($1) }
                offset += lengthSize
            } else {
                // Find the start code 00 00 01.
                while bytes.count - offset > 3, bytes[offset] != 0 || bytes[offset + 1] != 0 || bytes[offset + 2] != 1 {
                    offset += 1
                }
                guard bytes.count - offset > 3 else { return nil }
                offset += 3
            }
            let type = format.type(bytes[offset])
            if format.sliceTypes.contains(type) { return type }
            guard let length else { continue }
            guard length < bytes.count - offset else { return nil }
            offset += length
        }
    }
}

/// The storage of access units as NAL units in a codec of ITU-T.
struct NALFormat {
    /// The offset of the byte in the decoder configuration (ISO/IEC 14496-15) whose lowest two bits are the size of NAL
    /// lengths minus one.
    let lengthSizeOffset: Int
    /// The NAL unit types of instantaneous decoder refreshes.
    let idrTypes: ClosedRange<UInt8>
    /// The NAL unit types of slices.
    let sliceTypes: ClosedRange<UInt8>
    /// The type in the first byte of a NAL unit.
    let type: @Sendable (UInt8) -> UInt8

    /// The formats by FFmpeg's codec names.
    static let all: [String: NALFormat] = [
        // ITU-T H.264, table 7-1.
        "h264": NALFormat(lengthSizeOffset: 4, idrTypes: 5...5, sliceTypes: 1...5, type: { $0 & 0x1F }),
        // ITU-T H.265, table 7-1.
        "hevc": NALFormat(lengthSizeOffset: 21, idrTypes: 19...20, sliceTypes: 0...31, type: { $0 >> 1 & 0x3F }),
    ]

    /// Returns the size of NAL lengths in a decoder configuration, or nil if it is not one, in which case NAL units
    /// have start codes.
    func lengthSize(_ configuration: some Collection<UInt8>) -> Int? {
        guard configuration.count > lengthSizeOffset, configuration.first == 1 else { return nil }
        return Int(configuration[configuration.index(configuration.startIndex, offsetBy: lengthSizeOffset)] & 3) + 1
    }
}

/// The syntax of NAL units, of H.264 (ITU-T H.264, 7.4.1) and HEVC (ITU-T H.265, 7.4.2).
package enum NALSyntax {
    /// Whether the NAL units of an access unit could have been written by an encoder, which inserts a 3 between two
    /// zero bytes and a byte below 4, so that no data looks like a start code. This detects zeros that replaced data,
    /// which decoders often show as a frame.
    ///
    /// NAL units are preceded by lengths of `lengthSize` bytes or, if that is nil, by start codes.
    package static func isValid(_ bytes: UnsafeRawBufferPointer, lengthSize: Int?) -> Bool {
        guard let lengthSize else { return !holdsForbiddenBytes(bytes[...], startCodes: true) }
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count > lengthSize else { return false }
            let length = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(lengthSize)
            guard length > 0, length <= rest.count, !holdsForbiddenBytes(rest.prefix(length), startCodes: false) else {
                return false
            }
            rest = rest.dropFirst(length)
        }
        return true
    }

    /// Zeros at the end are ignored: a muxer may have copied them from a stream with start codes.
    private static func holdsForbiddenBytes(_ bytes: Slice<UnsafeRawBufferPointer>, startCodes: Bool) -> Bool {
        var zeros = 0
        for byte in bytes {
            guard byte != 0 else {
                zeros += 1
                continue
            }
            if zeros > 1, !(startCodes && byte == 1), zeros > 2 || byte < 3 { return true }
            zeros = 0
        }
        return false
    }
}

/// The description of a track in the init segment of a fragmented MP4 file.
struct SampleEntry: Hashable {
    /// The code of the format: `avc1`, `hvc1`, `mp4a`.
    var format: String
    /// The codec name for `CODECS` (RFC 6381); nil if it is unknown.
    var codec: String?
    /// The scheme of Common Encryption: `cenc`, `cbcs`; the format if it names none; nil if it is not encrypted.
    var encryption: String?
    /// The coded size of video.
    var size: PixelSize?
    /// The size of NAL lengths in bytes; nil if there are no NAL units.
    var nalLengthSize: Int?
    /// The bit rate of audio; nil if it is unknown.
    var bitRate: Int?

    /// Returns the sample entries of the tracks in an init segment.
    static func list(_ bytes: [UInt8]) -> [SampleEntry] {
        bytes.withUnsafeBytes { bytes in
            guard let movie = bytes.wholeBox("moov") else { return [] }
            return movie.wholeBoxes.filter { $0.type == "trak" }.compactMap { SampleEntry(track: $0.body) }
        }
    }

    private static let encryptedFormats: Set = ["encv", "enca"]

    private init?(track: UnsafeRawBufferPointer) {
        guard let media = track.wholeBox("mdia"), let information = media.wholeBox("minf"),
            let descriptions = information.wholeBox("stbl")?.wholeBox("stsd"),
            let entry = descriptions.skipping(8).wholeBoxes.first
        else { return nil }
        format = entry.type
        encryption = Self.encryptedFormats.contains(format) ? format : nil
        // Skip the fields before the boxes of a visual and of an audio sample entry.
        let isVisual = information.wholeBox("vmhd") != nil
        if isVisual, entry.body.count >= 28 {
            size = PixelSize(
                width: Int(entry.body.bigEndian16(at: 24)), height: Int(entry.body.bigEndian16(at: 26)))
        }
        for box in entry.body.skipping(isVisual ? 78 : 28).wholeBoxes {
            let content = Array(box.body)
            switch box.type {
            case "avcC" where content.count > 4:
                codec = CodecString.avc(format, profile: content[1], constraints: content[2], level: content[3])
                nalLengthSize = Int(content[4] & 3) + 1
            case "hvcC" where content.count > 21:
                codec = CodecString.hevc(format, configuration: content)
                nalLengthSize = Int(content[21] & 3) + 1
            case "av1C" where content.count > 3: codec = CodecString.av1(configuration: content)
            case "esds":
                let stream = ElementaryStream(content)
                (codec, bitRate) = (stream.codec, stream.bitRate)
            case "sinf":
                // After the version and flags.
                let scheme = box.body.wholeBox("schm")?.skipping(4).prefix(4)
                if let scheme, encryption != nil { encryption = String(decoding: scheme, as: UTF8.self) }
            case "dac3": codec = "ac-3"
            case "dec3": codec = "ec-3"
            default: break
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The boxes up to the first one that is truncated.
    var wholeBoxes: [ISOBox] { Array(ISOBoxes(self).prefix { !$0.isTruncated }) }

    /// Returns the body of the first box of a type, or nil if there is none.
    func wholeBox(_ type: String) -> UnsafeRawBufferPointer? { wholeBoxes.first { $0.type == type }?.body }

    /// Returns the bytes after the first `count`; none if there are fewer.
    func skipping(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: dropFirst(count)) }
}
