package import WayreelCore

/// A format of recordings.
package struct RecordingFormat: Sendable {
    /// The name as its field calls it: `EDF+`.
    package let name: String
    /// What its files are called, in lower case.
    package let extensions: [String]
    /// Whether a file is of this format, by its first bytes and its name.
    let recognizes: @Sendable (_ head: UnsafeRawBufferPointer, _ path: String) -> Bool
    let open: @Sendable (RecordingInput) throws(MediaError) -> any RecordingSource
}

/// What a recording is opened with.
struct RecordingInput {
    var path: String
    var cancellation: Cancellation
    var stopping: Cancellation
    var onDamage: ((MediaError) -> Void)?
    /// Whether `JSONDecoder` reads every line of NDJSON.
    var decodesAll = false
    /// Whether a last line that was not written whole is nothing.
    var dropsCutOff = false
}

/// Opens recordings of all formats.
package enum RecordingFiles {
    /// The formats, of which the first that recognizes a file reads it. What none recognizes is text, whose first line
    /// determines the format, also in a pipe.
    package static let formats: [RecordingFormat] = [.edf, .dicom, .gpx, .wfdb, .zip]

    /// Opens the recording at `path`, or standard input for `-`, of which a format that is no text is copied to a temporary
    /// file. A folder or a ZIP archive is one recording of the tables in it.
    ///
    /// Its marks are also read from `path` + `.marks.ndjson`, if there is such a file.
    ///
    /// - Parameters:
    ///   - onDamage: Is called with the error of each damaged line, which is then left out. nil: a damaged line is an
    ///     error.
    ///   - decodesAll: Whether `JSONDecoder` reads every line of NDJSON, which is slower, with the same results.
    /// - Throws: An `io` error if it cannot be read, a `decoding` error if it is no recording.
    package static func open(
        _ path: String, cancellation: Cancellation = Cancellation(), decodesAll: Bool = false,
        onDamage: ((MediaError) -> Void)? = nil
    ) throws(MediaError) -> any RecordingSource {
        let input = RecordingInput(
            path: path, cancellation: cancellation, stopping: Cancellation(), onDamage: onDamage,
            decodesAll: decodesAll)
        let source = try open(input)
        guard let notes = try notes(beside: input) else { return source }
        return NotedRecording(source, notes)
    }

    static func open(_ input: RecordingInput) throws(MediaError) -> any RecordingSource {
        if input.path != "-", Directory.isDirectory(input.path) { return try ExportRecording(folder: input) }
        let format = FileHead.withFirstBytes(of: input.path) { head in
            formats.first { $0.recognizes(head, input.path) }
        }
        guard let format = format ?? nil else { return try TextRecording(input) }
        return try format.open(input)
    }

    /// What the name of a file with the marks of a recording, its units and whom to credit, ends in.
    package static let marksEnding = ".marks.ndjson"

    /// Returns what the file beside a recording says of it; nil if there is none.
    static func notes(beside input: RecordingInput) throws(MediaError) -> RecordingHead? {
        var file = input
        file.path += marksEnding
        file.dropsCutOff = true
        guard input.path != "-", !input.path.hasSuffix(marksEnding), RegularFile.byteCount(file.path) != nil else {
            return nil
        }
        let source = try TextRecording(file)
        var sink = NoSamples()
        while try source.read(into: &sink) {}
        return source.head
    }

    private struct NoSamples: SampleSink {
        mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {}
        mutating func add(_ channel: Int, start: SensorTime, rate: Double, first: Int, values: Span<Double>) {}
    }
}

/// A recording with what the file beside it says.
private final class NotedRecording: RecordingSource {
    private let source: any RecordingSource
    private let notes: RecordingHead

    init(_ source: any RecordingSource, _ notes: RecordingHead) { (self.source, self.notes) = (source, notes) }

    var head: RecordingHead { source.head.completed(by: notes) }

    var hasNext: Bool { source.hasNext }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool { try source.read(into: &sink) }
}

/// A recording that is read line by line, of a format that its first line determines; from a pipe, of any format.
final class TextRecording: RecordingSource {
    private let lines: RecordingLines
    private let stem: String
    private let input: RecordingInput
    private let isPipe: Bool
    private var source: (any RecordingSource)?

    convenience init(_ input: RecordingInput) throws(MediaError) {
        let reader = try LineReader(input.path, cancellation: input.cancellation, stopping: input.stopping)
        self.init(
            reader, stem: input.path == "-" ? "" : input.path.stem ?? "", input, isPipe: FileHead.isPipe(input.path))
    }

    /// Reads `reader` as `input` says. `stem` is the name of its file without an ending. `isPipe`: its first bytes were not
    /// looked at, and may be of another format.
    init(_ reader: LineReader, stem: String, _ input: RecordingInput, isPipe: Bool = false) {
        lines = RecordingLines(reader, onDamage: input.onDamage, dropsCutOff: input.dropsCutOff)
        (self.stem, self.input, self.isPipe) = (stem, input, isPipe)
    }

    var head: RecordingHead { source?.head ?? RecordingHead() }
    var hasNext: Bool { source?.hasNext ?? lines.hasNext }

    /// The recording as what its first line says it is; nil if it has no line. May wait for a recorder.
    func content() throws(MediaError) -> (any RecordingSource)? {
        if source == nil { source = try makeSource() }
        return source
    }

    private func makeSource() throws(MediaError) -> (any RecordingSource)? {
        let reader = lines.lines
        if isPipe, let copy = try PipedRecording(of: reader, input) { return copy }
        while let line = try reader.next() {
            guard let first = line.first(where: { !CSVCells.isBlank($0) }) else { continue }
            if first == UInt8(ascii: "{") {
                reader.putBack()
                return RowRecording(lines, NDJSONRows(isFast: !input.decodesAll))
            }
            let header: CSVHeader
            do throws(LineDamage) { header = try CSVHeader(line.span, stem: stem) } catch {
                throw reader.fault(error.reason, advice: "give a recording, of one of the formats of streams.md")
            }
            return switch header {
            case .tidy(let names): RowRecording(lines, TidyRows(names))
            case .logged(let names): RowRecording(lines, TidyRows(logged: names))
            case .wide(let layout):
                if let column = layout.markColumn {
                    RowRecording(lines, MarkRows(layout, column))
                } else {
                    WideRecording(lines, layout)
                }
            }
        }
        return nil
    }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        guard let source = try content() else { return false }
        return try source.read(into: &sink)
    }
}
