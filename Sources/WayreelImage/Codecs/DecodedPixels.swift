internal import Glibc
internal import WayreelCore

/// Pixels of a codec that decodes whole images only, read by rows.
final class DecodedPixels {
    let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    let stride: Int
    let size: PixelSize

    /// Allocates zeroed memory for the image that `header` describes.
    ///
    /// Throws a `limit` error if memory is exhausted.
    init(_ header: ImageHeader) throws(MediaError) {
        size = header.size
        // Sixteen bytes of slack: codecs store whole vectors.
        let (rowBytes, overflow) = size.width.multipliedReportingOverflow(
            by: header.layout.components * (header.rowBits / 8))
        let (count, tooLarge) = rowBytes.multipliedReportingOverflow(by: size.height)
        guard !overflow, !tooLarge, let memory = calloc(count + 16, 1) else {
            throw MediaError(
                .limit, step: "decode", reason: "no memory for the pixels of an image of \(size)",
                advice: "run fewer at once")
        }
        base = memory
        stride = rowBytes
    }

    deinit { free(base) }

    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * stride }
}

extension ImageHeader {
    /// Fills `count` bytes of missing pixels: transparent with alpha, otherwise grey.
    func fillMissing(_ pixels: UnsafeMutableRawPointer, count: Int) {
        pixels.initializeMemory(as: UInt8.self, repeating: layout == .rgba ? 0 : 0x80, count: count)
    }
}
