internal import TestSupport
internal import Testing

/// `wayreel journal`.
@Suite struct JournalCommandTests {
    private let bench = Workbench()
    private static let head = #""format": "wayreel-journal", "version": 1, "story": "late-post""#

    /// Writes one entry of each kind; all times have the second `second`.
    private func writeJSON(_ name: String, second: Int, event: String = "bell-tower") throws {
        let timestamp = "\"timestamp\": \"2026-11-23T17:05:0\(second)Z\""
        try bench.write(
            """
            {\(Self.head),
             "found": [{"event": "\(event)", \(timestamp), "position": {"latitude": 35.28, "longitude": -120.66}}],
             "opened": [{"lockbox": "box", \(timestamp)}],
             "attempts": [{"lockbox": "box", "text": "Bruno\\u001b[31m", \(timestamp)}],
             "scores": [{"event": "counter", "question": 0, "choices": [1], "points": \(second), \(timestamp)}],
             "captures": [{"id": "phone-\(second)", "event": "\(event)", "file": "\(second).jpg", \(timestamp)}]}
            """, to: name)
    }

    private func sqlite(_ file: String, _ sql: String) throws -> String {
        try Command("/usr/bin/sqlite3", [bench.path(file), sql]).run().text
    }

    @Test func theCommandsOfTheDocumentation() throws {
        try writeJSON("player.json", second: 3)
        try writeJSON("tablet.json", second: 1, event: "library-door")
        expectDone(try bench.shell("wayreel journal import player.json -o phone.sqlite"))
        expectDone(try bench.shell("wayreel journal import tablet.json -o tablet.sqlite"))
        let run = try expectDone(bench.shell("wayreel journal merge phone.sqlite tablet.sqlite -o both.sqlite"))
        #expect(
            run.errors == """
                → both.sqlite  2 found, 1 lockbox opened, 2 answers, 1 quiz question answered, 2 captures, 1 point

                """)
        let show = try expectDone(bench.shell("wayreel journal show both.sqlite --story Media/story/story.xml"))
        #expect(show.text.contains("2026-11-23T17:05:01Z  opened"))
        #expect(show.text.contains("(bell-tower)") && show.text.contains("at 35.28, -120.66"))
        #expect(show.text.contains("'Bruno\\u{1B}[31m'"), "no escape sequence reaches the terminal")
        expectDone(try bench.shell("wayreel journal export both.sqlite -o player.json"))
        expectDone(
            try bench.shell("wayreel journal export both.sqlite -o - | wayreel journal import - -o again.sqlite"))
        #expect(try bench.bytes("again.sqlite") == bench.bytes("both.sqlite"))
        let json = try bench.shell("wayreel journal show both.sqlite --json")
        #expect(try json.output == bench.bytes("player.json"))
        #expect(
            bench.listing() == [
                "again.sqlite", "both.sqlite", "phone.sqlite", "player.json", "tablet.json", "tablet.sqlite",
            ])
    }

    @Test func jsonIsAsItsSchemaSays() throws {
        try writeJSON("player.json", second: 3)
        expectDone(
            try bench.shell(
                "wayreel journal import player.json -o p.sqlite && wayreel journal export p.sqlite -o out.json"))
        let schema = "\(Fixture.root)/Documentation/journal.schema.json"
        expectDone(try bench.shell("python3 -m jsonschema -i out.json -i player.json \(schema) 2>/dev/null"))
    }

    /// What a player deleted is in JSON of version 2. It is left out in every order of merging, and found anew after it.
    @Test func whatWasDeletedStaysDeleted() throws {
        let head = Self.head.replacing(#""version": 1"#, with: #""version": 2"#)
        try writeJSON("phone.json", second: 3)
        try writeJSON("tablet.json", second: 9)
        try bench.write(
            """
            {\(head), "erased": "2026-11-23T17:05:05Z",
             "removed": [{"id": "phone-9", "timestamp": "2026-11-23T17:06:00Z"}]}
            """, to: "deleted.json")
        let schema = "\(Fixture.root)/Documentation/journal.schema.json"
        var outputs: Set<[UInt8]> = []
        for (index, order) in ["phone tablet deleted", "deleted tablet phone", "tablet phone deleted"].enumerated() {
            let files = order.split(separator: " ").map { "\($0).json" }.joined(separator: " ")
            expectDone(try bench.shell("wayreel journal import \(files) -o \(index).sqlite"))
            outputs.insert(try bench.wayreel("journal", "export", "\(index).sqlite", "-o", "-").output)
        }
        #expect(outputs.count == 1)
        expectDone(
            try bench.shell(
                "wayreel journal export 0.sqlite -o out.json && python3 -m jsonschema -i out.json -i deleted.json \(schema) 2>/dev/null"
            ))
        // Members of version 2 make no document of version 1.
        expectRefused(
            try bench.shell(
                "sed 's/\"version\": 2/\"version\": 1/' deleted.json > wrong.json; wayreel journal import wrong.json -o w.sqlite"
            ),
            1, "unknown key")
        let text = try bench.text("out.json")
        #expect(text.contains("17:05:09Z") && !text.contains("17:05:03Z") && !text.contains(#""id" : "phone-3""#))
        #expect(text.contains(#""captures" : ["#) && text.contains(#""erased" : "2026-11-23T17:05:05Z""#))
        let show = try bench.shell("wayreel journal show 0.sqlite")
        #expect(show.text.contains("capture phone-9") && show.text.contains("everything until then"))
        #expect(try sqlite("0.sqlite", "SELECT count(*) FROM capture; SELECT id FROM removed") == "0\nphone-9\n")
    }

    @Test func jsonNeverReplacesAJournal() throws {
        try writeJSON("player.json", second: 3)
        for name in ["p", "newer", "cut"] {
            expectDone(try bench.shell("wayreel journal import player.json -o \(name).sqlite"))
        }
        _ = try sqlite("newer.sqlite", "PRAGMA user_version = 99")
        expectDone(try bench.shell("head -c 700 p.sqlite > cut.sqlite"))
        for name in ["newer.sqlite", "cut.sqlite"] {
            let before = try bench.bytes(name)
            expectRefused(
                try bench.wayreel("journal", "export", "p.sqlite", "-o", name), 2,
                "\(name): write: is a database, which JSON would replace")
            #expect(try bench.bytes(name) == before)
        }
        try bench.write("{}", to: "old.json")
        expectDone(try bench.wayreel("journal", "export", "p.sqlite", "-o", "old.json"))
        #expect(try bench.bytes("old.json").count > 100)
    }

    /// Neither order nor repetition matters.
    @Test func mergingIntoAJournal() throws {
        for second in 1...3 {
            try writeJSON("\(second).json", second: second)
            expectDone(try bench.shell("wayreel journal import \(second).json -o \(second).sqlite"))
        }
        expectDone(try bench.shell("wayreel journal merge 1.sqlite 2.sqlite 3.sqlite -o a.sqlite"))
        for line in [
            "merge 3.sqlite -o b.sqlite", "merge 1.sqlite 3.sqlite -o b.sqlite", "import 2.json -o b.sqlite",
            "merge 2.sqlite -o b.sqlite",
        ] { expectDone(try bench.shell("wayreel journal \(line)")) }
        let a = try bench.wayreel("journal", "export", "a.sqlite", "-o", "-")
        let b = try bench.wayreel("journal", "export", "b.sqlite", "-o", "-")
        expectDone(a)
        #expect(a.text == b.text && a.text.contains("\"points\" : 1"))
    }

    @Test func refusesInOneLine() throws {
        try writeJSON("p.json", second: 1)
        expectDone(try bench.shell("wayreel journal import p.json -o p.sqlite && cp p.sqlite q.sqlite"))
        try bench.write(#"{"format": "wayreel-journal", "version": 1, "story": "other"}"#, to: "other.json")
        expectDone(try bench.shell("wayreel journal import other.json -o other.sqlite"))
        let before = try bench.listing().map { try bench.bytes($0) }
        let cases: [(String, Int32, String)] = [
            ("show none.sqlite", 1, "no such file"), ("show photo.jpg", 1, "is not a player's journal"),
            ("show other.sqlite --story Media/story/story.xml", 2, "not of 'late-post'"),
            (
                "merge p.sqlite other.sqlite -o new.sqlite", 2,
                "other.sqlite: journal: is a journal of the story 'other'"
            ),
            ("merge p.sqlite -o p.sqlite", 2, "is the input"),
            ("merge p.sqlite -o other.sqlite", 2, "not of 'late-post'"),
            ("merge p.sqlite -o no/new.sqlite", 1, "create the folder"),
            ("merge none.sqlite -o new.sqlite", 1, "no such file"),
            ("import p.sqlite -o new.sqlite", 1, "p.sqlite: journal: is not a JSON journal"),
            ("import p.json -o p.json", 2, "is the input"),
            ("import p.json -o photo.jpg", 1, "is not a player's journal"),
            ("import p.json other.json -o new.sqlite", 2, "merge journals of one story"),
            ("import other.json -o p.sqlite", 2, "not of 'other'"),
            ("export p.sqlite -o p.sqlite", 2, "is the input"), ("export p.sqlite -o q.sqlite", 2, "is a database"),
            ("export none.sqlite -o new.json", 1, "no such file"),
        ]
        for (line, status, words) in cases { expectRefused(try bench.shell("wayreel journal \(line)"), status, words) }
        #expect(try bench.listing().map { try bench.bytes($0) } == before)
    }

    /// SQLite gives these names a special meaning.
    @Test(arguments: [":memory:", "file:p.sqlite?mode=memory", "file:p.sqlite"]) func namesOfFiles(name: String) throws
    {
        try writeJSON("p.json", second: 1)
        for command in ["import p.json -o '\(name)'", "import p.json -o '\(name)'", "show '\(name)'"] {
            expectDone(try bench.shell("wayreel journal \(command)"))
        }
        #expect(bench.listing() == [name, "p.json"].sorted())
    }

    /// Another program has changed the file.
    @Test(arguments: [
        "INSERT INTO found VALUES ('x', 9223372036854775807, NULL, NULL, NULL, 99)",
        "INSERT INTO score VALUES ('x', 0, '1', 9223372036854775807, 0, 98), ('y', 0, '1', 9223372036854775807, 0, 99)",
        "INSERT INTO score VALUES ('x', -1, '1', 1, 0, 99)", "UPDATE found SET latitude = 9e999",
    ]) func valuesThatNoJournalHolds(change: String) throws {
        try writeJSON("p.json", second: 1)
        expectDone(try bench.shell("wayreel journal import p.json -o p.sqlite && sqlite3 p.sqlite \"\(change)\""))
        for command in ["show p.sqlite", "export p.sqlite -o -", "merge p.sqlite -o q.sqlite"] {
            expectRefused(try bench.shell("wayreel journal \(command)"), 1, "p.sqlite: journal: is damaged or cut off")
        }
        #expect(!bench.exists("q.sqlite"))
    }

    // MARK: Kills, concurrency and full disks

    /// Writes a line for each of `numbers`, each with two entries that must be recorded together or not at all.
    private func writeLines(_ name: String, _ numbers: Range<Int>) throws {
        let timestamp = #""timestamp": "2026-11-23T17:05:09Z""#
        let lines = numbers.map {
            "{\(Self.head), \"found\": [{\"event\": \"e\($0)\", \(timestamp)}], \"opened\": [{\"lockbox\": \"e\($0)\", \(timestamp)}]}\n"
        }
        try bench.write(lines.joined(), to: name)
    }

    private static let count =
        "SELECT (SELECT count(*) FROM found), (SELECT count(*) FROM found JOIN opened ON event = lockbox)"

    @Test func whatWasAcknowledgedSurvivesKills() throws {
        var random = SeededRandom(seed: 20_261_123)
        var acknowledged = 0
        var wasKilledWhileWriting = 0
        for round in 0..<25 {
            try writeLines("lines", acknowledged..<acknowledged + 5000)
            let seconds = Double.random(in: 0.05...0.6, using: &random)
            let run = try bench.shell(
                """
                timeout -s KILL \(seconds) wayreel journal record p.sqlite --story late-post < lines | cat > acks
                wc -l < acks; ls | grep -c p.sqlite-journal
                """)
            let numbers = run.text.split(separator: "\n").compactMap { Int($0) }
            try #require(numbers.count == 2)
            acknowledged += numbers[0]
            wasKilledWhileWriting += numbers[1]
            guard bench.exists("p.sqlite") else { continue }
            // Wayreel reads the journal first: opening a journal recovers it after a kill.
            try expectDone(bench.wayreel("journal", "show", "p.sqlite"))
            let counts = try sqlite("p.sqlite", Self.count).split { "|\n".contains($0) }.compactMap { Int($0) }
            try #require(counts.count == 2)
            // One more entry may be on the disk if the kill prevented its acknowledgement.
            #expect(counts[0] == acknowledged || counts[0] == acknowledged + 1, "round \(round)")
            #expect(counts[0] == counts[1])
            #expect(try sqlite("p.sqlite", "PRAGMA integrity_check") == "ok\n")
            acknowledged = counts[0]
        }
        #expect(acknowledged > 25)
        print("\(acknowledged) records, \(wasKilledWhileWriting) of 25 kills within a change")
    }

    @Test func twoProcessesAtOnce() throws {
        try writeLines("a", 0..<150)
        try writeLines("b", 100..<250)
        let run = try bench.shell(
            """
            wayreel journal record p.sqlite --story late-post < a > acks-a & one=$!
            wayreel journal record p.sqlite --story late-post < b > acks-b & two=$!
            wait $one && wait $two && cat acks-a acks-b | wc -l
            """)
        expectDone(run)
        #expect(run.text == "300\n")
        #expect(try sqlite("p.sqlite", Self.count) == "250|250\n")
        #expect(try sqlite("p.sqlite", "PRAGMA integrity_check") == "ok\n")
    }

    /// With a limit of 64 KB for files, further entries are refused and all acknowledged ones are kept.
    @Test func aFullQuota() throws {
        try writeLines("lines", 0..<5000)
        try expectFull(
            "trap '' XFSZ; ulimit -f 128; wayreel journal record p.sqlite --story late-post < lines > acks", in: ".",
            "cannot be read or written")
    }

    static let canMount = (try? Workbench().shell("unshare -rm mount -t tmpfs none /mnt").ending == .exited(0)) ?? false

    @Test(.enabled(if: canMount, "needs a mount of its own")) func aFullDisk() throws {
        try writeLines("lines", 0..<5000)
        bench.makeFolder("disk")
        try expectFull(
            """
            unshare -rm sh -c 'mount -t tmpfs -o size=128k none disk
                wayreel journal record disk/p.sqlite --story late-post < lines > acks; code=$?
                cp disk/p.sqlite . ; exit $code'
            """, in: ".", "no space left on device")
    }

    private func expectFull(
        _ line: String, in folder: String, _ words: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let run = try bench.shell(line)
        expectRefused(run, 1, words, location: location)
        let acknowledged = try bench.bytes("acks").count { $0 == UInt8(ascii: "\n") }
        #expect(acknowledged > 20, sourceLocation: location)
        #expect(try sqlite("p.sqlite", Self.count) == "\(acknowledged)|\(acknowledged)\n", sourceLocation: location)
        #expect(try sqlite("p.sqlite", "PRAGMA integrity_check") == "ok\n", sourceLocation: location)
        // With free space again, recording continues.
        expectDone(try bench.shell("tail -n 1 lines | wayreel journal record p.sqlite --story late-post"), location)
        #expect(
            try sqlite("p.sqlite", Self.count) == "\(acknowledged + 1)|\(acknowledged + 1)\n", sourceLocation: location)
    }
}
