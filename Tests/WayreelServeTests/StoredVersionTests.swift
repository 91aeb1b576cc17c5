import TestSupport
import Testing

/// The databases of a service as each of their versions wrote them, made by `sqlite3`.
@Suite struct StoredVersionTests {
    private static let first = [
        "players": """
        CREATE TABLE capture (player TEXT NOT NULL, id TEXT NOT NULL, story TEXT NOT NULL, event TEXT NOT NULL,
            fingerprint TEXT NOT NULL, file TEXT NOT NULL, type TEXT NOT NULL, bytes INTEGER NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, id)) WITHOUT ROWID, STRICT;
        CREATE TABLE note (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, author TEXT NOT NULL, fingerprint TEXT NOT NULL,
            visibility TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL, start INTEGER NOT NULL, end INTEGER,
            text TEXT NOT NULL, file TEXT NOT NULL, type TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
            bytes INTEGER NOT NULL) STRICT;
        CREATE INDEX note_by_author ON note (author);
        CREATE VIRTUAL TABLE note_place USING rtree(number, south, north, west, east);
        INSERT INTO note VALUES (1, 'n', 'ines', 'f', 'all', 1, 2, 0, NULL, 'under the bell', 'notes/n/n.jpg', 'image/jpeg',
            8, 8, 9);
        INSERT INTO note_place VALUES (1, 1, 1, 2, 2);
        INSERT INTO capture VALUES ('ines', 'c', 'mill', 'bell', 'f', 'players/ines/captures/c.jpg', 'image/jpeg', 9,
            1795453509250);
        """,
        "erasures": """
        CREATE TABLE erasure (player BLOB NOT NULL, story TEXT NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, story)) WITHOUT ROWID, STRICT;
        CREATE TABLE removed_capture (player BLOB NOT NULL, capture TEXT NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, capture)) WITHOUT ROWID, STRICT;
        INSERT INTO erasure VALUES (x'01', 'mill', 1795453509250);
        INSERT INTO removed_capture VALUES (x'01', 'c', 1795453509250);
        """,
        "accounts": """
        CREATE TABLE account (player TEXT PRIMARY KEY, handle BLOB NOT NULL UNIQUE, name TEXT NOT NULL, groups TEXT NOT NULL,
            created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE passkey (id BLOB PRIMARY KEY, player TEXT NOT NULL, key BLOB NOT NULL, counter INTEGER NOT NULL,
            device TEXT NOT NULL, created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX passkey_by_player ON passkey (player);
        CREATE TABLE session (hash BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, player TEXT NOT NULL, groups TEXT NOT NULL,
            device TEXT NOT NULL, origin TEXT, created INTEGER NOT NULL, used INTEGER NOT NULL, expires INTEGER NOT NULL,
            latest INTEGER) STRICT, WITHOUT ROWID;
        CREATE INDEX session_by_player ON session (player, used);
        CREATE TABLE revoked_token (player TEXT NOT NULL, token TEXT NOT NULL, expires INTEGER, PRIMARY KEY (player, token))
            STRICT, WITHOUT ROWID;
        CREATE TABLE revoked_before (player TEXT PRIMARY KEY, time REAL NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO session VALUES (x'01', 's', 'ines', '[]', 'phone', NULL, 1, 1, 4000000000, NULL);
        """,
        "jobs": """
        CREATE TABLE job (id TEXT PRIMARY KEY, work TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL,
        ended REAL, inputBytes INTEGER NOT NULL, resultBytes INTEGER, problem TEXT, starts INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO job VALUES ('older', '{"work":{"narrate":{}}}', 'done', 1.5, strftime('%s', 'now'), 5, 7, NULL, 1);
        """,
    ]

    private func made() throws -> Workbench {
        let bench = Workbench()
        bench.makeFolder("data")
        for (name, sql) in Self.first {
            try bench.write("\(sql)\nPRAGMA user_version = 1;\n", to: "first.sql")
            expectDone(try bench.shell("sqlite3 data/\(name).sqlite < first.sql"))
        }
        return bench
    }

    /// Version 2 of the players' file has a table of recordings beside those before.
    @Test func filesOfVersion1AreServedAsTheyAre() throws {
        let bench = try made()
        let dump = """
            for name in erasures accounts jobs; do sqlite3 data/$name.sqlite .dump; done
            sqlite3 data/players.sqlite '.dump capture note%'
            """
        let before = try bench.shell(dump).text
        #expect(before.contains("under the bell"))
        let server = try RunningServer("--data data", in: bench)
        _ = try bench.python(
            #"""
            base = sys.argv[1]
            status, headers, body = call(base, "GET", "/v1/notes?player=bob&latitude=1&longitude=2")
            assert status == 200 and [note["text"] for note in json.loads(body)["notes"]] == ["under the bell"], body
            job = json.loads(call(base, "GET", "/v1/jobs/older")[2])
            assert (job["state"], job["kind"]) == ("failed", "unknown"), job
            assert json.loads(call(base, "GET", "/v1/recordings?player=ines")[2]) == {"recordings": []}
            """#, server.base)
        server.terminate()
        #expect(try bench.shell(dump).text == before)
        let revoked = try bench.wayreel("token", "revoke", "ines", "--data", "data")
        #expect(revoked.text == "revoked all tokens of ines; 1 session ended\n", "\(revoked.errors)")
    }

    /// A file that is refused stays as it is.
    @Test(arguments: [
        ("players", "ALTER TABLE note DROP COLUMN text", "its table 'note' is not that of version 2; restore a copy"),
        ("erasures", "DROP TABLE erasure", "its table 'erasure' is not that of version 1; restore a copy"),
        ("jobs", "ALTER TABLE job ADD COLUMN more TEXT", "its table 'job' is not that of version 1; restore a copy"),
        ("accounts", "DROP INDEX session_by_player", "its table 'session' is not that of version 1; restore a copy"),
        ("players", "PRAGMA user_version = 3", "has version 3; this Wayreel knows 2; use a newer Wayreel"),
        ("accounts", "PRAGMA user_version = 2", "has version 2; this Wayreel knows 1; use a newer Wayreel"),
    ]) func otherFilesAreRefused(name: String, sql: String, words: String) throws {
        let bench = try made()
        let file = "data/\(name).sqlite"
        expectDone(try bench.shell("sqlite3 \(file) '\(sql)'"))
        let before = try bench.bytes(file)
        let command = name == "accounts" ? "token revoke ines --data data" : "serve --check --data data"
        expectRefused(try bench.shell("wayreel \(command)"), 1, "\(file): data: \(words)")
        #expect(try bench.bytes(file) == before)
    }
}
