internal import CFFmpeg
internal import Glibc
package import WayreelCore

/// What a container states about the frames of a track and FFmpeg 5.1 does not tell: the part of a frame that is shown,
/// its rotation, and its colours, which take precedence over those of the coded data.
struct ContainerGeometry {
    var crop: FrameCrop?
    /// The aspect ratio of the pixels that remain.
    var pixelAspect: Rational?
    var orientation: Orientation?
    var color = StatedColor()

    /// Code points of ITU-T H.273; nil or 2 if they are not stated.
    struct StatedColor {
        var primaries: Int?
        var transfer: Int?
        var matrix: Int?
        var isFullRange: Bool?
    }

    /// Reads the geometry of the tracks of a file, by stream.
    typealias Reader = @Sendable (FormatContext) throws(MediaError) -> [Int: ContainerGeometry]

    /// Reads the geometry of the streams of an open file, by index; none of a pipe, which cannot be read twice. The
    /// file's position is kept.
    ///
    /// Throws an `io` error if the file cannot be read, and the errors of its task.
    static func read(
        _ context: FormatContext, _ traits: ContainerTraits
    ) throws(MediaError) -> [Int: ContainerGeometry] {
        guard context.file.size != nil, let read = traits.geometry else { return [:] }
        let position = context.file.position
        defer { context.file.seek(to: position) }
        return try read(context)
    }

    // MARK: MP4 and QuickTime

    /// Bytes before the boxes of a visual sample entry (ISO/IEC 14496-12, section 12.1.3).
    private static let entryBytes = 78

    /// Reads `clap` and `colr` of the first sample entries (sections 12.1.4 and 12.1.5).
    @Sendable static func isoMedia(_ context: FormatContext) throws(MediaError) -> [Int: ContainerGeometry] {
        let tracks = try ISOTracks(context.file).descriptions()
        var found: [Int: ContainerGeometry] = [:]
        for (index, stream) in context.streams.enumerated() where stream.isTimed {
            guard let description = tracks[Int(stream.pointee.id)] else { continue }
            found[index] = description.withUnsafeBytes { ContainerGeometry(sampleDescription: $0) }
        }
        return found
    }

    private init?(sampleDescription bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 8,
            let entry = ISOBoxes(UnsafeRawBufferPointer(rebasing: bytes[8...])).first(where: { _ in true })?.body,
            entry.count > Self.entryBytes
        else { return nil }
        let size = PixelSize(width: Int(entry.bigEndian16(at: 24)), height: Int(entry.bigEndian16(at: 26)))
        let boxes = UnsafeRawBufferPointer(rebasing: entry[Self.entryBytes...])
        let aperture = ISOBox.first("clap", in: boxes)
        if !aperture.isEmpty, let shown = CleanAperture(aperture)?.pixels(of: size) {
            crop = FrameCrop(of: size, columns: shown.columns, rows: shown.rows)
        }
        var cursor = ByteCursor(ISOBox.first("colr", in: boxes))
        let type = cursor.readType()
        // QuickTime's nclc has no range.
        guard type == "nclx" || type == "nclc" else { return }
        let points = [cursor.read(2), cursor.read(2), cursor.read(2)]
        let range = type == "nclx" ? cursor.read(1) & 0x80 != 0 : nil
        guard !cursor.isPastEnd else { return }
        color = StatedColor(primaries: points[0], transfer: points[1], matrix: points[2], isFullRange: range)
    }

    // MARK: Matroska and WebM

    private enum ID {
        static let video = 0xE0
        static let (width, height) = (0xB0, 0xBA)
        static let (cropLeft, cropTop, cropRight, cropBottom) = (0x54CC, 0x54BB, 0x54DD, 0x54AA)
        static let (displayWidth, displayHeight, displayUnit) = (0x54B0, 0x54BA, 0x54B2)
        static let color = 0x55B0
        static let (matrix, range, transfer, primaries) = (0x55B1, 0x55B9, 0x55BA, 0x55BB)
        static let projection = 0x7670
        static let (projectionType, yaw, pitch, roll) = (0x7671, 0x7673, 0x7674, 0x7675)
    }

