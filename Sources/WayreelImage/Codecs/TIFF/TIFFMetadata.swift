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

    /// Reads the directory at an offset; ignores values outside the file.
    init(_ bytes: UnsafeRawBufferPointer, directory offset: Int) {
        guard let file = TIFFDirectories(bytes) else { return }
        let fields = file.fields(at: offset)
        func value(_ tag: Int) -> [UInt8]? {
            fields.first { $0.tag == tag && $0.value.count <= Self.maxValue }.map { Array(bytes[$0.value]) }
        }
        profile = value(Tag.profile)
        xmp = value(Tag.xmp)
        let resources = value(Tag.photoshop)?.withUnsafeBytes { IPTCBlock(PhotoshopResources($0)) }
        iptc = value(Tag.iptc).map { IPTCBlock(Self.inFileOrder($0), digest: resources?.digest) } ?? resources

        let described = fields.filter { Tag.descriptive.contains($0.tag) }
        let directories = [Tag.exif, Tag.location].compactMap { tag in
            fields.first { $0.tag == tag }.flatMap(file.number).map { offset in
                (tag, file.fields(at: offset).filter { $0.tag != Tag.makerNote })
            }
        }
        // Values of a valid file do not overlap; those of others would take any amount of memory.
        let all = described + directories.flatMap(\.1)
        guard all.reduce(0, { $0 + 12 + $1.value.count }) <= bytes.count else { return }
        var kept = described.compactMap(file.copied)
        for (tag, children) in directories {
            let children = children.compactMap(file.copied)
            guard !children.isEmpty else { continue }
            kept.append(TIFFBlockWriter.Field(tag: UInt16(tag), type: 4, count: 1, value: .directory(children)))
        }
        if !kept.isEmpty { exif = TIFFBlockWriter.block(kept, isLittleEndian: file.isLittleEndian) }
    }

    /// Restores the byte order of IIM records that some programs write as 32-bit numbers in machine order.
    private static func inFileOrder(_ records: [UInt8]) -> [UInt8] {
        guard records.count >= 4, records[0] != 0x1C, records[3] == 0x1C else { return records }
        return stride(from: 0, to: records.count, by: 4).flatMap { records[$0..<min($0 + 4, records.count)].reversed() }
    }
}
