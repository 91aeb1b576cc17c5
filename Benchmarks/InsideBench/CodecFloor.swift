internal import CJPEG
internal import WayreelCore
internal import WayreelImage

/// The min work of any program on a capture: libjpeg-turbo decodes the whole image, and encodes an image of the
/// output's size. No other processing.
struct CodecFloor {
    private let source: MediaBytes
    private let sourceSize: PixelSize
    private let output: Image

    /// Encodes the output of `pipeline` for the capture, so that the floor includes the same image.
    init(_ source: MediaBytes, framing: Framing) throws {
        self.source = source
        let task = TaskContext()
        let reader = try JPEGReader(source, limits: .standard, task: task)
        sourceSize = reader.header.size
        output = try Resampling.resample(
            reader, plan: framing.plan(for: sourceSize, orientation: .upright), task: task)
    }

    private var rows: [[UInt8]] {
        output.withPlanes { planes in
            (0..<planes.height).map { y in
                (0..<planes.width * 3).map { UInt8(min(max(planes.row(y, plane: $0 % 3)[$0 / 3] * 255 + 0.5, 0), 255)) }
            }
        }
    }

    /// Returns a closure that does the work once.
    func prepared(quality: Int) -> () -> Void {
        let rows = rows
        precondition(jpeg_load() == nil, "libjpeg cannot be loaded")
        return {
            var message = [CChar](repeating: 0, count: Int(WR_JPEG_MESSAGE_SIZE))
            let bytes = source.buffer.assumingMemoryBound(to: UInt8.self)
            var row = [UInt8](repeating: 0, count: sourceSize.width * 3 + 64)
            guard let reader = wr_jpeg_reader_open(bytes.baseAddress, bytes.count, &message) else { return }
            for _ in 0..<sourceSize.height { _ = wr_jpeg_reader_read(reader, &row) }
            wr_jpeg_reader_close(reader)
            let options = wr_jpeg_options(
                width: UInt32(output.width), height: UInt32(output.height), quality: Int32(quality), progressive: 0,
                horizontal_ratio: 2, vertical_ratio: 2)
            guard let writer = wr_jpeg_writer_open(options, &message) else { return }
            for row in rows { _ = wr_jpeg_writer_write(writer, row) }
            var count = 0
            _ = wr_jpeg_writer_finish(writer, &count)
            wr_jpeg_writer_close(writer)
        }
    }
}
