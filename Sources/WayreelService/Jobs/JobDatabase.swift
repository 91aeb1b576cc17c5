internal import GRDB
internal import WayreelCore

/// The jobs in a SQLite file. A change that has returned survives the loss of power.
final class JobDatabase: Sendable {
    private let queue: DatabaseQueue
    private let path: String

    /// `PRAGMA user_version`.
    private static let version = 1
    private static let definition = """
        CREATE TABLE IF NOT EXISTS job (id TEXT PRIMARY KEY, work TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL,
        ended REAL, inputBytes INTEGER NOT NULL, resultBytes INTEGER, problem TEXT, starts INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """

    /// Opens the file at `path`, or makes it.
    ///
    /// Throws an `io` error where it cannot be used, an `unsupported` error for one of a newer version.
    init(_ path: String) throws(MediaError) {
        self.path = path
        queue = try Self.checked(path) {
            var configuration = Configuration()
            configuration.label = "jobs"
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { database in
                let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                guard found <= Self.version else {
                    throw MediaError(
                        .unsupported, step: "jobs", subject: path,
                        reason: "has version \(found); this Wayreel knows \(Self.version)",
                        advice: "use a newer Wayreel")
                }
                try database.execute(sql: Self.definition)
                // Nothing is written where nothing changes: a server has to start on a full disk as well.
                if found != Self.version { try database.execute(sql: "PRAGMA user_version = \(Self.version)") }
            }
            return queue
        }
    }

    /// Adds a job, or replaces it.
    func put(_ job: Job) throws(MediaError) {
        try Self.checked(path) {
            let work = try job.order.text()
            try queue.write { database in
                try database.execute(
                    sql: "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        job.id, work, job.state.rawValue, job.created, job.ended, job.inputBytes, job.resultBytes,
                        job.problem, job.starts,
                    ])
            }
        }
    }

    func remove(_ id: String) throws(MediaError) {
        try Self.checked(path) {
            try queue.write { try $0.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id]) }
        }
    }

    /// All jobs, the oldest first. Those that this version does not understand are left out.
    func jobs() throws(MediaError) -> [Job] {
        try Self.checked(path) {
            try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM job ORDER BY created, id") }.compactMap(Job.init)
        }
    }

    private static func checked<Result>(_ path: String, _ body: () throws -> Result) throws(MediaError) -> Result {
        do { return try body() } catch let error as MediaError { throw error } catch {
            throw MediaError(.io, step: "jobs", subject: path, reason: "\(error)".onOneLine)
        }
    }
}

extension Job {
    fileprivate init?(_ row: Row) {
        guard let order = try? JobOrder(text: row["work"]), let state = State(rawValue: row["state"]) else {
            return nil
        }
        self.init(id: row["id"], order: order, created: row["created"], inputBytes: row["inputBytes"])
        self.state = state
        ended = row["ended"]
        resultBytes = row["resultBytes"]
        problem = row["problem"]
        starts = row["starts"]
    }
}
