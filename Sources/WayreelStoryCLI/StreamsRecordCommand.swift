internal import ArgumentParser
internal import Glibc
internal import WayreelCLI
internal import WayreelCore
internal import WayreelLevels
internal import WayreelService
internal import WayreelStreams

struct StreamsRecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records several sources into one recording with one clock.",
        discussion: """
            arecord -f cd | wayreel streams record --stream levels:- --stream gps=tcp://192.168.0.7:5555 -o walk.ndjson
            wayreel streams record --stream levels=microphone.wav --stream ws://192.168.0.7:8080/sensors -o out.ndjson --seconds 60
            recorder | wayreel streams record --stream - -o out.ndjson --clock own

            A source is a recording (a file, or - for standard input), a recorder of NDJSON or CSV at tcp://host:port, ws:// or wss://, or
            audio: levels:FILE, NAME=levels:FILE, or a file that ends as audio does. With NAME=, its streams are called NAME-STREAM;
            without, they keep their names. Audio has one stream, NAME or levels, with the peak and the RMS of each channel in dBFS,
            --rate times a second; silence is -120.

            --clock aligned moves the times of a source so that its first sample has the time at which it arrived, and keeps their
            distances; after a source was away, or went back by more than a second, anew. arrival gives each sample the time at which it
            was read; own keeps the times, which have to be dates. Times of the recording are dates. A file is read at once.

            A recorder of the network that stops, or is not there yet, is told and tried again, after 1 s, then up to every 30 s. Recording
            ends when all other sources have ended and there is none of those, after --seconds, or with SIGTERM or Ctrl-C.

            The file is new, and holds each sample as soon as it was read: it is complete at the end, however that comes.
            Exit status: 0, also after Ctrl-C; 1 if a source was damaged or could not be read; 2 wrong usage.
            """)

    @Option(
        help: ArgumentHelp(
            "A source: [NAME=]FILE, [NAME=]levels:FILE, [NAME=]tcp://host:port, ws://… or wss://…; - for standard input. Repeatable.",
            valueName: "source"))
    var stream: [String]

    @Option(
        name: [.short, .long], help: "The recording: a new file that ends in .ndjson or .jsonl.", completion: .file())
    var output: String

    @Option(help: "Ends after so many seconds.")
    var seconds: Double?

    @Option(help: "Whose clock the recording has: aligned, arrival or own.")
    var clock = "aligned"

    @Option(help: "Levels of audio a second, 1 to 1000.")
    var rate = 30

    @OptionGroup var damage: DamageOptions

    func validate() throws {
        guard SourceClock.Mode(rawValue: clock) != nil else {
            throw ValidationError("--clock takes aligned, arrival or own")
        }
        guard (1...1000).contains(rate) else { throw ValidationError("--rate takes 1 to 1000") }
        guard seconds.map({ (0.001...1e9).contains($0) }) ?? true else {
            throw ValidationError("--seconds takes a number from 0.001 to 1000000000")
        }
        guard SensorFormat(path: output) == .ndjson, output != "-" else {
            throw ValidationError("--output takes a file that ends in .ndjson or .jsonl")
        }
        guard stream.count <= Self.mostSources else {
            throw ValidationError("at most \(Self.mostSources) sources are recorded at once")
        }
        let sources = try stream.map(sourceOf)
        guard sources.count(where: { $0.place == "-" }) <= 1 else {
            throw ValidationError("standard input is one source")
        }
    }

    private static let mostSources = 32

    func run() throws {
        guard let mode = SourceClock.Mode(rawValue: clock) else { return }
        let sources = try stream.map(sourceOf)
        for source in sources where !NetworkSource.isAddress(source.place) {
            try OutputFile.check(output, isNoneOf: [source.place])
        }
        let file = try RecordingFile(output)
        let (stopping, running) = (Cancellation(), Monitor((count: sources.count, isFaulty: false)))
        let warnings = DamageWarnings()
        defer { warnings.finish() }
        let reader = SourceReader(
            file: file, mode: mode, rate: Rational(rate) ?? 30, warnings: damage.skipDamaged ? warnings : nil,
            stopping: stopping)
        let threads = try sources.map { (source) throws(MediaError) in
            try WorkThread("recording") {
                let isFaulty = reader.read(source)
                running.update { ($0.count, $0.isFaulty) = ($0.count - 1, $0.isFaulty || isFaulty) }
            }
        }
        let end = Clock.wall + (seconds ?? .infinity)
        while !Interrupt.cancellation.isCancelled, !file.hasFailed, Clock.wall < end,
            running.withLock({ $0.count > 0 })
        {
            running.withLock(when: { $0.count == 0 }, until: min(end, Clock.wall + 0.05)) { _ in }
        }
        stopping.cancel()
        for thread in threads { thread.join() }
        // What could not be written was told.
        let isTold = file.hasFailed
        do throws(MediaError) { try file.finish() } catch { if !isTold { throw error } }
        if running.withLock(\.isFaulty) { throw ExitReason.failed }
    }

    /// Throws a validation error for a name that is none.
    private func sourceOf(_ text: String) throws -> RecordedSource {
        guard let source = RecordedSource(text) else {
            throw ValidationError(
                "--stream takes [NAME=]SOURCE with a name of up to 24 letters, digits, - and _, not '\(text)'")
        }
        return source
    }
}

/// A source of a recording, as a flag names it.
private struct RecordedSource: Sendable {
    /// What precedes the names of its streams; nil to keep them.
    var name: String?
    /// A path, `-`, or the address of a recorder.
    var place: String
    var isAudio: Bool

