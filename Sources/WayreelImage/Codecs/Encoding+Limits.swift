package import WayreelCore

/// The max image size of an encoder.
private struct EncodingLimit {
    let side: Int
    var pixels = Int.max
    let advice: MediaError.Advice
}

extension Encoding.Format {
    /// The limits of sides are those of the formats; JPEG's is libjpeg's. libaom takes about 32 bytes per pixel to
    /// encode a still image: 36 megapixels take 1.2 GB.
    private var limit: EncodingLimit {
        switch self {
        case .jpeg: EncodingLimit(side: 65_500, advice: "choose a smaller screen, or \(.format) png")
        case .png: EncodingLimit(side: .max, advice: "choose a smaller screen")
        case .webp: EncodingLimit(side: 16_383, advice: "choose a smaller screen, or \(.format) jpeg, png or avif")
        case .avif:
            EncodingLimit(
                side: 65_536, pixels: 36_000_000, advice: "choose a smaller screen, or \(.format) jpeg, png or webp")
        }
    }

    /// Throws a `limit` error if `size` exceeds the format's limit or the encoder's memory limit.
    package func check(output size: PixelSize) throws(MediaError) {
        let limit = limit
        let fault = { (what: String) in
            MediaError(
                .limit, code: .tooManyPixels, step: "encode", reason: "the output would be \(size); \(what)",
                advice: limit.advice)
        }
        guard max(size.width, size.height) <= limit.side else {
            throw fault("a side of \(rawValue) is at most \(limit.side) pixels")
        }
        guard size.pixels <= limit.pixels else {
            throw fault("\(rawValue) is encoded up to \(limit.pixels.inMegapixels)")
        }
    }
}
