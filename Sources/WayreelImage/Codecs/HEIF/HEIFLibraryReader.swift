internal import CHEIF
internal import WayreelCore

/// Decodes an image of a HEIC or AVIF file through libheif, which crops, rotates and mirrors it.
///
/// Rows are therefore upright, whatever EXIF declares (ISO/IEC 23008-12, section 6.5.10: readers obey the transforms).
final class HEIFLibraryReader: SeekableRowReader {
    let header: ImageHeader
    private(set) var damage: Damage?

    private let bytes: MediaBytes
    private let context: HEIFContext
    private let handle: HEIFHandle
    private var image: HEIFPixels?
    var nextRow = 0

    /// `file` holds the items and the selected image; without it the primary image is read. `format` is `.heif` or
    /// `.avif`.
    init(
        _ bytes: MediaBytes, _ file: HEIFFile?, format: ImageFormat, limits: Limits, task: TaskContext
    ) throws(MediaError) {
        self.bytes = bytes
        context = try HEIFContext(step: .decode)
        let start = bytes.buffer.baseAddress
        try heif_context_read_from_memory_without_copy(context.pointer, start, bytes.count, nil)
            .check(.decoding, step: .decode)
        handle = try HEIFHandle(of: context, image: file?.primary)
        try limits.check(size: handle.size)
        // The coded size, before the clean aperture is applied.
        try limits.check(size: handle.codedSize)
        try file?.checkCodedSizes(limits, task: task)
        // A grid may declare more than its item does; no valid file needs more than the longer side, or a tile. libheif
        // rejects a side equal to its limit.
        let side = max(handle.size.longerSide, handle.codedSize.longerSide, 1024)
        heif_context_set_maximum_image_size_limit(context.pointer, Int32(clamping: side + 1))
        heif_context_set_max_decoding_threads(context.pointer, 0)

        var header = ImageHeader(format: format, size: handle.size)
        header.obeysEXIFOrientation = false
        header.layout = handle.hasAlpha ? .rgba : .rgb
        header.depth = handle.depth
        header.rowBits = handle.depth > 8 ? 16 : 8
        header.model = .yCbCr
        header.frames = max(1, Int(heif_context_get_number_of_top_level_images(context.pointer)))
        header.profile = handle.profile
        header.codePoints = handle.codePoints
        if let file { header.take(file) }
        try limits.check(frames: header.frames)
        self.header = header
        if file?.hasAlpha == true, !handle.hasAlpha {
            damage = Damage(missingShare: 0, description: "its alpha is left out: it does not fit the image")
        }
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        let image = try decoded()
        let source = image.row(nextRow)
        nextRow += 1
        if header.rowBits == 16 {
            widen(source, into: row, depth: image.depth)
        } else {
            row.copyMemory(from: source, byteCount: header.rowBytes)
        }
        if handle.isPremultiplied { header.straighten(row) }
    }

    private func decoded() throws(MediaError) -> HEIFPixels {
        if let image { return image }
        let image = try HEIFPixels(decoding: handle, header)
        if let warning = image.warning { damage = Damage(missingShare: 0, description: "libheif: \(warning)") }
        self.image = image
        return image
    }

    /// Scales components of `depth` bits to 16 bits.
    private func widen(_ source: UnsafeRawPointer, into row: UnsafeMutableRawPointer, depth: Int) {
        let full = UInt32(1) << UInt32(depth) - 1
        let (half, count) = (full / 2, header.rowBytes / 2)
        let from = source.assumingMemoryBound(to: UInt16.self)
        let to = row.assumingMemoryBound(to: UInt16.self)
        for i in 0..<count {
            to[i] = UInt16(truncatingIfNeeded: (min(UInt32(from[i]), full) * 65535 + half) / full)
        }
    }
}

/// Properties of an image in libheif.
private final class HEIFHandle {
    let pointer: OpaquePointer

    /// The handle of the item `image`, or of the primary one.
    init(of context: HEIFContext, image: Int?) throws(MediaError) {
        var handle: OpaquePointer?
        let status =
            image.map { heif_context_get_image_handle(context.pointer, heif_item_id(truncatingIfNeeded: $0), &handle) }
            ?? heif_context_get_primary_image_handle(context.pointer, &handle)
        try status.check(.decoding, step: .decode)
        guard let handle else { throw ErrorSite(step: .decode, format: .heif)("no primary image") }
        pointer = handle
    }

    deinit { heif_image_handle_release(pointer) }

