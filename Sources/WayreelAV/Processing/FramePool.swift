internal import CFFmpeg
package import WayreelCore

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
        try FFmpeg.load(.scaler, step: "decode")
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
        MediaError(.limit, step: "decode", reason: "no memory for a frame of \(size)")
    }
}
