import GRDB
import Glibc
import Synchronization
import TestSupport
import Testing
import WayreelCore
import WayreelDatabase

/// Files of earlier versions, and files whose tables are other ones, or the same in other words.
@Suite struct MigrationTests {
    private let folder = TemporaryFolder()
    private var path: String { "\(folder.path)/a.sqlite" }

    private static let steps = [
        "CREATE TABLE note (id TEXT PRIMARY KEY, size INTEGER NOT NULL, place REAL) STRICT, WITHOUT ROWID",
        "ALTER TABLE note ADD COLUMN words TEXT; CREATE INDEX note_by_size ON note (size)",
        """
        CREATE TABLE mark (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
        INSERT INTO mark SELECT size, id FROM note
        """,
    ]

    /// The first steps.
    private static func migrations(_ version: Int) -> Migrations { Migrations(sql: Array(steps.prefix(version))) }

    private func make(_ version: Int, _ sql: String) throws {
        let file = try DurableDatabase(path, Self.migrations(version))
        try file.write { try $0.execute(sql: sql) }
    }

    private func sqlite(_ sql: String, _ file: String? = nil) throws -> String {
        let run = try Command("/usr/bin/sqlite3", [file ?? path, sql]).run()
        #expect(run.ending == .exited(0), "\(run.errors)")
        return run.text
    }

    // MARK: Migration

