package import WayreelCore

/// All encoders.
package enum ImageEncoders {
    private static let table: [Encoding.Format: any ImageEncoder.Type] = [
        .jpeg: JPEGWriter.self, .png: PNGWriter.self, .webp: WebPWriter.self, .avif: AVIFWriter.self,
    ]

    /// Encodes `image`, with the best quality that fits if `encoding.maxBytes` is set. `foundQuality` is that
    /// quality.
    package static func encode(
        _ image: Image, as encoding: Encoding, metadata: OutputMetadata, task: TaskContext
    ) throws(MediaError) -> (bytes: [UInt8], foundQuality: Int?) {
        guard let encoder = table[encoding.format] else {
            throw MediaError(.unsupported, step: "encode", reason: "no encoder for \(encoding.format.rawValue)")
        }
        try encoding.format.check(output: image.size)
        guard let maxBytes = encoding.maxBytes else {
            return (try encoder.encode(image, as: encoding, metadata: metadata, task: task), nil)
        }
        if encoding.hasQuality {
            let found = try QualitySearch.encode(
                maxBytes: maxBytes, maxQuality: encoding.maxQuality, task: task
            ) { (quality) throws(MediaError) in
                var candidate = encoding
                candidate.quality = quality
                return try encoder.encode(image, as: candidate, metadata: metadata, task: task)
            }
            return (found.bytes, found.quality)
        }
        let bytes = try encoder.encode(image, as: encoding, metadata: metadata, task: task)
        try QualitySearch.check(bytes, maxBytes: maxBytes)
        return (bytes, nil)
    }
}

extension Encoding {
    /// Whether `quality` has an effect: not for PNG and lossless formats.
    package var hasQuality: Bool { format == .jpeg || (format != .png && !lossless) }
}
