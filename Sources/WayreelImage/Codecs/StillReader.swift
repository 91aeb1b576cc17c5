internal import WayreelAV
internal import WayreelCore

/// Decodes still images of the formats that only FFmpeg knows. The frame is decoded when the file is opened: only then is its
/// layout known.
final class StillReader: RowReader {
    let header: PictureHeader
    let damage: Damage?

    private let frame: StillFrame
    private let isPremultiplied: Bool
    private var pixels: DecodedPixels?
    private var nextRow = 0

    init(_ bytes: MediaBytes, as still: StillFormat, limits: Limits) throws(MediaError) {
        let facts = try still.examine?(bytes.buffer, limits)
        let directory = TIFFDirectory(bytes.buffer)
        try directory?.refuseCameraRaw()
        try directory?.refuseUndecodable()
        isPremultiplied = directory?.isPremultiplied ?? false
        // FFmpeg would make red, green and blue of inks, and a profile of the inks be of no use. As a picture of red, green,
        // blue and alpha it hands them out as they are.
        let inks = directory?.inks
        frame = try StillFrame(
            bytes.buffer, codec: still.codec, patch: inks.map { BytePatch(offset: $0, byte: 2) },
            keepsFourth: inks != nil, limits: limits)
        var header = PictureHeader(format: still.format, size: frame.size)
        header.orientation = directory?.orientation ?? .upright
        header.layout = inks != nil ? .cmyk : frame.hasAlpha ? .rgba : .rgb
        header.rowBits = frame.bits
        header.depth = frame.depth
        header.model = inks != nil ? .cmyk : still.model ?? Self.models[frame.model] ?? .rgb
        header.profile = frame.profile
        header.frames = facts?.frames ?? 1
        self.header = header
        damage = frame.complaint.map { Damage(missingShare: 0, description: "\(still.format.name): \($0)") }
    }

    private static let models: [StillFrame.Model: PictureHeader.ColorModel] = [
        .grey: .grey, .palette: .palette, .rgb: .rgb, .yCbCr: .yCbCr,
    ]

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        row.copyMemory(from: try converted().row(nextRow), byteCount: header.rowBytes)
        if isPremultiplied { header.straighten(row) }
        nextRow += 1
    }

    func skipRows(_ count: Int) { nextRow += count }

    private func converted() throws(MediaError) -> DecodedPixels {
        if let pixels { return pixels }
        let pixels = try DecodedPixels(header)
        try frame.convert(into: pixels.base, stride: pixels.stride)
        self.pixels = pixels
        return pixels
    }
}