    /// Reads the Video elements of the tracks (RFC 9559, section 5.1.4.1.28).
    @Sendable static func matroska(_ context: FormatContext) throws(MediaError) -> [Int: ContainerGeometry] {
        let tracks = try MatroskaTracks(context.file).map { track in
            EBMLElements.all(ID.video, in: track).first.map { ContainerGeometry(matroskaVideo: $0) }
        }
        return zip(context.streams.indices, tracks).reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    private init(matroskaVideo video: UnsafeRawBufferPointer) {
        let number = { (id: Int) in EBMLElements.number(id, in: video) }
        let size = PixelSize(width: number(ID.width) ?? 0, height: number(ID.height) ?? 0)
        let edges = [ID.cropLeft, ID.cropTop, ID.cropRight, ID.cropBottom].map { min(number($0) ?? 0, 1 << 20) }
        let columns = edges[0]..<max(edges[0], size.width - edges[2])
        let rows = edges[1]..<max(edges[1], size.height - edges[3])
        if !columns.isEmpty, !rows.isEmpty, let crop = FrameCrop(of: size, columns: columns, rows: rows) {
            self.crop = crop
            pixelAspect = Self.pixelAspect(
                of: PixelSize(width: columns.count, height: rows.count), coded: size,
                display: (number(ID.displayWidth), number(ID.displayHeight)), unit: number(ID.displayUnit) ?? 0)
        }
        if let element = EBMLElements.all(ID.color, in: video).first {
            let point = { (id: Int) in EBMLElements.number(id, in: element) }
            color = StatedColor(primaries: point(ID.primaries), transfer: point(ID.transfer), matrix: point(ID.matrix))
            // 1 is limited, 2 full; others are not stated.
            color.isFullRange = point(ID.range).flatMap { [1: false, 2: true][$0] }
        }
        if let projection = EBMLElements.all(ID.projection, in: video).first {
            orientation = Self.orientation(projection)
        }
    }

    /// Returns the aspect ratio of the pixels that remain of a cropped frame: the displayed size is that after cropping
    /// (section 5.1.4.1.28.12). mkvmerge writes that before cropping, unless it is told another one, and means square
    /// pixels.
    private static func pixelAspect(
        of size: PixelSize, coded: PixelSize, display: (width: Int?, height: Int?), unit: Int
    ) -> Rational {
        // Unit 4 is unknown.
        guard let width = display.width, let height = display.height, width > 0, height > 0, unit < 4,
            PixelSize(width: width, height: height) != coded
        else { return 1 }
        let limit = 1 << 20
        return Rational(min(width, limit) * size.height, min(height, limit) * size.width) ?? 1
    }

    /// Returns the rotation of a rectangular projection: mirrored by a yaw of 180°, then rolled counterclockwise
    /// (section 5.1.4.1.28.46). nil for any other one.
    private static func orientation(_ projection: UnsafeRawBufferPointer) -> Orientation? {
        func angle(_ id: Int) -> Double { EBMLElements.real(id, in: projection) ?? 0 }
        let (yaw, roll) = (angle(ID.yaw), angle(ID.roll))
        guard EBMLElements.number(ID.projectionType, in: projection) ?? 0 == 0, angle(ID.pitch) == 0,
            yaw == 0 || yaw.magnitude == 180, roll.isFinite, yaw != 0 || roll != 0
        else { return nil }
        let (cosine, sine) = (Int(cos(roll * .pi / 180) * 1000), Int(sin(roll * .pi / 180) * 1000))
        return Orientation(xAxis: yaw == 0 ? (cosine, -sine) : (-cosine, sine), yAxis: (sine, cosine))
    }
}

// MARK: Use

extension VideoProperties {
    /// Takes what the container states.
    mutating func take(_ geometry: ContainerGeometry) {
        if let crop = geometry.crop, crop.fits(size) {
            self.crop = crop
            size = PixelSize(width: size.width - crop.left - crop.right, height: size.height - crop.top - crop.bottom)
            pixelAspect = geometry.pixelAspect ?? pixelAspect
        }
        orientation = geometry.orientation ?? orientation
        let stated = geometry.color
        func name(_ point: Int?, _ name: (Int32) -> UnsafePointer<CChar>?) -> String? {
            guard let point, point != 2, point < 256 else { return nil }
            return name(Int32(point)).map { String(cString: $0) }
        }
        color.primaries =
            name(stated.primaries) { av_color_primaries_name(AVColorPrimaries(rawValue: UInt32($0))) }
            ?? color.primaries
        color.transfer =
            name(stated.transfer) { av_color_transfer_name(AVColorTransferCharacteristic(rawValue: UInt32($0))) }
            ?? color.transfer
        color.matrix = name(stated.matrix) { av_color_space_name(AVColorSpace(rawValue: UInt32($0))) } ?? color.matrix
        guard let isFullRange = stated.isFullRange else { return }
        color.isFullRange = isFullRange
        // The names of some formats of FFmpeg imply full range: yuvj420p.
        if !isFullRange, pixelFormat.hasPrefix("yuvj") { pixelFormat = "yuv" + pixelFormat.dropFirst(4) }
    }
}

extension FrameCrop {
    /// What is hidden of a frame of `size`; nil if nothing is.
    init?(of size: PixelSize, columns: Range<Int>, rows: Range<Int>) {
        self.init(
            left: columns.lowerBound, top: rows.lowerBound, right: size.width - columns.upperBound,
            bottom: size.height - rows.upperBound)
        guard left > 0 || top > 0 || right > 0 || bottom > 0 else { return nil }
    }

