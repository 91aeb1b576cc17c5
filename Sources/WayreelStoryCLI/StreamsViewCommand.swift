internal import ArgumentParser
internal import Glibc
internal import Synchronization
internal import WayreelCLI
internal import WayreelCore
internal import WayreelService
internal import WayreelStreams

struct StreamsViewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Shows a recording, or what a recorder measures now, as strip charts in a browser of this machine.",
        discussion: """
            wayreel streams view ecg.csv
            wayreel streams view walk.ndjson --speed 10 --filter heading:smooth=0.5s
            recorder | wayreel streams view - --record walk.ndjson

            Open the address that it prints: its end, after #, is the key without which nothing is shown. The page pauses, zooms, filters
            and marks; a recording is also played from another place or at another speed.

            Of a recorder in a pipe, the page shows the last minute and what comes; --record keeps all of it. That file is there from the
            beginning and holds each sample as soon as it was read: after Ctrl-C it is complete, and after a power cut it has what was
            written by then. Marks are saved beside the recording, in NAME.marks.ndjson.

            At /sensors, with the same key, a page of this machine sends its sensors as a stream of its own. For phones, which need TLS and
            players' tokens, use 'wayreel serve', with its pages /sensors and /streams.

            Exit status: 0 after SIGTERM or Ctrl-C; 1 if the source is damaged or ends with an error, when it is ended; 2 wrong usage.
            """)

    @Argument(help: "The recording; - for what a recorder writes to standard input.", completion: .file())
    var source: String

    @Option(
        help: """
            How many times as fast as it was recorded, 0.001 to 1000000; max: as fast as it can be shown. For recordings. (default: 1)
            """)
    var speed: String?

    @Option(
        help: ArgumentHelp(
            "A filter that viewers begin with, as in heading:smooth=0.5s. Repeatable, up to 8; applied in order.",
            valueName: "filter"),
        completion: .custom { _, _, _ in SensorFilterCatalog.all.map(\.example) })
    var filter: [String] = []

    @Option(help: "A new NDJSON file that keeps what the recorder writes.", completion: .file())
    var record: String?

    @Option(help: "Address and port on this machine; port 0 chooses a free one.")
    var listen = "127.0.0.1:0"

    @OptionGroup var damage: DamageOptions

    func validate() throws {
        guard speed.map({ SensorReplay.Speed($0) != nil }) ?? true else {
            throw ValidationError("--speed takes a number from 0.001 to 1000000, or max")
        }
        guard ServiceSettings.Address(listen) != nil else {
            throw ValidationError("--listen takes an address such as 127.0.0.1:8080")
        }
    }

    func run() async throws {
        guard let address = ServiceSettings.Address(listen) else { return }
        let server = try StreamViewServer(listen: address)
        let filters = filter.isEmpty ? nil : try SignalFilters(filter)
        let kind = source == "-" ? nil : (try? FileStatus(source))?.kind
        // What is neither a file nor a pipe is told as when it is read.
        if source != "-", kind != .file, kind != .pipe { _ = try RecordingFiles.open(source) }
        let warnings = DamageWarnings()
        defer { warnings.finish() }
        let source = try kind == .file ? recording(warnings) : recorder(warnings)
        server.show(source.stream, filters: filters)
        let failure = Failure()
        let threads = try source.work.map { (work) throws(MediaError) in
            try WorkThread("streams") {
                do throws(MediaError) { try work.run() } catch {
                    guard error.kind != .cancelled else { return }
                    failure.isThere.store(true, ordering: .relaxed)
                    Console.error("error: \(error.withFlags)")
                }
            }
        }
        defer {
            Interrupt.cancellation.cancel()
            for thread in threads { thread.join() }
        }
        try await server.run { address in
            print("the streams are shown at \(address)")
            fflush(nil)
        }
        if failure.isThere.load(ordering: .relaxed) { throw ExitReason.failed }
    }

    /// Whether the source had an error.
    private final class Failure: Sendable {
        let isThere = Atomic(false)
    }

    /// What is shown, and what threads of its own do for that.
    private struct Source {
        var stream: LiveStream
        var work: [any SourceWork]
    }

    private func recording(_ warnings: DamageWarnings) throws(MediaError) -> Source {
        guard record == nil else {
            throw MediaError(
                .parameter, step: .open, subject: source, reason: "is a recording: it is not recorded",
                advice: "give --record for what a recorder writes")
        }
        // A file that is no recording is told before the address.
        let opened = try RecordingFiles.open(source, cancellation: Interrupt.cancellation, onDamage: { _ in })
        // Some formats say their title with the first samples. What is damaged there is told by what plays it.
        var first = PendingSamples()
        _ = try? opened.read(into: &first)
        var head = SignalHead()
        (head.title, head.isLive) = (opened.head.title ?? source.split(separator: "/").last.map(String.init), false)
        let marks = MarksFile(besides: source)
        let stream = LiveStream(head, limits: Self.limits, marks: marks, later: StreamViewServer.later)
        stream.show(try marks.marks())
        let playback = RecordingPlayback(
            speed: speed.flatMap { SensorReplay.Speed($0) } ?? .times(1), stream: stream,
            cancellation: Interrupt.cancellation, onDamage: warnings.handler(damage.skipDamaged))
        stream.use(playback)
        return Source(
            stream: stream,
            work: [
                RecordingPlaying(path: source, playback: playback), RecordingLength(path: source, playback: playback),
            ])
    }

    private func recorder(_ warnings: DamageWarnings) throws(MediaError) -> Source {
        guard speed == nil else {
            throw MediaError(
                .parameter, step: .open, subject: source, reason: "is shown as it is measured: it has no speed",
                advice: "leave out --speed, or name the file of a recording")
        }
        let file = try record.map { (path) throws(MediaError) in try RecordingFile(path) }
        var head = SignalHead()
        (head.title, head.isRecording) = (source == "-" ? "Standard input" : source, file != nil)
        let stream = LiveStream(head, limits: Self.limits, marks: file?.marks, later: StreamViewServer.later)
        let reading = RecorderReading(
            source: source, stream: stream, file: file, onDamage: warnings.handler(damage.skipDamaged))
        return Source(stream: stream, work: [reading])
    }

    private static let limits = SignalHub.Limits(bytes: 32_000_000)
}

/// What a thread of its own does for a source.
private protocol SourceWork: Sendable {
    func run() throws(MediaError)
}

/// Plays a recording.
private struct RecordingPlaying: SourceWork {
    var path: String
    var playback: RecordingPlayback

    func run() throws(MediaError) { try playback.run(path) }
}

/// Finds how long a recording is.
private struct RecordingLength: SourceWork {
    var path: String
    var playback: RecordingPlayback

    func run() throws(MediaError) {
        // What is damaged is told by the one that plays it.
        do throws(MediaError) { try playback.measure(path) } catch {
            guard error.kind == .decoding else { throw error }
        }
    }
}

/// Reads what a recorder writes.
private struct RecorderReading: SourceWork {
    var source: String
    var stream: LiveStream
    var file: RecordingFile?
    var onDamage: (@Sendable (MediaError) -> Void)?

    /// The recording is complete at the end, also after an error.
    func run() throws(MediaError) {
        var failure: MediaError?
        do throws(MediaError) {
            let reader = try RecordingFiles.open(source, cancellation: Interrupt.cancellation, onDamage: onDamage)
            try SourceReading.run(reader, stream: stream, recorder: file)
        } catch { failure = error }
        stream.describe { $0.isRecording = false }
        try file?.finish()
        if let failure { throw failure }
        Console.error("the source has ended; Ctrl-C ends the page, too")
    }
}
