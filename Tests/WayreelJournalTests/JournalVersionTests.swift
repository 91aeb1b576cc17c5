import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelJournal
import WayreelStory

/// Files of each version, of other tables, and of the same tables in other words. They are made by `sqlite3`.
@Suite struct JournalVersionTests {
    private let folder = TemporaryFolder()
    private var path: String { "\(folder.path)/p" }

    private static let moment = Timestamp(milliseconds: 1_795_453_509_250)

    private func sqlite(_ sql: String) throws -> String {
        let run = try Command("/usr/bin/sqlite3", [path, sql]).run()
        #expect(run.ending == .exited(0), "\(run.errors)")
        return run.text
    }

    /// A file as version 2 wrote it.
    private static let second = """
        CREATE TABLE story (id TEXT NOT NULL, erased INTEGER) STRICT;
        CREATE TABLE mark (change INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT;
        CREATE TABLE found (event TEXT NOT NULL, time INTEGER NOT NULL, latitude REAL, longitude REAL, altitude REAL, change INTEGER NOT NULL, PRIMARY KEY (event)) WITHOUT ROWID, STRICT;
        CREATE INDEX found_by_change ON found (change);
        CREATE TABLE opened (lockbox TEXT NOT NULL, time INTEGER NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (lockbox)) WITHOUT ROWID, STRICT;
        CREATE INDEX opened_by_change ON opened (change);
        CREATE TABLE attempt (lockbox TEXT NOT NULL, time INTEGER NOT NULL, text TEXT NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (lockbox, time, text)) WITHOUT ROWID, STRICT;
        CREATE INDEX attempt_by_change ON attempt (change);
        CREATE TABLE score (event TEXT NOT NULL, question INTEGER NOT NULL, choices TEXT NOT NULL, points INTEGER NOT NULL, time INTEGER NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (event, question)) WITHOUT ROWID, STRICT;
        CREATE INDEX score_by_change ON score (change);
        CREATE TABLE capture (id TEXT NOT NULL, event TEXT NOT NULL, file TEXT, time INTEGER NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (id)) WITHOUT ROWID, STRICT;
        CREATE INDEX capture_by_change ON capture (change);
        CREATE TABLE removed (id TEXT NOT NULL, time INTEGER NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (id)) WITHOUT ROWID, STRICT;
        CREATE INDEX removed_by_change ON removed (change);
        PRAGMA user_version = 2; PRAGMA application_id = 2002876778;
        INSERT INTO story VALUES ('s', NULL);
        INSERT INTO found VALUES ('a', 1795453509250, 1.5, -2.0, NULL, 1), ('b', 1795453509250, NULL, NULL, NULL, 2);
        INSERT INTO opened VALUES ('l', 1795453509250, 3);
        INSERT INTO attempt VALUES ('l', 1795453509250, 'x', 4), ('l', 1795453509250, 'y', 5);
        INSERT INTO score VALUES ('q', 0, '0,2', 3, 1795453509250, 6);
        INSERT INTO capture VALUES ('c', 'e', '/1.jpg', 1795453509250, 7);
        INSERT INTO mark VALUES (7, 42);
        """

    private static let versions = [JournalChangesTests.first, second]

    /// What the files hold.
    private static var contents: JournalContents {
        var contents = JournalContents()
        contents.found["a"] = .init(timestamp: moment, position: GeoPoint(latitude: 1.5, longitude: -2))
        contents.found["b"] = .init(timestamp: moment)
        contents.opened["l"] = moment
        for text in ["x", "y"] { contents.attempts.insert(.init(lockbox: "l", text: text, timestamp: moment)) }
        contents.scores[.init(event: "q", index: 0)] = .init(choices: [0, 2], points: 3, timestamp: moment)
        contents.captures["c"] = .init(event: "e", file: "/1.jpg", timestamp: moment)
        return contents
    }

    private static var news: JournalContents {
        var news = JournalContents()
        news.found["new"] = .init(timestamp: moment)
        news.remove(capture: "c", at: moment)
        return news
    }

