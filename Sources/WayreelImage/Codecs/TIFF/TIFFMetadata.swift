internal import WayreelCore

/// Metadata of a TIFF directory: profile, XMP, IPTC, and EXIF fields, of classic TIFF and BigTIFF.
struct TIFFMetadata {
    private(set) var profile: [UInt8]?
    private(set) var xmp: [UInt8]?
    private(set) var iptc: IPTCBlock?
    /// An EXIF block as in JPEG, with the directory's descriptive fields and the EXIF and GPS directories.
    private(set) var exif: [UInt8]?

    private enum Tag {
        static let xmp = 700
        static let iptc = 33723
        static let photoshop = 34377
        static let profile = 34675
        static let exif = 34665
        static let location = 34853
        static let makerNote = 37500
        /// Title, make, model, software, date, artist, computer, copyright.
        static let descriptive: Set = [270, 271, 272, 305, 306, 315, 316, 33432]
    }

    /// Max size of a copied value.
    private static let maxValue = 16 << 20
    /// Max size of a copied EXIF field.
    private static let maxField = 64 << 10

    /// Reads the directory at an offset; ignores values outside the file.
    init(_ file: TIFFBlock?, directory offset: Int) {
        guard let file else { return }
        let fields = file.directory(at: offset).fields
        func value(_ tag: Int) -> [UInt8]? {
            fields.first { $0.tag == tag && $0.value.count <= Self.maxValue }.map(file.bytes(of:))
        }
        profile = value(Tag.profile)
        xmp = value(Tag.xmp)
        let resources = value(Tag.photoshop)?.withUnsafeBytes { IPTCBlock(PhotoshopResources($0)) }
        iptc = value(Tag.iptc).map { IPTCBlock(Self.inFileOrder($0), digest: resources?.digest) } ?? resources

        let described = fields.filter { Tag.descriptive.contains($0.tag) }
        let directories = [Tag.exif, Tag.location].compactMap { tag in
            fields.first { $0.tag == tag }.flatMap(file.integer).map { offset in
                (tag, file.directory(at: offset).fields.filter { $0.tag != Tag.makerNote })
            }
        }
        // Values of a valid file do not overlap; those of others would take any amount of memory.
        let all = described + directories.flatMap(\.1)
        guard all.reduce(0, { $0 + 12 + $1.value.count }) <= file.bytes.count else { return }
        /// Converts a field to classic TIFF; nil for long values and BigTIFF types.
        func copied(_ field: TIFFBlock.Field) -> TIFFBlockWriter.Field? {
            guard field.value.count <= Self.maxField, field.type < 14 || field.type == 129 else { return nil }
            return file.copied(field)
        }
        var kept = described.compactMap(copied)
        for (tag, children) in directories {
            let children = children.compactMap(copied)
            guard !children.isEmpty else { continue }
            kept.append(TIFFBlockWriter.Field(tag: tag, type: 4, count: 1, value: .directory(children)))
        }
        if !kept.isEmpty { exif = TIFFBlockWriter.block(kept, isLittleEndian: file.isLittleEndian) }
    }

    /// Restores the byte order of IIM records that some programs write as 32-bit numbers in machine order.
    private static func inFileOrder(_ records: [UInt8]) -> [UInt8] {
        guard records.count >= 4, records[0] != 0x1C, records[3] == 0x1C else { return records }
        return stride(from: 0, to: records.count, by: 4).flatMap { records[$0..<min($0 + 4, records.count)].reversed() }
    }
}
