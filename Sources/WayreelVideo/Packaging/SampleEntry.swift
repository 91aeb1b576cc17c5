internal import WayreelCore

/// What the init segment of a fragmented MP4 file says about a track.
struct SampleEntry: Hashable {
    /// The code of the format: `avc1`, `hvc1`, `mp4a`.
    var format: String
    /// As in `CODECS` (RFC 6381); nil where it is not known how.
    var codec: String?
    /// Of pictures, as coded.
    var size: PixelSize?
    /// Bytes of the length in front of each NAL unit; nil where there are none.
    var nalLengthSize: Int?
    /// Of sounds, in bits per second; nil where it is not told.
    var bitRate: Int?

    /// The tracks of an init segment.
    static func list(_ bytes: [UInt8]) -> [SampleEntry] {
        guard let movie = MP4Box.list(bytes).first(where: { $0.type == "moov" }) else { return [] }
        return movie.boxes(bytes).filter { $0.type == "trak" }.compactMap { SampleEntry($0, bytes) }
    }

    private init?(_ track: MP4Box, _ bytes: [UInt8]) {
        guard let media = track.first("mdia", in: bytes),
            let description = media.first("minf", "stbl", "stsd", in: bytes),
            let entry = description.boxes(bytes, skipping: 8).first
        else { return nil }
        format = entry.type
        // What stands in front of the boxes of a visual and of a sound sample entry.
        let isVisual = media.first("minf", "vmhd", in: bytes) != nil
        let boxes = entry.boxes(bytes, skipping: isVisual ? 78 : 28)
        if isVisual {
            var cursor = ByteCursor(bytes, entry.content.dropFirst(24))
            if let width = cursor.number(2), let height = cursor.number(2) {
                size = PixelSize(width: width, height: height)
            }
        }
        for box in boxes {
            let content = Array(bytes[box.content])
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
            case "dac3": codec = "ac-3"
            case "dec3": codec = "ec-3"
            default: break
            }
        }
    }
}
