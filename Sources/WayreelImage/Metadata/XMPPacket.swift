/// The XMP packet of a picture (ISO 16684-1), in UTF-8.
package struct XMPPacket {
    private let bytes: [UInt8]

    /// Packets in JPEG have at most 64 KB; nothing that a camera or an editor writes into others is near to this.
    private static let byteLimit = 1 << 20

    /// Whether it says that the file carries a gain map.
    package private(set) var hasGainMap = false
    /// Whether it tells a place on Earth.
    package private(set) var hasLocation = false
    /// Whether it tells the make, the model or the serial number of the device.
    package private(set) var hasDevice = false
    /// The places of properties that are about the source's encoding or about other parts of its file.
    private var sourceProperties: [Range<Int>] = []

    /// nil where `bytes` are not well-formed XML in UTF-8.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteLimit else { return nil }
        self.bytes = bytes
        var nodes: [XMLScanner.Node] = []
        guard XMLScanner.scan(bytes, visit: { if Self.known.contains($0.uri) { nodes.append($0) } }) else { return nil }
        for node in nodes {
            let property = Property(node.uri, node.name)
            hasGainMap = hasGainMap || Self.gainMap.contains(node.uri)
            hasLocation = hasLocation || Self.places.contains(property)
            hasDevice = hasDevice || Self.device.contains(property)
            if Self.parts.contains(node.uri) || Self.encoding.contains(property) { sourceProperties.append(node.range) }
        }
    }

    /// The packet without orientation, size, thumbnails, gain maps, and references to data elsewhere in the source's file.
    package var withoutSourceProperties: [UInt8] {
        var kept: [UInt8] = []
        var end = 0
        // A range may lie within another.
        for range in sourceProperties.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
            kept += bytes[end..<max(end, range.lowerBound)]
            end = range.upperBound
        }
        return kept + bytes[end...]
    }

    /// What it tells in texts.
    var descriptive: DescriptiveMetadata { XMPTree(bytes)?.descriptive ?? DescriptiveMetadata() }

    private struct Property: Hashable {
        let uri: String
        let name: String

        init(_ uri: String, _ name: String) {
            self.uri = uri
            self.name = name
        }
    }

    private enum Namespace {
        static let xmp = "http://ns.adobe.com/xap/1.0/"
        static let tiff = "http://ns.adobe.com/tiff/1.0/"
        static let exif = "http://ns.adobe.com/exif/1.0/"
        static let exifEX = "http://cipa.jp/exif/1.0/"
        static let aux = "http://ns.adobe.com/exif/1.0/aux/"
        static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
        static let note = "http://ns.adobe.com/xmp/note/"
        static let camera = "http://ns.google.com/photos/1.0/camera/"
    }

    /// Android's Ultra HDR, Apple's.
    private static let gainMap: Set = [
        "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.apple.com/HDRGainMap/1.0/",
    ]

    /// Namespaces that are all about data elsewhere in the file.
    private static let parts = gainMap.union([
        "http://ns.google.com/photos/1.0/container/", "http://ns.google.com/photos/1.0/container/item/",
        "http://ns.google.com/photos/1.0/depthmap/", "http://ns.google.com/photos/1.0/image/",
        "http://ns.google.com/photos/1.0/audio/",
    ])

    private static let places = Set(
        ["GPSLatitude", "GPSLongitude", "GPSDestLatitude", "GPSDestLongitude"].map { Property(Namespace.exif, $0) })

    private static let device: Set = [
        Property(Namespace.tiff, "Make"), Property(Namespace.tiff, "Model"),
        Property(Namespace.aux, "SerialNumber"), Property(Namespace.aux, "LensSerialNumber"),
        Property(Namespace.exifEX, "BodySerialNumber"), Property(Namespace.exifEX, "LensSerialNumber"),
    ]

    private static let encoding: Set = {
        let names = [
            Namespace.tiff: [
                "Orientation", "ImageWidth", "ImageLength", "BitsPerSample", "Compression", "PhotometricInterpretation",
                "SamplesPerPixel", "PlanarConfiguration", "YCbCrSubSampling", "YCbCrPositioning", "TransferFunction",
                "WhitePoint", "PrimaryChromaticities", "YCbCrCoefficients", "ReferenceBlackWhite",
            ],
            Namespace.exif: ["PixelXDimension", "PixelYDimension", "ColorSpace", "CompressedBitsPerPixel"],
            Namespace.exifEX: ["Gamma"],
            Namespace.xmp: ["Thumbnails"],
            Namespace.photoshop: ["ICCProfile", "ColorMode"],
            Namespace.note: ["HasExtendedXMP"],
            Namespace.camera: [
                "MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs", "MicroVideo",
                "MicroVideoVersion", "MicroVideoOffset", "MicroVideoPresentationTimestampUs",
            ],
        ]
        return Set(names.flatMap { uri, names in names.map { Property(uri, $0) } })
    }()

    private static let known = parts.union((places.union(device).union(encoding)).map(\.uri))
}
