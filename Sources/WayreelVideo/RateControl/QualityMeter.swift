internal import WayreelAV
internal import WayreelCore

/// Measures the similarity of encoded and original frames while a video is encoded, on a sample of its frames.
///
/// Must be used by one thread at a time.
final class QualityMeter {
    /// The sum of the similarities of compared frames, and their number.
    struct Tally: Codable, Equatable {
        var sum = 0.0
        var count = 0

        /// The mean similarity; nil if no frames were compared.
        var similarity: Double? { count > 0 ? sum / Double(count) : nil }

        static func + (one: Tally, other: Tally) -> Tally {
            Tally(sum: one.sum + other.sum, count: one.count + other.count)
        }
    }

    /// The sampling interval in frames: a prime, so that it is not a multiple of a B-frame pattern.
    private static let interval = 7

    private let decoder: VideoDecoder
    private var comparison: Similarity
    /// Original frames whose encoded frames are not decoded yet, in display order.
    private var pending: [Frame] = []
    private var taken = 0
    private var decoded = 0
    private(set) var tally = Tally()

    /// Creates a meter for the frames of `encoder`. Returns nil if `size` is too small for measuring similarity.
    init?(of encoder: VideoEncoder, size: PixelSize) throws(MediaError) {
        guard let comparison = Similarity(size: size) else { return nil }
        self.comparison = comparison
        decoder = try VideoDecoder(of: encoder, threads: 1)
    }

    /// Records a frame that is about to be encoded.
    func take(_ frame: Frame) throws(MediaError) {
        if taken % Self.interval == 0 { pending.append(try frame.copy()) }
        taken += 1
    }

    /// Decodes a packet from the encoder; nil after the last one.
    func take(_ packet: Packet?) throws(MediaError) {
        try decoder.send(packet)
        while let frame = try decoder.next() {
            defer { decoded += 1 }
            guard decoded % Self.interval == 0, !pending.isEmpty else { continue }
            tally.sum += try comparison.compare(pending.removeFirst(), frame)
            tally.count += 1
        }
    }
}
