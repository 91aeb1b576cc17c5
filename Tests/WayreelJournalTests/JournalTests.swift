import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelJournal
import WayreelStory

@Suite struct JournalTests {
    private let folder = TemporaryFolder()
    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private static let moment = Timestamp(milliseconds: 1_795_453_509_250)

    private static func found(_ events: String...) -> JournalContents {
        var contents = JournalContents()
        for event in events { contents.found[event] = .init(timestamp: moment) }
        return contents
    }

    private func refused(
        _ kind: MediaError.Kind, _ words: String..., location: SourceLocation = #_sourceLocation,
        by body: () throws -> Void
    ) {
        #expect(sourceLocation: location) {
            try body()
        } throws: { error in
            guard let error = error as? MediaError else { return false }
            let line = "\(error)"
            return error.kind == kind && !line.contains("\n") && words.allSatisfy { line.contains($0) }
        }
    }

    // MARK: Merging

    @Test(arguments: 0..<200) func mergingInMemory(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let deletes = seed % 2 == 1
        let (a, b, c) = (
            JournalContents.random(12, deletes: deletes, using: &random),
            JournalContents.random(12, deletes: deletes, using: &random),
            JournalContents.random(12, deletes: deletes, using: &random)
        )
        #expect(a.merging(b) == b.merging(a))
        #expect(a.merging(b).merging(c) == a.merging(b.merging(c)))
        #expect(a.merging(a) == a)
        #expect(a.merging(b).merging(b) == a.merging(b))
        #expect(a.merging(JournalContents()) == a)
        // A file is kept, whichever record it came with.
        for (id, capture) in a.merging(b).captures {
            let files = [a.captures[id]?.file, b.captures[id]?.file].compactMap(\.self)
            #expect(capture.file == files.min())
        }
        guard !deletes else { return }
        // Nothing is lost, and the earlier one of two entries is kept.
        let both = a.merging(b)
        #expect(Set(both.found.keys) == Set(a.found.keys).union(b.found.keys))
        #expect(both.attempts == a.attempts.union(b.attempts))
        for (event, finding) in both.found {
            let times = [a.found[event], b.found[event]].compactMap { $0?.timestamp.milliseconds }
            #expect(finding.timestamp.milliseconds == times.min())
        }
    }

    /// Texts of the same characters in other spellings (Unicode's NFC and NFD) are different texts, as in SQLite.
    @Test func spellingsAreKeptApart() throws {
        var (a, b) = (Self.found("\u{E9}"), Self.found("e\u{301}"))
        a.attempts = [.init(lockbox: "l", text: "se\u{F1}ora", timestamp: Self.moment)]
        b.attempts = [.init(lockbox: "l", text: "sen\u{303}ora", timestamp: Self.moment)]
        for (first, second) in [(a, b), (b, a)] {
            let merged = JournalDocument(story: "s", contents: first.merging(second))
            let json = try String(decoding: merged.json(), as: UTF8.self)
            for text in ["\u{E9}\"", "e\u{301}\"", "se\u{F1}ora", "sen\u{303}ora"] {
                #expect(json.utf8.split(separator: 0x0A).contains { Self.holds($0, text) })
            }
            #expect(try JournalDocument(json: merged.json()) == merged)
        }
        #expect(
            try JournalDocument(story: "s", contents: a.merging(b)).json()
                == JournalDocument(story: "s", contents: b.merging(a)).json())
    }

    private static func holds(_ line: some Collection<UInt8>, _ text: String) -> Bool {
        let (line, text) = (Array(line), Array(text.utf8))
        return line.count >= text.count && (0...line.count - text.count).contains { line[$0...].starts(with: text) }
    }

    @Test(arguments: [
        (#"{"format":"wayreel-journal","version":1,"story":"s","fund":[]}"#, "has the unknown key 'fund'"),
        (#"{"format":"wayreel-journal","version":1,"story":"s","removed":[]}"#, "has the unknown key 'removed'"),
        (
            #"{"format":"wayreel-journal","version":1,"story":"s","opened":[{"lockbox":"l","timestamp":"2026-01-01T00:00:00Z","time":1}]}"#,
            "opened[0]: has the unknown key 'time'"
        ),
    ])
    func unknownKeysAreRefused(json: String, words: String) {
        refused(.decoding, words) { _ = try JournalDocument(json: Array(json.utf8)) }
    }

    /// Merging files gives the same result as merging values.
    @Test(arguments: 0..<8) func mergingFiles(seed: UInt64) throws {
        var random = SeededRandom(seed: 1000 + seed)
        let parts = (0..<3).map { _ in JournalContents.random(12, deletes: seed % 2 == 1, using: &random) }
        let whole = parts.reduce(JournalContents()) { $0.merging($1) }
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0, 1], [2, 1, 0, 0, 2]] {
            let name = path(order.map(String.init).joined())
            for index in order { try Journal.add(JournalDocument(story: "s", contents: parts[index]), to: name) }
            let journal = try Journal.open(name, story: "s")
            #expect(try journal.contents() == whole)
            #expect(try JournalDocument(json: journal.document().json()) == journal.document())
        }
        let devices = try (0..<3).map { try Journal.open(path("device\($0)"), story: "s") }
        for (device, part) in zip(devices, parts) { try device.record(part) }
        try devices[0].merge(from: devices[1])
        try devices[2].merge(from: devices[0])
        try devices[0].merge(from: devices[2])
        try devices[1].merge(from: devices[0])
        for device in devices {
            #expect(try device.contents() == whole)
            #expect(try device.document().json() == devices[0].document().json())
        }
    }

    @Test func theSameContentsAreTheSameBytes() throws {
        var random = SeededRandom(seed: 7)
        let contents = JournalContents.random(400, using: &random)
        for name in ["a", "b"] { try Journal.add(JournalDocument(story: "s", contents: contents), to: path(name)) }
        #expect(try Fixture.bytes(path("a")) == Fixture.bytes(path("b")))
    }

    // MARK: Files

    @Test func whatWasRecordedIsThereAgain() throws {
        let journal = try Journal.open(path("p"), story: "s")
        #expect(try journal.contents().isEmpty)
        try journal.record(Self.found("a"))
        try journal.record(Self.found("b"))
        // While the journal is open, there is only one file.
        #expect(Fixture.listing(folder.path) == ["p"])
        let again = try Journal.open(path("p"))
        #expect(again.story == "s")
        #expect(try again.contents() == Self.found("a", "b"))
        // Two connections see each other's changes.
        try again.record(Self.found("c"))
        #expect(try journal.contents() == Self.found("a", "b", "c"))
    }

    /// The file is checked with `sqlite3`.
    @Test func isAnSQLiteFile() throws {
        var contents = Self.found("a")
        contents.found["b"] = .init(timestamp: Self.moment, position: GeoPoint(latitude: 35.3, longitude: -120.6))
        contents.scores[.init(event: "q", index: 1)] = .init(choices: [0, 2], points: 3, timestamp: Self.moment)
        try Journal.open(path("p"), story: "s").record(contents)
        let run = try Command(
            "/usr/bin/sqlite3",
            [
                path("p"),
                "PRAGMA integrity_check; PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode; "
                    + "SELECT * FROM story; SELECT * FROM found; SELECT * FROM score",
            ]
        ).run()
        #expect(
            run.text == """
                ok
                2002876778
                2
                delete
                s|
                a|1795453509250||||1
                b|1795453509250|35.3|-120.6||2
                q|1|0,2|3|1795453509250|3

                """)
    }

    @Test func refusesInOneLine() throws {
        refused(.io, "none", "no such file") { _ = try Journal.open(path("none")) }
        #expect(Fixture.listing(folder.path) == [])
        refused(.io, "no such file", "create the folder") { _ = try Journal.open(path("no/p"), story: "s") }
        refused(.io, "is not a file") { _ = try Journal.open(folder.path, story: "s") }
        refused(.io, "is not a file path") { _ = try Journal.open("") }

        let journal = try Journal.open(path("p"), story: "s")
        try journal.record(Self.found("a"))
        let bytes = try Fixture.bytes(path("p"))
        refused(.parameter, "story 's'", "not of 't'") { _ = try Journal.open(path("p"), story: "t") }
        refused(.parameter, "not of 't'") {
            try Journal.add(JournalDocument(story: "t", contents: Self.found("b")), to: path("p"))
        }
        let other = try Journal.open(path("t"), story: "t")
        refused(.parameter, "not of 's'") { try journal.merge(from: other) }
        var wrong = Self.found("b")
        wrong.found["c"] = .init(timestamp: Self.moment, position: GeoPoint(latitude: .nan, longitude: 0))
        refused(.parameter, "a latitude") { try journal.record(wrong) }
        refused(.parameter, "NUL") { try journal.record(Self.found("b", "\0")) }
        wrong = JournalContents()
        wrong.opened["l"] = Timestamp(milliseconds: .max)
        refused(.parameter, "a time outside of the years 1 to 9999") { try journal.record(wrong) }
        #expect(try Fixture.bytes(path("p")) == bytes)
        // An invalid journal creates no file.
        refused(.parameter, "a time") { try Journal.add(JournalDocument(story: "s", contents: wrong), to: path("new")) }
        #expect(Fixture.listing(folder.path) == ["p", "t"])
    }

    /// SQLite would treat this file as its rollback journal and apply it to the new file.
    @Test func refusesAStrayRollbackJournal() throws {
        try Self.write([1, 2, 3], to: path("p-journal"))
        refused(.io, "p-journal", "belongs to a journal", "remove this one") {
            _ = try Journal.open(path("p"), story: "s")
        }
        #expect(Fixture.listing(folder.path) == ["p-journal"])
    }

    @Test(arguments: [
        ("<gpx/>", "is not a player's journal"), ("SQLite format 3\0", "is"),
        (String(repeating: "x", count: 5000), "is not a player's journal"),
    ]) func refusesOtherFiles(text: String, words: String) throws {
        try Self.write(Array(text.utf8), to: path("p"))
        refused(.decoding, path("p"), words) { _ = try Journal.open(path("p"), story: "s") }
        #expect(try Fixture.bytes(path("p")) == Array(text.utf8))
    }

    @Test func refusesAnEmptyFile() throws {
        try Self.write([], to: path("p"))
        refused(.decoding, path("p"), "is empty") { _ = try Journal.open(path("p"), story: "s") }
    }

    @Test(arguments: [
        ("PRAGMA user_version = 3", MediaError.Kind.unsupported, "has version 3"),
        ("PRAGMA user_version = 0", .decoding, "damaged"), ("PRAGMA user_version = -1", .decoding, "damaged"),
        ("PRAGMA application_id = 1", .decoding, "is not a player's journal"),
        ("CREATE TRIGGER t AFTER INSERT ON found BEGIN DELETE FROM found; END", .decoding, "damaged"),
        ("DROP TABLE score", .decoding, "damaged"), ("DELETE FROM story", .decoding, "damaged"),
    ]) func refusesOtherDatabases(sql: String, kind: MediaError.Kind, words: String) throws {
        try Journal.open(path("p"), story: "s").record(Self.found("a"))
        #expect(try Command("/usr/bin/sqlite3", [path("p"), sql]).run().ending == .exited(0))
        let bytes = try Fixture.bytes(path("p"))
        refused(kind, path("p"), words) { _ = try Journal.open(path("p"), story: "s") }
        #expect(try Fixture.bytes(path("p")) == bytes)
    }

    /// A truncated or corrupted file is either read or refused in one line; if a change fails, the file is unchanged.
    @Test(arguments: 0..<60) func damagedFiles(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var contents = JournalContents()
        for index in 0..<300 {
            contents.found["event-\(index)"] = .init(timestamp: Self.moment)
            contents.attempts.insert(.init(lockbox: "l\(index)", text: "answer", timestamp: Self.moment))
        }
        try Journal.add(JournalDocument(story: "s", contents: contents), to: path("p"))
        let bytes = try Fixture.bytes(path("p"))
        let damaged = bytes.damaged(cut: seed % 3 == 0, changes: seed % 3 == 1 ? 3 : 300, using: &random)
        try Self.write(damaged, to: path("p"))
        do {
            let journal = try Journal.open(path("p"))
            _ = try journal.contents()
            try journal.record(Self.found("new"))
            #expect(try journal.contents().found["new"] != nil)
        } catch {
            #expect(!"\(error)".contains("\n"))
            #expect(try Fixture.bytes(path("p")) == damaged, "\(error)")
        }
    }

    // MARK: JSON

    @Test(arguments: [
        ("", MediaError.Kind.decoding, "is not a JSON journal"), ("[]", .decoding, "is not a JSON journal"),
        (#"{"format": "gpx", "version": 1, "story": "s"}"#, .decoding, "format: is not 'wayreel-journal'"),
        (#"{"format": "wayreel-journal", "version": 3, "story": "s"}"#, .unsupported, "has version 3"),
        (#"{"format": "wayreel-journal", "story": "s"}"#, .decoding, "journal: 'version' is missing; give"),
        (#"{"format": "wayreel-journal", "version": 1, "story": 7}"#, .decoding, "journal: 'story' is not text; give"),
        ("{", .decoding, "journal: is not JSON; give"),
        (
            #"{"format":"wayreel-journal","version":1,"story":"s","found":[{"event":"a"}]}"#, .decoding,
            "journal: 'found[0].timestamp' is missing; give"
        ),
        (score(points: 1_000_001), .decoding, "scores: holds points that are not within -1000000 to 1000000"),
        (score(points: .min), .decoding, "scores: holds points"),
        (score(question: -1), .decoding, "scores: holds a question or a choice below 0"),
        (score(choice: -1), .decoding, "scores: holds a question or a choice below 0"),
        (
            #"{"format":"wayreel-journal","version":1,"story":"s","found":[{"event":"a","timestamp":"yesterday"}]}"#,
            .decoding, "found[0].timestamp: 'yesterday' is not a time"
        ),
        (
            """
            {"format":"wayreel-journal","version":1,"story":"s","found":[{"event":"a","timestamp":"2026-11-23T17:05:09Z",
            "position":{"latitude":91,"longitude":0}}]}
            """, .decoding, "found: holds a latitude"
        ),
    ]) func refusesOtherJSON(text: String, kind: MediaError.Kind, words: String) {
        refused(kind, words) { _ = try JournalDocument(json: Array(text.utf8)) }
    }

    private static func score(question: Int = 0, choice: Int = 0, points: Int = 0) -> String {
        """
        {"format":"wayreel-journal","version":1,"story":"s","scores":[{"event":"q","question":\(question),
        "choices":[\(choice)],"points":\(points),"timestamp":"2026-11-23T17:05:09Z"}]}
        """
    }

    @Test func pointsBeyondAllNumbersAreTheLargest() {
        var contents = JournalContents()
        for index in 0..<3 {
            contents.scores[.init(event: "q", index: index)] = .init(
                choices: [], points: .max, timestamp: Timestamp(milliseconds: 0))
        }
        #expect(contents.points == .max)
    }

    /// A document without deletions has the first version, which older programs read.
    @Test func documentsHaveTheFirstVersionThatHoldsThem() throws {
        var contents = Self.found("a")
        func version() throws -> Bool {
            let document = JournalDocument(story: "s", contents: contents)
            #expect(try JournalDocument(json: document.json()) == document)
            return try String(decoding: document.json(), as: UTF8.self).contains(#""version" : 2"#)
        }
        #expect(try !version())
        contents.remove(capture: "c", at: Self.moment)
        #expect(try version())
        contents = Self.found("a")
        contents.erase(upTo: Self.moment)
        #expect(try version() && contents.found.isEmpty)
    }

    @Test func entriesOfOneKeyAreMerged() throws {
        let text = """
            {"format": "wayreel-journal", "version": 1, "story": "s", "opened": [
                {"lockbox": "l", "timestamp": "2026-11-23T17:05:09Z"}, {"lockbox": "l", "timestamp": "2026-11-23T17:05:08+00:00"}]}
            """
        let document = try JournalDocument(json: Array(text.utf8))
        #expect(document.contents.opened == ["l": Timestamp(milliseconds: 1_795_453_508_000)])
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(bytes.isEmpty || fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
