internal import WayreelAV
internal import WayreelCore
internal import WayreelImage

/// Reads the rows of a packed RGB or RGBA frame, 8 or 16 bits, for the image resampler.
final class FrameRowReader: RowReader {
    let header: ImageHeader
    private let frame: Frame
    private var nextRow = 0

    /// Creates a reader of a frame in `rgb24`, `rgba`, `rgb48` or `rgba64`.
    init(_ frame: Frame) {
        let format = frame.pixelFormatName
        var header = ImageHeader(format: ImageFormat(name: "video", mimeType: "video/mp4"), size: frame.size)
        header.layout = format.hasPrefix("rgba") ? .rgba : .rgb
        header.rowBits = format.contains("48") || format.contains("64") ? 16 : 8
        self.header = header
        self.frame = frame
    }

    var damage: Damage? { nil }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        try frame.withPlanes { row.copyMemory(from: $0[0].row(nextRow), byteCount: header.rowBytes) }
        nextRow += 1
    }

    func skipRows(_ count: Int) { nextRow += count }
}
