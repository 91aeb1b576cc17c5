internal import WayreelCore

/// A folder with a table for each sensor, as Sensor Logger and phyphox export it. Samples of all of them are passed in the
/// order of their times.
final class FolderRecording: RecordingSource {
    private var parts: [Part] = []
    private let input: RecordingInput

    private static let maxFiles = 64
    /// Tables about the recording, not of it.
    private static let others: Set = ["metadata.csv", "studymetadata.csv"]

    /// The recording of a file, with what was read of it and not passed on.
    private struct Part {
        var path: String
        var source: any RecordingSource
        var waiting = WaitingSamples()
        var isAtEnd = false
        /// The places of its channels among those of all.
        var places: [Int] = []
    }

    init(_ input: RecordingInput) throws(MediaError) {
        self.input = input
        let folder = ErrorSite(step: .read, subject: input.path)
        let names = Directory.entries(of: input.path).sorted().filter {
            !$0.hasPrefix(".") && $0.fileExtension?.lowercased() == "csv" && !Self.others.contains($0.lowercased())
        }
        guard !names.isEmpty else { throw folder("is a directory without tables of sensors", "name a file in it") }
        guard names.count <= Self.maxFiles else {
            throw folder(.limit, "is a folder with \(names.count) tables, of at most \(Self.maxFiles)")
        }
        for name in names {
            var file = input
            file.path = "\(input.path)/\(name)"
            parts.append(Part(path: file.path, source: try TextRecording(file)))
        }
    }

    private(set) var head = RecordingHead()
    var hasNext: Bool { true }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        // Samples are passed as far as each file was read.
        for index in parts.indices where !parts[index].isAtEnd && parts[index].waiting.isEmpty {
            parts[index].isAtEnd = try !parts[index].source.read(into: &parts[index].waiting)
        }
        try update()
        // Nothing is passed before a file that has nothing yet.
        let until = parts.filter { !$0.isAtEnd }.map { $0.waiting.isEmpty ? .min : $0.waiting.last }.min() ?? .max
        for index in parts.indices { parts[index].waiting.pass(until, parts[index].places, to: &sink) }
        return !parts.allSatisfy { $0.isAtEnd && $0.waiting.isEmpty }
    }

    /// Joins what the files say of themselves.
    private func update() throws(MediaError) {
        head.marks = []
        head.skipped = 0
        for index in parts.indices {
            let own = parts[index].source.head
            for channel in own.channels.dropFirst(parts[index].places.count) {
                guard !head.channels.contains(where: { $0.name == channel.name }),
                    head.channels.count < ChannelTable.limit
                else {
                    throw MediaError(
                        .decoding, step: .read, subject: parts[index].path,
                        reason: "has '\(channel.name)', which another file of the folder has, or is one too many")
                }
                parts[index].places.append(head.channels.count)
                head.channels.append(channel)
            }
            head.marks += own.marks
            head.skipped += own.skipped
            do throws(LineDamage) { if let notation = own.notation { try head.agree(notation) } } catch {
                throw MediaError(.decoding, step: .read, subject: parts[index].path, reason: error.reason)
            }
        }
        head.marks.sort { $0.time < $1.time }
    }
}

/// Samples that wait for those of other files.
private struct WaitingSamples: SampleSink {
    private var pieces: [(times: [Int64], values: [Double])] = []
    private var count = 0
    /// The latest time.
    private(set) var last = Int64.min

    var isEmpty: Bool { count == 0 }

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        while pieces.count <= channel { pieces.append(([], [])) }
        for index in times.indices {
            pieces[channel].times.append(times[index])
            pieces[channel].values.append(values[index])
            last = max(last, times[index])
        }
        count += times.count
    }

    /// Passes on the samples of each channel before the first that is later than `until`.
    mutating func pass(_ until: Int64, _ places: [Int], to sink: inout some SampleSink) {
        for channel in pieces.indices {
            let piece = pieces[channel]
            let end = piece.times.firstIndex { $0 > until } ?? piece.times.count
            guard end > 0 else { continue }
            sink.add(
                places[channel], times: piece.times.span.extracting(0..<end),
                values: piece.values.span.extracting(0..<end))
            pieces[channel] = (Array(piece.times[end...]), Array(piece.values[end...]))
            count -= end
        }
    }
}
