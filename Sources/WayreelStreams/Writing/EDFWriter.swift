internal import WayreelCore

/// Writes EDF+ with 16 bits, in which each channel has the range of its values.
///
/// Records without any sample are left out, which makes the file discontinuous. Where a channel has no sample in a record,
/// it has the value that is nearest to 0, and an annotation says so.
struct EDFWriter {
    private let recording: ConvertedRecording
    private let signals: [Signal]
    /// The first and the last time of a sample, in microseconds.
    private let (start, end): (Int64, Int64)
    /// Whole seconds.
    private let duration: Int
    private let fault: ErrorSite

    private struct Signal {
        var even: EvenSignal
        /// The samples of a record.
        var count = 0
        var low: (text: String, value: Double)
        var high: (text: String, value: Double)
        var label = ""

        func number(_ value: Double) -> Int16 {
            let part = (value - low.value) / (high.value - low.value)
            return Int16(max(-32768, min(32767, (part * 65535 - 32768).rounded())))
        }
    }

    /// Throws an `encoding` error for what EDF+ cannot hold.
    init(_ measured: MeasuredRecording, _ output: String) throws(MediaError) {
        let fault = ErrorSite(
            .encoding, step: .write, format: .edf, subject: output,
            advice: "choose channels with --stream, or write .csv or .ndjson")
        guard let start = measured.start, let end = measured.end else {
            throw fault("none of the chosen channels has a sample")
        }
        guard measured.beginsInYears else { throw fault("begins in no year from 1 to 9999") }
        var found: [Signal] = []
        for even in measured.signals {
            let (least, most) = (even.measure.least, even.measure.most)
            guard let low = Self.limit(least, up: false),
                let high = Self.limit(most > least ? most : least + 1, up: true)
            else {
                throw fault("\(even.channel.name) has values that need more than 8 characters")
            }
            found.append(Signal(even: even, low: low, high: high))
        }
        guard found.count < ChannelTable.limit else { throw fault("has \(found.count) channels") }
        duration = try Self.setCounts(&found, fault)
        Self.setLabels(&found)
        (signals, recording, self.start, self.end, self.fault) = (found, measured.recording, start, end, fault)
    }

    /// Returns the least duration of a record with whole samples of all signals, in whole seconds.
    private static func setCounts(_ signals: inout [Signal], _ fault: ErrorSite) throws(MediaError) -> Int {
        let rates = signals.map(\.even.rate)
        let duration = (1...60).first { seconds in
            rates.allSatisfy { rate in
                let count = rate * Double(seconds)
                return count >= 0.5 && abs(count - count.rounded()) <= 1e-6 * count
            }
        }
        guard let duration else {
            let texts = rates.prefix(5).map { "\($0.shortDescription) /s" }.joined(separator: ", ")
            throw fault("no record of whole seconds has whole samples of all channels: \(texts)")
        }
        let bytes = rates.reduce(0) { $0 + $1 * Double(duration) * 2 }
        guard bytes <= Double(RecordingBytes.limit) else { throw fault("a record would have \(bytes) bytes") }
        for index in signals.indices {
            signals[index].count = Int((rates[index] * Double(duration)).rounded())
            // Measured rates are nearly whole.
            signals[index].even.rate = Double(signals[index].count) / Double(duration)
        }
        return duration
    }

    private static func setLabels(_ signals: inout [Signal]) {
        var taken: Set<String> = []
        for index in signals.indices {
            let label = EDFGaps.label(signals[index].even.channel)
            signals[index].label = String(label.prefix(16))
            var number = 2
            while !taken.insert(signals[index].label).inserted {
                signals[index].label = "\(label.prefix(12))-\(number)"
                number += 1
            }
        }
    }

    /// A number of at most 8 characters that is not above `value`, or not below it.
    private static func limit(_ value: Double, up: Bool) -> (String, Double)? {
        for digits in (0...6).reversed() {
            var scale = 1.0
            for _ in 0..<digits { scale *= 10 }
            let rounded = (value * scale).rounded(up ? .up : .down)
            guard rounded.magnitude < 1e8 else { continue }
            let text = (rounded / scale).decimalText(places: digits, minus: "-")
            guard text.utf8.count <= 8, let number = Double(text), up ? number >= value : number <= value else {
                continue
            }
            return (text, number)
        }
        return nil
    }

    // MARK: Writing

