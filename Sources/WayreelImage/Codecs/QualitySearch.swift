package import WayreelCore

/// Finds the best quality within a byte limit.
package enum QualitySearch {
    /// Returns the encoding with the highest quality, 1 to `maxQuality`, of at most `maxBytes`. If `maxQuality` is nil,
    /// the maximum is 100 and is not tried first.
    ///
    /// Runs a binary search of at most eight encodings, which assumes that size grows with quality; the result fits
    /// even if a codec slightly violates that. Throws an `encoding` error if no quality fits.
    package static func encode(
        maxBytes: Int, maxQuality: Int? = nil, task: TaskContext,
        _ encode: (_ quality: Int) throws(MediaError) -> [UInt8]
    ) throws(MediaError) -> (bytes: [UInt8], quality: Int) {
        var best: (bytes: [UInt8], quality: Int)?
        var smallest = Int.max
        var (low, high) = (1, maxQuality ?? 100)
        var first = maxQuality
        while low <= high {
            try task.check()
            let quality = first ?? (low + high) / 2
            first = nil
            let bytes = try encode(quality)
            smallest = min(smallest, bytes.count)
            if bytes.count <= maxBytes {
                best = (bytes, quality)
                low = quality + 1
            } else {
                high = quality - 1
            }
        }
        guard let best else { throw tooLarge(smallest, maxBytes: maxBytes, advice: "choose a smaller screen") }
        return best
    }

    /// Throws if an encoding without a quality setting exceeds `maxBytes`.
    package static func check(_ bytes: [UInt8], maxBytes: Int) throws(MediaError) {
        guard bytes.count > maxBytes else { return }
        throw tooLarge(
            bytes.count, maxBytes: maxBytes, advice: "choose a smaller screen or a format with a quality setting")
    }

    private static func tooLarge(_ count: Int, maxBytes: Int, advice: MediaError.Advice) -> MediaError {
        MediaError(
            .encoding, code: .sizeUnreachable, step: "encode",
            reason: "the smallest file is \(count) bytes; the maximum is \(maxBytes)",
            advice: advice)
    }
}
