internal import WayreelAV
internal import WayreelCore

/// Measures how much of what goes into an encoder comes out of it again, on some of the frames of the whole.
///
/// Belongs to one thread at a time.
final class QualityMeter {
    /// The similarity of the frames that were compared.
    struct Tally: Codable, Equatable {
        var sum = 0.0
        var count = 0

        /// The mean; nil where nothing was compared.
        var similarity: Double? { count > 0 ? sum / Double(count) : nil }

        static func + (one: Tally, other: Tally) -> Tally {
            Tally(sum: one.sum + other.sum, count: one.count + other.count)
        }
    }

    /// One frame of so many is compared. A prime, so that no pattern of B-frames keeps step with it.
    private static let interval = 7

    private let decoder: VideoDecoder
    private var comparison: Similarity
    /// Frames to be compared that have not come back yet, in the order of display.
    private var waiting: [Frame] = []
    private var taken = 0
    private var decoded = 0
    private(set) var tally = Tally()

    /// Of frames of `size` that `encoder` encodes; nil where they are too small for a similarity.
    init?(of encoder: VideoEncoder, size: PixelSize) throws(MediaError) {
        guard let comparison = Similarity(size: size) else { return nil }
        self.comparison = comparison
        decoder = try VideoDecoder(of: encoder, threads: 1)
    }

    /// Notes a frame that is to be encoded.
    func take(_ frame: Frame) throws(MediaError) {
        if taken % Self.interval == 0 { waiting.append(try frame.copy()) }
        taken += 1
    }

    /// Decodes a packet that the encoder has made; nil after the last.
    func take(_ packet: Packet?) throws(MediaError) {
        try decoder.decode(packet) { (frame) throws(MediaError) in
            defer { decoded += 1 }
            guard decoded % Self.interval == 0, !waiting.isEmpty else { return }
            tally.sum += try comparison.compare(waiting.removeFirst(), frame)
            tally.count += 1
        }
    }
}
