package import WayreelCore

/// Repeats an encoding until its file is small enough.
package struct SizeLimit {
    let maxBytes: Int

    package init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The result of one encoding.
    package struct Made {
        /// The size of the file.
        package var bytes: Int
        /// The size of its video packets.
        package var videoBytes: Int

        package init(bytes: Int, videoBytes: Int) {
            self.bytes = bytes
            self.videoBytes = videoBytes
        }
    }

    /// The maximum number of encodings after the first pass.
    private static let maxTries = 5
    /// The share of the available bytes that the second encoding targets. Each further one reduces the target by this
    /// factor again, for encoders that do not follow their rate closely.
    private static let margin = 0.98

    /// Calls `encode` with a video bit rate, first `bitRate`, until a file fits. The last call made the file that
    /// fits.
    ///
    /// Throws an `encoding` error if none fits.
    package func fit(
        bitRate: Int, _ encode: (_ bitRate: Int) throws(MediaError) -> Made
    ) throws(MediaError) {
        var bitRate = bitRate
        var smallest = Int.max
        var share = Self.margin
        for _ in 0..<Self.maxTries {
            let made = try encode(bitRate)
            if made.bytes <= maxBytes { return }
            smallest = min(smallest, made.bytes)
            let room = maxBytes - (made.bytes - made.videoBytes)
            guard room > 0, made.videoBytes > 0 else { break }
            // The encoder is expected to miss its rate by the same factor again.
            bitRate = max(1000, Int(Double(bitRate) * Double(room) / Double(made.videoBytes) * share))
            share *= Self.margin
        }
        throw MediaError(
            .encoding, code: .sizeUnreachable, step: "encode",
            reason: "the smallest file is \(smallest) bytes; the maximum is \(maxBytes)",
            advice: "allow \(smallest) bytes or more, or ask for a smaller screen or a lower frame rate")
    }
}
