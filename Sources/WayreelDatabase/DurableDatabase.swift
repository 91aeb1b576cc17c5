package import GRDB
package import WayreelCore

/// A SQLite file. A change that has returned survives a loss of power. Several processes may open the file. All functions
/// block.
package final class DurableDatabase: Sendable {
    private let queue: DatabaseQueue
    package let path: String

    /// Opens the file at `path`, or creates it, and brings its tables to the version of `migrations`.
    ///
    /// Does not write to a file of that version, because a server has to start on a full disk, too.
    ///
    /// Throws an `io` error if the file cannot be used, an `unsupported` error if a newer Wayreel wrote it, a `decoding`
    /// error if its tables are not those of its version. The file is then as it was.
    package init(_ path: String, _ migrations: Migrations) throws(MediaError) {
        self.path = path
        queue = try SQLite.checked(step: .data, subject: path, otherwise: { Self.fault($0, path) }) {
            var configuration = Configuration()
            configuration.label = path
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase {
                // What is deleted is overwritten.
                try $0.execute(
                    sql: "PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON")
            }
            let tables = try migrations.tables(of: migrations.version)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { database in
                try migrations.migrate(database, step: .data, subject: path)
                guard let table = try Tables(of: database).firstUnlike(tables) else { return }
                throw MediaError(
                    .decoding, code: .damaged, step: .data, subject: path,
                    reason: "its table '\(table)' is not that of version \(migrations.version)",
                    advice: "restore a copy of the file")
            }
            return queue
        }
    }

    /// Throws an `io` error, and what `body` throws.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try converted { try queue.read(body) }
    }

    /// Runs `body` in a transaction. Throws an `io` error, and what `body` throws.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try converted { try queue.write(body) }
    }

    private func converted<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError {
            throw SQLite.fault(error, step: .data, subject: path, otherwise: { Self.fault($0, path) })
        }
    }

    private static func fault(_ error: any Error, _ path: String) -> MediaError {
        let reason = (error as? DatabaseError).map { $0.message ?? "\($0.resultCode)" } ?? "\(error)"
        return MediaError(.io, step: .data, subject: path, reason: reason.onOneLine)
    }
}
