internal import ArgumentParser
internal import Glibc
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore
internal import WayreelEngine
internal import WayreelJournal
internal import WayreelStreams

struct JournalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Shows, merges and converts the journals of players.",
        discussion: """
            wayreel journal show player.sqlite
            wayreel journal merge phone.sqlite tablet.sqlite -o both.sqlite
            wayreel journal export player.sqlite -o player.json
            wayreel journal import player.json -o player.sqlite

            Merging keeps everything but what the player deleted, and of two records of the same thing the earlier one. The order
            of merging does not matter.
            """,
        subcommands: [
            JournalShowCommand.self, JournalMergeCommand.self, JournalExportCommand.self, JournalImportCommand.self,
            JournalRecordCommand.self,
        ])

    fileprivate static let fault = ErrorSite(.parameter, step: .journal)

    /// Reads and merges journals, which must be of the same story.
    fileprivate static func merged(
        _ paths: [String], _ read: (String) throws(MediaError) -> JournalDocument
    ) throws(MediaError) -> JournalDocument {
        var documents: [(path: String, document: JournalDocument)] = []
        for path in paths {
            do throws(MediaError) { documents.append((path, try read(path))) } catch {
                throw error.naming(path == "-" ? "standard input" : path)
            }
        }
        // Before they are merged, so that their order does not matter: a later record of an erased one counts.
        let erased = documents.compactMap(\.document.contents.erased).max()
        var merged: JournalDocument?
        for (path, var document) in documents {
            if let erased { document.contents.erase(upTo: erased) }
            merged =
                try merged.map { (former) throws(MediaError) in try former.merging(document, from: path) } ?? document
        }
        guard let merged else { throw fault("there is no input") }
        return merged
    }

    /// Adds the document to the journal at `output`, and reports it.
    fileprivate static func add(_ document: JournalDocument, to output: String, inputs: [String]) throws {
        try OutputFile.check(output, isNoneOf: inputs, namesInput: true)
        try Journal.add(document, to: output)
        Console.error("→ \(output)  \(try Journal.open(output).document().summary)".onOneLine)
    }
}

struct JournalShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows what a player has found and done, in the order of time.",
        discussion: """
            wayreel journal show player.sqlite
            wayreel journal show player.sqlite --story Media/story/story.xml
            wayreel journal show player.sqlite --story bundle/ --language de
            wayreel journal show player.sqlite --json
            """)

    @Argument(help: "The journal.", completion: .file())
    var journal: String

    @Option(help: "Names instead of ids: of a prepared bundle, or a story's document.", completion: .file())
    var story: String?

    @OptionGroup var language: StoryLanguage

    @Flag(help: "Print JSON, as 'wayreel journal export' writes it.")
    var json = false

    func validate() throws {
        if language.language != nil, story == nil { throw ValidationError("--language needs a --story") }
        if json, story != nil { throw ValidationError("--story gives names to the text; JSON has the ids: remove one") }
    }

    func run() throws {
        let document = try Journal.open(journal).document()
        if json { return try Console.output(JSON.text(document)) }
        let names = try story.map { try StoryNames(at: $0, language, of: document.story, for: journal) } ?? StoryNames()
        try Console.output(document.page(names))
    }
}

struct JournalMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges the journals of a player's devices.",
        discussion: """
            wayreel journal merge phone.sqlite tablet.sqlite -o both.sqlite
            wayreel journal merge phone.sqlite -o tablet.sqlite        # what the phone knows, into the tablet's

            All must be of one story. The inputs stay as they are. Where the output is a journal already, the others are merged into
            it, all or nothing.
            """)

    @Argument(help: "The journals.", completion: .file())
    var journals: [String]

    @Option(name: [.short, .long], help: "The journal to make, or to merge into.", completion: .file())
    var output: String

    func run() throws {
        try OutputFile.check(output, isNoneOf: journals, namesInput: true)
        let merged = try JournalCommand.merged(journals) { (path) throws(MediaError) in
            try Journal.open(path).document()
        }
        try JournalCommand.add(merged, to: output, inputs: journals)
    }
}

struct JournalExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes a journal as JSON.",
        discussion: """
            wayreel journal export player.sqlite -o player.json
            wayreel journal export player.sqlite -o - | jq .found
            """)

    @Argument(help: "The journal.", completion: .file())
    var journal: String

    @Option(name: [.short, .long], help: "The JSON file; - for standard output.", completion: .file())
    var output: String

    func run() throws {
        try OutputFile.check(output, isNoneOf: [journal], namesInput: true)
        let json = try Journal.open(journal).document().json()
        // A journal must not be overwritten, because its contents cannot be recovered.
        if output != "-", isDatabase(output) {
            throw ErrorSite(.parameter, step: .write)(
                of: output, "is a database, which JSON would replace", "give another path")
        }
        try Console.deliver(json, to: output)
    }

    /// Whether the file begins as SQLite's databases do, also if it is damaged, locked, or of a newer Wayreel.
    private func isDatabase(_ path: String) -> Bool {
        let file = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: 16)
        return read(file, &head, head.count) == head.count && head.elementsEqual("SQLite format 3\0".utf8)
    }
}

