package import WayreelCore

/// A recording of any format that was read through, and whose samples were written as NDJSON.
package struct RecordingIntake: Sendable {
    /// With the marks of the recording, which are not in the file.
    package let head: RecordingHead
    /// The times of the earliest and the latest sample.
    package let times: ClosedRange<Int64>
    /// The number of values of all channels.
    package let samples: Int

    /// Reads the recording at `input` to its end. What is damaged is an error.
    ///
    /// Throws a `decoding` error for a file that is no recording, or has no samples, and an `io` error if it cannot be
    /// read.
    package init(reading input: String, cancellation: Cancellation) throws(MediaError) {
        var measure = RecordingMeasure()
        let head = try measure.read(try RecordingFiles.open(input, cancellation: cancellation))
        try self.init(head, measure, input)
    }

    private init(_ head: RecordingHead, _ measure: RecordingMeasure, _ input: String) throws(MediaError) {
        let channels = measure.channels.compactMap(\.self)
        guard let first = channels.map(\.first).min(), let last = channels.map(\.last).max() else {
            throw MediaError(.decoding, step: .read, subject: input, reason: "the recording has no samples")
        }
        (self.head, times, samples) = (head, first...last, channels.map(\.count).reduce(0, +))
    }

    /// Reads the recording at `input` to its end, and writes its samples to `output` in the order of their times.
    ///
    /// Throws likewise, and a `limit` error for more than `maxBytes` bytes.
    package init(
        reading input: String, writing output: String, maxBytes: Int, cancellation: Cancellation
    ) throws(MediaError) {
        var measure = RecordingMeasure()
        let head = try measure.read(try RecordingFiles.open(input, cancellation: cancellation))
        try self.init(head, measure, input)
        var bare = head
        bare.marks = []
        let all = SampleSelection(
            channels: Array(repeating: true, count: head.channels.count), begin: .min, end: .max)
        let recording = ConvertedRecording(bare, all, measure) { () throws(MediaError) in
            try RecordingFiles.open(input, cancellation: cancellation)
        }
        let sink = try AtomicOutput(output)
        try RowWriter.writeMarks(recording, to: sink)
        let writer = SensorWriter(.ndjson)
        var bytes = 0
        try RowWriter.eachSample(recording) { (sample) throws(MediaError) in
            let line = writer.line(sample, recording.notation)
            bytes += line.utf8.count + 1
            guard bytes <= maxBytes else {
                throw MediaError(
                    .limit, code: .tooManyBytes, step: .write, subject: input,
                    reason: "as NDJSON, the samples have more than \(maxBytes) bytes")
            }
            try sink.write("\(line)\n")
        }
        try sink.finish()
    }
}

/// Makes lines of NDJSON of the samples of a live stream, and counts them.
package struct RecordedLines: Sendable {
    /// What was counted.
    package struct Count: Sendable {
        /// The times of the earliest and the latest sample.
        package private(set) var times: ClosedRange<Int64>?
        /// The number of values.
        package private(set) var samples = 0

        fileprivate mutating func add(_ times: Span<Int64>, _ values: Span<Double>) {
            for index in times.indices where values[index].isFinite {
                samples += 1
                let time = times[index]
                self.times = self.times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
            }
        }
    }

    package private(set) var written = Count()
    /// What was left out since the last ``takeLost()``.
    private var lost = Count()
    private var hasHead = false
    /// The channels whose units are in the lines.
    private var units: Set<String> = []

    package init() {}

    /// Takes all samples that wait, of channels of `head`, and returns their lines. The first line says what the recording
    /// is of; a head that comes later tells the units of channels that are new.
    package mutating func lines(of waiting: inout PendingSamples, _ head: RecordingHead) -> [UInt8] {
        var merge = SampleMerge()
        waiting.take { channel, times, values in
            merge.addFinite(channel, times, values)
            written.add(times, values)
        }
        merge.join(head.channels)
        guard merge.hasNext else { return [] }
        var lines: [UInt8] = []
        let new = head.channels.filter { $0.unit != nil && units.insert($0.name).inserted }
        if !hasHead || !new.isEmpty {
            let told = hasHead ? RecordingHead() : head
            hasHead = true
            lines += "\(SensorWriter.head(new, title: told.title, credit: told.credit))\n".utf8
        }
        let (writer, notation) = (SensorWriter(.ndjson), head.notation ?? .seconds)
        while let sample = merge.next() {
            lines += writer.line(sample, notation).utf8
            lines.append(UInt8(ascii: "\n"))
        }
        return lines
    }

    /// Leaves out all samples that wait.
    package mutating func lose(_ waiting: inout PendingSamples) {
        waiting.take { _, times, values in lost.add(times, values) }
    }

    /// What was left out since the last call; nil for nothing.
    package mutating func takeLost() -> (times: ClosedRange<Int64>, samples: Int)? {
        guard let times = lost.times else { return nil }
        defer { lost = Count() }
        return (times, lost.samples)
    }
}
