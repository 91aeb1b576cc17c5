internal import WayreelAV
internal import WayreelCore

/// The part of an audio track that is delivered, cut to the sample. Its timeline begins at 0.
///
/// Must be used by one thread at a time.
struct AudioExcerpt {
    private let reader: AudioReader
    /// The range of samples that is delivered; nil: all.
    private let range: Range<Int>?

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

    /// Passes the blocks of the excerpt in order, and reads no further than its end.
    ///
    /// Throws the errors of ``AudioReader/read(_:)``, and a `decoding` error if the audio ends before the excerpt.
    func read(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) {
        guard let range else {
            try reader.read(body)
            return
        }
        var isComplete = false
        var isEmpty = true
        do throws(MediaError) {
            try reader.read { (block) throws(MediaError) in
                let own = (block.start..<block.start + block.count).clamped(to: range)
                if !own.isEmpty {
                    isEmpty = false
                    try body(
                        block.slice(own.lowerBound - block.start..<own.upperBound - block.start).moved(
                            -range.lowerBound))
                }
                guard block.start + block.count >= range.upperBound else { return }
                isComplete = true
                throw Self.end
            }
        } catch {
            guard isComplete, error.kind == .cancelled else { throw error }
        }
        guard isEmpty else { return }
        throw MediaError(
            .decoding, step: "decode",
            reason: "the audio ends before \(seconds(range.lowerBound)) s, where it should begin")
    }

    private func seconds(_ samples: Int) -> String {
        (Double(samples) / Double(info.format.sampleRate)).shortDescription
    }

    /// Stops the reader at the end of the excerpt.
    private static let end = MediaError(.cancelled, step: "decode", reason: "the excerpt is complete")
}

extension AudioBlock {
    /// Returns the same samples, shifted on the timeline.
    fileprivate func moved(_ samples: Int) -> AudioBlock {
        AudioBlock(
            type, count: count, channelCount: channelCount, planes: planes, start: start + samples,
            isPadding: isPadding)
    }
}
