internal import WayreelAV
internal import WayreelCore

/// The metadata of a JPEG 2000 file, in boxes that are identified by a UUID (ISO/IEC 15444-1, annex I.7.2).
enum JP2Metadata {
    private static let readers: [(id: [UInt8], read: @Sendable ([UInt8], inout ImageHeader) -> Void)] = [
        // XMP Specification Part 3, section 1.1.4.
        (
            [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC],
            { $1.xmp = $1.xmp ?? $0 }
        ),
        // The identifiers that Exiv2 and ExifTool write for EXIF and IPTC.
        (Array("JpgTiffExif->JP2".utf8), { $1.exif = $1.exif ?? EXIFBlock.withoutIdentifier($0) }),
        (
            [0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38],
            { $1.iptc = $1.iptc ?? IPTCBlock($0) }
        ),
    ]

    /// Adds the metadata of the file to a header. Its EXIF orientation is ignored, as by other decoders.
    static let read: StillFormat.MetadataReading = { bytes, header in
        for box in ISOBoxes(bytes) where box.type == "uuid" && !box.isTruncated {
            for (id, read) in readers where box.body.starts(with: id) && box.body.count > id.count {
                read(Array(box.body.dropFirst(id.count)), &header)
            }
        }
        header.obeysEXIFOrientation = false
    }
}
