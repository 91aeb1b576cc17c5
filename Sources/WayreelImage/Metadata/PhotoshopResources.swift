internal import WayreelCore

/// Photoshop image resource blocks ("Adobe Photoshop File Formats Specification") in PSD, TIFF and JPEG's APP13:
/// `8BIM`, ID, name padded to two bytes, length, data padded to two bytes. Parsing stops at damage.
struct PhotoshopResources: Sequence, IteratorProtocol {
    struct Resource {
        let number: Int
        let data: UnsafeRawBufferPointer
    }

    static let iptc = 0x0404
    static let iptcDigest = 0x0425
    static let profile = 1039
    static let exif = 1058
    static let xmp = 1060

    /// Identifier of the resources in an APP13 segment.
    static let segmentMark = Array("Photoshop 3.0\0".utf8)

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Resource? {
        guard offset <= bytes.count - 12 else { return nil }
        let nameBytes = (1 + Int(bytes[offset + 6]) + 1) / 2 * 2
        let header = offset + 6 + nameBytes
        guard header <= bytes.count - 4 else { return nil }
        let (start, count) = (header + 4, Int(bytes.bigEndian32(at: header)))
        guard count <= bytes.count - start else { return nil }
        let number = Int(bytes.bigEndian16(at: offset + 4))
        offset = start + (count + 1) / 2 * 2
        return Resource(number: number, data: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    }

    /// Returns the payload of an APP13 segment with only IPTC.
    static func segment(iptc: [UInt8]) -> [UInt8] {
        let length = TIFFBlockWriter.number(iptc.count, size: 4, isLittleEndian: false)
        return segmentMark + Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + length + iptc + (iptc.count % 2 == 1 ? [0] : [])
    }
}

/// The IPTC-IIM records of a file.
package struct IPTCBlock: Hashable, Sendable {
    package var bytes: [UInt8]
    /// MD5 digest of the records from which the XMP packet was last derived, if stored.
    package var digest: [UInt8]?

    package init(_ bytes: [UInt8], digest: [UInt8]? = nil) {
        self.bytes = bytes
        self.digest = digest
    }

    /// Finds the IPTC records; nil if there are none.
    init?(_ resources: PhotoshopResources) {
        var bytes: [UInt8]?
        for resource in resources {
            switch resource.number {
            case PhotoshopResources.iptc where bytes == nil: bytes = Array(resource.data)
            case PhotoshopResources.iptcDigest: digest = Array(resource.data)
            default: break
            }
        }
        guard let bytes, !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// Whether the records were changed after the XMP packet, by a program that did not update it.
    var isNewerThanXMP: Bool { digest.map { $0 != MD5.digest(of: bytes) } ?? false }
}