    @Test(arguments: [(0, ""), (1, "a|7|\n7|a\n"), (2, "a|7|\n7|a\n"), (3, "a|7|\n")])
    func filesOfEachVersionAreMigratedOnce(version: Int, rows: String) throws {
        if version > 0 { try make(version, "INSERT INTO note (id, size) VALUES ('a', 7)") }
        let file = try DurableDatabase(path, Self.migrations(3))
        #expect(
            try sqlite(
                "PRAGMA integrity_check; PRAGMA user_version; SELECT id, size, words FROM note; SELECT * FROM mark")
                == "ok\n3\n\(rows)")
        #expect(try file.read { try Tables(of: $0) } == Self.migrations(3).tables(of: 3))
        let bytes = try Fixture.bytes(path)
        _ = try DurableDatabase(path, Self.migrations(3))
        #expect(try Fixture.bytes(path) == bytes)
    }

    private struct Interruption: Error {}

    @Test func aFailedStepLeavesTheFileAsItWas() throws {
        try make(1, "INSERT INTO note VALUES ('a', 7, NULL)")
        let bytes = try Fixture.bytes(path)
        let failing = Migrations([
            { try $0.execute(sql: Self.steps[0]) },
            { database in
                guard try Int.fetchOne(database, sql: "SELECT count(*) FROM note") == 1 else { return }
                try database.execute(sql: "DELETE FROM note; CREATE TABLE more (a)")
                throw Interruption()
            },
        ])
        #expect(throws: MediaError.self) { try DurableDatabase(path, failing) }
        #expect(try Fixture.bytes(path) == bytes && Fixture.listing(folder.path) == ["a.sqlite"])
    }

    /// The file and its rollback journal are copied as a kill within a step would leave them.
    @Test func aKillWithinAStepIsUndone() throws {
        let rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
        try make(1, "\(rows) INSERT INTO note SELECT hex(zeroblob(500)) || i, i, NULL FROM n")
        let bytes = try Fixture.bytes(path)
        let cut = "\(folder.path)/cut"
        try #require(mkdir(cut, 0o755) == 0)
        let copied = Migrations([
            { try $0.execute(sql: Self.steps[0]) },
            { [path] database in
                guard try Int.fetchOne(database, sql: "SELECT count(*) FROM note") == 500 else { return }
                // A small cache writes pages before the transaction ends.
                try database.execute(sql: "PRAGMA cache_size = 1; UPDATE note SET size = -1")
                #expect(try Command("/bin/cp", [path, "\(path)-journal", cut]).run().ending == .exited(0))
            },
        ])
        _ = try DurableDatabase(path, copied)
        let file = "\(cut)/a.sqlite"
        #expect(try Fixture.bytes(file) != bytes)
        _ = try DurableDatabase(file, Self.migrations(2))
        #expect(
            try sqlite("PRAGMA integrity_check; PRAGMA user_version; SELECT count(*), sum(size) FROM note", file)
                == "ok\n2\n500|125250\n")
        #expect(Fixture.listing(cut) == ["a.sqlite"])
    }

    private final class Faults: Sendable {
        let texts = Mutex<[String]>([])
    }

    @Test func severalThatOpenAtOnceMigrateOnce() throws {
        try make(1, "INSERT INTO note VALUES ('a', 7, NULL)")
        let faults = Faults()
        let threads = try (0..<4).map { _ in
            try WorkThread("open") { [path] in
                do { _ = try DurableDatabase(path, Self.migrations(3)) } catch {
                    faults.texts.withLock { $0.append("\(error)") }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(faults.texts.withLock { $0 } == [])
        #expect(try sqlite("PRAGMA user_version; SELECT * FROM mark") == "3\n7|a\n")
    }

    // MARK: Tables

    /// Version 2 with the same columns, and with what an operator may have added.
    @Test func aRewordedDefinitionOpens() throws {
        _ = try sqlite(
            """
            create table "note"(
                [id] text not null, -- its name
                size integer not null default 0 check (size >= 0), place real, words text collate binary,
                constraint named primary key (id)) without rowid, strict;
            CREATE INDEX by_size ON note(size ASC);
            CREATE INDEX mine ON note(place);
            CREATE VIEW sizes AS SELECT size FROM note;
            CREATE TABLE other (a);
            INSERT INTO note VALUES ('a', 7, NULL, 'b');
            ANALYZE;
            PRAGMA user_version = 2
            """)
        let bytes = try Fixture.bytes(path)
        let file = try DurableDatabase(path, Self.migrations(2))
        #expect(try file.read { try String.fetchOne($0, sql: "SELECT words FROM note") } == "b")
        #expect(try Fixture.bytes(path) == bytes)
        _ = try DurableDatabase(path, Self.migrations(3))
        #expect(try sqlite("PRAGMA user_version; SELECT * FROM mark") == "3\n7|a\n")
    }

    private static func again(_ columns: String, _ options: String = "STRICT, WITHOUT ROWID") -> String {
        "DROP TABLE note; CREATE TABLE note (\(columns)) \(options); CREATE INDEX note_by_size ON note (size)"
    }

    @Test(arguments: [
        "ALTER TABLE note DROP COLUMN place", "ALTER TABLE note ADD COLUMN more TEXT",
        "ALTER TABLE note RENAME COLUMN place TO spot", "DROP INDEX note_by_size", "DROP TABLE note",
        "DROP TABLE note; CREATE VIEW note AS SELECT 'a' AS id, 1 AS size, 1.0 AS place, 'b' AS words",
        again("id TEXT PRIMARY KEY, size TEXT NOT NULL, place REAL, words TEXT"),
        again("id TEXT PRIMARY KEY, size INTEGER, place REAL, words TEXT"),
        again("id TEXT, size INTEGER NOT NULL, place REAL, words TEXT, PRIMARY KEY (id, size)"),
        again("id TEXT COLLATE NOCASE PRIMARY KEY, size INTEGER NOT NULL, place REAL, words TEXT"),
        again("id TEXT PRIMARY KEY, place REAL, size INTEGER NOT NULL, words TEXT"),
        again("id TEXT PRIMARY KEY, size INTEGER NOT NULL, place REAL, words TEXT AS (id)"),
        again("id TEXT PRIMARY KEY, size INTEGER NOT NULL, place REAL, words TEXT", "WITHOUT ROWID"),
    ]) func otherTablesAreRefused(sql: String) throws {
        try make(2, "INSERT INTO note VALUES ('a', 7, NULL, NULL)")
        _ = try sqlite(sql)
        let bytes = try Fixture.bytes(path)
        let error = #expect(throws: MediaError.self) { try DurableDatabase(path, Self.migrations(2)) }
        #expect(error?.kind == .decoding)
        #expect(
            error?.description
                == "\(path): data: its table 'note' is not that of version 2; restore a copy of the file")
        #expect(try Fixture.bytes(path) == bytes)
    }

    /// What cannot become the newest version stays what it is.
    @Test func otherTablesAreNotMigrated() throws {
        try make(1, "ALTER TABLE note DROP COLUMN place")
        let bytes = try Fixture.bytes(path)
        let error = #expect(throws: MediaError.self) { try DurableDatabase(path, Self.migrations(2)) }
        #expect(error?.kind == .decoding)
        #expect(try Fixture.bytes(path) == bytes)
    }
}
