public import WayreelCore

/// Properties of an image, read without decoding it.
public struct ImageProbe: Hashable, Sendable, Codable {
    /// `jpeg`, `png`, `heif`, …
    public var format: String
    public var mimeType: String
    /// Size of the file.
    public var bytes: Int
    /// Upright size in pixels.
    public var size: PixelSize
    /// Stored size in pixels.
    public var storedSize: PixelSize
    /// The rotation that shows the stored image upright; `upright` if its decoder rotates.
    public var orientation: Orientation
    /// Colour model of the encoded image: `grey`, `RGB`, `palette`, `YCbCr`, `CMYK`, `YCCK`.
    public var colorModel: String
    /// The source of its colour space.
    public var colorSource: ColorSource
    /// Name of the embedded profile, or another description of the colour space; nil if there is none.
    public var colorDescription: String?
    /// Bits per component.
    public var depth: Int
    public var hasAlpha: Bool
    /// The camera of a raw photo, of which the embedded preview is used and described here; nil for other images.
    public var rawCamera: String?
    /// Chroma subsampling, as in `4:2:0`; nil without separate chroma.
    public var subsampling: String?
    /// Whether it is stored in several passes: progressive or interlaced.
    public var isProgressive: Bool
    public var frames: Int
    /// Whether the file contains a gain map.
    public var hasGainMap: Bool
    /// Further images of a HEIF file that are not used, by name and size: `gain map 2016×1512`, `depth map 768×576`.
    public var auxiliaryImages: [String]
    public var hasThumbnail: Bool
    /// Whether its metadata contain a location.
    public var hasLocation: Bool
    /// Whether its metadata identify the device: make, model, serial number, maker notes.
    public var hasDevice: Bool
    /// What its metadata say about author and licence; nil if they say nothing.
    public var attribution: MediaAttribution?

    public enum ColorSource: String, Sendable, Codable {
        /// An embedded ICC profile.
        case profile
        /// An embedded ICC profile that cannot be used.
        case damagedProfile = "damaged profile"
        /// Code points, a gamma or primaries.
        case header
        /// None; sRGB is assumed.
        case none
    }

    /// Returns whether a file that starts with `bytes` (at least 512 of them, or the whole file) is an image in a
    /// supported format.
    package static func isImage(beginningWith bytes: UnsafeRawBufferPointer) -> Bool {
        MediaSignature(bytes) == .image
    }

    /// The advice on a file of another kind, such as a text.
    package static var imageAdvice: MediaError.Advice { FormatSignature.imageAdvice }

    /// Returns what a file that starts with `bytes` looks like, if that is a format that is refused, and what to do
    /// about it. A video that a demuxer refuses too is incomplete.
    package static func refusal(
        beginningWith bytes: UnsafeRawBufferPointer
    ) -> (description: String, advice: MediaError.Advice)? {
        guard case .refused(let description, let advice)? = FormatSignature.detect(bytes) else { return nil }
        return (description, advice == FormatSignature.videoAdvice ? ImageDecoder.wholeFile : advice)
    }

    /// Returns whether a file that starts with `bytes` is decoded by library calls that cannot be interrupted: all
    /// formats except JPEG, PNG, GIF and WebP, which are read by rows or frames, and HEIC and AVIF with small tiles.
    /// `choosesPage` is true if an image other than the primary one is selected.
    package static func isUninterruptible(beginningWith bytes: MediaBytes, choosesPage: Bool = false) -> Bool {
        switch FormatSignature.detect(bytes.buffer) {
        case .heif?: choosesPage || !HEIFImage.isInterruptible(beginningWith: bytes)
        case .jpeg?, .png?, .gif?, .webp?, .raw?: false
        // Rejected formats count too: Targa is detected at the end of the file.
        case .tiff?, .jxl?, .icon?, .still?, .refused?, nil: true
        }
    }

    /// Probes the file at `path`, or standard input for `-`.
    ///
    /// Throws the errors of reading and opening it. Only formats that FFmpeg reads as a whole, such as JPEG 2000, EXR and
    /// DPX, are decoded.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public static func probe(
        path: String, limits: Limits = .standard, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> ImageProbe {
        do {
            let task = TaskContext(seconds: limits.seconds, cancellation: cancellation)
            return try probe(MediaBytes.read(path: path, limit: limits.inputBytes, task: task), limits, task)
        } catch {
            throw error.naming(path == "-" ? "standard input" : path)
        }
    }

    /// Probes an encoded image in memory.
    public static func probe(_ file: MediaBytes, limits: Limits = .standard) throws(MediaError) -> ImageProbe {
        try probe(file, limits, TaskContext(seconds: limits.seconds))
    }

    private static func probe(
        _ file: MediaBytes, _ limits: Limits, _ task: TaskContext
    ) throws(MediaError) -> ImageProbe {
        let reader = try ImageDecoder.open(file, limits: limits, task: task)
        return try ImageProbe(header: reader.header, bytes: file)
    }
}

extension ImageProbe {
    /// Reads the properties of `file`, which starts with `header`. Throws an `io` error if Little CMS is needed but not
    /// installed.
    package init(header: ImageHeader, bytes file: MediaBytes) throws(MediaError) {
        format = header.format.name
        mimeType = header.format.mimeType
        bytes = file.count
        orientation = header.uprightOrientation
        storedSize = header.size
        size = orientation.upright(header.size)
        colorModel = header.model.rawValue
        rawCamera = header.rawCamera
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
        attribution = SourceMetadata(header, task: nil).stated
    }
}

extension ImageHeader {
    fileprivate func colorDescription() throws(MediaError) -> (source: ImageProbe.ColorSource, name: String?) {
        switch SourceColor(self) {
        case .profile(let bytes):
            try SharedLibrary.littleCMS.require(step: .probe)
            guard let profile = try? ICCProfile(bytes) else { return (.damagedProfile, nil) }
            return (.profile, profile.name)
        case .coded(let primaries, let transfer, let narrowBits):
            let range = narrowBits == nil ? "" : ", narrow range"
            return (.header, "primaries \(primaries), transfer \(transfer) of ITU-T H.273\(range)")
        case .gamma(let gamma): return (.header, "gamma \(gamma.shortDescription)")
        case .chromaticities(_, let gamma):
            return (.header, "primaries" + (gamma.map { ", gamma \($0.shortDescription)" } ?? ""))
        case .srgb: return (profileIsDamaged ? .damagedProfile : .none, nil)
        }
    }
}

extension ImageProbe: CustomStringConvertible {
    /// One line per property, `key: value`, with aligned values and no trailing newline.
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
        let raw = rawCamera.map { [("raw photo", "of \($0); its preview follows")] } ?? []
        return [("format", "\(format) (\(mimeType))")] + raw + [
            ("bytes", "\(bytes)"), ("size", "\(size)\(turned)"),
            ("orientation", "\(orientation.rawValue), \(orientation.summary)"), ("colour", colorModel),
            ("profile", profile), ("depth", "\(depth) bits"), ("alpha", yesOrNo(hasAlpha)),
            ("subsampling", subsampling ?? "none"), ("progressive", yesOrNo(isProgressive)), ("frames", "\(frames)"),
            ("gain map", yesOrNo(hasGainMap)),
            ("auxiliary", auxiliaryImages.isEmpty ? "none" : auxiliaryImages.joined(separator: ", ")),
            ("thumbnail", yesOrNo(hasThumbnail)),
            ("location", hasLocation ? "present" : "none"), ("device", hasDevice ? "present" : "none"),
        ]
    }
}
