internal import WayreelCore

/// Writes recordings line by line.
enum RowWriter {
    /// Writes a head with units, marks, and samples in the order of their times. Returns whether there are samples.
    static func writeNDJSON(_ recording: ConvertedRecording, to sink: AtomicOutput) throws(MediaError) -> Bool {
        try writeMarks(recording, to: sink)
        let writer = SensorWriter(.ndjson)
        return try eachSample(recording) { (sample) throws(MediaError) in
            try sink.write("\(writer.line(sample, recording.notation))\n")
        }
    }

    /// Writes a head with units, and marks.
    static func writeMarks(_ recording: ConvertedRecording, to sink: AtomicOutput) throws(MediaError) {
        let head = SensorWriter.head(recording.channels, title: recording.title, credit: recording.credit)
        try sink.write("\(head)\n")
        for mark in recording.marks { try sink.write("\(SensorWriter.line(mark, recording.notation))\n") }
    }

    /// Writes a header, and samples in the order of their times. Returns whether there are samples.
    static func writeCSV(
        _ recording: ConvertedRecording, isTidy: Bool, to sink: AtomicOutput
    ) throws(MediaError) -> Bool {
        if isTidy {
            let components = Set(recording.channels.map(\.component)).sorted()
            let writer = SensorWriter(.csv, components: components)
            if let header = writer.header { try sink.write("\(header)\n") }
            return try eachSample(recording) { (sample) throws(MediaError) in
                try sink.write("\(writer.line(sample, recording.notation))\n")
            }
        }
        let names = recording.channels.map { channel in
            csvCell(channel.name + (channel.unit.map { " [\($0)]" } ?? ""))
        }
        let time = recording.notation == .date ? "time" : "seconds"
        try sink.write("\(([time] + names).joined(separator: ","))\n")
        var indices: [String: Int] = [:]
        for (index, channel) in recording.channels.enumerated() { indices[channel.name] = index }
        var row: (time: SensorTime, cells: [String])?
        func flush() throws(MediaError) {
            guard let row else { return }
            try sink.write("\(row.time.text(recording.notation)),\(row.cells.joined(separator: ","))\n")
        }
        let hasSamples = try eachSample(recording) { (sample) throws(MediaError) in
            let places = sample.values.names.map { indices["\(sample.stream).\($0)"] ?? 0 }
            // A second value of a channel at one time has a row of its own.
            if row?.time != sample.time || places.contains(where: { row?.cells[$0] != "" }) {
                try flush()
                row = (sample.time, Array(repeating: "", count: names.count))
            }
            for (place, name) in zip(places, sample.values.names) {
                row?.cells[place] = sample.values[name]?.shortDescription ?? ""
            }
        }
        try flush()
        return hasSamples
    }

    private static func csvCell(_ text: String) -> String {
        guard text.contains(where: { ",;\"\t\n\r".contains($0) }) else { return text }
        return "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }

    /// Calls `body` for each sample, in the order of their times. Returns whether there is one.
    @discardableResult static func eachSample(
        _ recording: ConvertedRecording, _ body: (SensorSample) throws(MediaError) -> Void
    ) throws(MediaError) -> Bool {
        var merge = SampleMerge()
        var hasSamples = false
        try recording.read(into: &merge) { (merge: inout SampleMerge) throws(MediaError) in
            merge.join(recording.channels)
            while let sample = merge.next() {
                hasSamples = true
                try body(sample)
            }
        }
        return hasSamples
    }
}

extension SensorWriter {
    /// A head in NDJSON: units, and what the recording is of. Without a line end.
    static func head(_ channels: [SensorChannel], title: String?, credit: String?) -> String {
        head(units: channels.compactMap { channel in channel.unit.map { (channel.name, $0) } }, title, credit)
    }

    /// The head of notes beside a recording; nil if they say nothing of it but marks.
    static func head(of notes: RecordingHead) -> String? {
        guard notes.title != nil || notes.credit != nil || !notes.units.isEmpty else { return nil }
        return head(units: notes.units.sorted { $0.key < $1.key }, notes.title, notes.credit)
    }

    private static func head(units: [(key: String, value: String)], _ title: String?, _ credit: String?) -> String {
        var members = ["\"format\":\"\(formatName)\"", "\"version\":1"]
        let units = units.map { "\($0.key.jsonQuoted):\($0.value.jsonQuoted)" }
        if !units.isEmpty { members.append("\"units\":{\(units.joined(separator: ","))}") }
        if let title { members.append("\"title\":\(title.jsonQuoted)") }
        if let credit { members.append("\"credit\":\(credit.jsonQuoted)") }
        return "{\(members.joined(separator: ","))}"
    }

    /// The line of a mark in NDJSON, without a line end.
    package static func line(_ mark: SensorMark, _ notation: SensorTime.Notation) -> String {
        let time = mark.time.text(notation)
        var members = ["\"time\":\(notation == .date ? "\"\(time)\"" : time)"]
        if mark.seconds > 0 { members.append("\"seconds\":\(mark.seconds.shortDescription)") }
        members.append("\"mark\":\(mark.text.jsonQuoted)")
        if let channel = mark.channel { members.append("\"channel\":\(channel.jsonQuoted)") }
        return "{\(members.joined(separator: ","))}"
    }
}
