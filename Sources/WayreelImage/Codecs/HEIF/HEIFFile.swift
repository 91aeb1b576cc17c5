internal import WayreelCore

/// The items of a HEIF file: coded images, derived images and metadata (ISO/IEC 14496-12, section 8.11; ISO/IEC
/// 23008-12).
///
/// Invalid and truncated parts are ignored. The bytes must outlive the value.
struct HEIFFile {
    /// The item to read: the primary one unless another is chosen. If the primary item is a thumbnail, its master
    /// image, as in libheif. No item if the file is only an image sequence.
    private(set) var primary: Int
    let items: [Int: HEIFItem]
    /// Images shown independently, by item ID.
    private(set) var topLevelImages: [Int] = []
    let references: HEIFReferences
    /// The longest image sequence in the file (ISO/IEC 23008-12, section 7) with a supported codec.
    let sequence: HEIFSequence?
    /// Number of frames of the longest image sequence with any codec; 0 without one.
    let sequenceFrames: Int
    private let locations: HEIFLocations
    /// The size of the file.
    let byteCount: Int

    /// Returns nil without a primary item and without an image sequence.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let box = ISOBoxes(bytes).first { $0.type == "meta" }
        let meta =
            box.map { UnsafeRawBufferPointer(rebasing: $0.body.dropFirst(4)) }
            ?? UnsafeRawBufferPointer(start: nil, count: 0)
        var pitm = ByteCursor(ISOBox.first("pitm", in: meta))
        let version = pitm.read(1)
        pitm.skip(3)
        primary = pitm.read(version == 0 ? 2 : 4)
        byteCount = bytes.count
        items = HEIFItem.items(in: meta)
        sequence = HEIFSequence(longestIn: bytes)
        sequenceFrames = Self.sequenceFrames(ISOBox.first("moov", in: bytes))
        let hasImage = !pitm.isPastEnd && items[primary] != nil
        guard hasImage || sequenceFrames > 0 else { return nil }
        let references = HEIFReferences(ISOBox.first("iref", in: meta))
        self.references = references
        locations = HEIFLocations(
            iloc: ISOBox.first("iloc", in: meta), idat: ISOBox.first("idat", in: meta), file: bytes,
            sources: references.targets("iloc"))
        if let original = original(of: primary) { primary = original }
        topLevelImages = findTopLevelImages()
    }

    /// Whether the file has a still image; false if it is only an image sequence.
    var hasImage: Bool { items[primary] != nil }

    /// Selects image `page` (from 1). Throws a `parameter` error if it does not exist.
    func choosing(page: Int, limits: Limits) throws(MediaError) -> HEIFFile {
        try limits.check(page: page, of: topLevelImages.count)
        var chosen = self
        chosen.primary = topLevelImages[page - 1]
        return chosen
    }

    /// Returns the bytes of an item.
    func data(of item: Int) -> HEIFData { locations.data(of: item) }

    /// Returns the items that `item` refers to.
    func targets(_ type: String, of item: Int) -> [Int] { references.targets(type, of: item) }

    /// Returns the items that refer to `item`.
    func sources(_ type: String, of item: Int) -> [Int] { references.sources(type, of: item) }

    /// Counts the sample sizes of each track (ISO/IEC 14496-12, section 8.7.3).
    private static func sequenceFrames(_ moov: UnsafeRawBufferPointer) -> Int {
        ISOBoxes(moov).lazy.filter { $0.type == "trak" }.prefix(64).map { track in
            let table = ["mdia", "minf", "stbl", "stsz"].reduce(track.body) { ISOBox.first($1, in: $0) }
            var cursor = ByteCursor(table)
            cursor.skip(8)
            return cursor.read(4)
        }.max() ?? 0
    }
}
