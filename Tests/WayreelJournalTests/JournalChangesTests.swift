import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelJournal
import WayreelStory

/// What a device and the service exchange: only what the other one lacks.
@Suite struct JournalChangesTests {
    private let folder = TemporaryFolder()
    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private static let moment = Timestamp(milliseconds: 1_795_453_509_250)
    private static func later(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds + seconds * 1000)
    }

    private static func attempts(_ numbers: Range<Int>) -> JournalContents {
        var contents = JournalContents()
        for number in numbers {
            contents.attempts.insert(.init(lockbox: "l", text: "answer \(number)", timestamp: moment))
        }
        return contents
    }

    private func sqlite(_ name: String, _ sql: String) throws -> String {
        let run = try Command("/usr/bin/sqlite3", [path(name), sql]).run()
        #expect(run.ending == .exited(0), "\(run.errors)")
        return run.text
    }

    private static func exchange(
        _ news: JournalContents = JournalContents(), since cursor: JournalCursor = .start, with journal: Journal,
        maxBytes: Int = .max, maxAnswerBytes: Int = .max
    ) throws -> JournalChanges {
        try journal.exchange(news, since: cursor, maxBytes: maxBytes, maxAnswerBytes: maxAnswerBytes)
    }

    /// A device: everything that it has, and what it has not sent.
    private struct Device {
        var contents = JournalContents()
        var news = JournalContents()
        var cursor = JournalCursor.start

        mutating func add(_ contents: JournalContents) {
            self.contents.merge(contents)
            news.merge(contents)
        }

        mutating func synchronise(with journal: Journal, maxAnswerBytes: Int) throws {
            var hasMore = true
            while hasMore {
                let changes = try JournalChangesTests.exchange(
                    news, since: JournalCursor(cursor.description), with: journal, maxAnswerBytes: maxAnswerBytes)
                contents.merge(changes.contents)
                (news, cursor, hasMore) = (JournalContents(), changes.cursor, changes.hasMore)
            }
        }
    }

    /// Devices that send only their news, and receive only what changed, have what whole journals merge to.
    @Test(arguments: 0..<60) func devicesConverge(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let journal = try Journal.open(path("service"), story: "s")
        var devices = [Device(), Device(), Device()]
        var whole = JournalContents()
        for _ in 0..<12 {
            let index = Int.random(in: 0..<devices.count, using: &random)
            let news = JournalContents.random(4, deletes: seed % 2 == 1, using: &random)
            devices[index].add(news)
            whole.merge(news)
            guard Bool.random(using: &random) else { continue }
            try devices[index].synchronise(with: journal, maxAnswerBytes: seed % 3 == 0 ? 1 : 500)
        }
        for _ in 0..<2 {
            for index in devices.indices { try devices[index].synchronise(with: journal, maxAnswerBytes: 500) }
        }
        for device in devices { #expect(device.contents == whole) }
        #expect(try journal.contents() == whole)
    }

    @Test func anAnswerHasOnlyWhatTheDeviceLacks() throws {
        let journal = try Journal.open(path("p"), story: "s")
        let first = try Self.exchange(Self.attempts(0..<1000), with: journal)
        // The device sent it, and needs none of it.
        #expect(first.contents.isEmpty && first.isWhole && !first.hasMore)
        let second = try Self.exchange(Self.attempts(500..<501), since: first.cursor, with: journal)
        #expect(second.contents.isEmpty && !second.isWhole && second.cursor == first.cursor)
        let other = try Self.exchange(Self.attempts(1000..<1001), since: .start, with: journal)
        #expect(other.contents == Self.attempts(0..<1000))
        let third = try Self.exchange(since: second.cursor, with: journal)
        #expect(third.contents == Self.attempts(1000..<1001))
        // Where the service has an earlier record, it says so, although it has not changed.
        var (early, late) = (JournalContents(), JournalContents())
        early.found["a"] = .init(timestamp: Self.moment)
        late.found["a"] = .init(timestamp: Self.later(1))
        let known = try Self.exchange(early, since: third.cursor, with: journal)
        #expect(try Self.exchange(late, since: known.cursor, with: journal).contents == early)
        // SQLite's own words: nothing looks at all rows.
        for table in ["found", "opened", "attempt", "score", "capture", "removed"] {
            let plan = try sqlite(
                "p", "EXPLAIN QUERY PLAN SELECT * FROM \(table) WHERE change > 5 AND change <= 9 ORDER BY change")
            #expect(plan.contains("SEARCH \(table) USING"), "\(plan)")
            #expect(plan.contains("INDEX \(table)_by_change (change>? AND change<?)"), "\(plan)")
        }
    }

    /// A backup that was restored counts its further changes with numbers that were given before.
    @Test func aRestoredBackupIsNoticed() throws {
        let journal = try Journal.open(path("p"), story: "s")
        let old = try Self.exchange(Self.attempts(0..<10), with: journal)
        #expect(try Command("/bin/cp", [path("p"), path("backup")]).run().ending == .exited(0))
        let lost = try Self.exchange(Self.attempts(10..<20), since: old.cursor, with: journal)
        let restored = try Journal.open(path("backup"), story: "s")
        let first = try Self.exchange(since: lost.cursor, with: restored)
        #expect(first.isWhole && first.contents == Self.attempts(0..<10))
        try restored.record(Self.attempts(20..<40))
        let second = try Self.exchange(since: lost.cursor, with: restored)
        #expect(second.isWhole && second.contents == Self.attempts(0..<10).merging(Self.attempts(20..<40)))
        // A cursor from before the backup counts.
        let third = try Self.exchange(since: old.cursor, with: restored)
        #expect(!third.isWhole && third.contents == Self.attempts(20..<40))
        for text in [
            "", "1", "1.2", "a.b.c", "-1.5.7", "-1.-1.-1", "-9223372036854775808.-9223372036854775808.0",
            "9223372036854775807.1.1", "1.1.1",
        ] {
            #expect(try Self.exchange(since: JournalCursor(text), with: restored).isWhole)
        }
    }

    @Test func aFullJournalStaysAsItIs() throws {
        let journal = try Journal.open(path("p"), story: "s")
        try journal.record(Self.attempts(0..<1000))
        let size = try journal.usedBytes()
        #expect(throws: MediaError.self) {
            _ = try Self.exchange(Self.attempts(1000..<5000), with: journal, maxBytes: size + 10_000)
        }
        #expect(try journal.contents() == Self.attempts(0..<1000))
        // What it has, and what fits, are taken.
        _ = try Self.exchange(Self.attempts(0..<1000), with: journal, maxBytes: size - 1)
        _ = try Self.exchange(Self.attempts(1000..<1010), with: journal, maxBytes: size + 10_000)
        #expect(try journal.contents() == Self.attempts(0..<1010))
    }

    /// Another program has changed the numbers.
    @Test(arguments: [
        "INSERT INTO mark VALUES (9223372036854775807, 1)", "DELETE FROM mark; INSERT INTO mark VALUES (-5, 1)",
    ]) func numbersThatNoJournalHas(sql: String) throws {
        let journal = try Journal.open(path("p"), story: "s")
        try journal.record(Self.attempts(0..<1))
        _ = try sqlite("p", sql)
        #expect(throws: MediaError.self) { try journal.record(Self.attempts(1..<2)) }
        #expect(throws: MediaError.self) { _ = try Self.exchange(since: .start, with: journal) }
        #expect(try journal.contents() == Self.attempts(0..<1))
    }

    // MARK: Captures

    /// The service learns a capture's file, and the device knows an earlier time: both stay, in every order.
    @Test func aFileStaysWithAnEarlierRecord() throws {
        func capture(_ seconds: Int64, file: String?) -> JournalContents {
            var contents = JournalContents()
            contents.captures["c"] = .init(event: "e", file: file, timestamp: Self.later(seconds))
            return contents
        }
        let both = capture(0, file: "/1.jpg")
        for (index, order) in [
            [capture(5, file: "/1.jpg"), capture(0, file: nil)], [capture(0, file: nil), capture(5, file: "/1.jpg")],
        ].enumerated() {
            #expect(order[0].merging(order[1]) == both)
            let journal = try Journal.open(path("\(index)"), story: "s")
            for contents in order { try journal.record(contents) }
            #expect(try journal.contents() == both)
        }
        // The device that sent the earlier record is told the file.
        let journal = try Journal.open(path("0"), story: "s")
        #expect(try Self.exchange(capture(0, file: nil), with: journal).contents == both)
    }

    @Test func whatIsDeletedDoesNotReturn() throws {
        var contents = Self.attempts(0..<3)
        contents.captures["secret-id"] = .init(event: "secret-event", timestamp: Self.moment)
        contents.found["secret-place"] = .init(timestamp: Self.moment)
        let journal = try Journal.open(path("p"), story: "s")
        let known = try Self.exchange(contents, with: journal).cursor
        var news = JournalContents()
        news.remove(capture: "secret-id", at: Self.later(1))
        try journal.record(news)
        #expect(try journal.contents().captures.isEmpty)
        #expect(try Self.exchange(since: known, with: journal).contents == news)
        // A device that still has it is told so again.
        var stale = JournalContents()
        stale.captures["secret-id"] = .init(event: "secret-event", file: "/1.jpg", timestamp: Self.moment)
        let told = try Self.exchange(stale, since: try Self.exchange(with: journal).cursor, with: journal)
        #expect(told.contents == news)

        news = JournalContents()
        news.erase(upTo: Self.later(10))
        try journal.record(news)
        contents.found["later"] = .init(timestamp: Self.later(11))
        let answer = try Self.exchange(contents, since: known, with: journal)
        #expect(answer.contents.erased == Self.later(10) && answer.contents.found.isEmpty)
        #expect(Array(try journal.contents().found.keys) == ["later"])
        #expect(try journal.contents().attempts.isEmpty)
        // A later erasure has no entries that an earlier one left.
        var again = JournalContents()
        again.erase(upTo: Self.later(5))
        try journal.record(again)
        #expect(try journal.contents().erased == Self.later(10))
        // The bytes are gone as well.
        let bytes = String(decoding: try Fixture.bytes(path("p")), as: UTF8.self)
        for text in ["secret-place", "secret-event", "answer 1"] { #expect(!bytes.contains(text)) }
    }

    // MARK: Files of version 1

    /// A file as version 1 wrote it.
    static let first = """
        CREATE TABLE story (id TEXT NOT NULL) STRICT;
        CREATE TABLE found (event TEXT NOT NULL, time INTEGER NOT NULL, latitude REAL, longitude REAL, altitude REAL, PRIMARY KEY (event)) WITHOUT ROWID, STRICT;
        CREATE TABLE opened (lockbox TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (lockbox)) WITHOUT ROWID, STRICT;
        CREATE TABLE attempt (lockbox TEXT NOT NULL, time INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (lockbox, time, text)) WITHOUT ROWID, STRICT;
        CREATE TABLE score (event TEXT NOT NULL, question INTEGER NOT NULL, choices TEXT NOT NULL, points INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (event, question)) WITHOUT ROWID, STRICT;
        CREATE TABLE capture (id TEXT NOT NULL, event TEXT NOT NULL, file TEXT, time INTEGER NOT NULL, PRIMARY KEY (id)) WITHOUT ROWID, STRICT;
        PRAGMA user_version = 1; PRAGMA application_id = 2002876778;
        INSERT INTO story VALUES ('s');
        INSERT INTO found VALUES ('a', 1795453509250, 1.5, -2.0, NULL), ('b', 1795453509250, NULL, NULL, NULL);
        INSERT INTO opened VALUES ('l', 1795453509250);
        INSERT INTO attempt VALUES ('l', 1795453509250, 'x'), ('l', 1795453509250, 'y');
        INSERT INTO score VALUES ('q', 0, '0,2', 3, 1795453509250);
        INSERT INTO capture VALUES ('c', 'e', '/1.jpg', 1795453509250);
        """

    @Test func filesOfVersion1AreReadAndContinued() throws {
        _ = try sqlite("p", Self.first)
        let bytes = try Fixture.bytes(path("p"))
        let journal = try Journal.open(path("p"), story: "s")
        var contents = JournalContents()
        contents.found["a"] = .init(timestamp: Self.moment, position: GeoPoint(latitude: 1.5, longitude: -2))
        contents.found["b"] = .init(timestamp: Self.moment)
        contents.opened["l"] = Self.moment
        for text in "xy" { contents.attempts.insert(.init(lockbox: "l", text: "\(text)", timestamp: Self.moment)) }
        contents.scores[.init(event: "q", index: 0)] = .init(choices: [0, 2], points: 3, timestamp: Self.moment)
        contents.captures["c"] = .init(event: "e", file: "/1.jpg", timestamp: Self.moment)
        #expect(try journal.contents() == contents)
        // Reading leaves the file as it is.
        #expect(try Fixture.bytes(path("p")) == bytes)
        var news = JournalContents()
        news.found["new"] = .init(timestamp: Self.moment)
        try journal.record(news)
        #expect(try sqlite("p", "PRAGMA integrity_check; PRAGMA user_version") == "ok\n2\n")
        #expect(try Journal.open(path("p"), story: "s").contents() == contents.merging(news))
        // Its rows are changes like others.
        let changes = try Self.exchange(since: .start, with: journal)
        #expect(changes.contents == contents.merging(news))
        #expect(try Self.exchange(since: changes.cursor, with: journal).contents.isEmpty)
    }

    @Test func filesOfVersion1AreExchanged() throws {
        _ = try sqlite("p", Self.first)
        let journal = try Journal.open(path("p"), story: "s")
        let changes = try Self.exchange(Self.attempts(0..<2), with: journal)
        #expect(changes.contents.found.count == 2 && changes.contents.attempts.count == 2)
        #expect(try journal.contents().attempts.count == 4)
    }
}
