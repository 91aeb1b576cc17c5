extension EXIFBlock {
    private static let attributionFields: [(tag: UInt16, property: DescriptiveProperty)] = [
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
                String(validating: source.block.bytes[field.value], as: UTF8.self) != nil
            {
                return source.copied(field)
            }
            let text = Array((property == .creator ? ArtistList.text(values) : first).utf8) + [0]
            return TIFFBlockWriter.Field(tag: tag, type: 2, count: text.count, value: .bytes(text))
        }
    }
}
