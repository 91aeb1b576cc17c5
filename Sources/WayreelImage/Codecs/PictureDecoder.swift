package import WayreelCore

/// Opens encoded pictures of any format.
package enum PictureDecoder {
    /// A reader for the picture in `bytes`, whose format is told by content alone.
    ///
    /// Reads the header and checks it against `limits` before any memory is taken for pixels. Throws `unsupported` for what
    /// is not a picture or has no decoder here, `limit` for what is too large, `decoding` for what is broken.
    package static func open(_ bytes: MediaBytes, limits: Limits, watch: TaskWatch) throws(MediaError) -> any RowReader
    {
        guard bytes.count > 0 else { throw MediaError(.decoding, step: "decode", reason: "the file is empty") }
        switch FormatSignature.detect(bytes.buffer) {
        case .jpeg: return try JPEGReader(bytes, limits: limits, watch: watch)
        case .png: return try PNGReader(bytes, limits: limits)
        case .webp: return try WebPReader(bytes, limits: limits)
        case .heif(let format): return try HEIFReader(bytes, format: format, limits: limits)
        case .icon: return try IconFile.open(bytes, limits: limits)
        case .still(let still): return try still.open(bytes, limits: limits)
        case .refused(let looks, let advice):
            throw MediaError(
                .unsupported, step: "decode", reason: "it looks like \(looks), not an image", advice: advice)
        case nil:
            throw MediaError(
                .unsupported, step: "decode", reason: "it is not in a known image format",
                advice: "check that the file is complete, or convert it to JPEG or PNG first")
        }
    }
}
