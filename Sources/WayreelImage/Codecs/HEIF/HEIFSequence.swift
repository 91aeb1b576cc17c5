internal import WayreelAV
internal import WayreelCore

/// An image sequence of a HEIF file, with inter-frame prediction and alpha (ISO/IEC 23008-12, section 7).
struct HEIFSequence {
    let color: HEIFTrack
    /// The alpha track, with the same size and number of frames.
    let alpha: HEIFTrack?
    let isPremultiplied: Bool

    var frameCount: Int { color.samples.count }

    /// The supported sequence with the most frames in `file`; nil if there is none.
    init?(longestIn file: MediaBytes) {
        let boxes = ISOBoxes(ISOBox.first("moov", in: file.buffer)).lazy.filter { $0.type == "trak" }.prefix(64)
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
/// Invalid parts are ignored, as in ``HEIFFile``.
struct HEIFTrack {
    /// The file, which the track points into.
    let file: MediaBytes
    let id: Int
    let codec: CodedImageDecoder.Codec
    /// The `hvcC` or `av1C` payload.
    let configuration: UnsafeRawBufferPointer
    let size: PixelSize
    /// Further properties of the frames: colour, clean aperture, rotation.
    let properties: [HEIFItem.Property]
    /// The rotation by the track's matrix (section 8.3.2), besides that of the frames' properties.
    let orientation: Orientation
    let samples: SampleTable
    /// Whether it is not shown independently.
    let isAuxiliary: Bool
    let isAlpha: Bool
    private let body: UnsafeRawBufferPointer

    private static let codecs: [String: CodedImageDecoder.Codec] = ["hvc1": .hevc, "hev1": .hevc, "av01": .av1]
    /// Bytes before the boxes of a visual sample entry (section 12.1.3).
    private static let entryBytes = 78

    /// `body` of a `trak` box; nil for unsupported tracks.
    init?(_ body: UnsafeRawBufferPointer, file: MediaBytes) {
        (self.file, self.body) = (file, body)
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
        let isLong = header.read(1) == 1
        header.skip(isLong ? 3 + 16 : 3 + 8)
        id = header.read(4)
        // Reserved bytes and the duration; then reserved bytes, layer, group and volume.
        header.skip(isLong ? 4 + 8 + 16 : 4 + 4 + 16)
        let matrix = (0..<9).map { _ in Int(Int32(truncatingIfNeeded: header.read(4))) }
        orientation =
            header.isPastEnd
            ? .upright : Orientation(xAxis: (matrix[0], matrix[1]), yAxis: (matrix[3], matrix[4]))
        var handler = ByteCursor(ISOBox.first("hdlr", in: media))
        handler.skip(8)
        isAuxiliary = handler.readType() == "auxv"
        // Same layout as the `auxC` property of an item.
        var purpose = ByteCursor(
            boxes.first { $0.type == "auxi" }?.body ?? UnsafeRawBufferPointer(start: nil, count: 0))
        purpose.skip(4)
        isAlpha = isAuxiliary && HEIFPurpose(urn: purpose.readText()) == .alpha
        guard let samples = SampleTable(table, file: file.buffer), size.width > 0, size.height > 0 else { return nil }
        self.samples = samples
    }

    /// Returns the tracks that this one references with `type` (section 8.3.3).
    func references(_ type: String) -> [Int] {
        let box = ISOBox.first(type, in: ISOBox.first("tref", in: body))
        return stride(from: 0, to: box.count / 4 * 4, by: 4).prefix(64).map { Int(box.bigEndian32(at: $0)) }
    }

    /// Returns the samples needed for frame `index` in display order, starting with a keyframe and ending with the
    /// frame itself.
    func samples(of index: Int) -> [UnsafeRawBufferPointer] { samples.needed(for: index).map { samples.data(of: $0) } }
}
