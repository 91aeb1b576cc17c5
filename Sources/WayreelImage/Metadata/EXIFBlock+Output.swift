package import WayreelCore

extension EXIFBlock {
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
        var fields = others.map(copied) + stated + [short(Tag.orientation, Orientation.upright.rawValue)]
        if image[Tag.chromaPosition] != nil { fields.append(short(Tag.chromaPosition, 1)) }
        var captured = captureFields.map(copied)
        if capture[Tag.colorSpace] != nil { captured.append(short(Tag.colorSpace, 1)) }
        if let size, !captured.isEmpty {
            captured += [long(Tag.pixelWidth, size.width), long(Tag.pixelHeight, size.height)]
        }
        for (tag, children) in [(Tag.capture, captured), (Tag.location, location.fields.map(copied))]
        where !children.isEmpty {
            fields.append(TIFFBlockWriter.Field(tag: tag, type: 4, count: 1, value: .directory(children)))
        }
        return TIFFBlockWriter.block(fields, isLittleEndian: block.isLittleEndian)
    }

    func copied(_ field: TIFFBlock.Field) -> TIFFBlockWriter.Field {
        TIFFBlockWriter.Field(
            tag: field.tag, type: field.type, count: field.count, value: .bytes(Array(block.bytes[field.value])))
    }

    private func short(_ tag: UInt16, _ value: Int) -> TIFFBlockWriter.Field { number(tag, value, type: 3) }
    private func long(_ tag: UInt16, _ value: Int) -> TIFFBlockWriter.Field { number(tag, value, type: 4) }

    private func number(_ tag: UInt16, _ value: Int, type: UInt16) -> TIFFBlockWriter.Field {
        let bytes = TIFFBlockWriter.number(
            value, size: type == 3 ? 2 : 4, isLittleEndian: block.isLittleEndian)
        return TIFFBlockWriter.Field(tag: tag, type: type, count: 1, value: .bytes(bytes))
    }

    /// Fields that are rewritten or no longer apply: size, sampling, compression, pixel positions, primaries and
    /// transfer, subdirectories, XMP, profile, Photoshop resources (which contain a thumbnail), raw data, padding.
    private static let omittedFromImage: Set<UInt16> = [
        Tag.orientation, Tag.chromaPosition, Tag.capture, Tag.location,
        Tag.imageWidth, Tag.imageLength, 0x0102, 0x0103, 0x0106, Tag.stripOffsets, 0x0115, 0x0116, 0x0117, 0x011C,
        0x0142, 0x0143, 0x0144, 0x0145, Tag.jpegOffset, 0x0202, 0x0211, 0x0212, 0x0214,
        0x012D, 0x013E, 0x013F, 0x014A, 0x02BC, 0x8649, 0x8773, 0xC634, 0xEA1C, 0xEA1D,
    ]

    /// Fields of the capture that are rewritten or no longer apply: size, colour space and gamma, bits per pixel, maker
    /// notes, interoperability directory (which repeats the colour space), padding.
    private static let omittedFromCapture: Set<UInt16> = [
        Tag.pixelWidth, Tag.pixelHeight, Tag.colorSpace, 0x9102, Tag.makerNote, 0xA005, 0xA500, 0xEA1C, 0xEA1D,
    ]
}
