internal import CFFmpeg
internal import WayreelCore

/// Converts pixel formats without scaling: FFmpeg's SwsContext, owned.
final class PixelFormatConverter {
    private let context: OpaquePointer

    /// Converts from the format, matrix and range of `frame` to `format`, full range.
    ///
    /// Chroma is interpolated to full resolution; sums are rounded exactly. An image of unspecified range is treated as
    /// full range.
    init(from frame: Frame, to format: AVPixelFormat) throws(MediaError) {
        let (width, height) = (frame.pointer.pointee.width, frame.pointer.pointee.height)
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        guard
            let context = sws_getContext(
                width, height, frame.pixelFormat, width, height, format, flags, nil, nil, nil)
        else {
            let name = String(cString: av_get_pix_fmt_name(frame.pixelFormat))
            throw MediaError(.unsupported, step: "decode", reason: "FFmpeg cannot convert pixels of format \(name)")
        }
        self.context = context
        let matrix = sws_getCoefficients(Int32(frame.pointer.pointee.colorspace.rawValue))
        let isFullRange: Int32 = frame.pointer.pointee.color_range == AVCOL_RANGE_MPEG ? 0 : 1
        let one: Int32 = 1 << 16
        // Fails for formats without a range, which do not need it.
        _ = sws_setColorspaceDetails(context, matrix, isFullRange, matrix, 1, 0, one, one)
    }

    deinit { sws_freeContext(context) }

    /// Converts the whole `frame` into rows of `stride` bytes at `rows`.
    func convert(_ frame: Frame, into rows: UnsafeMutableRawPointer, stride: Int) throws(MediaError) {
        let sources = frame.planes.map { $0.map { UnsafePointer($0) } }
        let target: [UnsafeMutablePointer<UInt8>?] = [rows.assumingMemoryBound(to: UInt8.self), nil, nil, nil]
        let height = frame.pointer.pointee.height
        let done = sws_scale(
            context, sources, frame.strides, 0, height, target, [Int32(clamping: stride), 0, 0, 0])
        guard done == height else {
            throw MediaError(.decoding, step: "decode", reason: "FFmpeg converted \(done) of \(height) rows")
        }
    }
}