    /// Reads the file, which stays as it is, and then changes it.
    private func readAndContinue() throws {
        let bytes = try Fixture.bytes(path)
        let journal = try Journal.open(path, story: "s")
        #expect(try journal.contents() == Self.contents)
        #expect(try Fixture.bytes(path) == bytes && Fixture.listing(folder.path) == ["p"])
        try journal.record(Self.news)
        #expect(
            try sqlite("PRAGMA ignore_check_constraints = ON; PRAGMA integrity_check; PRAGMA user_version")
                == "ok\n2\n")
        #expect(try Journal.open(path, story: "s").contents() == Self.contents.merging(Self.news))
    }

    @Test(arguments: versions) func filesOfEachVersionAreReadAndContinued(sql: String) throws {
        _ = try sqlite(sql)
        try readAndContinue()
    }

    /// What a check says is not evaluated: it may be costly.
    @Test(arguments: versions) func rewordedDefinitionsOpen(sql: String) throws {
        let reworded =
            sql.replacing("(event TEXT NOT NULL", with: "(\"event\" TEXT DEFAULT 'none' NOT NULL /* its id */")
            .replacing("time INTEGER NOT NULL,", with: "[time] integer not null check (time < 0),")
            .replacing("PRIMARY KEY (id)", with: "CONSTRAINT named PRIMARY KEY (id ASC)")
            .replacing("WITHOUT ROWID, STRICT", with: "strict, without rowid").replacing(" TEXT", with: "  text")
        #expect(reworded != sql)
        _ = try sqlite("PRAGMA ignore_check_constraints = ON; \(reworded); ANALYZE")
        try readAndContinue()
    }

    /// A change that is refused undoes the migration as well.
    @Test func aRefusedChangeDoesNotMigrate() throws {
        _ = try sqlite(JournalChangesTests.first)
        let bytes = try Fixture.bytes(path)
        let journal = try Journal.open(path, story: "s")
        let error = #expect(throws: MediaError.self) {
            try journal.exchange(Self.news, since: .start, maxBytes: 1, maxAnswerBytes: .max)
        }
        #expect(error?.kind == .limit)
        #expect(try Fixture.bytes(path) == bytes)
        #expect(try journal.contents() == Self.contents)
    }

    /// One of two that have a file of version 1 open turns it into version 2.
    @Test func severalMayHaveAnOldFileOpen() throws {
        _ = try sqlite(JournalChangesTests.first)
        let (one, other) = (try Journal.open(path), try Journal.open(path))
        #expect(try one.contents() == other.contents())
        try one.record(Self.news)
        #expect(try other.contents() == Self.contents.merging(Self.news))
        var news = JournalContents()
        news.opened["m"] = Self.moment
        try other.record(news)
        #expect(try one.contents() == Self.contents.merging(Self.news).merging(news))
    }

    /// Another process may use a newer Wayreel.
    @Test func aFileThatBecameNewerIsNotChanged() throws {
        _ = try sqlite(Self.second)
        let journal = try Journal.open(path)
        _ = try sqlite("PRAGMA user_version = 3")
        let bytes = try Fixture.bytes(path)
        let error = #expect(throws: MediaError.self) { try journal.record(Self.news) }
        #expect(
            error?.description == "\(path): journal: has version 3; this Wayreel knows 2; use a newer Wayreel")
        #expect(try Fixture.bytes(path) == bytes)
    }

    private static func opened(_ columns: String, _ options: String = "WITHOUT ROWID, STRICT") -> String {
        """
        DROP TABLE opened; CREATE TABLE opened (\(columns), PRIMARY KEY (lockbox)) \(options);
        CREATE INDEX opened_by_change ON opened (change)
        """
    }

    @Test(arguments: [
        "ALTER TABLE found DROP COLUMN altitude", "ALTER TABLE capture ADD COLUMN more TEXT",
        "ALTER TABLE found RENAME COLUMN latitude TO y", "DROP TABLE score", "DROP INDEX score_by_change",
        "CREATE UNIQUE INDEX i ON opened (time)", "CREATE INDEX i ON opened (abs(time))", "CREATE TABLE other (a)",
        "CREATE VIEW v AS SELECT id FROM story", "CREATE VIRTUAL TABLE words USING fts5(text)",
        "CREATE TRIGGER sqlitetrigger AFTER INSERT ON found BEGIN DELETE FROM found; END",
        "DROP TABLE opened; CREATE VIEW opened AS SELECT 'l' AS lockbox, 1 AS time, 1 AS change",
        opened("lockbox TEXT NOT NULL, time TEXT NOT NULL, change INTEGER NOT NULL"),
        opened("lockbox TEXT NOT NULL, time INTEGER, change INTEGER NOT NULL"),
        opened("lockbox TEXT COLLATE NOCASE NOT NULL, time INTEGER NOT NULL, change INTEGER NOT NULL"),
        opened("lockbox TEXT NOT NULL, time INTEGER NOT NULL UNIQUE, change INTEGER NOT NULL"),
        opened("lockbox TEXT NOT NULL, time INTEGER AS (1) STORED NOT NULL, change INTEGER NOT NULL"),
        opened("lockbox TEXT NOT NULL, time INTEGER NOT NULL, change INTEGER NOT NULL REFERENCES mark"),
        opened("lockbox TEXT NOT NULL, time INTEGER NOT NULL, change INTEGER NOT NULL", "WITHOUT ROWID"),
        "PRAGMA user_version = 1",
    ]) func otherTablesAreRefused(sql: String) throws {
        _ = try sqlite(Self.second)
        _ = try sqlite(sql)
        let bytes = try Fixture.bytes(path)
        let error = #expect(throws: MediaError.self) { try Journal.open(path, story: "s") }
        #expect(
            error?.description
                == "\(path): journal: is damaged or cut off; use a copy of it, or the journal of another device of the player"
        )
        #expect(try Fixture.bytes(path) == bytes)
    }
}
