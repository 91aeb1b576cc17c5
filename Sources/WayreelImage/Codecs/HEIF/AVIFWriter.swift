internal import CHEIF
internal import WayreelCore

/// Encodes AVIF with libheif's AV1 encoder, 8 bits, lossy (4:2:0) or lossless (4:4:4 RGB), tagged as sRGB by code
/// points.
enum AVIFWriter: ImageEncoder {
    /// libaom's speed, 0 (slow) to 9 (fast). For a photograph of 960 × 720 at quality 60 (libaom 3.6): 6 takes 590 ms
    /// for 35.0 dB, 8 takes 220 ms for 34.6 dB, 9 takes 80 ms for 34.2 dB, all within 118 kB.
    fileprivate static let speed: Int32 = 8

    static func encode(
        _ image: Image, as encoding: Encoding, metadata: OutputMetadata, task: TaskContext
    ) throws(MediaError) -> [UInt8] {
        let context = try HEIFContext(step: .encode)
        guard heif_have_encoder_for_format(heif_compression_AV1) != 0 else {
            throw MediaError(
                .unsupported, step: .encode, reason: "this libheif has no AV1 encoder",
                advice: "install its plugin (apt install libheif-plugin-aomenc) or use \(.format) webp")
        }
        let canvas = try HEIFCanvas(of: image, task: task)
        let encoder = try AV1Encoder(context, encoding)
        guard let options = heif_encoding_options_alloc(), let sRGB = heif_nclx_color_profile_alloc() else {
            throw fault("no memory")
        }
        defer {
            heif_encoding_options_free(options)
            heif_nclx_color_profile_free(sRGB)
        }
        sRGB.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
        sRGB.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
        sRGB.pointee.matrix_coefficients =
            encoding.lossless ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6
        sRGB.pointee.full_range_flag = 1
        options.pointee.save_alpha_channel = image.hasAlpha ? 1 : 0
        options.pointee.output_nclx_profile = sRGB
        try check(heif_image_set_nclx_color_profile(canvas.pointer, sRGB))

        var handle: OpaquePointer?
        try task.check()
        try check(heif_context_encode_image(context.pointer, canvas.pointer, encoder.pointer, options, &handle))
        guard let handle else { throw fault("nothing was encoded") }
        defer { heif_image_handle_release(handle) }
        if let exif = metadata.exif {
            try check(heif_context_add_exif_metadata(context.pointer, handle, exif, Int32(clamping: exif.count)))
        }
        if let xmp = metadata.xmp {
            try check(heif_context_add_XMP_metadata(context.pointer, handle, xmp, Int32(clamping: xmp.count)))
        }
        return try write(context)
    }

    private static func write(_ context: HEIFContext) throws(MediaError) -> [UInt8] {
        var file: [UInt8] = []
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, data, count, file in
            file!.assumingMemoryBound(to: [UInt8].self).pointee
                .append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
            return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        try check(withUnsafeMutablePointer(to: &file) { heif_context_write(context.pointer, &writer, $0) })
        return file
    }

    fileprivate static func check(_ status: heif_error) throws(MediaError) {
        try status.check(.encoding, step: .encode)
    }

    fileprivate static let fault = ErrorSite(.encoding, step: .encode, format: .avif)
}

/// libheif's AV1 encoder with its settings. It uses one thread: Wayreel schedules the workers, and the output must not
/// depend on the number of threads.
private final class AV1Encoder {
    let pointer: OpaquePointer
    private static let threads: Int32 = 1

    init(_ context: HEIFContext, _ encoding: Encoding) throws(MediaError) {
        var encoder: OpaquePointer?
        try AVIFWriter.check(heif_context_get_encoder_for_format(context.pointer, heif_compression_AV1, &encoder))
        guard let encoder else { throw AVIFWriter.fault("no encoder") }
        pointer = encoder
        try AVIFWriter.check(heif_encoder_set_lossy_quality(encoder, Int32(encoding.quality)))
        try AVIFWriter.check(heif_encoder_set_lossless(encoder, encoding.lossless ? 1 : 0))
        let chroma = encoding.lossless ? "444" : "420"
        try AVIFWriter.check(heif_encoder_set_parameter_string(encoder, "chroma", chroma))
        // Encoders that do not know these parameters keep their defaults.
        _ = heif_encoder_set_parameter_integer(encoder, "speed", AVIFWriter.speed)
        _ = heif_encoder_set_parameter_integer(encoder, "threads", Self.threads)
    }

    deinit { heif_encoder_release(pointer) }
}

/// An image in libheif's pixel format.
private final class HEIFCanvas {
    let pointer: OpaquePointer

    init(of image: Image, task: TaskContext) throws(MediaError) {
        let packer = RowPacker(hasAlpha: image.hasAlpha)
        let chroma = image.hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
        let (width, height) = (Int32(image.width), Int32(image.height))
        var handle: OpaquePointer?
        try AVIFWriter.check(heif_image_create(width, height, heif_colorspace_RGB, chroma, &handle))
        guard let handle else { throw AVIFWriter.fault("no memory") }
        pointer = handle
        try AVIFWriter.check(heif_image_add_plane(handle, heif_channel_interleaved, width, height, 8))
        var stride: Int32 = 0
        guard var row = heif_image_get_plane(handle, heif_channel_interleaved, &stride) else {
            throw AVIFWriter.fault("no memory")
        }
        try packer.forEachRow(of: image, task: task) { packed in
            UnsafeMutableRawPointer(row).copyMemory(from: packed, byteCount: packer.rowBytes(width: image.width))
            row += Int(stride)
        }
    }

    deinit { heif_image_release(pointer) }
}
