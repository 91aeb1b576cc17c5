internal import CJPEG
package import WayreelCore

/// Decodes JPEG: by ``JPEGPlanes`` if the image is accepted there, which gives libjpeg's rows in less time and reduced
/// ones in still less; otherwise through libjpeg-turbo, row by row.
///
/// Chroma is interpolated (libjpeg's "fancy" upsampling), grey is expanded to RGB, YCCK is converted to CMYK. Rows have
/// 8 bits.
package final class JPEGReader: RowReader {
    package let header: ImageHeader
    private let bytes: MediaBytes
    private let task: TaskContext
    private let reader: OpaquePointer
    /// The rows; nil while none is read, or if they are libjpeg's.
    private var planes: JPEGPlanes?
    private var isLeftToLibjpeg = false
    private var nextRow = 0
    /// Rows that libjpeg has not skipped yet.
    private var skippedRows = 0

    /// Reads the header. `task` is checked while the scans of a progressive image are read.
    package init(_ bytes: MediaBytes, limits: Limits, task: TaskContext) throws(MediaError) {
        try SharedLibrary.libjpeg.require(step: .decode)
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
        wr_jpeg_reader_set_stop(reader, mustStop, Unmanaged.passUnretained(task).toOpaque())
    }

    deinit { wr_jpeg_reader_close(reader) }

    package func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        if planes == nil, !isLeftToLibjpeg {
            if let frame { planes = try JPEGPlanes(frame, task: task) }
            isLeftToLibjpeg = planes == nil
        }
        defer { nextRow += 1 }
        if let planes { return planes.convertRow(nextRow, isYCbCr: header.model == .yCbCr, into: row) }
        if skippedRows > 0 { try check(wr_jpeg_reader_skip(reader, UInt32(skippedRows))) }
        skippedRows = 0
        try check(wr_jpeg_reader_read(reader, row.assumingMemoryBound(to: UInt8.self)))
    }

    package func skipRows(_ count: Int) throws(MediaError) {
        nextRow += count
        skippedRows += count
    }

    package func reduced(for plan: ResamplingPlan) throws(MediaError) -> ReducedImage? {
        // libjpeg stops at the last row that is read.
        if plan.rows.support.upperBound * 2 < header.size.height { isLeftToLibjpeg = true }
        // Light is not linear in the transform, which also mixes the pixels on both sides of a window's edge.
        guard !isLeftToLibjpeg, !plan.inLinearLight, plan.window == nil, let frame,
            let scale = frame.scale(for: plan.reduction)
        else { return nil }
        guard let reduced = try JPEGPlanes(frame, scale: scale, task: task) else {
            // Its rows would be refused again.
            isLeftToLibjpeg = true
            return nil
        }
        return ReducedImage(reader: JPEGReducedRows(reduced, of: header), spacing: 8 / Double(scale))
    }

    /// The header for ``JPEGPlanes``; nil if the image is left to libjpeg.
    private var frame: JPEGPlanes.Frame? {
        switch header.model {
        case .grey, .yCbCr, .rgb: JPEGPlanes.Frame(bytes)
        default: nil
        }
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

    private static let fault = ErrorSite(
        step: .decode, format: .jpeg, advice: "send the file again or open and save it in an editor"
    ) { "not a readable JPEG (libjpeg: \($0))" }

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
