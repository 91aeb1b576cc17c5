internal import GRDB
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelDocument
internal import WayreelTasks

/// The state that a bundle keeps between runs: hashes and properties of sources, finished tasks, the cost of tasks, the
/// quality of smaller encodings, and the files that the bundle created. Players do not read it.
final class BundleState: Sendable {
    private let database: DatabaseQueue
    /// Whether changes are written: false for the read-only state of a plan.
    private let isWritable: Bool

    /// The version of the tables, increased with each change. A state of an older version is created anew.
    private static let version = 3

    private static let schema = """
        CREATE TABLE source (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, hash TEXT NOT NULL, hashedAt INTEGER NOT NULL)
            WITHOUT ROWID;
        CREATE TABLE probe (hash TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE task (key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE made (path TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE cost (name TEXT PRIMARY KEY, units REAL NOT NULL, seconds REAL NOT NULL, outputUnits REAL NOT NULL,
            bytes REAL NOT NULL, memoryBytes INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE quality (key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
        """

    /// Opens the state at `path`, and creates it if it does not exist. With nil it is in memory.
    ///
    /// Throws an `io` error if it is damaged or cannot be written.
    init(path: String?) throws(MediaError) {
        isWritable = true
        database = try Self.checked(path) {
            var configuration = Configuration()
            configuration.label = "state"
            // An earlier run in this process may still be closing it.
            configuration.busyMode = .timeout(10)
            let queue =
                try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
                ?? DatabaseQueue(configuration: configuration)
            if path != nil {
                // In this mode SQLite flushes at each commit or not at all: see `write`.
                try queue.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
            }
            try queue.write { database in
                switch try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 {
                case Self.version: break
                case 0:
                    try database.execute(sql: Self.schema)
                    try database.execute(sql: "PRAGMA user_version = \(Self.version)")
                case let found where found > Self.version:
                    throw MediaError.version(found, known: Self.version, step: .state, subject: path)
                default: throw DatabaseError(resultCode: .SQLITE_NOTADB, message: Self.outdated)
                }
            }
            return queue
        }
    }

    /// Returns the state of a bundle for planning only. If it cannot be read, the state is empty and every task is
    /// pending.
    static func known(in folder: BundleFolder?) throws(MediaError) -> BundleState {
        if let folder, let state = try? BundleState(readingAt: folder.statePath) { return state }
        return try BundleState(path: nil)
    }

    /// Opens the state of a bundle read-only.
    private init(readingAt path: String) throws(MediaError) {
        isWritable = false
        database = try Self.checked(path) {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(10)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            guard version == Self.version else { throw DatabaseError(resultCode: .SQLITE_NOTADB) }
            return queue
        }
    }

    /// The error message for a state of an older version, which is created anew like a damaged one.
    private static let outdated = "file is not a database of this version"

    private static func checked<Result>(_ path: String?, _ body: () throws -> Result) throws(MediaError) -> Result {
        try SQLite.checked(step: .state, subject: path, otherwise: { fault($0, path) }, body)
    }

    private static func fault(_ error: any Error, _ path: String?) -> MediaError {
        let database = error as? DatabaseError
        let isDamaged = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(database?.resultCode)
        return MediaError(
            .io, code: isDamaged ? .damaged : nil, step: .state, subject: path,
            reason: database?.message ?? "\(error)", advice: "remove the file: what it remembers is prepared again")
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(MediaError) -> Value {
        try Self.checked(database.path) { try database.read(body) }
    }

    /// Returns the value that a table holds as JSON for a key; nil if there is none, or if it cannot be read.
    private func value<Value: Decodable>(where column: String, _ key: String) throws(MediaError) -> Value? {
        try read { try String.fetchOne($0, sql: "SELECT json FROM \(column) = ?", arguments: [key]) }
            .flatMap { CanonicalJSON.value(Value.self, from: $0) }
    }

    /// Writes in one transaction. With `isFlushed` a power failure does not undo it. Values that are quick to compute
    /// again do not wait for the disk; the next flushed write flushes them too.
    private func write(isFlushed: Bool = true, _ body: (Database) throws -> Void) throws(MediaError) {
        guard isWritable else { return }
        try Self.checked(database.path) {
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = \(isFlushed ? "FULL" : "NORMAL")")
                try database.inTransaction {
                    try body(database)
                    return .commit
                }
            }
        }
    }

    // MARK: Sources

