internal import WayreelAV
internal import WayreelCore

/// Decodes still images of the formats that only FFmpeg knows. The frame is decoded when the file is opened: only then is its
/// layout known.
final class StillReader: RowReader {
    let header: PictureHeader
    let damage: Damage?

    private let frame: StillFrame
    private var pixels: DecodedPixels?
    private var nextRow = 0

    init(_ bytes: MediaBytes, as still: StillFormat, limits: Limits) throws(MediaError) {
        let facts = try still.examine?(bytes.buffer, limits)
        frame = try StillFrame(bytes.buffer, codec: still.codec, limits: limits)
        var header = PictureHeader(format: still.format, size: frame.size)
        header.layout = frame.hasAlpha ? .rgba : .rgb
        header.rowBits = frame.bits
        header.depth = frame.depth
        header.model = still.model ?? Self.models[frame.model] ?? .rgb
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
