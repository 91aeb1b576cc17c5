internal import GRDB
internal import WayreelDatabase
internal import WayreelEngine

/// Reading and changing a journal within a transaction.
extension JournalDatabase {
    /// The number of transactions whose marks are kept.
    private static let marks = 1000

    /// All contents of the journal.
    static func contents(of database: Database) throws -> JournalContents {
        var contents = JournalContents()
        let version = try Migrations.version(of: database)
        for kind in kinds(of: version) { try kind.read(from: database, into: &contents) }
        if version > 1, let time = try erased(in: database) { contents.erase(upTo: time) }
        return contents
    }

    /// Adds the contents of `news`. Returns what the journal has now where that is unlike `news`.
    static func record(_ news: JournalContents, to database: Database, _ path: String) throws -> JournalContents {
        try migrate(database, path)
        let stored = try erased(in: database)
        var news = news
        if let stored { news.erase(upTo: stored) }
        if let time = news.erased, time != stored { try erase(upTo: time, in: database) }
        var unlike = JournalContents()
        for id in news.captures.keys.sorted() {
            let time = try Int64.fetchOne(
                database, sql: "SELECT time FROM removed WHERE id = ?", arguments: [id.text])
            guard let time else { continue }
            unlike.remove(capture: id.text, at: Timestamp(milliseconds: time))
            news.captures[id] = nil
        }
        for id in news.removed.keys.sorted() {
            try database.execute(sql: "DELETE FROM capture WHERE id = ?", arguments: [id.text])
        }
        let before = try last(in: database)
        var last = before
        for kind in kinds { try kind.record(news, to: database, last: &last, unlike: &unlike) }
        if last > before { try mark(last, .random(in: .min ... .max), in: database) }
        return unlike
    }

    private static func erase(upTo time: Timestamp, in database: Database) throws {
        for kind in kinds where kind != RemovedRow.self {
            try database.execute(
                sql: "DELETE FROM \(kind.table.name) WHERE time <= ?", arguments: [time.milliseconds])
        }
        try database.execute(sql: "UPDATE story SET erased = ?", arguments: [time.milliseconds])
    }

    static func erased(in database: Database) throws -> Timestamp? {
        try Int64.fetchOne(database, sql: "SELECT erased FROM story").map { Timestamp(milliseconds: $0) }
    }

    // MARK: Changes

    /// The number of the last change, also of one whose row was changed again or erased.
    static func last(in database: Database) throws -> Int64 {
        let last = try Int64.fetchOne(database, sql: "SELECT max(change) FROM mark") ?? 0
        // No journal has so many.
        guard (0...(1 << 60)).contains(last) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return last
    }

    static func mark(_ change: Int64, _ value: Int64, in database: Database) throws {
        try database.execute(sql: "INSERT INTO mark VALUES (?, ?)", arguments: [change, value])
        try database.execute(
            sql: "DELETE FROM mark WHERE change <= (SELECT change FROM mark ORDER BY change DESC LIMIT 1 OFFSET ?)",
            arguments: [marks])
    }

    static func mark(of change: Int64, in database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT value FROM mark WHERE change = ?", arguments: [change])
    }

    /// The entries of the changes after `start`, up to `end`, in their order, until they have about `maxBytes` bytes; and
    /// the number of the last of them, `end` if they are all.
    static func entries(
        of database: Database, after start: Int64, upTo end: Int64, maxBytes: Int
    ) throws -> (JournalContents, last: Int64) {
        var contents = JournalContents()
        guard start < end else { return (contents, end) }
        var waiting = try kinds.compactMap { try ChangedRows($0, in: database, after: start, upTo: end) }
        var bytes = 0
        var last = start
        while let index = waiting.indices.min(by: { waiting[$0].change < waiting[$1].change }) {
            guard bytes < maxBytes else { return (contents, last) }
            bytes += waiting[index].bytes
            last = waiting[index].change
            try waiting[index].add(to: &contents)
            if try !waiting[index].advance() { waiting.remove(at: index) }
        }
        return (contents, end)
    }

    /// The size of the journal in its file, in bytes, without pages that are free for other entries.
    static func usedBytes(of database: Database) throws -> Int {
        func value(_ name: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
        return try (value("page_count") - value("freelist_count")) * value("page_size")
    }

    // MARK: Files of earlier versions

    static func migrate(_ database: Database, _ path: String) throws {
        try migrations.migrate(database, step: .journal, subject: path)
    }

    /// Turns the tables of version 1 into those of version 2.
    static func numberChanges(_ database: Database) throws {
        for name in kinds(of: 1).map({ $0.table.name }) + ["story"] {
            try database.execute(sql: "ALTER TABLE \(name) RENAME TO former_\(name)")
        }
        for definition in definitions(of: 2) { try database.execute(sql: definition) }
        try database.execute(
            sql: "INSERT INTO story SELECT id, NULL FROM former_story LIMIT 1; DROP TABLE former_story")
        var last: Int64 = 0
        for kind in kinds(of: 1) {
            let former = "former_\(kind.table.name)"
            try database.execute(sql: kind.table.copying(from: former), arguments: [last])
            last += Int64(database.changesCount)
            try database.execute(sql: "DROP TABLE \(former)")
        }
        if last > 0 { try mark(last, .random(in: .min ... .max), in: database) }
    }
}

/// The changed rows of one table in the order of their changes. `row` is the next one.
private struct ChangedRows {
    private let kind: any JournalRow.Type
    private let rows: RowCursor
    private var row: Row

    /// nil if there are none.
    init?(_ kind: any JournalRow.Type, in database: Database, after start: Int64, upTo end: Int64) throws {
        self.kind = kind
        rows = try Row.fetchCursor(database, sql: kind.table.selectingChanged, arguments: [start, end])
        guard let first = try rows.next() else { return nil }
        row = first
        change = try Self.change(of: first)
    }

    /// The number of the change of `row`.
    private(set) var change: Int64

    private static func change(of row: Row) throws -> Int64 { try row.decode(Int64.self, atIndex: row.count - 1) }

    /// About the number of bytes of the row.
    var bytes: Int {
        row.databaseValues.reduce(64) { sum, value in
            if case .string(let text) = value.storage { sum + text.utf8.count } else { sum + 8 }
        }
    }

    func add(to contents: inout JournalContents) throws { try kind.add(row, to: &contents) }

    /// Returns false if there is no further row.
    mutating func advance() throws -> Bool {
        guard let next = try rows.next() else { return false }
        row = next
        change = try Self.change(of: next)
        return true
    }
}

extension JournalContents {
    /// A checksum of all entries (FNV-1a), the same on all machines.
    var checksum: Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for kind in JournalDatabase.kinds {
            for value in kind.values(of: self) {
                for byte in "\(value)\0".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            }
        }
        return Int64(bitPattern: hash)
    }
}

extension JournalRow {
    fileprivate static func values(of contents: JournalContents) -> [DatabaseValue] {
        rows(of: contents).flatMap(\.values)
    }
}
