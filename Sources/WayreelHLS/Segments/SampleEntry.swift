internal import WayreelCore

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