struct JournalImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a journal of JSON, or merges JSON into one.",
        discussion: """
            wayreel journal import player.json -o player.sqlite
            wayreel journal export phone.sqlite -o - | wayreel journal import - -o tablet.sqlite

            Where the output is a journal already, the JSON is merged into it, all or nothing.
            """)

    @Argument(help: "JSON files; - for standard input.", completion: .file(extensions: ["json"]))
    var documents: [String]

    @Option(name: [.short, .long], help: "The journal to make, or to merge into.", completion: .file())
    var output: String

    /// The maximum input size in bytes; enough for a journal of a million entries.
    private static let maxBytes = 256 << 20

    func run() throws {
        let merged = try JournalCommand.merged(documents) { (path) throws(MediaError) in
            try RegularFile.require(path)
            return try JournalDocument(json: MediaBytes.read(path: path, limit: Self.maxBytes).array)
        }
        try JournalCommand.add(merged, to: output, inputs: documents)
    }
}

/// Intended for programs in other languages, and for tests that kill it.
struct JournalRecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records journals in JSON, one a line, and prints the number of each line once it is on the disk.",
        shouldDisplay: false)

    @Argument(help: "The journal.")
    var journal: String

    @Option(help: "The story's id. The journal is made where there is none.")
    var story: String

    func run() throws {
        let journal = try Journal.open(journal, story: story)
        let lines = try LineReader("-", cancellation: Interrupt.cancellation)
        while let line = try lines.next() {
            do throws(MediaError) {
                let document = try JournalDocument(json: Array(line))
                guard document.story == story else { throw lines.fault("is of the story '\(document.story)'") }
                try journal.record(document.contents)
            } catch { throw error.naming("standard input, line \(lines.number)") }
            try Console.output("\(lines.number)")
        }
    }
}

extension JournalDocument {
    /// Returns the union of both. Throws a `parameter` error if the other journal is of another story.
    fileprivate func merging(_ other: JournalDocument, from path: String) throws(MediaError) -> JournalDocument {
        guard other.story == story else {
            throw JournalCommand.fault(
                of: path, "is a journal of the story '\(other.story)', not of '\(story)' as those before it",
                "merge journals of one story")
        }
        return JournalDocument(story: story, contents: contents.merging(other.contents))
    }

    /// The counts of entries: `3 found, 1 lockbox opened, 2 answers`.
    fileprivate var summary: String {
        let counts = [
            (contents.found.count, "found", "found"), (contents.opened.count, "lockbox opened", "lockboxes opened"),
            (contents.attempts.count, "answer", "answers"),
            (contents.scores.count, "quiz question answered", "quiz questions answered"),
            (contents.captures.count, "capture", "captures"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { $0.0.counted($0.1, $0.2) }
        let points = contents.scores.isEmpty ? [] : [contents.points.counted("point")]
        return parts.isEmpty ? "empty" : (parts + points).joined(separator: ", ")
    }

    /// Returns one line per entry, in chronological order.
    fileprivate func page(_ names: StoryNames) -> String {
        var rows: [(Timestamp, [String])] = []
        for (event, finding) in contents.found {
            let place = finding.position.map { "at \($0.latitude), \($0.longitude)" } ?? ""
            rows.append((finding.timestamp, ["found", names[event.text], place]))
        }
        for (lockbox, timestamp) in contents.opened { rows.append((timestamp, ["opened", names[lockbox.text], ""])) }
        for attempt in contents.attempts {
            let text = attempt.text.count > 60 ? "\(attempt.text.prefix(60))…" : attempt.text
            rows.append((attempt.timestamp, ["answered", names[attempt.lockbox], "'\(text)'"]))
        }
        for (question, score) in contents.scores {
            let choices = score.choices.map { "\($0 + 1)" }.joined(separator: ", ")
            let answer = "question \(question.index + 1), choice \(choices): \(score.points.counted("point"))"
            rows.append((score.timestamp, ["quiz", names[question.event], answer]))
        }
        for (id, capture) in contents.captures {
            rows.append((capture.timestamp, ["capture", names[capture.event], capture.file ?? id.text]))
        }
        for (id, timestamp) in contents.removed { rows.append((timestamp, ["deleted", "capture \(id)", ""])) }
        if let time = contents.erased { rows.append((time, ["deleted", "everything until then", ""])) }
        let lines = rows.sorted { ($0.0.milliseconds, $0.1.joined()) < ($1.0.milliseconds, $1.1.joined()) }
            .map { ["  \($0.description)"] + $1.map(\.onOneLine) }
        let head = "story '\(names.story ?? story)': \(summary)".onOneLine
        return lines.isEmpty ? head : "\(head)\n\(TextColumns.aligned(lines))"
    }
}

/// The names of a story's events and lockboxes; their ids if there is no story.
private struct StoryNames {
    var story: String?
    private var names: [String: String] = [:]

    init() {}

    /// Reads the names from a document or a bundle. Throws a `parameter` error if the journal is of another story.
    init(at path: String, _ language: StoryLanguage, of id: String, for journal: String) throws {
        let found = try Story.opening(path, language: language.language)
        guard found.id == id else {
            throw JournalCommand.fault(
                of: journal, "is a journal of the story '\(id)', not of '\(found.id)'", "give that story")
        }
        story = found.name
        for chapter in found.chapters {
            for event in chapter.events { names[event.id] = "\(event.name) (\(event.id))" }
            for lockbox in chapter.lockboxes {
                names[lockbox.id] = "\(lockbox.question.plain.replacing("\n", with: " ")) (\(lockbox.id))"
            }
        }
    }

    subscript(id: String) -> String { names[id] ?? id }
}
