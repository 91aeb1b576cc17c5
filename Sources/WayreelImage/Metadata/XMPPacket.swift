/// The XMP packet of an image (ISO 16684-1), in UTF-8.
package struct XMPPacket {
    private let bytes: [UInt8]

    /// JPEG packets have at most 64 KB; cameras and editors stay far below this in other formats.
    private static let byteLimit = 1 << 20

    /// Whether it declares a gain map.
    package private(set) var hasGainMap = false
    /// Whether it contains a location.
    package private(set) var hasLocation = false
    /// Whether it contains the device's make, model or serial number.
    package private(set) var hasDevice = false
    /// Ranges of properties about the source's encoding or other parts of its file.
    private var sourceProperties: [Range<Int>] = []

    /// Returns nil unless `bytes` are well-formed XML in UTF-8.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteLimit else { return nil }
        self.bytes = bytes
        var nodes: [XMLScanner.Node] = []
        guard XMLScanner.scan(bytes, visit: { if Self.known.contains($0.uri) { nodes.append($0) } }) else { return nil }
        for node in nodes {
            let property = Property(node.uri, node.name)
            hasGainMap = hasGainMap || Self.gainMap.contains(node.uri)
            hasLocation = hasLocation || Self.location.contains(property)
            hasDevice = hasDevice || Self.device.contains(property)
            if Self.parts.contains(node.uri) || Self.encoding.contains(property) { sourceProperties.append(node.range) }
        }
    }

    /// The packet without orientation, size, thumbnails, gain maps and references to other data in the source.
    package var withoutSourceProperties: [UInt8] {
        var kept: [UInt8] = []
        var end = 0
        // Ranges may be nested.
        for range in sourceProperties.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
            kept += bytes[end..<max(end, range.lowerBound)]
            end = range.upperBound
        }
        return kept + bytes[end...]
    }

    /// The packet's descriptive texts.
    var descriptive: DescriptiveMetadata { XMPTree(bytes)?.descriptive ?? DescriptiveMetadata() }

    /// The licence of Creative Commons (ccREL, section 4), a text or a reference.
    var license: String? { XMPTree(bytes)?.license }

    private struct Property: Hashable {
        let uri: String
        let name: String

        init(_ uri: String, _ name: String) { (self.uri, self.name) = (uri, name) }
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

    /// Namespaces of gain maps: Android's Ultra HDR and Apple's.
    private static let gainMap: Set = [
        "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.apple.com/HDRGainMap/1.0/",
    ]

    /// Namespaces about other data in the file.
    private static let parts = gainMap.union([
        "http://ns.google.com/photos/1.0/container/", "http://ns.google.com/photos/1.0/container/item/",
        "http://ns.google.com/photos/1.0/depthmap/", "http://ns.google.com/photos/1.0/image/",
        "http://ns.google.com/photos/1.0/audio/",
    ])

    private static let location = Set(
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

    private static let known = parts.union((location.union(device).union(encoding)).map(\.uri))
}
