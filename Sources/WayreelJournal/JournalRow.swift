internal import GRDB
internal import WayreelEngine
internal import WayreelStory

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

extension Dictionary where Value: Comparable {
    /// Sets the value of `key`, unless it has a lesser one.
    fileprivate mutating func keepLesser(_ value: Value, for key: Key) {
        merge(CollectionOfOne((key, value))) { Swift.min($0, $1) }
    }
}

extension Timestamp {
    var fault: String? { Self.range.contains(self) ? nil : "a time outside of the years 1 to 9999" }
}

extension String {
    /// The reason why SQLite cannot store the text, or nil: it ends a text at the first NUL.
    fileprivate var fault: String? { withBytes { $0.contains(0) } ? "a text with a NUL character" : nil }
}

extension Row {
    fileprivate func text(_ index: Int) throws -> String { try decode(String.self, atIndex: index) }
    fileprivate func integer(_ index: Int) throws -> Int { try decode(Int.self, atIndex: index) }
    fileprivate func timestamp(_ index: Int) throws -> Timestamp {
        Timestamp(milliseconds: try decode(Int64.self, atIndex: index))
    }
}

// MARK: The kinds of entries

struct FoundRow: JournalRow {
    var event: String
    var timestamp: Timestamp
    var position: GeoPoint?

    static let table = JournalTable(
        "found", key: "event TEXT NOT NULL",
        content: ["time INTEGER NOT NULL", "latitude REAL", "longitude REAL", "altitude REAL"])

    enum CodingKeys: CodingKey, CaseIterable { case event, timestamp, position }

    static func rows(of contents: JournalContents) -> [Self] {
        contents.found.sorted { $0.key < $1.key }.map {
            Self(event: $0.text, timestamp: $1.timestamp, position: $1.position)
        }
    }

    private var finding: JournalContents.Finding { .init(timestamp: timestamp, position: position) }

    var values: [DatabaseValue] {
        [
            event.databaseValue, timestamp.milliseconds.databaseValue, position?.latitude.databaseValue ?? .null,
            position?.longitude.databaseValue ?? .null, position?.altitude?.databaseValue ?? .null,
        ]
    }

    func replacing(_ stored: Self) -> Self? { finding < stored.finding ? self : nil }

    static func reserve(_ count: Int, in contents: inout JournalContents) { contents.found.reserveCapacity(count) }

    func merge(into contents: inout JournalContents) {
        contents.found.keepLesser(finding, for: JournalKey(event))
    }

    var fault: String? {
        if let position {
            guard (-90...90).contains(position.latitude), (-180...180).contains(position.longitude),
                position.altitude?.isFinite ?? true
            else { return "a latitude, longitude or altitude out of range" }
        }
        return event.fault ?? timestamp.fault
    }
}

extension FoundRow {
    init(_ row: Row) throws {
        event = try row.text(0)
        timestamp = try row.timestamp(1)
        guard let latitude = try row.decode(Double?.self, atIndex: 2) else { return }
        position = GeoPoint(
            latitude: latitude, longitude: try row.decode(Double.self, atIndex: 3),
            altitude: try row.decode(Double?.self, atIndex: 4))
    }
}

struct OpenedRow: JournalRow {
    var lockbox: String
    var timestamp: Timestamp

    static let table = JournalTable("opened", key: "lockbox TEXT NOT NULL", content: ["time INTEGER NOT NULL"])

    enum CodingKeys: CodingKey, CaseIterable { case lockbox, timestamp }

    static func rows(of contents: JournalContents) -> [Self] {
        contents.opened.sorted { $0.key < $1.key }.map { Self(lockbox: $0.text, timestamp: $1) }
    }

    var values: [DatabaseValue] { [lockbox.databaseValue, timestamp.milliseconds.databaseValue] }

    func replacing(_ stored: Self) -> Self? { timestamp < stored.timestamp ? self : nil }

    static func reserve(_ count: Int, in contents: inout JournalContents) { contents.opened.reserveCapacity(count) }

    func merge(into contents: inout JournalContents) {
        contents.opened.keepLesser(timestamp, for: JournalKey(lockbox))
    }

    var fault: String? { lockbox.fault ?? timestamp.fault }
}

extension OpenedRow {
    init(_ row: Row) throws { (lockbox, timestamp) = (try row.text(0), try row.timestamp(1)) }
}

/// An attempt consists only of its key.
extension JournalContents.Attempt: JournalRow {
    static var table: JournalTable {
        JournalTable(
            "attempt", key: "lockbox TEXT NOT NULL", "time INTEGER NOT NULL", "text TEXT NOT NULL", content: [])
    }

    static func rows(of contents: JournalContents) -> [Self] {
        contents.attempts.sorted()
    }

    init(_ row: Row) throws {
        self.init(lockbox: try row.text(0), text: try row.text(2), timestamp: try row.timestamp(1))
    }

    var values: [DatabaseValue] {
        [lockbox.databaseValue, timestamp.milliseconds.databaseValue, text.databaseValue]
    }

    func replacing(_ stored: Self) -> Self? { nil }
    static func reserve(_ count: Int, in contents: inout JournalContents) { contents.attempts.reserveCapacity(count) }
    func merge(into contents: inout JournalContents) { contents.attempts.insert(self) }
    var fault: String? { lockbox.fault ?? text.fault ?? timestamp.fault }
}