    func content(of path: String) throws(MediaError) -> (content: FileContent, hashedAt: Int64)? {
        guard let stamp = FileStamp(of: path) else { return nil }
        return try read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT hash, hashedAt FROM source WHERE path = ? AND stamp = ?",
                arguments: [path, stamp.text])
            return try row.map {
                (
                    FileContent(
                        hash: try $0.decode(String.self, atIndex: 0), bytes: stamp.bytes, stamp: stamp),
                    try $0.decode(Int64.self, atIndex: 1)
                )
            }
        }
    }

    func record(_ content: FileContent, of path: String, hashedAt: Int64) throws(MediaError) {
        try write(isFlushed: false) { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?)",
                arguments: [path, content.stamp.text, content.hash, hashedAt])
        }
    }

    func probe(of hash: String) throws(MediaError) -> FileProbe? {
        try value(where: "probe WHERE hash", hash)
    }

    func record(probe: FileProbe, of hash: String) throws(MediaError) {
        let json = try CanonicalJSON.text(probe)
        try write(isFlushed: false) { database in
            try database.execute(sql: "INSERT OR REPLACE INTO probe VALUES (?, ?)", arguments: [hash, json])
        }
    }

    // MARK: Tasks

    func task(_ key: String) throws(MediaError) -> FinishedTask? {
        try value(where: "task WHERE key", key)
    }

    /// Records finished tasks, whose files have been flushed, and their costs: all of them or none.
    func record(_ tasks: [TaskRecord]) throws(MediaError) {
        var rows: [(TaskRecord, String)] = []
        for task in tasks { rows.append((task, try CanonicalJSON.text(task.task))) }
        try write { database in
            for (task, json) in rows {
                try database.execute(sql: "INSERT OR REPLACE INTO task VALUES (?, ?)", arguments: [task.key, json])
                guard let cost = task.cost else { continue }
                try database.execute(
                    sql: """
                        INSERT INTO cost VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
                            units = units + excluded.units, seconds = seconds + excluded.seconds,
                            outputUnits = outputUnits + excluded.outputUnits, bytes = bytes + excluded.bytes,
                            memoryBytes = max(memoryBytes, excluded.memoryBytes)
                        """,
                    arguments: [
                        cost.work.name, cost.work.units, cost.seconds, cost.work.outputUnits,
                        task.task.bytes, task.task.memoryBytes ?? 0,
                    ])
            }
        }
    }

    func forget(task key: String) throws(MediaError) {
        try write { try $0.execute(sql: "DELETE FROM task WHERE key = ?", arguments: [key]) }
    }

    func experience() throws(MediaError) -> [String: CostModel.Experience] {
        try read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM cost")
            return try Dictionary(
                rows.map { row in
                    let number = { (index: Int) in try row.decode(Double.self, atIndex: index) }
                    let experience = CostModel.Experience(
                        units: try number(1), seconds: try number(2), outputUnits: try number(3), bytes: try number(4),
                        memoryBytes: try row.decode(Int.self, atIndex: 5))
                    return (try row.decode(String.self, atIndex: 0), experience)
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    // MARK: Qualities

    func ladder(_ key: String) throws(MediaError) -> QualityLadder? {
        try value(where: "quality WHERE key", key)
    }

    func record(_ ladder: QualityLadder, key: String) throws(MediaError) {
        let json = try CanonicalJSON.text(ladder)
        try write { database in
            try database.execute(sql: "INSERT OR REPLACE INTO quality VALUES (?, ?)", arguments: [key, json])
        }
    }

    // MARK: Files

    /// Records paths as the bundle's own before the files are created, so that the files of a killed run are
    /// recognised.
    func recordMade(_ paths: [String]) throws(MediaError) {
        try write { database in
            for path in paths {
                try database.execute(sql: "INSERT OR IGNORE INTO made VALUES (?)", arguments: [path])
            }
        }
    }

    func forgetMade(_ paths: [String]) throws(MediaError) {
        try write { database in
            for path in paths { try database.execute(sql: "DELETE FROM made WHERE path = ?", arguments: [path]) }
        }
    }

    /// Whether the bundle created a file and has not removed it.
    func isMade(_ path: String) throws(MediaError) -> Bool {
        try read { try Int.fetchOne($0, sql: "SELECT 1 FROM made WHERE path = ?", arguments: [path]) != nil }
    }

    func made() throws(MediaError) -> Set<String> {
        try read { try Set(String.fetchAll($0, sql: "SELECT path FROM made")) }
    }
}

/// The results of a finished task, as the state stores them.
struct FinishedTask: Hashable, Sendable, Codable {
    struct Output: Hashable, Sendable, Codable {
        /// The published file, with its path in the bundle.
        var media: MediaFile
        /// The stamps of its files at publishing, in the order of the files.
        var stamps: [String]
        /// The paths of a set of files by the names that its task gave them; nil for other outputs.
        var names: [String: String]?

        var bytes: Int { media.totalBytes }
    }

    var outputs: [Output]
    /// The size of all outputs.
    var bytes: Int { outputs.reduce(0) { $0 + $1.bytes } }
    var wallMilliseconds: Double
    var cpuMilliseconds: Double
    /// The peak memory of its process; nil if that process ran other tasks too.
    var memoryBytes: Int?
    var warnings: [MediaWarning]
}

/// A finished task to record in the state.
struct TaskRecord: Sendable {
    var task: FinishedTask
    var key: String
    /// The amount of work and the processor time in seconds; nil if the cost has been recorded before.
    var cost: (work: CostModel.Work, seconds: Double)?
}
