internal import WayreelAV
internal import WayreelCore

/// The part of a file's audio that is delivered, cut to the sample, on a timeline that begins with it.
///
/// Belongs to one thread at a time.
struct AudioExcerpt {
    private let reader: AudioReader
    /// Samples per channel of the whole audio; nil: all.
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

    /// Hands out its blocks in order, and reads no further than its end. Throws as ``AudioReader/read(_:)`` does, and a
    /// `decoding` error where the audio has ended before it.
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
            reason: "the audio ends before \(seconds(range.lowerBound)) s, where it is to begin")
    }

    private func seconds(_ samples: Int) -> String {
        (Double(samples) / Double(info.format.sampleRate)).shortDescription
    }

    /// Ends the reading where the excerpt ends.
    private static let end = MediaError(.cancelled, step: "decode", reason: "the excerpt is complete")
}

extension AudioBlock {
    /// The same samples, so many later on the timeline.
    fileprivate func moved(_ samples: Int) -> AudioBlock {
        AudioBlock(
            type, count: count, channelCount: channelCount, planes: planes, start: start + samples,
            isPadding: isPadding)
    }
}
