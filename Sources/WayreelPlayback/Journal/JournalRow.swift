internal import GRDB
internal import WayreelStory

/// A row of a journal's table, which is also an object in the journal's JSON.
protocol JournalRow: Codable, Sendable {
    /// The names of the members in JSON.
    associatedtype CodingKeys: CodingKey & CaseIterable

    static var table: JournalTable { get }
    /// Returns all rows of this kind in the contents, sorted by key.
    static func rows(of contents: JournalContents) -> [Self]

    /// Reads the columns of ``table``. Throws if a column has another type.
    init(_ row: Row) throws
    /// The values of the columns of ``table``.
    var values: [DatabaseValue] { get }
    /// Whether this row is kept over another one with the same key.
    func precedes(_ other: Self) -> Bool
    /// Makes room for `count` rows in the contents, which are not hashed again while they are added.
    static func reserve(_ count: Int, in contents: inout JournalContents)
    /// Adds the row to the contents, unless they have an earlier one with the same key.
    func merge(into contents: inout JournalContents)
    /// The reason why a journal cannot hold the row, or nil.
    var fault: String? { get }
}

/// The table of one kind of entries. It is clustered by its key and has no other index.
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

    /// The table's definition, as SQLite stores it in its schema.
    var definition: String {
        let columns = (key + content).joined(separator: ", ")
        let names = key.map(Self.name(of:)).joined(separator: ", ")
        return "CREATE TABLE \(name) (\(columns), PRIMARY KEY (\(names))) WITHOUT ROWID, STRICT"
    }

    var selectingAll: String { "SELECT * FROM \(name)" }

    var selectingOne: String {
        "SELECT * FROM \(name) WHERE \(key.map { "\(Self.name(of: $0)) = ?" }.joined(separator: " AND "))"
    }

    var inserting: String {
        "INSERT OR REPLACE INTO \(name) VALUES (\((key + content).map { _ in "?" }.joined(separator: ", ")))"
    }

    private static func name(of column: String) -> String { String(column.prefix { $0 != " " }) }
}

extension JournalRow {
    /// Adds all entries of the table to the contents.
    static func read(from database: Database, into contents: inout JournalContents) throws {
        reserve(try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.name)") ?? 0, in: &contents)
        let rows = try Row.fetchCursor(database, sql: table.selectingAll)
        while let row = try rows.next() {
            let row = try Self(row)
            guard row.fault == nil else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            row.merge(into: &contents)
        }
    }

    /// Writes the rows that are missing from the table, or that precede the row in it.
    static func record(_ delta: JournalContents, to database: Database) throws {
        let rows = rows(of: delta)
        guard !rows.isEmpty else { return }
        let selecting = try database.cachedStatement(sql: table.selectingOne)
        let inserting = try database.cachedStatement(sql: table.inserting)
        for row in rows {
            let values = row.values
            let stored = try Row.fetchOne(selecting, arguments: StatementArguments(values.prefix(table.key.count)))
            if let stored, try !row.precedes(Self(stored)) { continue }
            try inserting.execute(arguments: StatementArguments(values))
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
    fileprivate var fault: String? { Self.range.contains(self) ? nil : "a time outside of the years 1 to 9999" }
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

    func precedes(_ other: Self) -> Bool { finding < other.finding }

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

    func precedes(_ other: Self) -> Bool { timestamp < other.timestamp }

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

    func precedes(_ other: Self) -> Bool { false }
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

    func precedes(_ other: Self) -> Bool { score < other.score }

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

    func precedes(_ other: Self) -> Bool { capture < other.capture }

    static func reserve(_ count: Int, in contents: inout JournalContents) { contents.captures.reserveCapacity(count) }

    func merge(into contents: inout JournalContents) {
        contents.captures.keepLesser(capture, for: JournalKey(id))
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
