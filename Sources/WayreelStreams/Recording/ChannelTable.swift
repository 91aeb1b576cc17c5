internal import WayreelCore

/// The channels of a recording that is read line by line, found by the bytes of their names.
struct ChannelTable {
    /// The most channels of a recording.
    static let limit = 1024

    private(set) var channels: [SensorChannel] = []
    private var streams: [Stream] = []
    /// Units by the names of channels, also of those that have not occurred.
    private var units: [String: String] = [:]

    private struct Stream {
        var name: [UInt8]
        var text: String
        var components: [(name: [UInt8], channel: Int)] = []
    }

    /// Returns the index of a stream. `guess` is one to look at first.
    mutating func stream(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, guess: Int) throws(LineDamage) -> Int {
        if guess < streams.count, bytes.matches(streams[guess].name, start, end) { return guess }
        for index in streams.indices where bytes.matches(streams[index].name, start, end) { return index }
        let text = bytes.text(start, end)
        guard SensorSample.isName(text) else {
            throw LineDamage("the stream's name '\(text)' is not of letters, digits, - and _")
        }
        guard streams.count < Self.limit else { throw LineDamage("is the first of more than \(Self.limit) streams") }
        streams.append(Stream(name: Array(text.utf8), text: text))
        return streams.count - 1
    }

    /// Returns the channel of a component of a stream. `guess` is the index of a component of the stream to look at
    /// first.
    mutating func channel(
        _ stream: Int, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, guess: Int
    ) throws(LineDamage) -> Int {
        let components = streams[stream].components
        if guess < components.count, bytes.matches(components[guess].name, start, end) {
            return components[guess].channel
        }
        for component in components where bytes.matches(component.name, start, end) { return component.channel }
        let text = bytes.text(start, end)
        guard SensorSample.isName(text) else {
            throw LineDamage("the component's name '\(text)' is not of letters, digits, - and _")
        }
        return try add(stream, text)
    }

    /// Returns the channel of a component with a name that is known to be one.
    mutating func channel(_ stream: Int, _ component: String) throws(LineDamage) -> Int {
        let name = Array(component.utf8)
        if let known = streams[stream].components.first(where: { $0.name == name }) { return known.channel }
        return try add(stream, component)
    }

    private mutating func add(_ stream: Int, _ component: String) throws(LineDamage) -> Int {
        guard channels.count < Self.limit else { throw LineDamage("has the first of more than \(Self.limit) channels") }
        var channel = SensorChannel(streams[stream].text, component)
        channel.unit = units[channel.name]
        channels.append(channel)
        streams[stream].components.append((Array(component.utf8), channels.count - 1))
        return channels.count - 1
    }

    /// Sets units by the names of channels. One that is known must stay.
    mutating func set(_ new: [String: String]) throws(LineDamage) {
        for (name, unit) in new {
            if let known = units[name], known != unit {
                throw LineDamage("gives \(name) the unit '\(unit)', which was '\(known)' before")
            }
            guard units[name] != nil || units.count < 4 * Self.limit else {
                throw LineDamage("gives units to more than \(4 * Self.limit) channels")
            }
        }
        units.merge(new) { $1 }
        for index in channels.indices { channels[index].unit = units[channels[index].name] }
    }
}

/// What is wrong with a line.
struct LineDamage: Error {
    /// Without the middle of what is quoted, if that is long.
    var reason: String

    init(_ reason: String) {
        self.reason = reason.utf8.count <= 500 ? reason : "\(reason.prefix(200))…\(reason.suffix(100))"
    }
}

/// The sample of a line, as values of channels.
struct SampleRow {
    var time = SensorTime(microseconds: 0)
    var notation = SensorTime.Notation.seconds
    var stream = 0
    var channels: [Int] = []
    var values: [Double] = []

    mutating func removeValues() {
        channels.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
    }
}

/// Reads the lines of a format in which each holds a sample of one stream.
protocol RowFormat {
    /// Reads a line into `row`, or into `head`. Returns whether it holds a sample. A damaged line may leave values in
    /// `row`, and channels without values.
    mutating func read(
        _ line: Span<UInt8>, into row: inout SampleRow, _ table: inout ChannelTable, _ head: inout RecordingHead
    ) throws(LineDamage) -> Bool
}

/// A recording of lines that hold a sample of one stream each, or a mark.
final class RowRecording<Format: RowFormat>: SampleSource {
    private let lines: RecordingLines
    private var rows: Rows
    private var row = SampleRow()

    private static var batch: Int { 4096 }

    init(_ lines: RecordingLines, _ format: Format) { (self.lines, rows) = (lines, Rows(format: format)) }