    func write(to sink: AtomicOutput) throws(MediaError) {
        var plan = EDFPlan(signals.map(\.even), counts: signals.map(\.count))
        try recording.read(into: &plan) { (plan: inout EDFPlan) throws(MediaError) in
            plan.find()
            if let reason = plan.fault { throw fault(reason) }
        }
        let records = plan.finish(end: end)
        if let reason = plan.fault { throw fault(reason) }
        // A recording that was read from such a file has these marks already.
        let others = recording.marks.filter { mark in
            !mark.text.hasPrefix(EDFGaps.prefix)
                || !plan.marks.contains { $0.time == mark.time && $0.text == mark.text }
        }
        let lists = try annotations((others + plan.marks).sorted { $0.time < $1.time }, records)
        try sink.write(header(records, lists.first?.count ?? 0))
        var samples = EvenSamples(signals.map(\.even))
        var written = 0
        func writeRecords(_ samples: inout EvenSamples, isAtEnd: Bool) throws(MediaError) {
            while written < records.count, isAtEnd || isComplete(records[written], samples) {
                try sink.write(bytes(of: records[written], &samples) + lists[written])
                written += 1
            }
        }
        try recording.read(into: &samples) { (samples: inout EvenSamples) throws(MediaError) in
            try writeRecords(&samples, isAtEnd: false)
        }
        try writeRecords(&samples, isAtEnd: true)
    }

    /// Whether no more samples of a record can come.
    private func isComplete(_ record: Int, _ samples: EvenSamples) -> Bool {
        for (index, signal) in signals.enumerated() {
            let last = Int(signal.even.place(signal.even.measure.last).rounded())
            guard samples.next[index] >= min((record + 1) * signal.count, last + 1) else { return false }
        }
        return true
    }

    private func bytes(of record: Int, _ samples: inout EvenSamples) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, signal) in signals.enumerated() {
            var numbers = Array(repeating: signal.number(0), count: signal.count)
            for sample in samples.take(index, before: (record + 1) * signal.count) {
                numbers[sample.place - record * signal.count] = signal.number(sample.value)
            }
            for number in numbers {
                let pattern = UInt16(bitPattern: number)
                bytes.append(UInt8(pattern & 255))
                bytes.append(UInt8(pattern >> 8))
            }
        }
        return bytes
    }

    /// The time of the header, in whole seconds; records begin the rest of a second later.
    private var base: Int64 {
        let (whole, rest) = start.quotientAndRemainder(dividingBy: 1_000_000)
        return (rest < 0 ? whole - 1 : whole) * 1_000_000
    }

    /// Returns the annotations of each record: its own time, and the marks that begin in it or after the one before. All
    /// have the bytes of the longest.
    private func annotations(_ marks: [SensorMark], _ records: [Int]) throws(MediaError) -> [[UInt8]] {
        func text(_ time: Int64) -> String {
            let text = SensorTime(microseconds: time - base).text(.seconds)
            return text.hasPrefix("-") ? text : "+\(text)"
        }
        var place = 0
        var lists: [[UInt8]] = []
        for (index, record) in records.enumerated() {
            let begin = start + Int64(record) * Int64(duration) * 1_000_000
            var list = Array("\(text(begin))\u{14}\u{14}\0".utf8)
            while place < marks.count,
                marks[place].time.microseconds < begin + Int64(duration) * 1_000_000 || index == records.count - 1
            {
                let mark = marks[place]
                let seconds = SensorTime(seconds: mark.seconds)?.text(.seconds) ?? "0"
                let words = mark.channel.map { "\(mark.text) (\($0))" } ?? mark.text
                // Control characters end texts.
                let clean = String(String.UnicodeScalarView(words.unicodeScalars.filter { $0.value >= 0x20 }))
                let length = seconds == "0" ? "" : "\u{15}\(seconds)"
                list += Array("\(text(mark.time.microseconds))\(length)\u{14}\(clean)\u{14}\0".utf8)
                place += 1
            }
            lists.append(list)
        }
        let longest = max(60, lists.map(\.count).max() ?? 0)
        guard longest <= 1 << 16 else { throw fault("a record would have \(longest) bytes of annotations") }
        let size = longest + longest % 2
        return lists.map { $0 + Array(repeating: 0, count: size - $0.count) }
    }

    private func header(_ records: [Int], _ annotationBytes: Int) -> [UInt8] {
        // Without a date: X in the description, and the first date that there is.
        let isDated = recording.notation == .date
        let moment = SensorTime(microseconds: isDated ? base : 473_385_600_000_000)
        let parts = moment.text(.date).split { "-T:Z".contains($0) }.map(String.init)
        let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        let date = isDated ? "\(parts[2])-\(months[(Int(parts[1]) ?? 1) - 1])-\(parts[0])" : "X"
        let isWhole = records == Array(0..<records.count)
        let count = signals.count + 1
        var fields: [(text: String, length: Int)] = [
            ("0", 8), ("X X X X", 80), ("Startdate \(date) \(EDFGaps.device)", 80),
            ("\(parts[2]).\(parts[1]).\(parts[0].suffix(2))", 8), (parts[3...5].joined(separator: "."), 8),
            ("\(256 * (count + 1))", 8), (isWhole ? "EDF+C" : "EDF+D", 44), ("\(records.count)", 8), ("\(duration)", 8),
            ("\(count)", 4),
        ]
        func add(_ length: Int, _ last: String, _ text: (Signal) -> String) {
            fields += signals.map { (text($0), length) } + [(last, length)]
        }
        add(16, "EDF Annotations") { $0.label }
        add(80, "") { _ in "" }
        add(8, "") { Self.unit($0.even.channel.unit ?? "") }
        add(8, "-1") { $0.low.text }
        add(8, "1") { $0.high.text }
        add(8, "-32768") { _ in "-32768" }
        add(8, "32767") { _ in "32767" }
        add(80, "") { _ in "" }
        add(8, "\(annotationBytes / 2)") { "\($0.count)" }
        add(32, "") { _ in "" }
        return fields.flatMap { text, length in
            let bytes = text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }.prefix(length)
            return bytes + Array(repeating: UInt8(ascii: " "), count: length - bytes.count)
        }
    }

    /// The unit in ASCII, as EDF+ has it: `uV`, `degC`.
    private static func unit(_ unit: String) -> String {
        let letters: [Unicode.Scalar: String] = ["µ": "u", "μ": "u", "²": "2", "°": "deg", "Ω": "Ohm"]
        return unit.unicodeScalars.map { letters[$0] ?? String($0) }.joined()
    }
}

