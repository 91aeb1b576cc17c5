internal import CFFmpeg
package import WayreelCore

/// The bytes of one plane of a frame. Valid inside the closure that receives it.
package struct FramePlane {
    private let base: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next; negative for bottom-up rows.
    package let stride: Int

    fileprivate init?(_ frame: Frame, _ index: Int) {
        guard let base = frame.planes[index] else { return nil }
        self.base = base
        stride = Int(frame.strides[index])
    }

    /// Returns the first byte of row `y`.
    @inline(__always)
    package func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }
}

extension Frame {
    /// Calls `body` with the planes of its pixel format.
    package func withPlanes<Result>(
        _ body: ([FramePlane]) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try withExtendedLifetime(self) { () throws(MediaError) in
            try body((0..<4).compactMap { FramePlane(self, $0) })
        }
    }

    /// Copies the pixels if they are shared with another frame or a decoder.
    package func makeWritable() throws(MediaError) {
        guard av_frame_make_writable(pointer) == 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a frame")
        }
    }

    /// The pixel aspect ratio, width by height; nil if unknown.
    package var pixelAspect: Rational? { Rational(pointer.pointee.sample_aspect_ratio) }
}