    private struct Rows {
        var format: Format
        var table = ChannelTable()
        var head = RecordingHead()
        var pieces: [(times: [Int64], values: [Double])] = []

        /// Reads a line into `row`. Returns whether it holds a sample.
        mutating func read(_ line: Span<UInt8>, into row: inout SampleRow) throws(LineDamage) -> Bool {
            row.removeValues()
            guard try format.read(line, into: &row, &table, &head) else { return false }
            try head.agree(row.notation)
            return true
        }

        /// Reads a line by way of `row` into ``pieces``. Returns whether it holds a sample.
        mutating func collect(_ line: Span<UInt8>, _ row: inout SampleRow) throws(LineDamage) -> Bool {
            guard try read(line, into: &row) else { return false }
            while pieces.count < table.channels.count { pieces.append(([], [])) }
            for index in row.channels.indices {
                let channel = row.channels[index]
                pieces[channel].times.append(row.time.microseconds)
                pieces[channel].values.append(row.values[index])
            }
            return true
        }

        mutating func pass(_ channel: Int, to sink: inout some SampleSink) {
            do {
                let piece = pieces[channel]
                if !piece.times.isEmpty { sink.add(channel, times: piece.times.span, values: piece.values.span) }
            }
            pieces[channel].times.removeAll(keepingCapacity: true)
            pieces[channel].values.removeAll(keepingCapacity: true)
        }
    }

    var head: RecordingHead {
        var head = rows.head
        head.channels = rows.table.channels
        head.skipped = lines.skipped
        return head
    }

    var hasNext: Bool { lines.hasNext }
    var notation: SensorTime.Notation? { rows.head.notation }

    func next(into row: inout SampleRow) throws(MediaError) -> Bool {
        while true {
            let isSample = try lines.read { (line) throws(LineDamage) -> Bool in try rows.read(line, into: &row) }
            guard let isSample else { return false }
            if isSample { return true }
        }
    }

    func nextSample() throws(MediaError) -> SensorSample? {
        guard try next(into: &row) else { return nil }
        let channels = rows.table.channels
        let values = zip(row.channels, row.values).map { (channels[$0].component, $1) }
        return SensorSample(row.time, stream: channels[row.channels[0]].stream, values: .init(values))
    }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        var count = 0
        repeat {
            let isSample = try lines.read { (line) throws(LineDamage) -> Bool in try rows.collect(line, &row) }
            guard let isSample else { break }
            // Marks are passed on as soon as they were read.
            count += isSample ? 1 : 0
            if !isSample, !lines.hasNext { count = max(count, 1) }
        } while count < Self.batch && lines.hasNext
        for channel in rows.pieces.indices { rows.pass(channel, to: &sink) }
        return count > 0
    }
}

extension RecordingHead {
    /// Notes the notation of a time, which has to be that of the times before.
    mutating func agree(_ new: SensorTime.Notation) throws(LineDamage) {
        if let notation, notation != new {
            throw LineDamage("has a time in \(new.unit), others in \(notation.unit)")
        }
        notation = new
    }
}

extension SensorTime.Notation {
    fileprivate var unit: String { self == .date ? "dates" : "seconds" }
}

/// The lines of a recording, of which damaged ones may be left out.
final class RecordingLines {
    let lines: LineReader
    private let onDamage: ((MediaError) -> Void)?
    private let dropsCutOff: Bool
    private(set) var skipped = 0

    /// `dropsCutOff`: whether a damaged last line without an LF is nothing.
    init(_ lines: LineReader, onDamage: ((MediaError) -> Void)?, dropsCutOff: Bool = false) {
        (self.lines, self.onDamage, self.dropsCutOff) = (lines, onDamage, dropsCutOff)
    }

    var hasNext: Bool { lines.hasNext }

    /// Passes the next line that is not blank to `body`, and returns its result; nil at the end. The result of a damaged
    /// line that is left out is false.
    func read(_ body: (Span<UInt8>) throws(LineDamage) -> Bool) throws(MediaError) -> Bool? {
        while let line = try lines.next() {
            let span = line.span
            var first = 0
            while first < span.count, CSVCells.isBlank(span[first]) { first += 1 }
            guard first < span.count else { continue }
            do throws(LineDamage) { return try body(span) } catch { try report(error) }
            return false
        }
        return nil
    }

    private func report(_ damage: LineDamage) throws(MediaError) {
        if dropsCutOff, lines.isCutOff { return }
        guard let onDamage else {
            throw lines.fault(
                damage.reason, advice: "mend the line, or skip what is damaged with \(OptionName.skipDamaged)")
        }
        skipped += 1
        onDamage(lines.fault(damage.reason, advice: "the line is left out"))
    }
}
