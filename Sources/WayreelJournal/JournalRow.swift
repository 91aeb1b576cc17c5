internal import GRDB
internal import WayreelEngine

/// A row of a journal's table, which is also an object in the journal's JSON.
protocol JournalRow: Codable, Sendable {
    /// The names of the members in JSON.
    associatedtype CodingKeys: CodingKey & CaseIterable

    static var table: JournalTable { get }
    /// Returns all rows of this kind in the contents, sorted by key.
    static func rows(of contents: JournalContents) -> [Self]

    var timestamp: Timestamp { get }
    /// Reads the columns of ``table``. Throws if a column has another type.
    init(_ row: Row) throws
    /// The values of the columns of ``table``.
    var values: [DatabaseValue] { get }
    /// Returns the row that replaces a stored one with the same key; nil if that stays as it is.
    func replacing(_ stored: Self) -> Self?
    /// Makes room for `count` rows in the contents, which are not hashed again while they are added.
    static func reserve(_ count: Int, in contents: inout JournalContents)
    /// Adds the row to the contents, unless they have an earlier one with the same key.
    func merge(into contents: inout JournalContents)
    /// The reason why a journal cannot hold the row, or nil.
    var fault: String? { get }
}

/// The table of one kind of entries. It is clustered by its key. Each row has the number of its last change, by which an
/// index finds what changed since another change.
struct JournalTable: Sendable {
    let name: String
    /// The names and types of the columns.
    let key: [String]
    let content: [String]

    init(_ name: String, key: String..., content: [String]) {
        self.name = name
        self.key = key
        self.content = content
    }

    /// The definitions of the table and its index, as SQLite stores them in its schema.
    var definitions: [String] {
        [
            definition(with: key + content + ["change INTEGER NOT NULL"]),
            "CREATE INDEX \(name)_by_change ON \(name) (change)",
        ]
    }

    /// The definition of the table in files of version 1, which have no numbers of changes.
    var firstDefinition: String { definition(with: key + content) }

    private func definition(with columns: [String]) -> String {
        let names = key.map(Self.name(of:)).joined(separator: ", ")
        return
            "CREATE TABLE \(name) (\(columns.joined(separator: ", ")), PRIMARY KEY (\(names))) WITHOUT ROWID, STRICT"
    }

    /// The names of the columns in all versions.
    var columns: String { (key + content).map(Self.name(of:)).joined(separator: ", ") }

    var selectingAll: String { "SELECT \(columns) FROM \(name)" }

    /// The last column is the number of the change.
    var selectingChanged: String {
        "SELECT \(columns), change FROM \(name) WHERE change > ? AND change <= ? ORDER BY change"
    }

    var selectingOne: String {
        "SELECT \(columns) FROM \(name) WHERE \(key.map { "\(Self.name(of: $0)) = ?" }.joined(separator: " AND "))"
    }

    var inserting: String {
        let places = [String](repeating: "?", count: key.count + content.count + 1).joined(separator: ", ")
        return "INSERT OR REPLACE INTO \(name) (\(columns), change) VALUES (\(places))"
    }

    /// Copies the rows of a table of version 1, and numbers them from the parameter on.
    func copying(from former: String) -> String {
        "INSERT INTO \(name) (\(columns), change) SELECT \(columns), ? + row_number() OVER () FROM \(former)"
    }

    private static func name(of column: String) -> String { String(column.prefix { $0 != " " }) }
}

extension JournalRow {
    /// Adds all entries of the table to the contents.
    static func read(from database: Database, into contents: inout JournalContents) throws {
        reserve(try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.name)") ?? 0, in: &contents)
        let rows = try Row.fetchCursor(database, sql: table.selectingAll)
        while let row = try rows.next() { try add(row, to: &contents) }
    }

    /// Adds the entry of a row to the contents.
    static func add(_ row: Row, to contents: inout JournalContents) throws {
        let row = try Self(row)
        guard row.fault == nil else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        row.merge(into: &contents)
    }

    /// Writes the rows that are missing from the table, or that change the row in it. `last` is the number of the last
    /// change. Adds to `unlike` the rows of the table that are unlike those of `news` now.
    static func record(
        _ news: JournalContents, to database: Database, last: inout Int64, unlike: inout JournalContents
    ) throws {
        let rows = rows(of: news)
        guard !rows.isEmpty else { return }
        let selecting = try database.cachedStatement(sql: table.selectingOne)
        let inserting = try database.cachedStatement(sql: table.inserting)
        for row in rows {
            let key = StatementArguments(row.values.prefix(table.key.count))
            var kept = row
            if let stored = try Row.fetchOne(selecting, arguments: key).map(Self.init(_:)) {
                guard let replacement = row.replacing(stored) else {
                    if stored.replacing(row) != nil { stored.merge(into: &unlike) }
                    continue
                }
                kept = replacement
                if kept.replacing(row) != nil { kept.merge(into: &unlike) }
            }
            last += 1
            try inserting.execute(arguments: StatementArguments(kept.values + [last.databaseValue]))
        }
    }

    static func fault(in contents: JournalContents) -> String? { rows(of: contents).lazy.compactMap(\.fault).first }
}
