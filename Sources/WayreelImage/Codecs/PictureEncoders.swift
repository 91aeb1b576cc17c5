package import WayreelCore

/// Every format's encoder.
package enum PictureEncoders {
    private static let table: [Encoding.Format: any PictureEncoder.Type] = [
        .jpeg: JPEGWriter.self, .png: PNGWriter.self, .webp: WebPWriter.self, .avif: AVIFWriter.self,
    ]

    /// Encodes `picture` into a whole file, at the best quality that fits where `encoding.maxBytes` is set.
    /// `foundQuality` is the one that was found for that.
    package static func encode(
        _ picture: Picture, as encoding: Encoding, metadata: OutputMetadata, watch: TaskWatch
    ) throws(MediaError) -> (bytes: [UInt8], foundQuality: Int?) {
        guard let encoder = table[encoding.format] else {
            throw MediaError(.unsupported, step: "encode", reason: "no encoder for \(encoding.format.rawValue)")
        }
        try encoding.format.check(output: picture.size)
        guard let maxBytes = encoding.maxBytes else {
            return (try encoder.encode(picture, as: encoding, metadata: metadata, watch: watch), nil)
        }
        if encoding.hasQuality {
            let found = try QualitySearch.encode(maxBytes: maxBytes, watch: watch) { (quality) throws(MediaError) in
                var candidate = encoding
                candidate.quality = quality
                return try encoder.encode(picture, as: candidate, metadata: metadata, watch: watch)
            }
            return (found.bytes, found.quality)
        }
        let bytes = try encoder.encode(picture, as: encoding, metadata: metadata, watch: watch)
        try QualitySearch.check(bytes, maxBytes: maxBytes)
        return (bytes, nil)
    }
}

extension Encoding {
    /// Whether `quality` has a meaning: not for PNG, not for what is lossless.
    package var hasQuality: Bool { format == .jpeg || (format != .png && !lossless) }
}
