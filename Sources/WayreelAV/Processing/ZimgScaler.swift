internal import CFFmpeg
internal import CZimg
package import WayreelCore

/// Scales frames of 8-bit 4:2:0 in limited range by a cubic, with libzimg.
///
/// The result equals that of FFmpeg's `zscale`, bit for bit, without the cost of loading and running libavfilter.
/// Belongs to one thread at a time.
package final class ZimgScaler: @unchecked Sendable {
    package let from: PixelSize
    package let to: PixelSize
    private let b: Double
    private let c: Double
    private let pool: FramePool
    private var scaling: Scaling?

    /// `b` and `c` are the parameters of the cubic (Mitchell and Netravali, 1988). Both sizes are even.
    package init(from: PixelSize, to: PixelSize, b: Double, c: Double) throws(MediaError) {
        try SharedLibrary.check(zimg_library_load(), "libzimg", packages: "libzimg2", step: .scale)
        (self.from, self.to, self.b, self.c) = (from, to, b, c)
        pool = try FramePool("yuv420p", size: to)
    }

    /// A zimg filter graph for frames of one chroma location and row alignment.
    private final class Scaling {
        let chroma: AVChromaLocation
        let alignment: Int
        let graph: OpaquePointer
        let scratch: UnsafeMutableRawPointer

        init(_ resize: zimg_resize, _ chroma: AVChromaLocation, alignment: Int) throws(MediaError) {
            var resize = resize
            (self.chroma, self.alignment) = (chroma, alignment)
            guard let graph = zimg_resize_make(&resize) else {
                var text = [CChar](repeating: 0, count: 256)
                _ = zimg_get_last_error(&text, text.count - 1)
                let reason = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
                throw MediaError(.unsupported, step: .scale, reason: "libzimg: \(reason)")
            }
            self.graph = graph
            var count = 0
            _ = zimg_filter_graph_get_tmp_size(graph, &count)
            scratch = .allocate(byteCount: max(count, 1), alignment: alignment)
        }

        deinit {
            zimg_filter_graph_free(graph)
            scratch.deallocate()
        }
    }

    /// Row alignments in bytes that libzimg supports; the first is for its AVX-512 code.
    private static let alignments = [FramePool.alignment, 32]

    /// Returns the scaled frame, in square pixels, or the frame itself if the sizes are equal. nil for a frame of
    /// another size or format, or with unsupported row alignment.
    package func scale(_ frame: Frame) throws(MediaError) -> Frame? {
        guard frame.size == from, frame.pixelFormat == AV_PIX_FMT_YUV420P else { return nil }
        let source = frame.pointer.pointee
        guard source.color_range != AVCOL_RANGE_JPEG else { return nil }
        guard from != to else {
            frame.pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            return frame
        }
        let scaled = try pool.makeFrame()
        let alignment = Self.alignments.first { Self.isAligned(frame, to: $0) }
        guard let alignment, av_frame_copy_props(scaled.pointer, frame.pointer) == 0 else { return nil }
        scaled.pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        let current = try scaling(chroma: source.chroma_location, alignment: alignment)
        let status = zimg_resize_run(
            current.graph, frame.planes.map { $0.map { UnsafePointer($0) } }, frame.strides, scaled.planes,
            scaled.strides, current.scratch)
        guard status == ZIMG_ERROR_SUCCESS else {
            throw MediaError(.limit, step: .scale, reason: "libzimg failed (\(status.rawValue))")
        }
        return scaled
    }

    private func scaling(chroma: AVChromaLocation, alignment: Int) throws(MediaError) -> Scaling {
        if let scaling, scaling.chroma == chroma, scaling.alignment == alignment { return scaling }
        // FFmpeg counts chroma locations from 1, libzimg from 0. Unspecified means left.
        let location = zimg_chroma_location_e(rawValue: Int32(max(1, chroma.rawValue)) - 1)
        let resize = zimg_resize(
            from_width: UInt32(clamping: from.width), from_height: UInt32(clamping: from.height),
            to_width: UInt32(clamping: to.width), to_height: UInt32(clamping: to.height), chroma: location, b: b, c: c,
            is_wide: alignment == 64)
        let made = try Scaling(resize, chroma, alignment: alignment)
        scaling = made
        return made
    }

    private static func isAligned(_ frame: Frame, to alignment: Int) -> Bool {
        zip(frame.planes, frame.strides).prefix(3).allSatisfy { plane, stride in
            UInt(bitPattern: plane) % UInt(alignment) == 0 && Int(stride) % alignment == 0
        }
    }
}

/// Creates frames of one pixel format and size, with rows aligned to 64 bytes. Their memory is used again after they
/// are released, which may be by another thread, and after the pool.
package final class FramePool: @unchecked Sendable {
    private let format: AVPixelFormat
    private let size: PixelSize
    private var buffers: OpaquePointer?

    static let alignment = 64

    /// `pixelFormat` is FFmpeg's name.
    ///
    /// Throws a `limit` error for a size that FFmpeg does not support, an `io` error if FFmpeg is not installed.
    package init(_ pixelFormat: String, size: PixelSize) throws(MediaError) {
        try FFmpeg.load(.scaler, step: .decode)
        (format, self.size) = (av_get_pix_fmt(pixelFormat), size)
        let count = av_image_get_buffer_size(
            format, Int32(clamping: size.width), Int32(clamping: size.height), Int32(Self.alignment))
        // SIMD code may read a vector beyond the last row.
        buffers = count > 0 ? av_buffer_pool_init(Int(count) + 2 * Self.alignment, nil) : nil
        guard buffers != nil else { throw noMemory }
    }

    deinit { av_buffer_pool_uninit(&buffers) }

    /// Returns a frame with uninitialised pixels. Throws a `limit` error if memory is exhausted.
    package func makeFrame() throws(MediaError) -> Frame {
        let frame = try Frame()
        guard let buffer = av_buffer_pool_get(buffers) else { throw noMemory }
        let target = frame.pointer
        target.pointee.buf.0 = buffer
        target.pointee.format = format.rawValue
        target.pointee.width = Int32(clamping: size.width)
        target.pointee.height = Int32(clamping: size.height)
        let start = UnsafeMutableRawPointer(buffer.pointee.data)?.alignedUp(toMultipleOf: Self.alignment)
            .assumingMemoryBound(to: UInt8.self)
        let status = withUnsafeMutableBytes(of: &target.pointee.data) { data in
            withUnsafeMutableBytes(of: &target.pointee.linesize) { strides in
                av_image_fill_arrays(
                    data.baseAddress?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self),
                    strides.baseAddress?.assumingMemoryBound(to: Int32.self), start, format, target.pointee.width,
                    target.pointee.height, Int32(Self.alignment))
            }
        }
        guard status >= 0 else { throw noMemory }
        return frame
    }

    private var noMemory: MediaError {
        MediaError(.limit, step: .decode, reason: "no memory for a frame of \(size)")
    }
}
