internal import WayreelCore

/// The export of a phone app: a folder or a ZIP archive with a table for each sensor, as Sensor Logger and phyphox write
/// it. Samples of all tables are passed in the order of their times.
final class ExportRecording: RecordingSource {
    private var parts: [Part] = []
    private let onDamage: ((MediaError) -> Void)?
    /// That of phyphox's experiments, whose tables have no dates.
    private var clock: ExperimentClock?
    /// The tables that could not be read to their ends.
    private var damagedCount = 0

    private static let maxFiles = 64
    /// Tables about the recording, not of it.
    private static let others: Set = ["metadata.csv", "studymetadata.csv"]
    /// The folder with phyphox's tables about the recording, and the one of them with times.
    private static let (about, times) = ("meta", "time.csv")

    /// The recording of a table, with what was read of it and not passed on.
    private struct Part {
        var name: String
        var source: any RecordingSource
        var waiting = PendingSamples()
        var isAtEnd = false
        /// The places of its channels among those of all.
        var places: [Int] = []
    }

    /// Opens the tables in a folder, and in its folder `meta`.
    init(folder input: RecordingInput) throws(MediaError) {
        onDamage = input.onDamage
        let folder = ErrorSite(step: .read, subject: input.path)
        let names = Directory.entries(of: input.path).sorted().filter(Self.isTable)
        guard !names.isEmpty else { throw folder("is a directory without tables of sensors", "name a file in it") }
        guard names.count <= Self.maxFiles else {
            throw folder(.limit, "is a folder with \(names.count) tables, of at most \(Self.maxFiles)")
        }
        for name in names {
            var file = input
            file.path = "\(input.path)/\(name)"
            parts.append(Part(name: file.path, source: try TextRecording(file)))
        }
        let times = "\(input.path)/\(Self.about)/\(Self.times)"
        guard RegularFile.byteCount(times) != nil else { return }
        clock = try ExperimentClock(
            LineReader(times, cancellation: input.cancellation, stopping: input.stopping))
    }

    /// Opens the tables in a ZIP archive, in whatever folders they are.
    init(archive input: RecordingInput) throws(MediaError) {
        onDamage = input.onDamage
        let site = ErrorSite(step: .read, format: .zip, subject: input.path)
        let archive = try ZipArchive(input)
        let entries = archive.entries { Self.isTable($0) || Self.isClock($0) }.sorted { $0.name < $1.name }
        let tables = entries.filter { Self.isTable($0.name) }
        guard !tables.isEmpty else {
            throw site("the archive has no tables of sensors", "export the recording as CSV in the app")
        }
        guard tables.count <= Self.maxFiles else {
            throw site(.limit, "the archive has \(tables.count) tables, of at most \(Self.maxFiles)")
        }
        let clocks = entries.filter { Self.isClock($0.name) }
        guard clocks.count < 2 else {
            throw site("the archive has \(clocks.count) experiments", "unpack it and name the folder of one")
        }
        func lines(_ entry: ZipArchive.Entry) throws(MediaError) -> LineReader {
            LineReader(
                try archive.open(entry), name: "\(input.path)/\(entry.name)", cancellation: input.cancellation,
                stopping: input.stopping)
        }
        for table in tables {
            let reader = try lines(table)
            let stem = Self.names(table.name).last?.stem ?? ""
            parts.append(Part(name: reader.name, source: TextRecording(reader, stem: stem, input)))
        }
        if let entry = clocks.first { clock = try ExperimentClock(lines(entry)) }
    }

    /// The parts of a path, which some programs separate with backslashes.
    private static func names(_ path: String) -> [String] {
        path.split { $0 == "/" || $0 == "\\" }.map(String.init)
    }

    private static func isTable(_ path: String) -> Bool {
        let names = Self.names(path)
        // macOS adds files with its own notes, `__MACOSX/._Gyroscope.csv`.
        guard let name = names.last, !name.hasPrefix("."), name.fileExtension?.lowercased() == "csv" else {
            return false
        }
        return !others.contains(name.lowercased()) && names.dropLast().last?.lowercased() != about
            && !names.contains("__MACOSX")
    }

    private static func isClock(_ path: String) -> Bool {
        names(path).suffix(2).map { $0.lowercased() } == [about, times]
    }

    private(set) var head = RecordingHead()
    var hasNext: Bool { true }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        // Samples are passed as far as each table was read.
        for index in parts.indices where !parts[index].isAtEnd && parts[index].waiting.count == 0 {
            try readOn(&parts[index])
        }
        try update()
        // Nothing is passed before a table that has nothing yet.
        let open = parts.filter { !$0.isAtEnd }.map(\.waiting)
        let until = open.map { $0.count == 0 ? .min : $0.latest ?? .min }.min() ?? .max
        for index in parts.indices {
            let places = parts[index].places
            parts[index].waiting.take(until: until) { sink.add(places[$0], times: $1, values: $2) }
        }
        return !parts.allSatisfy { $0.isAtEnd && $0.waiting.count == 0 }
    }

    /// Reads the next piece of a table. One that is damaged as a whole ends there, if what is damaged is left out.
    private func readOn(_ part: inout Part) throws(MediaError) {
        do throws(MediaError) {
            part.isAtEnd = try !part.source.read(into: &part.waiting)
        } catch {
            guard let onDamage, error.kind == .decoding || error.kind == .unsupported else { throw error }
            onDamage(error)
            damagedCount += 1
            part.isAtEnd = true
        }
        if let clock, part.source.head.notation == .seconds { part.waiting.changeTimes(clock.date) }
    }

    /// Joins what the tables say of themselves.
    private func update() throws(MediaError) {
        head.marks = []
        head.skipped = damagedCount
        for index in parts.indices {
            let own = parts[index].source.head
            for channel in own.channels.dropFirst(parts[index].places.count) {
                guard !head.channels.contains(where: { $0.name == channel.name }),
                    head.channels.count < ChannelTable.limit
                else {
                    throw MediaError(
                        .decoding, step: .read, subject: parts[index].name,
                        reason: "has '\(channel.name)', which another table of the recording has, or is one too many")
                }
                parts[index].places.append(head.channels.count)
                head.channels.append(channel)
            }
            head.marks += own.marks
            head.skipped += own.skipped
            guard let notation = own.notation else { continue }
            do throws(LineDamage) { try head.agree(clock == nil ? notation : .date) } catch {
                throw MediaError(.decoding, step: .read, subject: parts[index].name, reason: error.reason)
            }
        }
        head.marks.sort { $0.time < $1.time }
    }
}
