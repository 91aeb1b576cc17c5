package import WayreelCore

/// The EXIF block of a picture (EXIF 2.32, section 4.6), read safely whatever is in it.
package struct EXIFBlock {
    let block: TIFFBlock
    /// About the picture.
    let image: TIFFBlock.Directory
    /// About how it was taken.
    let capture: TIFFBlock.Directory
    /// About where.
    let location: TIFFBlock.Directory
    /// About the thumbnail.
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
        /// Latitude, longitude, and those of the destination.
        static let places: [UInt16] = [0x0002, 0x0004, 0x0014, 0x0016]
    }

    /// Reads `bytes` from the TIFF header on; nil where they do not begin with one.
    package init?(_ bytes: [UInt8]) {
        guard let block = TIFFBlock(bytes) else { return nil }
        self.block = block
        image = block.first
        capture = block.directory(Tag.capture, of: image) ?? TIFFBlock.Directory()
        location = block.directory(Tag.location, of: image) ?? TIFFBlock.Directory()
        thumbnail = block.directory(at: image.next)
    }

    /// nil where it is not said, or none of the eight.
    package var orientation: Orientation? {
        image[Tag.orientation].flatMap(block.integer).flatMap(Orientation.init)
    }

    package var make: String? { image[Tag.make].flatMap(block.text) }
    package var model: String? { image[Tag.model].flatMap(block.text) }
    package var artist: String? { image[Tag.artist].flatMap(block.text) }
    package var copyright: String? { image[Tag.copyright].flatMap(block.text) }

    /// When the picture was taken, or else changed: `2015:04:10 20:12:23`, local time.
    package var date: String? {
        (capture[Tag.dateTimeOriginal] ?? image[Tag.dateTime]).flatMap(block.text)
    }

    /// Whether it tells a place on Earth.
    package var hasLocation: Bool { location.fields.contains { Tag.places.contains($0.tag) } }

    /// Whether it tells the device: its make, model or serial number, or the maker's own notes.
    package var hasDevice: Bool {
        let captureTags = [Tag.makerNote, Tag.bodySerialNumber, Tag.lensModel, Tag.lensSerialNumber]
        return make != nil || model != nil || image[Tag.cameraSerialNumber] != nil
            || capture.fields.contains { captureTags.contains($0.tag) }
    }

    package var hasThumbnail: Bool {
        thumbnail[Tag.jpegOffset] != nil || thumbnail[Tag.stripOffsets] != nil
    }
}

extension PictureHeader {
    /// How the rows must be turned to stand upright, with EXIF taken into account where it counts.
    package var uprightOrientation: Orientation {
        let stated = obeysEXIFOrientation ? exif.flatMap { EXIFBlock($0) }?.orientation : nil
        return stated ?? orientation
    }
}