    private static let audioEndings: Set = [
        "aac", "aif", "aiff", "caf", "flac", "m4a", "mka", "mp3", "oga", "ogg", "opus", "w64", "wav",
    ]
    private static let (levels, maxName) = ("levels:", 24)

    init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // A path or an address may have the character, too.
        if sides.count == 2, sides[0].utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }) {
            guard SensorSample.isName(sides[0]), sides[0].utf8.count <= Self.maxName else { return nil }
            (name, place) = (String(sides[0]), String(sides[1]))
        } else {
            (name, place) = (nil, text)
        }
        let isNamed = place.hasPrefix(Self.levels)
        if isNamed { place.removeFirst(Self.levels.count) }
        let ending = place.split(separator: ".").last.map { $0.lowercased() } ?? ""
        isAudio =
            isNamed || !NetworkSource.isAddress(place) && place.contains(".") && Self.audioEndings.contains(ending)
        guard !place.isEmpty, !(isAudio && NetworkSource.isAddress(place)) else { return nil }
    }

    /// The name of a stream in the recording; nil if it is too long.
    func renamed(_ stream: String) -> String? {
        guard let name, name != stream else { return stream }
        let made = "\(name)-\(stream)"
        return SensorSample.isName(made) ? made : nil
    }
}

/// Reads sources into a recording, each on a thread of its own.
private struct SourceReader: Sendable {
    var file: RecordingFile
    var mode: SourceClock.Mode
    var rate: Rational
    /// nil: a damaged line is an error.
    var warnings: DamageWarnings?
    var stopping: Cancellation

    /// The seconds before a recorder of the network is tried again: twice as many each time.
    private static let (firstWait, longestWait) = (1.0, 30.0)

    /// Reads a source to its end, or until it is cancelled; returns whether there was an error.
    func read(_ source: RecordedSource) -> Bool {
        var (clock, wait) = (SourceClock(mode), Self.firstWait)
        while true {
            do throws(MediaError) {
                try read(source, &clock) { wait = Self.firstWait }
                guard NetworkSource.isAddress(source.place) else { return false }
                Console.error("\(source.place): has ended; it is tried again in \(wait.shortDescription) s".onOneLine)
            } catch {
                guard error.kind != .cancelled else { return false }
                let isFinal = !NetworkSource.isAddress(source.place) || error.kind != .io || file.hasFailed
                Console.error(
                    "\(isFinal ? "error" : "warning"): \(error.naming(source.place).withFlags)"
                        + (isFinal ? "" : "; it is tried again in \(wait.shortDescription) s"))
                if isFinal { return true }
            }
            let end = Clock.wall + wait
            while Clock.wall < end {
                if stopping.isCancelled { return false }
                usleep(50_000)
            }
            wait = min(Self.longestWait, wait * 2)
            clock.restart()
        }
    }

    /// Reads a source once; `isAlive` is called when samples come.
    private func read(
        _ source: RecordedSource, _ clock: inout SourceClock, isAlive: () -> Void
    ) throws(MediaError) {
        if source.isAudio { return try readLevels(source, &clock) }
        let network =
            try NetworkSource.isAddress(source.place)
            ? { () throws(MediaError) in try NetworkSource(source.place) }() : nil
        defer { withExtendedLifetime(network) {} }
        let path = network?.path ?? source.place
        let recording = try RecordingFiles.open(
            path, cancellation: stopping,
            onDamage: warnings.map { warnings in { warnings.warn($0.naming(source.place)) } })
        var pending = PendingSamples()
        while try recording.read(into: &pending) {
            let arrival = SensorTime.now
            var head = recording.head
            head.channels = try head.channels.map { (channel) throws(MediaError) in
                guard let name = source.renamed(channel.stream) else {
                    throw MediaError(
                        .parameter, step: .read, subject: source.place,
                        reason:
                            "has a stream '\(channel.stream)', whose name is too long after '\(source.name ?? "")-'",
                        advice: "give a shorter name")
                }
                var channel = channel
                channel.stream = name
                return channel
            }
            try clock.set(&pending, head.notation, arrival: arrival)
            head.notation = .date
            try file.add(&pending, of: head)
            isAlive()
        }
    }

    private func readLevels(_ source: RecordedSource, _ clock: inout SourceClock) throws(MediaError) {
        let audio = LiveAudio(
            path: source.place, rate: rate, channels: .all, ballistics: nil, track: nil, raw: nil, limits: .standard)
        var head = RecordingHead()
        head.notation = .date
        var pending = PendingSamples()
        try audio.read(task: TaskContext(seconds: .infinity, cancellation: stopping)) { (channels) throws(MediaError) in
            head.channels = channels.enumerated().flatMap { index, channel in
                let prefix = channels.count == 1 ? "" : "\(Self.name(channel, index))-"
                return ["peak", "rms"].map {
                    SensorChannel(source.name ?? "levels", prefix + $0, unit: "dBFS", rate: rate.value)
                }
            }
        } _: { (reading) throws(MediaError) in
            let time = Int64((reading.time * 1e6).rounded())
            for (index, channel) in reading.channels.enumerated() {
                for (part, level) in [channel.peak, channel.rms].enumerated() {
                    let decibels = max(Self.silence, 20 * log10(Double(level)))
                    pending.add(2 * index + part, times: [time].span, values: [decibels].span)
                }
            }
            try clock.set(&pending, .seconds, arrival: SensorTime.now)
            try file.add(&pending, of: head)
        }
    }

    private static let silence = -120.0

    /// A channel as a part of a name.
    private static func name(_ channel: AudioChannel, _ index: Int) -> String {
        let name = "\(channel)"
        return SensorSample.isName(name) ? name : "\(index + 1)"
    }
}
