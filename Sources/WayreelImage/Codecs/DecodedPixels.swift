internal import Glibc
internal import WayreelCore

/// The pixels of a picture that its codec can only decode as a whole, as rows of a reader.
final class DecodedPixels {
    let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    let stride: Int
    let size: PixelSize

    /// Room for the picture that `header` describes, all zero.
    ///
    /// Throws a `limit` error where the machine has no memory for it.
    init(_ header: PictureHeader) throws(MediaError) {
        size = header.size
        // Sixteen bytes of room at the end: codecs store in whole vectors.
        let (rowBytes, overflow) = size.width.multipliedReportingOverflow(
            by: header.layout.components * (header.rowBits / 8))
        let (count, tooLarge) = rowBytes.multipliedReportingOverflow(by: size.height)
        guard !overflow, !tooLarge, let memory = calloc(count + 16, 1) else {
            throw MediaError(
                .limit, step: "decode", reason: "no memory for the pixels of a picture of \(size)",
                advice: "run fewer at once")
        }
        base = memory
        stride = rowBytes
    }

    deinit { free(base) }

    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * stride }
}

extension PictureHeader {
    /// Fills `count` bytes of pixels that are missing from the file: transparent where there is alpha, else grey.
    func fillMissing(_ pixels: UnsafeMutableRawPointer, count: Int) {
        pixels.initializeMemory(as: UInt8.self, repeating: layout == .rgba ? 0 : 0x80, count: count)
    }
}
