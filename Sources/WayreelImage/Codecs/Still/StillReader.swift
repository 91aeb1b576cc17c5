internal import WayreelAV
internal import WayreelCore

/// Decodes still images through FFmpeg. The frame is decoded on opening, because its layout is only known then.
final class StillReader: WholeImageReader {
    let header: ImageHeader
    let damage: Damage?

    private let frame: StillFrame
    private var pixels: DecodedPixels?
    var nextRow = 0

    init(_ bytes: MediaBytes, as still: StillFormat, limits: Limits) throws(MediaError) {
        try still.check?(bytes.buffer, limits)
        frame = try StillFrame(bytes.buffer, codec: still.codec, limits: limits)
        var header = ImageHeader(format: still.format, size: frame.size)
        header.layout = frame.hasAlpha ? .rgba : .rgb
        header.rowBits = frame.bits
        header.depth = frame.depth
        header.model = still.model ?? Self.models[frame.model] ?? .rgb
        header.profile = frame.profile
        if frame.isLinearLight { header.codePoints = .linearLight }
        still.readMetadata?(bytes.buffer, &header)
        self.header = header
        damage = frame.decoderMessage.map { Damage(missingShare: 0, description: "\(still.format.name): \($0)") }
    }

    private static let models: [StillFrame.Model: ImageHeader.ColorModel] = [
        .grey: .grey, .palette: .palette, .rgb: .rgb, .yCbCr: .yCbCr,
    ]

    func decoded() throws(MediaError) -> DecodedPixels {
        if let pixels { return pixels }
        let pixels = try DecodedPixels(header)
        try frame.convert(into: pixels.base, stride: pixels.stride)
        self.pixels = pixels
        return pixels
    }
}
