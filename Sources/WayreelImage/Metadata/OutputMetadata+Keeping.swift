package import WayreelCore

extension OutputMetadata {
    /// What an output of `size` carries over from its source.
    ///
    /// `none` keeps nothing. `copyright` keeps who made the image, whom it belongs to and on what terms it may be used, from
    /// whatever block tells it, and writes it anew as EXIF and XMP. `all` keeps EXIF, XMP and IPTC without what is no longer
    /// true of the output: orientation, size, thumbnail, gain map. What is broken, and what the output's format has no place
    /// for, is left out, and `watch` told.
    package init(
        keeping kept: Encoding.Metadata, from header: PictureHeader, for format: Encoding.Format,
        size: PixelSize? = nil, watch: TaskWatch? = nil
    ) {
        self.init()
        guard kept != .none else { return }
        let source = SourceMetadata(header, watch: watch)
        let attribution = source.attribution
        let essence = OutputMetadata(
            exif: EXIFBlock.block(attribution: attribution, source: source.exif), xmp: XMPWriter.packet(attribution))
        self = essence
        if kept == .all {
            keepEverything(of: source, attribution, for: format, size: size, watch: watch)
        }
        if format == .jpeg { fitIntoSegments(orElse: essence, watch: watch) }
    }

    private mutating func keepEverything(
        of source: SourceMetadata, _ attribution: DescriptiveMetadata, for format: Encoding.Format, size: PixelSize?,
        watch: TaskWatch?
    ) {
        if let block = source.exif {
            if let upright = block.upright(size: size, attribution: attribution) {
                exif = upright
            } else {
                watch?.warn("metadata", "the EXIF block is damaged; it is left out")
            }
        }
        if source.hasExtendedXMP {
            watch?.warn("metadata", "XMP that goes on behind the first segment cannot be kept; that part is left out")
        }
        let packet = source.xmp?.withoutSourceProperties
        guard format != .jpeg else {
            let records = source.iptc?.withoutPreviews ?? []
            (xmp, iptc) = (packet, records.isEmpty ? nil : records)
            return
        }
        xmp = packet.map { Self.completed($0, by: source.records) } ?? XMPWriter.packet(source.records)
        if let unmapped = source.iptc?.unmapped, !unmapped.isEmpty {
            watch?.warn(
                "metadata",
                "IPTC's \(unmapped.joined(separator: ", ")) cannot be kept in \(format.rawValue); they are left out")
        }
    }

    /// The packet with the properties that it does not tell yet.
    private static func completed(_ packet: [UInt8], by metadata: DescriptiveMetadata) -> [UInt8] {
        guard let tree = XMPTree(packet) else { return packet }
        let missing = metadata.missing(in: tree.descriptive)
        return missing.isEmpty ? packet : tree.adding(missing) ?? packet
    }

    /// Leaves out what is too long for a segment of a JPEG; of a block that is, the attribution stays.
    private mutating func fitIntoSegments(orElse essence: OutputMetadata, watch: TaskWatch?) {
        let blocks: [(name: String, place: WritableKeyPath<OutputMetadata, [UInt8]?>, limit: Int)] = [
            ("EXIF block", \.exif, JPEGWriter.maxEXIF), ("XMP packet", \.xmp, JPEGWriter.maxXMP),
            ("IPTC block", \.iptc, JPEGWriter.maxIPTC),
        ]
        for (name, place, limit) in blocks {
            guard let count = self[keyPath: place]?.count, count > limit else { continue }
            let rest = essence[keyPath: place].flatMap { $0.count <= limit ? $0 : nil }
            self[keyPath: place] = rest
            watch?.warn(
                "metadata",
                "the \(name) has \(count) bytes, a JPEG holds \(limit); "
                    + (rest == nil ? "it is left out" : "only its copyright is kept"))
        }
    }
}
