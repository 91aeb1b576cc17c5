internal import CFFmpeg
package import WayreelCore

/// The bytes of one plane of a frame, valid only inside the closure that it was handed to.
package struct FramePlane {
    private let base: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next; below 0 where rows run upwards.
    package let stride: Int

    fileprivate init?(_ frame: Frame, _ index: Int) {
        guard let base = frame.planes[index] else { return nil }
        self.base = base
        stride = Int(frame.strides[index])
    }

    /// The first byte of row `y`.
    @inline(__always)
    package func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }
}

extension Frame {
    /// A frame with room for pixels of FFmpeg's format `pixelFormat`, which are not set. Rows begin at multiples of `alignment`
    /// bytes; 0: of what suits the processor.
    package convenience init(_ pixelFormat: String, size: PixelSize, alignment: Int = 0) throws(MediaError) {
        try FFmpeg.load(.scaler, step: "decode")
        try self.init()
        pointer.pointee.format = av_get_pix_fmt(pixelFormat).rawValue
        pointer.pointee.width = Int32(clamping: size.width)
        pointer.pointee.height = Int32(clamping: size.height)
        guard av_frame_get_buffer(pointer, Int32(clamping: alignment)) == 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a frame of \(size)")
        }
    }

    /// Hands out the planes that its pixel format has.
    package func withPlanes<Result>(
        _ body: ([FramePlane]) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try withExtendedLifetime(self) { () throws(MediaError) in
            try body((0..<4).compactMap { FramePlane(self, $0) })
        }
    }

    /// Gives it pixels of its own where it shares them with another frame or a decoder.
    package func makeWritable() throws(MediaError) {
        guard av_frame_make_writable(pointer) == 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a frame")
        }
    }

    /// Width of a pixel by its height; nil where that is not known.
    package var pixelAspect: Rational? { Rational(pointer.pointee.sample_aspect_ratio) }

    /// Whether decoding has left marks of broken data.
    package var isDamaged: Bool { isMarkedDamaged }
}