    /// Whether something of a frame of `size` remains.
    fileprivate func fits(_ size: PixelSize) -> Bool {
        [left, top, right, bottom].allSatisfy { $0 >= 0 } && left + right < size.width && top + bottom < size.height
    }
}

/// A crop rectangle (`clap`: ISO/IEC 14496-12, section 12.1.4), given by its size and the offset of its centre from the
/// image's.
package struct CleanAperture: Sendable {
    /// In pixels; NaN for a denominator of 0.
    package let width: Double
    package let height: Double
    package let offsetX: Double
    package let offsetY: Double

    /// Reads the content of a box; nil if it ends early.
    package init?(_ box: UnsafeRawBufferPointer) {
        var cursor = ByteCursor(box)
        (width, height) = (cursor.readFraction(), cursor.readFraction())
        (offsetX, offsetY) = (cursor.readFraction(), cursor.readFraction())
        guard !cursor.isPastEnd else { return nil }
    }

    /// Whether its values are numbers and it is not empty.
    package var isValid: Bool { width > 0 && height > 0 && offsetX.isFinite && offsetY.isFinite }

    /// Returns the pixels kept of an image of `size`; nil for invalid values.
    ///
    /// Edges between pixels are rounded as in libheif.
    package func pixels(of size: PixelSize) -> (columns: Range<Int>, rows: Range<Int>)? {
        func span(_ length: Double, _ offset: Double, _ side: Int) -> Range<Int>? {
            let middle = offset + Double(side - 1) / 2
            let first = (middle - (length - 1) / 2).rounded(.down)
            let last = (middle + (length - 1) / 2).rounded()
            guard first.magnitude < 1e9, last.magnitude < 1e9 else { return nil }
            let (start, end) = (max(0, Int(first)), min(side, Int(last) + 1))
            return start < end ? start..<end : nil
        }
        guard width >= 1, height >= 1, let columns = span(width, offsetX, size.width),
            let rows = span(height, offsetY, size.height)
        else { return nil }
        return (columns, rows)
    }
}

extension ByteCursor {
    /// Returns a signed numerator and an unsigned denominator of four bytes each.
    fileprivate mutating func readFraction() -> Double {
        let numerator = Int32(truncatingIfNeeded: read(4))
        let denominator = read(4)
        return denominator == 0 ? .nan : Double(numerator) / Double(denominator)
    }
}
