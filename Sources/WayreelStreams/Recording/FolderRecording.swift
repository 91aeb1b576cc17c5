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
        var waiting = PendingSamples()
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
        for index in parts.indices where !parts[index].isAtEnd && parts[index].waiting.count == 0 {
            parts[index].isAtEnd = try !parts[index].source.read(into: &parts[index].waiting)
        }
        try update()
        // Nothing is passed before a file that has nothing yet.
        let open = parts.filter { !$0.isAtEnd }.map(\.waiting)
        let until = open.map { $0.count == 0 ? .min : $0.latest ?? .min }.min() ?? .max
        for index in parts.indices {
            let places = parts[index].places
            parts[index].waiting.take(until: until) { sink.add(places[$0], times: $1, values: $2) }
        }
        return !parts.allSatisfy { $0.isAtEnd && $0.waiting.count == 0 }
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
