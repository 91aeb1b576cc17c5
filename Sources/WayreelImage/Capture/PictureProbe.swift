public import WayreelCore

/// What Wayreel sees of a picture without decoding it.
public struct PictureProbe: Hashable, Sendable, Codable {
    /// `jpeg`, `png`, `heif`, …
    public var format: String
    public var mimeType: String
    /// Size of the file.
    public var bytes: Int
    /// As shown: upright, in pixels.
    public var size: PixelSize
    /// As stored, in pixels.
    public var storedSize: PixelSize
    /// How the stored picture is turned for showing; `upright` where its decoder does that.
    public var orientation: Orientation
    /// Of the encoded picture: `grey`, `RGB`, `palette`, `YCbCr`, `CMYK`, `YCCK`.
    public var colorModel: String
    /// Where its colours are described.
    public var colorSource: ColorSource
    /// The name of the embedded profile, or what else describes the colours; nil where nothing does.
    public var colorDescription: String?
    /// Bits of a component.
    public var depth: Int
    public var hasAlpha: Bool
    /// `4:2:0` and its kin, where chroma is stored apart.
    public var subsampling: String?
    /// Whether it is stored in passes over the whole picture: progressive, interlaced.
    public var isProgressive: Bool
    public var frames: Int
    /// Whether it carries a gain map beside its base picture.
    public var hasGainMap: Bool
    /// Images beside the primary one of a HEIF file that are left aside, by name and size: `gain map 2016×1512`, `depth map
    /// 768×576`.
    public var auxiliaryImages: [String]
    public var hasThumbnail: Bool
    /// Whether its metadata tell a place on Earth.
    public var hasLocation: Bool
    /// Whether its metadata tell the device: make, model, serial number, the maker's notes.
    public var hasDevice: Bool

    public enum ColorSource: String, Sendable, Codable {
        /// An embedded ICC profile.
        case profile
        /// An embedded ICC profile that cannot be used.
        case damagedProfile = "damaged profile"
        /// Code points, a gamma or primaries.
        case header
        /// Nothing: sRGB is assumed.
        case none
    }
}

extension PictureProbe {
    /// Of the picture in `file`, which begins with `header`. Throws an `io` error where Little CMS is needed and not installed.
    package init(header: PictureHeader, bytes file: MediaBytes) throws(MediaError) {
        format = header.format.name
        mimeType = header.format.mimeType
        bytes = file.count
        orientation = header.uprightOrientation
        storedSize = header.size
        size = orientation.upright(header.size)
        colorModel = header.model.rawValue
        (colorSource, colorDescription) = try header.colorDescription()
        depth = header.depth
        hasAlpha = header.layout == .rgba
        subsampling = header.subsampling
        isProgressive = header.isProgressive
        frames = header.frames
        hasGainMap = header.hasGainMap
        auxiliaryImages = header.auxiliaryImages
        hasThumbnail = header.hasThumbnail
        let exif = header.exif.flatMap { EXIFBlock($0) }
        let xmp = header.xmp.flatMap { XMPPacket($0) }
        hasLocation = exif?.hasLocation == true || xmp?.hasLocation == true
        hasDevice = exif?.hasDevice == true || xmp?.hasDevice == true
    }
}

extension PictureHeader {
    fileprivate func colorDescription() throws(MediaError) -> (source: PictureProbe.ColorSource, name: String?) {
        switch SourceColor(self) {
        case .profile(let bytes):
            try LittleCMSLibrary.load(step: "probe")
            guard let profile = try? ICCProfile(bytes) else { return (.damagedProfile, nil) }
            return (.profile, profile.name)
        case .coded(let primaries, let transfer):
            return (.header, "primaries \(primaries), transfer \(transfer) of ITU-T H.273")
        case .gamma(let gamma): return (.header, "gamma \(gamma.shortDescription)")
        case .chromaticities(_, let gamma):
            return (.header, "primaries" + (gamma.map { ", gamma \($0.shortDescription)" } ?? ""))
        case .srgb: return (profileIsDamaged ? .damagedProfile : .none, nil)
        }
    }
}

