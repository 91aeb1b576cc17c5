package import WayreelCore

/// Looks for the best quality whose file is small enough.
package enum QualitySearch {
    /// The file of the highest quality, 1 to 100, that takes at most `maxBytes`.
    ///
    /// A binary search of at most seven encodings, on the understanding that a higher quality never makes a smaller
    /// file; where a codec breaks that by a hair, the result still fits. Throws an `encoding` error where no quality
    /// does.
    package static func encode(
        maxBytes: Int, watch: TaskWatch, _ encode: (_ quality: Int) throws(MediaError) -> [UInt8]
    ) throws(MediaError) -> (bytes: [UInt8], quality: Int) {
        var best: (bytes: [UInt8], quality: Int)?
        var smallest = Int.max
        var (low, high) = (1, 100)
        while low <= high {
            try watch.check()
            let quality = (low + high) / 2
            let bytes = try encode(quality)
            smallest = min(smallest, bytes.count)
            if bytes.count <= maxBytes {
                best = (bytes, quality)
                low = quality + 1
            } else {
                high = quality - 1
            }
        }
        guard let best else { throw tooLarge(smallest, maxBytes: maxBytes, advice: "ask for a smaller screen") }
        return best
    }

    /// Throws where a file that has no quality to lower takes more than `maxBytes`.
    package static func check(_ bytes: [UInt8], maxBytes: Int) throws(MediaError) {
        guard bytes.count > maxBytes else { return }
        throw tooLarge(
            bytes.count, maxBytes: maxBytes, advice: "ask for a smaller screen, or for a format with a quality")
    }

    private static func tooLarge(_ count: Int, maxBytes: Int, advice: String) -> MediaError {
        MediaError(
            .encoding, step: "encode", reason: "the smallest file is \(count) bytes; --max-bytes is \(maxBytes)",
            advice: advice)
    }
}