    /// Display size, cropped and rotated.
    var size: PixelSize {
        PixelSize(
            width: Int(heif_image_handle_get_width(pointer)), height: Int(heif_image_handle_get_height(pointer)))
    }

    /// Stored size.
    var codedSize: PixelSize {
        PixelSize(
            width: Int(heif_image_handle_get_ispe_width(pointer)),
            height: Int(heif_image_handle_get_ispe_height(pointer)))
    }

    var hasAlpha: Bool { heif_image_handle_has_alpha_channel(pointer) != 0 }
    var isPremultiplied: Bool { hasAlpha && heif_image_handle_is_premultiplied_alpha(pointer) != 0 }
    /// Bits per component.
    var depth: Int {
        let depth = Int(heif_image_handle_get_luma_bits_per_pixel(pointer))
        return (1...16).contains(depth) ? depth : 8
    }

    var profile: [UInt8]? {
        let type = heif_image_handle_get_color_profile_type(pointer)
        guard type == heif_color_profile_type_prof || type == heif_color_profile_type_rICC else { return nil }
        let count = heif_image_handle_get_raw_color_profile_size(pointer)
        guard count > 0 else { return nil }
        var profile = [UInt8](repeating: 0, count: count)
        let status = heif_image_handle_get_raw_color_profile(pointer, &profile)
        return status.code == heif_error_Ok ? profile : nil
    }

    var codePoints: ColorCodePoints? {
        var nclx: UnsafeMutablePointer<heif_color_profile_nclx>?
        let status = heif_image_handle_get_nclx_color_profile(pointer, &nclx)
        guard status.code == heif_error_Ok, let nclx else { return nil }
        defer { heif_nclx_color_profile_free(nclx) }
        return ColorCodePoints(
            primaries: Int(nclx.pointee.color_primaries.rawValue),
            transfer: Int(nclx.pointee.transfer_characteristics.rawValue),
            matrix: Int(nclx.pointee.matrix_coefficients.rawValue), isFullRange: nclx.pointee.full_range_flag != 0)
    }
}

/// A decoded image: interleaved RGB or RGBA in bytes, or in 16-bit words with `depth` significant bits.
private final class HEIFPixels {
    private let pointer: OpaquePointer
    private let base: UnsafePointer<UInt8>
    private let stride: Int
    let depth: Int

    init(decoding handle: HEIFHandle, _ header: ImageHeader) throws(MediaError) {
        var image: OpaquePointer?
        let options = heif_decoding_options_alloc()
        defer { heif_decoding_options_free(options) }
        try heif_decode_image(handle.pointer, &image, heif_colorspace_RGB, Self.chroma(of: header), options)
            .check(.decoding, step: .decode)
        guard let image else { throw Self.fault("nothing was decoded") }
        pointer = image
        var stride: Int32 = 0
        let plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)
        let size = PixelSize(
            width: Int(heif_image_get_width(image, heif_channel_interleaved)),
            height: Int(heif_image_get_height(image, heif_channel_interleaved)))
        depth = Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved))
        base = plane ?? UnsafePointer(bitPattern: 1)!
        self.stride = Int(stride)
        // From here on deinit releases the image, even if this throws.
        guard plane != nil, Int(stride) >= header.rowBytes, (1...16).contains(depth) else {
            throw Self.fault("nothing was decoded")
        }
        guard size == header.size else {
            throw Self.fault("the header declares \(header.size), but the image is \(size)")
        }
    }

    deinit { heif_image_release(pointer) }

    func row(_ y: Int) -> UnsafeRawPointer { UnsafeRawPointer(base + y * stride) }

    /// The first decoding warning of libheif.
    var warning: String? {
        // libheif 1.15 writes all warnings regardless of the given capacity.
        let count = heif_image_get_decoding_warnings(pointer, 0, nil, 0)
        guard count > 0 else { return nil }
        var warnings = [heif_error](repeating: heif_error(), count: Int(count))
        _ = heif_image_get_decoding_warnings(pointer, 0, &warnings, count)
        return warnings[0].text ?? "the data is broken"
    }

    private static func chroma(of header: ImageHeader) -> heif_chroma {
        let hasAlpha = header.layout == .rgba
        guard header.rowBits == 16 else {
            return hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
        }
        #if _endian(little)
            return hasAlpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE
        #else
            return hasAlpha ? heif_chroma_interleaved_RRGGBBAA_BE : heif_chroma_interleaved_RRGGBB_BE
        #endif
    }

    private static let fault = ErrorSite(step: .decode, format: .heif)
}