extension PictureProbe: CustomStringConvertible {
    /// A line for each property, `key: value`, with the values aligned and without a final newline.
    public var description: String {
        let width = lines.map(\.key.count).max() ?? 0
        return lines.map { key, value in
            key + ":" + String(repeating: " ", count: width - key.count + 1) + value.onOneLine
        }.joined(separator: "\n")
    }

    private var lines: [(key: String, value: String)] {
        let yesOrNo = { (present: Bool) in present ? "yes" : "no" }
        let profile =
            switch colorSource {
            case .profile, .header: colorDescription ?? "without a name"
            case .damagedProfile: "damaged"
            case .none: "none"
            }
        let turned = orientation == .upright ? "" : ", stored as \(storedSize)"
        return [
            ("format", "\(format) (\(mimeType))"), ("bytes", "\(bytes)"), ("size", "\(size)\(turned)"),
            ("orientation", "\(orientation.rawValue), \(orientation.words)"), ("colour", colorModel),
            ("profile", profile), ("depth", "\(depth) bits"), ("alpha", yesOrNo(hasAlpha)),
            ("subsampling", subsampling ?? "none"), ("progressive", yesOrNo(isProgressive)), ("frames", "\(frames)"),
            ("gain map", yesOrNo(hasGainMap)),
            ("auxiliary", auxiliaryImages.isEmpty ? "none" : auxiliaryImages.joined(separator: ", ")),
            ("thumbnail", yesOrNo(hasThumbnail)),
            ("location", hasLocation ? "present" : "none"), ("device", hasDevice ? "present" : "none"),
        ]
    }
}

extension Orientation {
    /// How the stored picture is turned for showing.
    fileprivate var words: String {
        switch self {
        case .upright: "upright"
        case .mirrored: "mirrored left to right"
        case .halfTurn: "turned by a half"
        case .flipped: "mirrored top to bottom"
        case .transposed: "mirrored along the main diagonal"
        case .quarterTurnClockwise: "turned by a quarter clockwise"
        case .transversed: "mirrored along the other diagonal"
        case .quarterTurnCounterclockwise: "turned by a quarter counter-clockwise"
        }
    }
}

extension PictureProbe {
    /// Whether a file that begins with `bytes`, 512 of them at least or all that it has, is a picture of a kind that Wayreel reads.
    package static func isPicture(beginningWith bytes: UnsafeRawBufferPointer) -> Bool {
        switch FormatSignature.detect(bytes) {
        case .refused?, nil: false
        case .jpeg?, .png?, .gif?, .webp?, .tiff?, .jxl?, .heif?, .icon?, .still?: true
        }
    }

    /// Whether what begins with `bytes` is opened and decoded in calls of a library that no time limit ends: all but JPEG, PNG,
    /// GIF and WebP, which are read row by row or frame by frame, and the small tiles of HEIC and AVIF. `choosesPage`: whether it
    /// is not what the file shows by itself.
    package static func isUninterruptible(
        beginningWith bytes: UnsafeRawBufferPointer, choosesPage: Bool = false
    ) -> Bool {
        switch FormatSignature.detect(bytes) {
        case .heif?: choosesPage || !HEIFImage.isOfSmallTiles(beginningWith: bytes)
        case .jpeg?, .png?, .gif?, .webp?: false
        // Also what is refused: Targa is told by the end of the file.
        case .tiff?, .jxl?, .icon?, .still?, .refused?, nil: true
        }
    }

    /// Of the file at `path`, or standard input for `-`.
    ///
    /// Throws what reading and opening it throws; nothing is decoded.
    public static func probe(path: String, limits: Limits = .standard) throws(MediaError) -> PictureProbe {
        do {
            let watch = TaskWatch(seconds: limits.seconds)
            return try probe(MediaBytes.read(path: path, limit: limits.inputBytes, watch: watch), limits: limits)
        } catch {
            throw error.naming(path == "-" ? "standard input" : path)
        }
    }

    /// Of an encoded picture in memory.
    public static func probe(_ file: MediaBytes, limits: Limits = .standard) throws(MediaError) -> PictureProbe {
        let reader = try PictureDecoder.open(file, limits: limits, watch: TaskWatch(seconds: limits.seconds))
        return try PictureProbe(header: reader.header, bytes: file)
    }
}
