internal import WayreelCore

/// The blocks of metadata of a source, as far as they can be read.
struct SourceMetadata {
    let exif: EXIFBlock?
    let xmp: XMPPacket?
    let iptc: IPTCRecords?
    let hasExtendedXMP: Bool
    /// What the XMP packet tells in texts.
    private let packet: DescriptiveMetadata
    private let isIPTCNewer: Bool
    private let textAttribution: DescriptiveMetadata

    /// Reads the blocks of `header`, and tells `watch` of those that are too broken for it.
    init(_ header: PictureHeader, watch: TaskWatch?) {
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
            watch?.warn("metadata", "the \(name) is damaged; it is left out")
        }
    }

    /// What the IPTC records tell, with values that IIM's lengths cut off as the XMP packet has them.
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

    /// Who made the image, whom it belongs to, and on what terms it may be used.
    ///
    /// Where blocks disagree, EXIF stands above XMP, and XMP above IPTC, unless a digest in the file tells that the IPTC
    /// records were changed later ("Guidelines for Handling Image Metadata", version 2.0, of the Metadata Working Group,
    /// section 3.3). PNG's text chunks come last.
    var attribution: DescriptiveMetadata {
        let (records, packet) = (records.attribution, packet.attribution)
        let ordered = isIPTCNewer ? [records, packet] : [packet, records]
        return ordered.reduce(exif?.attribution ?? DescriptiveMetadata()) { $0.completed(by: $1) }
            .completed(by: textAttribution)
    }
}
