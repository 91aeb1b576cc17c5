internal import GRDB
internal import WayreelEngine
internal import WayreelStory

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

// MARK: What they have in common

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
