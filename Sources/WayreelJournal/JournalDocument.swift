internal import FoundationEssentials
internal import GRDB
public import WayreelCore
internal import WayreelDocument
public import WayreelEngine

/// A journal as JSON, for other programs: an object with `"format": "wayreel-journal"`, a version, the story's id,
/// and a list for each kind of entries, sorted by key. `Documentation/journal.schema.json` describes it.
public struct JournalDocument: Hashable, Sendable {
    /// The id of the story.
    public var story: String
    public var contents: JournalContents

    static let format = "wayreel-journal"
    static let version = 2

    /// The first version that has all of the contents: 1 if nothing was removed or erased.
    package var version: Int { contents.removed.isEmpty && contents.erased == nil ? 1 : 2 }

    public init(story: String, contents: JournalContents) {
        self.story = story
        self.contents = contents
    }

    /// Reads JSON. Entries with the same key are merged.
    ///
    /// Throws a `decoding` error if it is not a journal, and an `unsupported` error if a newer Wayreel wrote it.
    public init(json: [UInt8]) throws(MediaError) {
        do { self = try JSONDecoder().decode(JournalDocument.self, from: Data(json)) } catch let error as MediaError {
            throw error
        } catch {
            let reason = (error as? DecodingError)?.reason ?? "\(error)"
            throw MediaError(
                .decoding, step: .journal, reason: "is not a JSON journal: \(reason)",
                advice: "give a file that 'wayreel journal export' made")
        }
    }

    /// Returns the document as JSON. Equal contents give equal bytes.
    public func json() throws(MediaError) -> [UInt8] { try CanonicalJSON.lines(self, step: .journal) }
}

/// A row without members that it does not know.
private struct KnownMembers<Stored: JournalRow>: Decodable {
    let row: Stored

    init(from decoder: any Decoder) throws {
        try decoder.refuseMembers(except: Stored.CodingKeys.allCases.map(\.stringValue))
        row = try Stored(from: decoder)
    }
}

private enum Key: String, CodingKey, CaseIterable {
    case format, version, story, erased, found, opened, attempts, scores, captures, removed

    static func known(in version: Int) -> [String] {
        allCases.filter { version > 1 || ($0 != .erased && $0 != .removed) }.map(\.rawValue)
    }
}

extension JournalDocument: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard try container.decode(String.self, forKey: .format) == Self.format else {
            throw DecodingError.dataCorruptedError(
                forKey: .format, in: container, debugDescription: "is not '\(Self.format)'")
        }
        let version = try container.decode(Int.self, forKey: .version)
        guard (1...Self.version).contains(version) else {
            throw MediaError.version(version, known: Self.version, step: .journal)
        }
        try decoder.refuseMembers(except: Key.known(in: version))
        story = try container.decode(String.self, forKey: .story)
        var read = JournalContents()
        let erased = try container.decodeIfPresent(Timestamp.self, forKey: .erased)
        if let erased { read.erase(upTo: erased) }
        func add<Stored: JournalRow>(_ kind: Stored.Type, _ key: Key) throws {
            for row in try container.decodeIfPresent([KnownMembers<Stored>].self, forKey: key)?.map(\.row) ?? [] {
                if let fault = row.fault {
                    throw DecodingError.dataCorruptedError(
                        forKey: key, in: container, debugDescription: "holds \(fault)")
                }
                if kind == RemovedRow.self || erased.map({ $0 < row.timestamp }) ?? true { row.merge(into: &read) }
            }
        }
        try add(FoundRow.self, .found)
        try add(OpenedRow.self, .opened)
        try add(JournalContents.Attempt.self, .attempts)
        try add(ScoreRow.self, .scores)
        try add(CaptureRow.self, .captures)
        try add(RemovedRow.self, .removed)
        contents = read
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.format, forKey: .format)
        try container.encode(version, forKey: .version)
        try container.encode(story, forKey: .story)
        try contents.encodeLists(to: encoder)
    }
}

extension JournalContents {
    /// Encodes the members of a document that hold the entries.
    func encodeLists(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(FoundRow.rows(of: self), forKey: .found)
        try container.encode(OpenedRow.rows(of: self), forKey: .opened)
        try container.encode(Attempt.rows(of: self), forKey: .attempts)
        try container.encode(ScoreRow.rows(of: self), forKey: .scores)
        try container.encode(CaptureRow.rows(of: self), forKey: .captures)
        if !removed.isEmpty { try container.encode(RemovedRow.rows(of: self), forKey: .removed) }
        try container.encodeIfPresent(erased, forKey: .erased)
    }
}

/// What a device lacks of a journal, and the cursor for the next request. In JSON it is an object with
/// `"format": "wayreel-journal-changes"`, described by `Documentation/journal-changes.schema.json`.
package struct JournalChanges: Sendable {
    package var story: String
    package var contents: JournalContents
    package var cursor: JournalCursor
    /// Whether a further request with the cursor has further entries.
    package var hasMore: Bool
    /// Whether these are the first entries of the whole journal. The device sends all of its own then: a restored backup
    /// may lack them.
    package var isWhole: Bool

    package init(
        story: String, contents: JournalContents, cursor: JournalCursor, hasMore: Bool = false, isWhole: Bool
    ) {
        (self.story, self.contents, self.cursor) = (story, contents, cursor)
        (self.hasMore, self.isWhole) = (hasMore, isWhole)
    }

    package func json() throws(MediaError) -> [UInt8] {
        try CanonicalJSON.bytes(self, step: .journal) + [UInt8(ascii: "\n")]
    }
}

extension JournalChanges: Encodable {
    private enum Key: CodingKey { case format, version, story, cursor, more, whole }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("wayreel-journal-changes", forKey: .format)
        try container.encode(1, forKey: .version)
        try container.encode(story, forKey: .story)
        try container.encode(cursor.description, forKey: .cursor)
        try container.encode(hasMore, forKey: .more)
        try container.encode(isWhole, forKey: .whole)
        try contents.encodeLists(to: encoder)
    }
}

/// A position in the changes of a journal's file: `change` is the last one that a device knows, `last` was the last one
/// of a transaction, and `mark` a number that this transaction drew. A restored backup, which counts its further
/// changes with the same numbers, has other marks.
package struct JournalCursor: Hashable, Sendable, CustomStringConvertible {
    var change: Int64
    var last: Int64
    var mark: Int64

    /// Before all changes.
    package static let start = JournalCursor(change: 0, last: 0, mark: 0)

    init(change: Int64, last: Int64, mark: Int64) { (self.change, self.last, self.mark) = (change, last, mark) }

    /// Reads the text of a cursor; the start if it is none.
    package init(_ text: String) {
        let parts = text.split(separator: ".").map { Int64($0) }
        guard parts.count == 3, let change = parts[0], let last = parts[1], let mark = parts[2] else {
            self = .start
            return
        }
        self.init(change: change, last: last, mark: mark)
    }

    package var description: String { "\(change).\(last).\(mark)" }

    func isKnown(in database: Database) throws -> Bool {
        if self == .start { return true }
        return try 0 <= change && change <= last && JournalDatabase.mark(of: last, in: database) == mark
    }
}
