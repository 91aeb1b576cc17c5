import WayreelCore
import WayreelStreams

/// A recording in memory, which gives its pieces one by one.
final class PlottedSource: RecordingSource {
    enum Piece {
        case samples(Int, [(seconds: Double, value: Double)])
        case even(Int, start: Double, rate: Double, [Double])
    }

    private(set) var head: RecordingHead
    private var pieces: ArraySlice<Piece>

    init(_ head: RecordingHead, _ pieces: [Piece]) { (self.head, self.pieces) = (head, pieces[...]) }

    /// One channel of pairs of seconds and values.
    convenience init(_ channel: SensorChannel, _ samples: [(Double, Double)]) {
        var head = RecordingHead()
        (head.channels, head.notation) = ([channel], .seconds)
        self.init(head, [.samples(0, samples.map { (seconds: $0.0, value: $0.1) })])
    }

    var hasNext: Bool { !pieces.isEmpty }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        guard let piece = pieces.popFirst() else { return false }
        // Spans of arrays that are bound here: the compiler (6.3) fails for those of a case of the switch.
        var (index, times): (Int, [Int64]) = (0, [])
        var values: [Double] = []
        var even: (start: Double, rate: Double)?
        switch piece {
        case .samples(let channel, let samples):
            index = channel
            for sample in samples {
                times.append(Int64((sample.seconds * 1e6).rounded()))
                values.append(sample.value)
            }
        case .even(let channel, let start, let rate, let numbers):
            (index, values, even) = (channel, numbers, (start, rate))
        }
        if let even {
            let start = SensorTime(microseconds: Int64(even.start * 1e6))
            sink.add(index, start: start, rate: even.rate, first: 0, values: values.span)
        } else {
            sink.add(index, times: times.span, values: values.span)
        }
        return true
    }
}