/// Finds the records that have samples, and the places without one in them.
private struct EDFPlan: SampleSink {
    private var samples: EvenSamples
    private let counts: [Int]
    private var records: Set<Int> = []
    private var expected: [Int]
    private var own: String?
    /// What no signal has.
    private(set) var marks: [SensorMark] = []

    private static let limit = 10_000

    init(_ signals: [EvenSignal], counts: [Int]) {
        (samples, self.counts) = (EvenSamples(signals), counts)
        expected = Array(repeating: 0, count: counts.count)
    }

    var fault: String? { samples.fault ?? own }

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        samples.add(channel, times: times, values: values)
    }

    mutating func find() {
        for slot in counts.indices {
            for sample in samples.take(slot, before: .max) {
                addGap(slot, until: sample.place)
                expected[slot] = sample.place + 1
                records.insert(sample.place / counts[slot])
            }
        }
    }

    /// Returns the records in their order. Signals may end before `end`, and all before the end of the last record.
    mutating func finish(end: Int64) -> [Int] {
        find()
        let sorted = records.sorted()
        guard let last = sorted.last, let signal = samples.signals.first else { return sorted }
        let ends = counts.map { (last + 1) * $0 }
        let areAllMissing = expected.indices.allSatisfy { expected[$0] < ends[$0] }
        let rest = Double(ends[0] - expected[0]) / signal.rate
        for (slot, signal) in samples.signals.enumerated() {
            // A sample may be a quarter of an interval off.
            let until = Int((signal.place(end) + EDFGaps.tolerance).rounded(.down)) + 1
            addGap(slot, until: areAllMissing ? min(until, ends[slot]) : ends[slot])
        }
        if areAllMissing {
            marks.append(
                SensorMark(SensorTime(microseconds: end), seconds: rest, text: EDFGaps.prefix + EDFGaps.ending))
        }
        return sorted
    }

    private mutating func addGap(_ slot: Int, until place: Int) {
        guard place > expected[slot] else { return }
        let signal = samples.signals[slot]
        marks.append(
            SensorMark(
                SensorTime(microseconds: signal.start).advanced(by: Double(expected[slot]) / signal.rate),
                seconds: Double(place - expected[slot]) / signal.rate, text: EDFGaps.prefix + signal.channel.name))
        if marks.count > Self.limit { own = "has more than \(Self.limit) gaps, which would all be annotations" }
    }
}
