internal import GRDB
internal import GRDBSQLite
internal import Glibc
package import WayreelCore
internal import WayreelDatabase
internal import WayreelEngine

/// The SQLite file of a journal: one table for each kind of rows, and the id of the story.
///
/// It uses a rollback journal, not a write-ahead log, so that between two changes the database is a single file that
/// can be copied. `synchronous = EXTRA` is FULL plus a flush of the folder after the rollback journal is removed, so
/// that a loss of power cannot restore it: changes are permanent when `record` returns. Writers wait for each other.
enum JournalDatabase {
    /// Files of version 1 have no numbers of changes, and nothing that is removed. Files of all versions are read as they
    /// are, also where they cannot be written; the first change turns them into files of the newest version.
    static let migrations = Migrations([
        { database in for definition in definitions(of: 1) { try database.execute(sql: definition) } },
        { database in try numberChanges(database) },
    ])
    /// The value of `PRAGMA user_version` of new files.
    static var version: Int { migrations.version }
    /// The tables of version 1, version 2 and so on.
    private static let tables: Result<[Tables], any Error> = Result {
        try (1...version).map { try migrations.tables(of: $0) }
    }
    /// The value of `PRAGMA application_id`: "wayj".
    private static let applicationID = 0x7761_796A
    /// The time to wait for a change by another process, in seconds.
    private static let busySeconds = 10.0

    static let kinds: [any JournalRow.Type] = [
        FoundRow.self, OpenedRow.self, JournalContents.Attempt.self, ScoreRow.self, CaptureRow.self, RemovedRow.self,
    ]

    /// The kinds that a file of a version has.
    static func kinds(of version: Int) -> [any JournalRow.Type] { version == 1 ? kinds.dropLast() : kinds }

    /// `erased` is a time, or NULL. `mark` has a value for each of the last transactions, by the number of its last
    /// change.
    static func definitions(of version: Int) -> [String] {
        guard version > 1 else {
            return ["CREATE TABLE story (id TEXT NOT NULL) STRICT"] + kinds(of: 1).map { $0.table.firstDefinition }
        }
        return [
            "CREATE TABLE story (id TEXT NOT NULL, erased INTEGER) STRICT",
            "CREATE TABLE mark (change INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT",
        ] + kinds.flatMap { $0.table.definitions }
    }

    /// Returns the bytes of a journal's file. Equal contents give equal bytes.
    static func bytes(story: String, _ contents: JournalContents, for path: String) throws(MediaError) -> [UInt8] {
        try checked(path) {
            let queue = try DatabaseQueue()
            return try queue.writeWithoutTransaction { database in
                try database.inTransaction {
                    for definition in definitions(of: version) { try database.execute(sql: definition) }
                    try database.execute(
                        sql: "PRAGMA user_version = \(version); PRAGMA application_id = \(applicationID)")
                    try database.execute(
                        sql: "INSERT INTO story VALUES (?, ?)", arguments: [story, contents.erased?.milliseconds])
                    var last: Int64 = 0
                    var unlike = JournalContents()
                    for kind in kinds {
                        try kind.record(contents, to: database, last: &last, unlike: &unlike)
                    }
                    if last > 0 { try mark(last, contents.checksum, in: database) }
                    return .commit
                }
                return try serialized(database)
            }
        }
    }

    private static func serialized(_ database: Database) throws -> [UInt8] {
        var count: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(database.sqliteConnection, "main", &count, 0) else {
            throw DatabaseError(resultCode: .SQLITE_NOMEM)
        }
        defer { sqlite3_free(bytes) }
        return [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Opens an existing file, and also returns the id of its story.
    static func open(_ path: String) throws(MediaError) -> (DatabaseQueue, story: String) {
        try checkFile(path)
        return try checked(path) {
            var configuration = Configuration()
            configuration.label = "journal"
            configuration.busyMode = .timeout(busySeconds)
            configuration.prepareDatabase { database in
                // The file is untrusted: its schema must not run code, no expressions of checks or modules of virtual
                // tables either, and its pages are checked. What is erased is overwritten.
                try database.execute(
                    sql: """
                        PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF; PRAGMA ignore_check_constraints = ON;
                        PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON
                        """)
                sqlite3_drop_modules(database.sqliteConnection, nil)
            }
            // SQLite does not treat `:memory:` and `file:…` as paths.
            let file = path.hasPrefix("/") ? path : "./\(path)"
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            return (queue, try queue.read { try storyOfSound($0, path) })
        }
    }

    private static func checkFile(_ path: String) throws(MediaError) {
        let fault = ErrorSite(.io, step: .journal, subject: path)
        guard !path.isEmpty, !path.utf8.contains(0) else { throw fault("is not a file path") }
        let status: FileStatus
        do throws(SystemError) { status = try FileStatus(path) } catch {
            throw fault(systemReason(error.code), code: error.code == ENOENT ? .notFound : nil)
        }
        // Opening a pipe would block until it has a writer.
        guard status.kind == .file else { throw fault("is not a file", "name a journal's file") }
        guard status.byteCount > 0 else {
            throw MediaError(
                .decoding, step: .journal, subject: path, reason: "is empty, and no journal", advice: "remove it")
        }
    }

    /// Checks that the file is a journal which this version can read, and returns the id of its story.
    private static func storyOfSound(_ database: Database, _ path: String) throws -> String {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
        guard application == applicationID else { throw notAJournal(path) }
        let found = try Migrations.version(of: database)
        guard found <= version else {
            throw MediaError.version(found, known: version, step: .journal, subject: path)
        }
        guard found > 0, try !Tables.haveTriggersOrViews(in: database),
            try Tables(of: database) == tables.get()[found - 1],
            let story = try String.fetchOne(database, sql: "SELECT id FROM story")
        else { throw damaged(path) }
        return story
    }

    private static func notAJournal(_ path: String) -> MediaError {
        MediaError(
            .decoding, code: .unknownFormat, step: .journal, subject: path, reason: "is not a player's journal",
            advice: "give a file that 'wayreel play --journal' made")
    }

    private static func damaged(_ path: String) -> MediaError {
        MediaError(
            .decoding, code: .damaged, step: .journal, subject: path, reason: "is damaged or cut off",
            advice: "use a copy of it, or the journal of another device of the player")
    }

    /// Runs `body` and converts its errors to one-line errors.
    static func checked<Result>(_ path: String, _ body: () throws -> Result) throws(MediaError) -> Result {
        try SQLite.checked(step: .journal, subject: path, otherwise: { fault($0, path) }, body)
    }

    private static func fault(_ error: any Error, _ path: String) -> MediaError {
        // Other errors mean that a column has another type.
        guard let error = error as? DatabaseError else { return damaged(path) }
        switch error.resultCode {
        case .SQLITE_NOTADB: return notAJournal(path)
        case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_ERROR: return damaged(path)
        case let code:
            return MediaError(.io, step: .journal, subject: path, reason: error.message ?? "\(code)")
        }
    }
}

extension MediaError.Step {
    package static let journal = MediaError.Step(rawValue: "journal")
}