struct ScoreRow: JournalRow {
    var event: String
    /// The index of the question, counted from 0.
    var question: Int
    var choices: [Int]
    var points: Int
    var timestamp: Timestamp

    /// `choices` has numbers separated by commas.
    static let table = JournalTable(
        "score", key: "event TEXT NOT NULL", "question INTEGER NOT NULL",
        content: ["choices TEXT NOT NULL", "points INTEGER NOT NULL", "time INTEGER NOT NULL"])

    enum CodingKeys: CodingKey, CaseIterable { case event, question, choices, points, timestamp }

    static func rows(of contents: JournalContents) -> [Self] {
        contents.scores.sorted { $0.key < $1.key }.map {
            Self(
                event: $0.event, question: $0.index, choices: $1.choices, points: $1.points, timestamp: $1.timestamp)
        }
    }

    private var score: JournalContents.Score { .init(choices: choices, points: points, timestamp: timestamp) }

    var values: [DatabaseValue] {
        [
            event.databaseValue, question.databaseValue,
            choices.map(String.init).joined(separator: ",").databaseValue, points.databaseValue,
            timestamp.milliseconds.databaseValue,
        ]
    }

    func replacing(_ stored: Self) -> Self? { score < stored.score ? self : nil }

    static func reserve(_ count: Int, in contents: inout JournalContents) { contents.scores.reserveCapacity(count) }

    func merge(into contents: inout JournalContents) {
        contents.scores.keepLesser(score, for: JournalContents.Question(event: event, index: question))
    }

    /// The maximum number of points, above what any story gives for a question.
    private static let limit = 1_000_000

    var fault: String? {
        if question < 0 || choices.contains(where: { $0 < 0 }) { return "a question or a choice below 0" }
        if points.magnitude > Self.limit { return "points that are not within -\(Self.limit) to \(Self.limit)" }
        return event.fault ?? timestamp.fault
    }
}

extension ScoreRow {
    init(_ row: Row) throws {
        let choices = try row.text(2).split(separator: ",").map { choice in
            guard let number = Int(choice) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return number
        }
        self.init(
            event: try row.text(0), question: try row.integer(1), choices: choices, points: try row.integer(3),
            timestamp: try row.timestamp(4))
    }
}

struct CaptureRow: JournalRow {
    var id: String
    var event: String
    var file: String?
    var timestamp: Timestamp

    static let table = JournalTable(
        "capture", key: "id TEXT NOT NULL", content: ["event TEXT NOT NULL", "file TEXT", "time INTEGER NOT NULL"])

    enum CodingKeys: CodingKey, CaseIterable { case id, event, file, timestamp }

    static func rows(of contents: JournalContents) -> [Self] {
        contents.captures.sorted { $0.key < $1.key }.map {
            Self(id: $0.text, event: $1.event, file: $1.file, timestamp: $1.timestamp)
        }
    }

    private var capture: JournalContents.Capture { .init(event: event, file: file, timestamp: timestamp) }

    var values: [DatabaseValue] {
        [
            id.databaseValue, event.databaseValue, file?.databaseValue ?? .null, timestamp.milliseconds.databaseValue,
        ]
    }

    func replacing(_ stored: Self) -> Self? {
        let kept = stored.capture.merging(capture)
        func content(_ capture: JournalContents.Capture) -> [JournalKey?] {
            [JournalKey(capture.event), capture.file.map(JournalKey.init(_:))]
        }
        guard kept.timestamp != stored.timestamp || content(kept) != content(stored.capture) else { return nil }
        return Self(id: id, event: kept.event, file: kept.file, timestamp: kept.timestamp)
    }

    static func reserve(_ count: Int, in contents: inout JournalContents) { contents.captures.reserveCapacity(count) }

    func merge(into contents: inout JournalContents) {
        contents.captures.merge(CollectionOfOne((JournalKey(id), capture))) { $0.merging($1) }
    }

    var fault: String? { id.fault ?? event.fault ?? file?.fault ?? timestamp.fault }
}

extension CaptureRow {
    init(_ row: Row) throws {
        self.init(
            id: try row.text(0), event: try row.text(1), file: try row.decode(String?.self, atIndex: 2),
            timestamp: try row.timestamp(3))
    }
}

/// A capture that was deleted.
struct RemovedRow: JournalRow {
    var id: String
    var timestamp: Timestamp

    static let table = JournalTable("removed", key: "id TEXT NOT NULL", content: ["time INTEGER NOT NULL"])

    enum CodingKeys: CodingKey, CaseIterable { case id, timestamp }

    static func rows(of contents: JournalContents) -> [Self] {
        contents.removed.sorted { $0.key < $1.key }.map { Self(id: $0.text, timestamp: $1) }
    }

    var values: [DatabaseValue] { [id.databaseValue, timestamp.milliseconds.databaseValue] }

    func replacing(_ stored: Self) -> Self? { timestamp < stored.timestamp ? self : nil }

    static func reserve(_ count: Int, in contents: inout JournalContents) { contents.removed.reserveCapacity(count) }

    func merge(into contents: inout JournalContents) { contents.remove(capture: id, at: timestamp) }

    var fault: String? { id.fault ?? timestamp.fault }
}

extension RemovedRow {
    init(_ row: Row) throws { (id, timestamp) = (try row.text(0), try row.timestamp(1)) }
}
