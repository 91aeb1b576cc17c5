package import WayreelCore

/// The EXIF block of an image (EXIF 2.32, section 4.6), safe for any content.
package struct EXIFBlock {
    package let block: TIFFBlock
    /// Fields of the image.
    let image: TIFFBlock.Directory
    /// Fields of the capture.
    package let capture: TIFFBlock.Directory
    /// Fields of the location.
    package let location: TIFFBlock.Directory
    /// Fields of the thumbnail.
    let thumbnail: TIFFBlock.Directory

    enum Tag {
        static let imageWidth = 0x0100
        static let imageLength = 0x0101
        static let make = 0x010F
        static let model = 0x0110
        static let stripOffsets = 0x0111
        static let orientation = 0x0112
        static let dateTime = 0x0132
        static let artist = 0x013B
        static let jpegOffset = 0x0201
        static let chromaPosition = 0x0213
        static let copyright = 0x8298
        static let capture = 0x8769
        static let location = 0x8825
        static let dateTimeOriginal = 0x9003
        static let makerNote = 0x927C
        static let colorSpace = 0xA001
        static let pixelWidth = 0xA002
        static let pixelHeight = 0xA003
        static let bodySerialNumber = 0xA431
        static let lensModel = 0xA434
        static let lensSerialNumber = 0xA435
        static let cameraSerialNumber = 0xC62F
        /// Latitude and longitude, of the image and of the destination.
        static let coordinates = [0x0002, 0x0004, 0x0014, 0x0016]
    }

    /// JPEG's identifier of EXIF in an APP1 segment, which some writers put before the block in other formats.
    static let identifier = Array("Exif\0\0".utf8)

    /// Returns the block of a HEIF item or a JPEG XL box, which starts with the offset of the TIFF header (ISO/IEC
    /// 23008-12, annex A.2.1; ISO/IEC 18181-2, section 9.4). nil if the header is beyond the end.
    static func withoutOffset(_ bytes: [UInt8]) -> [UInt8]? {
        let start = 4 + bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return start < bytes.count ? Array(bytes[start...]) : nil
    }

    static func withoutIdentifier(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: identifier) ? Array(bytes.dropFirst(identifier.count)) : bytes
    }

    /// Parses `bytes`, which start with the TIFF header; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        guard let block = TIFFBlock(bytes) else { return nil }
        self.block = block
        image = block.first
        capture = block.directory(Tag.capture, of: image) ?? TIFFBlock.Directory()
        location = block.directory(Tag.location, of: image) ?? TIFFBlock.Directory()
        thumbnail = block.directory(at: image.next)
    }

    /// nil if absent or invalid.
    package var orientation: Orientation? {
        image[Tag.orientation].flatMap(block.integer).flatMap(Orientation.init(rawValue:))
    }

    package var make: String? { image[Tag.make].flatMap(block.text) }
    package var model: String? { image[Tag.model].flatMap(block.text) }
    package var artist: String? { image[Tag.artist].flatMap(block.text) }
    package var copyright: String? { image[Tag.copyright].flatMap(block.text) }

    /// Local time of the capture, or else of the last change: `2015:04:10 20:12:23`.
    package var date: String? {
        (capture[Tag.dateTimeOriginal] ?? image[Tag.dateTime]).flatMap(block.text)
    }

    /// Whether it contains a location.
    package var hasLocation: Bool { location.fields.contains { Tag.coordinates.contains($0.tag) } }

    /// Whether it identifies the device: make, model, serial number or maker notes.
    package var hasDevice: Bool {
        let captureTags = [Tag.makerNote, Tag.bodySerialNumber, Tag.lensModel, Tag.lensSerialNumber]
        return make != nil || model != nil || image[Tag.cameraSerialNumber] != nil
            || capture.fields.contains { captureTags.contains($0.tag) }
    }

    package var hasThumbnail: Bool {
        thumbnail[Tag.jpegOffset] != nil || thumbnail[Tag.stripOffsets] != nil
    }

    private static let attributionFields: [(tag: Int, property: DescriptiveProperty)] = [
        (Tag.artist, .creator), (Tag.copyright, .notice),
    ]

    /// Artists and copyright. The latter may have two parts, the photographer's and the editor's (EXIF 2.32, section
    /// 4.6.4), which become two lines.
    var attribution: DescriptiveMetadata {
        var found = DescriptiveMetadata()
        found[.creator] = ArtistList.names(in: artist ?? "").compactMap { DescriptiveMetadata.Text($0) }
        let parts = image[Tag.copyright].map(block.texts)?.prefix(2).compactMap { DescriptiveMetadata.Text($0)?.text }
        found[.notice] = [DescriptiveMetadata.Text(parts?.joined(separator: "\n") ?? "")].compactMap(\.self)
        return found
    }

    /// Returns a new block with only the creators and copyright of `metadata`; nil if it has neither.
    ///
    /// Fields of `source` with the same content are kept unchanged.
    static func block(attribution metadata: DescriptiveMetadata, source: EXIFBlock?) -> [UInt8]? {
        let fields = Self.fields(attribution: metadata, source: source)
        guard !fields.isEmpty else { return nil }
        return TIFFBlockWriter.block(fields, isLittleEndian: source?.block.isLittleEndian ?? true)
    }

    static func fields(attribution metadata: DescriptiveMetadata, source: EXIFBlock?) -> [TIFFBlockWriter.Field] {
        attributionFields.compactMap { tag, property in
            let values = metadata[property].map(\.text)
            guard let first = values.first else { return nil }
            if let source, let field = source.image[tag], !source.attribution[property].isEmpty,
                values.starts(with: source.attribution[property].map(\.text)),
                String(validating: source.block.bytes(of: field), as: UTF8.self) != nil
            {
                return source.block.copied(field)
            }
            let text = Array((property == .creator ? ArtistList.text(values) : first).utf8) + [0]
            return TIFFBlockWriter.Field(tag: tag, type: 2, count: text.count, value: .bytes(text))
        }
    }

    /// Returns the block for an upright sRGB output of another size, without a thumbnail.
    ///
    /// Directories are rebuilt, so that unreferenced data are dropped. Fields about the old encoding, profile or
    /// thumbnail are dropped, as are maker notes: their internal offsets break when the block moves, and many contain a
    /// preview. The size is `size`, or omitted. Artist and copyright come from `attribution` if it has them.
    ///
    /// Returns nil if the fields declare more bytes than the block has; values of a valid block do not overlap.
    package func upright(size: PixelSize?, attribution: DescriptiveMetadata = DescriptiveMetadata()) -> [UInt8]? {
        let imageFields = image.fields.filter { !Self.omittedFromImage.contains($0.tag) }
        let captureFields = capture.fields.filter { !Self.omittedFromCapture.contains($0.tag) }
        let kept = imageFields + captureFields + location.fields
        guard kept.reduce(0, { $0 + 12 + $1.value.count }) <= block.bytes.count else { return nil }

        let stated = Self.fields(attribution: attribution, source: self)
        let others = imageFields.filter { field in !stated.contains { $0.tag == field.tag } }
        var fields = others.map(block.copied) + stated + [short(Tag.orientation, Orientation.upright.rawValue)]
        if image[Tag.chromaPosition] != nil { fields.append(short(Tag.chromaPosition, 1)) }
        var captured = captureFields.map(block.copied)
        if capture[Tag.colorSpace] != nil { captured.append(short(Tag.colorSpace, 1)) }
        if let size, !captured.isEmpty {
            captured += [long(Tag.pixelWidth, size.width), long(Tag.pixelHeight, size.height)]
        }
        for (tag, children) in [(Tag.capture, captured), (Tag.location, location.fields.map(block.copied))]
        where !children.isEmpty {
            fields.append(TIFFBlockWriter.Field(tag: tag, type: 4, count: 1, value: .directory(children)))
        }
        return TIFFBlockWriter.block(fields, isLittleEndian: block.isLittleEndian)
    }

    private func short(_ tag: Int, _ value: Int) -> TIFFBlockWriter.Field { number(tag, value, type: 3) }
    private func long(_ tag: Int, _ value: Int) -> TIFFBlockWriter.Field { number(tag, value, type: 4) }

    private func number(_ tag: Int, _ value: Int, type: Int) -> TIFFBlockWriter.Field {
        let bytes = TIFFBlockWriter.number(
            value, size: type == 3 ? 2 : 4, isLittleEndian: block.isLittleEndian)
        return TIFFBlockWriter.Field(tag: tag, type: type, count: 1, value: .bytes(bytes))
    }

    /// Fields that are rewritten or no longer apply: size, sampling, compression, pixel positions, primaries and
    /// transfer, subdirectories, XMP, profile, Photoshop resources (which contain a thumbnail), raw data, padding.
    private static let omittedFromImage: Set = [
        Tag.orientation, Tag.chromaPosition, Tag.capture, Tag.location,
        Tag.imageWidth, Tag.imageLength, 0x0102, 0x0103, 0x0106, Tag.stripOffsets, 0x0115, 0x0116, 0x0117, 0x011C,
        0x0142, 0x0143, 0x0144, 0x0145, Tag.jpegOffset, 0x0202, 0x0211, 0x0212, 0x0214,
        0x012D, 0x013E, 0x013F, 0x014A, 0x02BC, 0x8649, 0x8773, 0xC634, 0xEA1C, 0xEA1D,
    ]

    /// Fields of the capture that are rewritten or no longer apply: size, colour space and gamma, bits per pixel, maker
    /// notes, interoperability directory (which repeats the colour space), padding.
    private static let omittedFromCapture: Set = [
        Tag.pixelWidth, Tag.pixelHeight, Tag.colorSpace, 0x9102, Tag.makerNote, 0xA005, 0xA500, 0xEA1C, 0xEA1D,
    ]
}
