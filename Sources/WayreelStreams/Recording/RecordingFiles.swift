package import WayreelCore

/// Opens recordings of all formats.
package enum RecordingFiles {
    /// Opens the recording at `path`, or standard input for `-`.
    ///
    /// - Parameter onDamage: Is called with the error of each damaged line, which is then left out. nil: a damaged line
    ///   is an error.
    /// - Throws: An `io` error if it cannot be read, a `decoding` error if it is no recording.
    package static func open(
        _ path: String, cancellation: Cancellation = Cancellation(), onDamage: ((MediaError) -> Void)? = nil
    ) throws(MediaError) -> any RecordingSource {
        SampledRecording(try SensorReader(path, cancellation: cancellation, onDamage: onDamage))
    }
}

/// A recording that is read sample by sample.
private final class SampledRecording: RecordingSource {
    private(set) var head = RecordingHead()
    private let reader: SensorReader
    private var indices: [String: Int] = [:]

    private static let batch = 512

    init(_ reader: SensorReader) { self.reader = reader }

    var hasNext: Bool { reader.hasNext }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        var pieces: [(times: [Int64], values: [Double])] = Array(repeating: ([], []), count: head.channels.count)
        var count = 0
        repeat {
            guard let sample = try reader.next() else { break }
            count += 1
            for component in sample.values.names {
                guard let value = sample.values[component] else { continue }
                let channel = SensorChannel(sample.stream, component)
                let index = indices[channel.name] ?? head.channels.count
                if index == head.channels.count {
                    indices[channel.name] = index
                    head.channels.append(channel)
                    pieces.append(([], []))
                }
                pieces[index].times.append(sample.time.microseconds)
                pieces[index].values.append(value)
            }
        } while count < Self.batch && reader.hasNext
        head.notation = reader.notation
        head.skipped = reader.skipped
        for (index, piece) in pieces.enumerated() where !piece.times.isEmpty {
            sink.add(index, times: piece.times.span, values: piece.values.span)
        }
        return count > 0
    }
}
