package import WayreelCore

extension OutputMetadata {
    /// Collects the metadata that an output of `size` keeps.
    ///
    /// `none` keeps nothing. `copyright` keeps creator, copyright and usage terms from any block, rewritten as EXIF and
    /// XMP. `all` keeps EXIF, XMP and IPTC without properties that no longer apply: orientation, size, thumbnail, gain
    /// map. Damaged and unsupported metadata are dropped with a warning to `task`.
    package init(
        keeping kept: Encoding.Metadata, from header: ImageHeader, for format: Encoding.Format,
        size: PixelSize? = nil, task: TaskContext? = nil
    ) {
        self.init()
        guard kept != .none else { return }
        let source = SourceMetadata(header, task: task)
        let attribution = source.attribution
        let essence = OutputMetadata(
            exif: EXIFBlock.block(attribution: attribution, source: source.exif), xmp: XMPWriter.packet(attribution))
        self = essence
        if kept == .all { keepEverything(of: source, attribution, for: format, size: size, task: task) }
        if format == .jpeg { fitIntoSegments(orElse: essence, task: task) }
    }

    private mutating func keepEverything(
        of source: SourceMetadata, _ attribution: DescriptiveMetadata, for format: Encoding.Format, size: PixelSize?,
        task: TaskContext?
    ) {
        if let block = source.exif {
            if let upright = block.upright(size: size, attribution: attribution) {
                exif = upright
            } else {
                task?.warn(.metadata, "the EXIF block is damaged and dropped")
            }
        }
        if source.hasExtendedXMP { task?.warn(.metadata, "extended XMP cannot be kept and is dropped") }
        let packet = source.xmp?.withoutSourceProperties
        guard format != .jpeg else {
            let records = source.iptc?.withoutPreviews ?? []
            (xmp, iptc) = (packet, records.isEmpty ? nil : records)
            return
        }
        xmp = packet.map { Self.completed($0, by: source.records) } ?? XMPWriter.packet(source.records)
        if let unmapped = source.iptc?.unmapped, !unmapped.isEmpty {
            task?.warn(
                .metadata,
                "IPTC's \(unmapped.joined(separator: ", ")) cannot be kept in \(format.rawValue) and are dropped")
        }
    }

    /// Returns the packet with the properties that it lacks.
    private static func completed(_ packet: [UInt8], by metadata: DescriptiveMetadata) -> [UInt8] {
        guard let tree = XMPTree(packet) else { return packet }
        let missing = metadata.missing(in: tree.descriptive)
        return missing.isEmpty ? packet : tree.adding(missing) ?? packet
    }

    /// Drops blocks that exceed a JPEG segment, keeping their attribution.
    private mutating func fitIntoSegments(orElse essence: OutputMetadata, task: TaskContext?) {
        let blocks: [(name: String, keyPath: WritableKeyPath<OutputMetadata, [UInt8]?>, limit: Int)] = [
            ("EXIF block", \.exif, JPEGWriter.maxEXIF), ("XMP packet", \.xmp, JPEGWriter.maxXMP),
            ("IPTC block", \.iptc, JPEGWriter.maxIPTC),
        ]
        for (name, keyPath, limit) in blocks {
            guard let count = self[keyPath: keyPath]?.count, count > limit else { continue }
            let rest = essence[keyPath: keyPath].flatMap { $0.count <= limit ? $0 : nil }
            self[keyPath: keyPath] = rest
            task?.warn(
                .metadata,
                "the \(name) has \(count) bytes, the limit in JPEG is \(limit); "
                    + (rest == nil ? "it is dropped" : "only its copyright is kept"))
        }
    }
}

/// The readable metadata blocks of a source.
struct SourceMetadata {
    let exif: EXIFBlock?
    let xmp: XMPPacket?
    let iptc: IPTCRecords?
    let hasExtendedXMP: Bool
    /// Descriptive texts of the XMP packet.
    private let packet: DescriptiveMetadata
    /// The licence that the XMP packet names by Creative Commons' `cc:license`, mostly an address.
    private let license: String?
    private let isIPTCNewer: Bool
    private let textAttribution: DescriptiveMetadata

    /// Parses the blocks of `header`; warns `task` about damaged ones.
    init(_ header: ImageHeader, task: TaskContext?) {
        exif = header.exif.flatMap { EXIFBlock($0) }
        xmp = header.xmp.flatMap { XMPPacket($0) }
        packet = xmp?.descriptive ?? DescriptiveMetadata()
        license = xmp?.license
        iptc = header.iptc.map { IPTCRecords($0.bytes) }
        hasExtendedXMP = header.hasExtendedXMP
        isIPTCNewer = header.iptc?.isNewerThanXMP ?? false
        textAttribution = header.textAttribution
        let broken = [
            ("EXIF block", header.exif != nil && exif == nil), ("XMP packet", header.xmp != nil && xmp == nil),
            ("end of the IPTC records", iptc?.isDamaged == true),
        ]
        for (name, isBroken) in broken where isBroken { task?.warn(.metadata, "the \(name) is damaged and dropped") }
    }

    /// Texts of the IPTC records; values truncated by IIM's length limits are taken from the XMP packet.
    var records: DescriptiveMetadata {
        var records = iptc?.descriptive ?? DescriptiveMetadata()
        for property in records.properties {
            guard let limit = property.maxBytes else { continue }
            for (index, whole) in packet[property].enumerated().prefix(records[property].count) {
                let value = records[property][index].text
                if value.utf8.count >= limit - 3, whole.text.hasPrefix(value) { records[property][index] = whole }
            }
        }
        return records
    }

    /// Creator, copyright and usage terms.
    ///
    /// EXIF takes precedence over XMP, and XMP over IPTC, unless a digest shows that the IPTC records were changed
    /// later ("Guidelines for Handling Image Metadata", version 2.0, Metadata Working Group, section 3.3). Plain texts
    /// of the format come last.
    var attribution: DescriptiveMetadata {
        let (records, packet) = (records.attribution, packet.attribution)
        let ordered = isIPTCNewer ? [records, packet] : [packet, records]
        return ordered.reduce(exif?.attribution ?? DescriptiveMetadata()) { $0.completed(by: $1) }
            .completed(by: textAttribution)
    }

    /// Author, licence and the page about them, for a list of credits.
    var stated: MediaAttribution? {
        let texts = attribution
        func first(_ property: DescriptiveProperty) -> String? { texts[property].first?.text }
        return MediaAttribution(
            author: texts[.creator].map(\.text).joined(separator: ", "),
            license: license ?? first(.usageTerms) ?? first(.notice), origin: first(.webStatement))
    }
}
