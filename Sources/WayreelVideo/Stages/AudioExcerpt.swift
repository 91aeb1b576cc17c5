internal import WayreelAV
internal import WayreelCore

/// The part of an audio track that is delivered, cut to the sample. Its timeline begins at 0.
///
/// Must be used by one thread at a time.
final class AudioExcerpt {
    private let reader: AudioReader
    /// The range of samples that is delivered; nil: all.
    private let range: Range<Int>?
    /// The number of samples that were read.
    private var position = 0
    private var isEmpty = true

    init(_ reader: AudioReader, _ range: TimeRange?) {
        self.reader = reader
        let rate = Double(reader.info.format.sampleRate)
        self.range = range.map { range in
            let first = Int((range.start * rate).rounded())
            let end = range.end.map { Int(($0 * rate).rounded()) } ?? .max
            return first..<max(first, end)
        }
    }

    var info: AudioInfo { reader.info }

    /// Returns the next block of the excerpt, which is valid until the next call; nil at its end. Nothing is read after
    /// it.
    ///
    /// Throws the errors of ``AudioReader/next()``, and a `decoding` error if the audio ends before the excerpt.
    func next() throws(MediaError) -> AudioBlock? {
        guard let range else { return try reader.next() }
        while position < range.upperBound, let block = try reader.next() {
            position = block.start + block.count
            let own = (block.start..<position).clamped(to: range)
            guard !own.isEmpty else { continue }
            isEmpty = false
            return block.slice(own.lowerBound - block.start..<own.upperBound - block.start).moved(-range.lowerBound)
        }
        guard isEmpty else { return nil }
        throw MediaError(
            .decoding, step: "decode",
            reason: "the audio ends before \(seconds(range.lowerBound)) s, where it should begin")
    }

    private func seconds(_ samples: Int) -> String {
        (Double(samples) / Double(info.format.sampleRate)).shortDescription
    }
}

extension AudioBlock {
    /// Returns the same samples, shifted on the timeline.
    fileprivate func moved(_ samples: Int) -> AudioBlock {
        AudioBlock(
            type, count: count, channelCount: channelCount, planes: planes, start: start + samples,
            isPadding: isPadding)
    }
}
