internal import WayreelCore

/// The directories of a TIFF file, classic or BigTIFF, and of raw photos that are built like one. The bytes must outlive
/// the value; values outside the file are ignored.
struct TIFFDirectories {
    struct Field {
        let tag: Int
        let type: Int
        let count: Int
        let value: Range<Int>
    }

    let bytes: UnsafeRawBufferPointer
    let isLittleEndian: Bool
    private let isBig: Bool

    /// Max size of a copied value.
    private static let maxField = 64 << 10

    /// Reads the byte order; nil for a file that is too small.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 16 else { return nil }
        isLittleEndian = bytes[0] == 0x49
        self.bytes = bytes
        isBig = bytes[isLittleEndian ? 2 : 3] == 43
    }

    /// The offset of the first directory.
    var first: Int { isBig ? number(at: 8, size: 8) : number(at: 4, size: 4) }

    /// Returns an unsigned number; the caller checks the offset.
    func number(at offset: Int, size: Int) -> Int {
        let digits = bytes[offset..<offset + size]
        let value =
            isLittleEndian
            ? digits.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            : digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(clamping: value)
    }

    /// Returns the only value of a field of unsigned integers.
    func number(_ field: Field) -> Int? { field.count == 1 ? numbers(field, max: 1).first : nil }

    /// Returns up to `max` values of a field of unsigned integers.
    func numbers(_ field: Field, max: Int) -> [Int] {
        guard [3, 4, 13, 16, 18].contains(field.type), field.count > 0 else { return [] }
        let size = field.value.count / field.count
        return (0..<min(field.count, max)).map { number(at: field.value.lowerBound + $0 * size, size: size) }
    }

    /// Returns the text of a field up to its first NUL; nil if it is none.
    func text(_ field: Field) -> String? {
        guard field.type == 2, field.value.count <= Self.maxField else { return nil }
        let text = String(decoding: bytes[field.value].prefix { $0 != 0 }, as: UTF8.self).onOneLine
        return text.isEmpty ? nil : text
    }

    /// The fields of the directory at `offset` whose values are inside the file.
    func fields(at offset: Int) -> [Field] {
        guard let (start, count) = entries(at: offset) else { return [] }
        return (0..<count).compactMap { field(at: start + $0 * entryBytes) }
    }

    /// Returns the offset of the directory after the one at `offset`; nil if there is none.
    func next(after offset: Int) -> Int? {
        guard let (start, count) = entries(at: offset) else { return nil }
        let (end, size) = (start + count * entryBytes, isBig ? 8 : 4)
        guard end <= bytes.count - size else { return nil }
        let next = number(at: end, size: size)
        return next == 0 ? nil : next
    }

    private var entryBytes: Int { isBig ? 20 : 12 }

    private func entries(at offset: Int) -> (start: Int, count: Int)? {
        let countBytes = isBig ? 8 : 2
        guard offset >= 8, offset <= bytes.count - countBytes else { return nil }
        let start = offset + countBytes
        // Classic TIFF's max number of fields.
        return (start, min(number(at: offset, size: countBytes), (bytes.count - start) / entryBytes, 65535))
    }

    private func field(at offset: Int) -> Field? {
        let type = number(at: offset + 2, size: 2)
        let placeBytes = isBig ? 8 : 4
        let count = number(at: offset + 4, size: placeBytes)
        guard let size = [16: 8, 17: 8, 18: 8][type] ?? TIFFBlock.sizes[UInt16(type)] else { return nil }
        let (length, overflow) = count.multipliedReportingOverflow(by: size)
        let inside = offset + 4 + placeBytes
        let start = length <= placeBytes ? inside : number(at: inside, size: placeBytes)
        guard !overflow, start <= bytes.count, length <= bytes.count - start else { return nil }
        return Field(tag: number(at: offset, size: 2), type: type, count: count, value: start..<start + length)
    }

    /// Converts a field to classic TIFF; nil for long values and BigTIFF types.
    func copied(_ field: Field) -> TIFFBlockWriter.Field? {
        guard field.value.count <= Self.maxField, field.type < 14 || field.type == 129 else { return nil }
        return TIFFBlockWriter.Field(
            tag: UInt16(field.tag), type: UInt16(field.type), count: field.count,
            value: .bytes(Array(bytes[field.value])))
    }
}

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
