internal import GRDB
internal import Glibc
internal import WayreelCore

/// A SQLite database whose commits survive a loss of power.
struct DurableDatabase {
    private let queue: DatabaseQueue
    private let path: String

    /// Opens the database at `path`; a new database gets the tables of `schema`.
    init(_ path: String, schema: String) throws(MediaError) {
        self.path = path
        queue = try Self.naming(path) {
            var configuration = Configuration()
            // A rollback journal is used because it leaves a single file; EXTRA also flushes the folder after the
            // journal is removed.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = EXTRA") }
            let isNew = access(path, F_OK) != 0
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            if isNew { try queue.write { try $0.execute(sql: schema) } }
            return queue
        }
    }

    /// Runs `body` and commits its changes.
    func write(_ body: (Database) throws -> Void) throws(MediaError) {
        try Self.naming(path) { try queue.write(body) }
    }

    func read<Result>(_ body: (Database) throws -> Result) throws(MediaError) -> Result {
        try Self.naming(path) { try queue.read(body) }
    }

    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws(MediaError) -> Result {
        do { return try body() } catch {
            if let error = error as? MediaError { throw error }
            throw MediaError(.io, step: "storage", subject: path, reason: "\(error)")
        }
    }
}
