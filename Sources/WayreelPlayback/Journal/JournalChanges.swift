internal import FoundationEssentials
internal import GRDB
package import WayreelCore

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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return [UInt8](try encoder.encode(self)) + [UInt8(ascii: "\n")] } catch {
            throw MediaError(.encoding, step: "journal", reason: "\(error)")
        }
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
