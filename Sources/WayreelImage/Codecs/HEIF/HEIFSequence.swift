internal import WayreelAV
internal import WayreelCore

/// An image sequence of a HEIF file: frames, which may build on each other, and their alpha (ISO/IEC 23008-12, section 7).
struct HEIFSequence {
    let color: HEIFTrack
    /// Of the same size and with as many frames.
    let alpha: HEIFTrack?
    let isPremultiplied: Bool

    var frameCount: Int { color.samples.count }

    /// The sequence with the most frames in `file`; nil where there is none that is understood.
    init?(longestIn file: UnsafeRawBufferPointer) {
        let boxes = ISOBoxes(ISOBox.first("moov", in: file)).lazy.filter { $0.type == "trak" }.prefix(64)
        let tracks = boxes.compactMap { HEIFTrack($0.body, file: file) }
        let shown = tracks.filter { !$0.isAuxiliary }
        guard let color = shown.max(by: { $0.samples.count < $1.samples.count }) else { return nil }
        self.color = color
        alpha = tracks.first { track in
            track.isAlpha && track.references("auxl").contains(color.id) && track.size == color.size
                && track.samples.count == color.samples.count
        }
        isPremultiplied = alpha.map { color.references("prem").contains($0.id) } ?? false
    }
}

/// A track of coded images (ISO/IEC 14496-12, section 8.3).
///
/// Nothing is trusted, as in ``HEIFFile``. The bytes must outlive the value.
struct HEIFTrack {
    let id: Int
    let codec: CodedImageDecoder.Codec
    /// The body of the `hvcC` or `av1C` box.
    let configuration: UnsafeRawBufferPointer
    let size: PixelSize
    /// What else is said of the frames: colours.
    let properties: [HEIFItem.Property]
    let samples: SampleTable
    /// Whether it is not meant to be shown by itself.
    let isAuxiliary: Bool
    let isAlpha: Bool
    private let body: UnsafeRawBufferPointer

    private static let codecs: [String: CodedImageDecoder.Codec] = ["hvc1": .hevc, "hev1": .hevc, "av01": .av1]
    /// In front of the boxes of a visual sample entry (section 12.1.3).
    private static let entryBytes = 78

    /// `body` of a `trak` box; nil where it is none of images that are decoded here.
    init?(_ body: UnsafeRawBufferPointer, file: UnsafeRawBufferPointer) {
        self.body = body
        let media = ISOBox.first("mdia", in: body)
        let table = ["minf", "stbl"].reduce(media) { ISOBox.first($1, in: $0) }
        let descriptions = ISOBox.first("stsd", in: table)
        guard descriptions.count > 8,
            let entry = ISOBoxes(UnsafeRawBufferPointer(rebasing: descriptions.dropFirst(8))).first(where: { _ in true }
            ),
            let codec = Self.codecs[entry.type], entry.body.count > Self.entryBytes
        else { return nil }
        self.codec = codec
        size = PixelSize(width: Int(entry.body.bigEndian16(at: 24)), height: Int(entry.body.bigEndian16(at: 26)))
        let boxes = Array(ISOBoxes(UnsafeRawBufferPointer(rebasing: entry.body.dropFirst(Self.entryBytes))).prefix(32))
        guard let configuration = boxes.first(where: { $0.type == (codec == .hevc ? "hvcC" : "av1C") })?.body else {
            return nil
        }
        self.configuration = configuration
        properties = boxes.map { HEIFItem.Property(value: HEIFProperty($0), isEssential: false) }
        var header = ByteCursor(ISOBox.first("tkhd", in: body))
        header.skip(header.read(1) == 1 ? 3 + 16 : 3 + 8)
        id = header.read(4)
        var handler = ByteCursor(ISOBox.first("hdlr", in: media))
        handler.skip(8)
        isAuxiliary = handler.readType() == "auxv"
        // Laid out as the `auxC` property of an item is.
        var purpose = ByteCursor(
            boxes.first { $0.type == "auxi" }?.body ?? UnsafeRawBufferPointer(start: nil, count: 0))
        purpose.skip(4)
        isAlpha = isAuxiliary && HEIFPurpose(urn: purpose.readText()) == .alpha
        guard let samples = SampleTable(table, file: file), size.width > 0, size.height > 0 else { return nil }
        self.samples = samples
    }

    /// The tracks that this one refers to in the way that `type` names (section 8.3.3).
    func references(_ type: String) -> [Int] {
        let box = ISOBox.first(type, in: ISOBox.first("tref", in: body))
        return stride(from: 0, to: box.count / 4 * 4, by: 4).prefix(64).map { Int(box.bigEndian32(at: $0)) }
    }

    /// What frame `index`, in the order of display, is decoded from, itself the last: all from a frame that stands alone on.
    func samples(of index: Int) -> [UnsafeRawBufferPointer] { samples.needed(for: index).map { samples.data(of: $0) } }
}
