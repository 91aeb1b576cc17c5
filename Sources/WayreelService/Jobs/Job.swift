internal import FoundationEssentials
internal import GRDB
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelStorage

/// A stored task that runs after its request was answered. Its id authorizes every request about it.
struct Job: Sendable {
    enum State: String, Sendable, CaseIterable {
        case queued, running, done, failed, cancelled

        var isEnded: Bool { self != .queued && self != .running }
    }

    /// 160 random bits.
    let id: String
    let payload: JobPayload
    var state = State.queued
    /// Seconds since 1970.
    let created: Double
    var ended: Double?
    var inputBytes: Int
    var resultBytes: Int?
    /// The problem document of a failed job.
    var problem: String?
    /// The number of starts, except those that a regular stop of the server interrupted.
    var starts = 0

    init(id: String = Job.newID(), payload: JobPayload, created: Double = Date().timeIntervalSince1970, inputBytes: Int)
    {
        self.id = id
        self.payload = payload
        self.created = created
        self.inputBytes = inputBytes
    }

    /// The bytes of its input and result on disk.
    var bytes: Int { inputBytes + (resultBytes ?? 0) }

    private static func newID() -> String {
        var source = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<20).map { _ in UInt8.random(in: 0...255, using: &source) })
    }

    /// `progress` is from 0 to 1. An ended job is kept for `seconds`.
    func json(progress: Double, keptFor seconds: Int) -> String {
        var members = [
            ("id", id.jsonQuoted), ("kind", payload.kind.rawValue.jsonQuoted), ("state", state.rawValue.jsonQuoted),
            ("progress", "\((progress * 10_000).rounded() / 10_000)"), ("created", Self.time(created).jsonQuoted),
        ]
        if let ended {
            members += [
                ("ended", Self.time(ended).jsonQuoted), ("expires", Self.time(ended + Double(seconds)).jsonQuoted),
            ]
        }
        if state == .done, let resultBytes {
            let result = "/v1/jobs/\(id)/result"
            members += [
                ("result", (payload.playlist.map { "\(result)/\($0)" } ?? result).jsonQuoted),
                ("type", payload.resultType.jsonQuoted), ("bytes", "\(resultBytes)"),
            ]
            if let poster = payload.poster { members.append(("poster", "\(result)/\(poster)".jsonQuoted)) }
        }
        if let problem { members.append(("problem", problem)) }
        return "{\(members.map { "\($0.0.jsonQuoted):\($0.1)" }.joined(separator: ","))}"
    }

    private static func time(_ seconds: Double) -> String {
        Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601)
    }
}

/// The jobs in a SQLite file.
final class JobDatabase: Sendable {
    private let file: DurableDatabase

    private static let schema = """
        CREATE TABLE job (id TEXT PRIMARY KEY, work TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL,
        ended REAL, inputBytes INTEGER NOT NULL, resultBytes INTEGER, problem TEXT, starts INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """

    /// Throws an `io` error if it cannot be read or created, an `unsupported` one if a newer Wayreel wrote it.
    init(_ path: String) throws(MediaError) {
        file = try DurableDatabase(path, Migrations(sql: [Self.schema]))
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
