internal import WayreelCore

/// The image resource blocks of Photoshop ("Adobe Photoshop File Formats Specification"), as PSD, TIFF and JPEG's APP13 hold
/// them: `8BIM`, a number, a name padded to two bytes, a length, data padded to two bytes. Damage ends the walk.
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

    /// What stands in front of the resources in an APP13 segment.
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

    /// The data of an APP13 segment that holds IPTC and nothing else.
    static func segment(iptc: [UInt8]) -> [UInt8] {
        let length = TIFFBlockWriter.number(iptc.count, size: 4, isLittleEndian: false)
        return segmentMark + Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + length + iptc + (iptc.count % 2 == 1 ? [0] : [])
    }
}

/// The IPTC-IIM records of a file.
package struct IPTCBlock: Hashable, Sendable {
    package var bytes: [UInt8]
    /// The MD5 digest of the records that the XMP packet was last made from, where the file tells it.
    package var digest: [UInt8]?

    package init(_ bytes: [UInt8], digest: [UInt8]? = nil) {
        self.bytes = bytes
        self.digest = digest
    }

    /// Finds the records among the resources of Photoshop; nil where there are none.
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

    /// Whether the records were changed by a program that left the XMP packet alone, and so are newer than it.
    var isNewerThanXMP: Bool { digest.map { $0 != MD5.digest(of: bytes) } ?? false }
}
