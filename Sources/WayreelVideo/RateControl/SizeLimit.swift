package import WayreelCore

/// Repeats an encoding until its file is small enough.
package struct SizeLimit {
    let maxBytes: Int
    /// No lower bit rate is tried.
    let minBitRate: Int
    /// What to do besides allowing more bytes.
    let alternative: String

    package init(
        maxBytes: Int, minBitRate: Int = 1000,
        orElse alternative: String = ", or ask for a smaller screen or a lower frame rate"
    ) {
        (self.maxBytes, self.minBitRate, self.alternative) = (maxBytes, minBitRate, alternative)
    }

    /// The maximum number of encodings after the first pass.
    private static let maxTries = 5
    /// The share of the available bytes that the second encoding targets. Each further one reduces the target by this
    /// factor again, for encoders that do not follow their rate closely.
    private static let margin = 0.98

    /// Calls `encode` with a bit rate, first `bitRate`, until a file fits, and returns that. `bytes` is the size of a
    /// file, `packetBytes` that of its packets that have the bit rate.
    ///
    /// Throws an `encoding` error if none fits.
    package func fit<File>(
        bitRate: Int, _ encode: (_ bitRate: Int) throws(MediaError) -> (file: File, bytes: Int, packetBytes: Int)
    ) throws(MediaError) -> File {
        var bitRate = bitRate
        var accepted: Int?
        var smallest = Int.max
        var share = Self.margin
        for _ in 0..<Self.maxTries {
            let made: (file: File, bytes: Int, packetBytes: Int)
            do throws(MediaError) { made = try encode(bitRate) } catch {
                guard error.kind == .encoding else { throw error }
                guard let accepted else {
                    throw MediaError(
                        .encoding, code: .sizeUnreachable, step: error.step, subject: error.subject,
                        reason: error.reason, advice: "allow more bytes\(alternative)")
                }
                // An encoder may refuse a rate that it finds too low.
                bitRate = (bitRate + accepted) / 2
                continue
            }
            accepted = bitRate
            if made.bytes <= maxBytes { return made.file }
            smallest = min(smallest, made.bytes)
            let room = maxBytes - (made.bytes - made.packetBytes)
            guard room > 0, made.packetBytes > 0, bitRate > minBitRate else { break }
            // The encoder is expected to miss its rate by the same factor again.
            bitRate = max(minBitRate, Int(Double(bitRate) * Double(room) / Double(made.packetBytes) * share))
            share *= Self.margin
        }
        throw MediaError(
            .encoding, code: .sizeUnreachable, step: .encode,
            reason: "the smallest file is \(smallest) bytes; the maximum is \(maxBytes)",
            advice: "allow \(smallest) bytes or more\(alternative)")
    }
}

/// The statistics of the first of two passes, in files of the encoder that are removed with this object.
final class PassStatistics: Sendable {
    private let folder: TemporaryFolder

    /// Creates a folder beside `output`, or in the system's temporary folder for `-`. Throws an `io` error if it
    /// cannot be created.
    init(for output: String) throws(MediaError) {
        folder =
            output == "-"
            ? try TemporaryFolder(for: "the statistics of the first pass", step: .encode)
            : try TemporaryFolder(beside: output)
    }

    /// Returns the options of an encoder for one of two passes, or nil for an encoder without passes.
    func options(of rendition: RenditionPlan, pass: Int) -> [String: String]? {
        VideoEncoderInfo.named(rendition.encoder)?.options(
            rendition.options, pass: pass, statistics: "\(folder.path)/pass")
    }
}
