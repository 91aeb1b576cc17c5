internal import CWebP
internal import WayreelCore

/// Encodes WebP through libwebp, lossy or lossless, with alpha if the image has it, tagged with an sRGB profile.
enum WebPWriter: ImageEncoder {
    /// libwebp's default effort, 0 (fast) to 6 (small).
    private static let method: Int32 = 4

    static func encode(
        _ image: Image, as encoding: Encoding, metadata: OutputMetadata, task: TaskContext
    ) throws(MediaError) -> [UInt8] {
        try WebPLibrary.load(step: .encode)
        let bitstream = try encodeBitstream(image, as: encoding, task: task)
        let chunks: [(type: String, bytes: [UInt8]?)] = [
            ("ICCP", SRGBProfile.bytes), ("EXIF", metadata.exif), ("XMP ", metadata.xmp),
        ]
        return try WebPMuxer.assemble(bitstream, chunks: chunks)
    }

    private static func encodeBitstream(
        _ image: Image, as encoding: Encoding, task: TaskContext
    ) throws(MediaError) -> [UInt8] {
        var config = WebPConfig()
        var target = WebPPicture()
        guard WebPConfigInit(&config) != 0, WebPPictureInit(&target) != 0 else { throw fault("libwebp's version") }
        config.quality = Float(encoding.quality)
        config.method = method
        if encoding.lossless { _ = WebPConfigLosslessPreset(&config, 6) }
        defer { WebPPictureFree(&target) }
        target.width = Int32(image.width)
        target.height = Int32(image.height)
        target.use_argb = encoding.lossless ? 1 : 0
        try importPixels(of: image, into: &target, task: task)

        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        target.writer = WebPMemoryWrite
        target.user_data = Unmanaged.passUnretained(task).toOpaque()
        target.progress_hook = { _, image in
            guard let context = image?.pointee.user_data else { return 1 }
            return Unmanaged<TaskContext>.fromOpaque(context).takeUnretainedValue().mustStop ? 0 : 1
        }
        let encoded = withUnsafeMutablePointer(to: &writer) { sink in
            target.custom_ptr = UnsafeMutableRawPointer(sink)
            return WebPEncode(&config, &target) != 0
        }
        guard encoded else {
            try task.check()
            if [VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY].contains(target.error_code) {
                throw noMemory
            }
            throw fault("libwebp's error \(target.error_code.rawValue)")
        }
        return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }

    private static func importPixels(
        of image: Image, into target: inout WebPPicture, task: TaskContext
    ) throws(MediaError) {
        let packer = RowPacker(hasAlpha: image.hasAlpha)
        let stride = packer.rowBytes(width: image.width)
        let rows = try AlignedMemory(uninitialized: stride * image.height, step: .encode)
        var end = rows.base
        try packer.forEachRow(of: image, task: task) { row in
            end.copyMemory(from: row, byteCount: stride)
            end += stride
        }
        let imported = withExtendedLifetime(rows) {
            let start = rows.pointer(to: UInt8.self)
            return image.hasAlpha
                ? WebPPictureImportRGBA(&target, start, Int32(stride))
                : WebPPictureImportRGB(&target, start, Int32(stride))
        }
        guard imported != 0 else { throw noMemory }
    }

    private static var noMemory: MediaError { fault(.limit, "no memory", "run fewer at once") }

    fileprivate static let fault = ErrorSite(.encoding, step: .encode, format: .webp)
}

/// Combines a bitstream and metadata chunks into a file.
private enum WebPMuxer {
    static func assemble(_ bitstream: [UInt8], chunks: [(type: String, bytes: [UInt8]?)]) throws(MediaError) -> [UInt8]
    {
        guard let mux = WebPMuxNew() else { throw WebPWriter.fault("no memory") }
        defer { WebPMuxDelete(mux) }
        try withData(bitstream) { WebPMuxSetImage(mux, $0, 1) }
        for chunk in chunks {
            guard let bytes = chunk.bytes, !bytes.isEmpty else { continue }
            try withData(bytes) { WebPMuxSetChunk(mux, chunk.type, $0, 1) }
        }
        var file = WebPData()
        WebPDataInit(&file)
        defer { WebPDataClear(&file) }
        guard WebPMuxAssemble(mux, &file) == WEBP_MUX_OK else { throw WebPWriter.fault("the file cannot be assembled") }
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
    }

    /// Calls a function that copies `bytes` into the file.
    private static func withData(
        _ bytes: [UInt8], _ body: (UnsafePointer<WebPData>) -> WebPMuxError
    ) throws(MediaError) {
        let status = bytes.withUnsafeBufferPointer { buffer in
            var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
            return body(&data)
        }
        guard status == WEBP_MUX_OK else { throw WebPWriter.fault("libwebpmux's error \(status.rawValue)") }
    }
}
