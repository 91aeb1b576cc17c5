internal import GRDB
package import WayreelCore
internal import WayreelDatabase

/// Jobs in a SQLite file.
package final class SQLiteJobs: JobStoring {
    private let file: DurableDatabase
    private let threads: any StorageThreads

    private static let schema = """
        CREATE TABLE job (id TEXT PRIMARY KEY, work TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL,
        ended REAL, inputBytes INTEGER NOT NULL, resultBytes INTEGER, problem TEXT, starts INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """

    /// Opens the file at `path`, or creates it. Blocks.
    ///
    /// Throws an `io` error if it cannot be read or created, an `unsupported` one if a newer Wayreel wrote it.
    package init(_ path: String, threads: any StorageThreads) throws(MediaError) {
        file = try DurableDatabase(path, Migrations(sql: [Self.schema]))
        self.threads = threads
    }

    package func put(_ job: StoredJob) async throws(StorageFault) {
        try await threads.attempt { [file] in
            try file.write { database in
                try database.execute(
                    sql: "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        job.id, job.work, job.state, job.created, job.ended, job.inputBytes, job.resultBytes,
                        job.problem, job.starts,
                    ])
            }
        }
    }

    package func remove(_ id: String) async throws(StorageFault) {
        try await threads.attempt { [file] in
            try file.write { try $0.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id]) }
        }
    }

    package func jobs() async throws(StorageFault) -> [StoredJob] {
        try await threads.attempt { [file] in
            try file.read { try Row.fetchAll($0, sql: "SELECT * FROM job ORDER BY created, id").map(StoredJob.init) }
        }
    }
}

extension StoredJob {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], work: row["work"], state: row["state"], created: row["created"], ended: row["ended"],
            inputBytes: row["inputBytes"], resultBytes: row["resultBytes"], problem: row["problem"],
            starts: row["starts"])
    }
}
