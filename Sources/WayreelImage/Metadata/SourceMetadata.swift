internal import WayreelCore

/// The readable metadata blocks of a source.
struct SourceMetadata {
    let exif: EXIFBlock?
    let xmp: XMPPacket?
    let iptc: IPTCRecords?
    let hasExtendedXMP: Bool
    /// Descriptive texts of the XMP packet.
    private let packet: DescriptiveMetadata
    private let isIPTCNewer: Bool
    private let textAttribution: DescriptiveMetadata

    /// Parses the blocks of `header`; warns `task` about damaged ones.
    init(_ header: ImageHeader, task: TaskContext?) {
        exif = header.exif.flatMap { EXIFBlock($0) }
        xmp = header.xmp.flatMap { XMPPacket($0) }
        packet = xmp?.descriptive ?? DescriptiveMetadata()
        iptc = header.iptc.map { IPTCRecords($0.bytes) }
        hasExtendedXMP = header.hasExtendedXMP
        isIPTCNewer = header.iptc?.isNewerThanXMP ?? false
        textAttribution = header.textAttribution
        let broken = [
            ("EXIF block", header.exif != nil && exif == nil), ("XMP packet", header.xmp != nil && xmp == nil),
            ("end of the IPTC records", iptc?.isDamaged == true),
        ]
        for (name, isBroken) in broken where isBroken {
            task?.warn("metadata", "the \(name) is damaged and dropped")
        }
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
}
