package import WayreelCore

/// The EXIF block of an image (EXIF 2.32, section 4.6), safe for any content.
package struct EXIFBlock {
    let block: TIFFBlock
    /// Fields of the image.
    let image: TIFFBlock.Directory
    /// Fields of the capture.
    let capture: TIFFBlock.Directory
    /// Fields of the location.
    let location: TIFFBlock.Directory
    /// Fields of the thumbnail.
    let thumbnail: TIFFBlock.Directory

    enum Tag {
        static let imageWidth: UInt16 = 0x0100
        static let imageLength: UInt16 = 0x0101
        static let make: UInt16 = 0x010F
        static let model: UInt16 = 0x0110
        static let stripOffsets: UInt16 = 0x0111
        static let orientation: UInt16 = 0x0112
        static let dateTime: UInt16 = 0x0132
        static let artist: UInt16 = 0x013B
        static let jpegOffset: UInt16 = 0x0201
        static let chromaPosition: UInt16 = 0x0213
        static let copyright: UInt16 = 0x8298
        static let capture: UInt16 = 0x8769
        static let location: UInt16 = 0x8825
        static let dateTimeOriginal: UInt16 = 0x9003
        static let makerNote: UInt16 = 0x927C
        static let colorSpace: UInt16 = 0xA001
        static let pixelWidth: UInt16 = 0xA002
        static let pixelHeight: UInt16 = 0xA003
        static let bodySerialNumber: UInt16 = 0xA431
        static let lensModel: UInt16 = 0xA434
        static let lensSerialNumber: UInt16 = 0xA435
        static let cameraSerialNumber: UInt16 = 0xC62F
        /// Latitude and longitude, of the image and of the destination.
        static let coordinates: [UInt16] = [0x0002, 0x0004, 0x0014, 0x0016]
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
        image[Tag.orientation].flatMap(block.integer).flatMap(Orientation.init)
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
}
