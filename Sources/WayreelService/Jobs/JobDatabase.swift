internal import GRDB
internal import WayreelCore

/// The jobs in a SQLite file.
final class JobDatabase: Sendable {
    private let file: DurableDatabase

    private static let schema = """
        CREATE TABLE job (id TEXT PRIMARY KEY, work TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL,
        ended REAL, inputBytes INTEGER NOT NULL, resultBytes INTEGER, problem TEXT, starts INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """

    /// Throws an `io` error if it cannot be read or created, an `unsupported` one if a newer Wayreel wrote it.
    init(_ path: String) throws(MediaError) {
        file = try DurableDatabase(path, version: 1, schema: Self.schema)
    }

    /// Adds a job, or replaces it.
    func put(_ job: Job) throws {
        let work = try job.payload.text()
        try file.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    job.id, work, job.state.rawValue, job.created, job.ended, job.inputBytes, job.resultBytes,
                    job.problem, job.starts,
                ])
        }
    }

    func remove(_ id: String) throws {
        try file.write { try $0.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id]) }
    }

    /// All jobs, the oldest first. Those that this version cannot read are of the kind ``JobPayload/Kind/unknown``.
    func jobs() throws -> [Job] {
        try file.read { try Row.fetchAll($0, sql: "SELECT * FROM job ORDER BY created, id") }.map(Job.init)
    }
}

extension Job {
    fileprivate init(_ row: Row) {
        let state = State(rawValue: row["state"])
        let payload = state == nil ? JobPayload(unknown: row["work"]) : JobPayload(text: row["work"])
        self.init(id: row["id"], payload: payload, created: row["created"], inputBytes: row["inputBytes"])
        self.state = state ?? .failed
        ended = row["ended"]
        resultBytes = row["resultBytes"]
        problem = row["problem"]
        starts = row["starts"]
    }
}
