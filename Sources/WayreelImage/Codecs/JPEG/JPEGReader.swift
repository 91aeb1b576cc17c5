internal import CJPEG
package import WayreelCore

/// Decodes JPEG through libjpeg-turbo, row by row.
///
/// Chroma is interpolated (libjpeg's "fancy" upsampling), grey is expanded to RGB, YCCK is converted to CMYK. Rows have
/// 8 bits.
package final class JPEGReader: RowReader {
    package let header: ImageHeader
    private let bytes: MediaBytes
    private let task: TaskContext
    private let reader: OpaquePointer

    /// Reads the header. `task` is checked while the scans of a progressive image are read.
    package init(_ bytes: MediaBytes, limits: Limits, task: TaskContext) throws(MediaError) {
        try JPEGLibrary.load(step: "decode")
        var message = [CChar](repeating: 0, count: Int(WR_JPEG_MESSAGE_SIZE))
        let memory = bytes.buffer.assumingMemoryBound(to: UInt8.self)
        guard let reader = wr_jpeg_reader_open(memory.baseAddress, memory.count, &message) else {
            throw Self.fault(String(cMessage: message))
        }
        self.bytes = bytes
        self.task = task
        self.reader = reader
        let info = wr_jpeg_reader_info(reader)
        let size = PixelSize(width: Int(info.width), height: Int(info.height))
        var header = ImageHeader(format: .jpeg, size: size)
        header.layout = info.row_components == 4 ? .cmyk : .rgb
        header.model =
            switch info.components {
            case 1: .grey
            case 4: info.is_ycck != 0 ? .ycck : .cmyk
            default: info.is_ycc != 0 ? .yCbCr : .rgb
            }
        header.isProgressive = info.is_progressive != 0
        header.keptBytes = Int(info.coefficient_bytes)
        header.subsampling = Self.subsampling(info)
        header.take(JPEGSegments(bytes.buffer))
        self.header = header
        // From here on `deinit` closes the reader.
        // The coefficients of all scans of a progressive image are in memory.
        try limits.check(size: size, isStreamed: !header.isProgressive)
        wr_jpeg_reader_set_stop(
            reader,
            { context in
                Unmanaged<TaskContext>.fromOpaque(context!).takeUnretainedValue().mustStop ? 1 : 0
            }, Unmanaged.passUnretained(task).toOpaque())
    }

    deinit { wr_jpeg_reader_close(reader) }

    package func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        try check(wr_jpeg_reader_read(reader, row.assumingMemoryBound(to: UInt8.self)))
    }

    package func skipRows(_ count: Int) throws(MediaError) {
        try check(wr_jpeg_reader_skip(reader, UInt32(count)))
    }

    package var damage: Damage? {
        var damage = wr_jpeg_reader_damage(reader)
        guard damage.count > 0 else { return nil }
        let first = withUnsafeBytes(of: &damage.first) {
            String(cString: $0.assumingMemoryBound(to: CChar.self).baseAddress!)
        }
        return Damage(missingShare: damage.missing_share, description: "damaged data (libjpeg: \(first))")
    }

    private func check(_ succeeded: Int32) throws(MediaError) {
        guard succeeded == 0 else { return }
        try task.check()
        throw Self.fault(String(cString: wr_jpeg_reader_message(reader)))
    }

    private static func fault(_ reason: String) -> MediaError {
        MediaError(
            .decoding, step: "decode", reason: "not a readable JPEG (libjpeg: \(reason))",
            advice: "send the file again or open and save it in an editor")
    }

    /// Chroma subsampling, as in `4:2:0`; nil without chroma or for unnamed sampling factors.
    private static func subsampling(_ info: wr_jpeg_info) -> String? {
        guard info.components >= 3 else { return nil }
        switch (info.horizontal_ratio, info.vertical_ratio) {
        case (1, 1): return "4:4:4"
        case (2, 1): return "4:2:2"
        case (2, 2): return "4:2:0"
        case (1, 2): return "4:4:0"
        case (4, 1): return "4:1:1"
        case (4, 2): return "4:1:0"
        default: return nil
        }
    }
}
