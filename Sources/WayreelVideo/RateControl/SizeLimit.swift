package import WayreelCore

/// Encodes so that a file takes at most so many bytes.
package struct SizeLimit {
    let maxBytes: Int

    package init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// What one encoding came to, in bytes.
    package struct Made {
        /// Of the file.
        package var bytes: Int
        /// Of its pictures, without sound and container.
        package var videoBytes: Int

        package init(bytes: Int, videoBytes: Int) {
            self.bytes = bytes
            self.videoBytes = videoBytes
        }
    }

    /// Encodings after the first pass.
    private static let tries = 5
    /// The share of what is left for pictures that a second try aims at; each further one at so much less again, for encoders
    /// that do not follow their rate closely.
    private static let margin = 0.98

    /// Has `encode` make a file at so many bits per second for its pictures, first at `bitRate`, until one fits; the last call
    /// made the one that does.
    ///
    /// Throws an `encoding` error where none does.
    package func fit(
        bitRate: Int, _ encode: (_ bitRate: Int) throws(MediaError) -> Made
    ) throws(MediaError) {
        var bitRate = bitRate
        var smallest = Int.max
        var share = Self.margin
        for _ in 0..<Self.tries {
            let made = try encode(bitRate)
            if made.bytes <= maxBytes { return }
            smallest = min(smallest, made.bytes)
            let room = maxBytes - (made.bytes - made.videoBytes)
            guard room > 0, made.videoBytes > 0 else { break }
            // The encoder misses its rate by the same factor again.
            bitRate = max(1000, Int(Double(bitRate) * Double(room) / Double(made.videoBytes) * share))
            share *= Self.margin
        }
        throw MediaError(
            .encoding, step: "encode", reason: "the smallest file is \(smallest) bytes; --max-bytes is \(maxBytes)",
            advice: "allow \(smallest) bytes or more, or ask for a smaller screen or fewer pictures a second")
    }
}
