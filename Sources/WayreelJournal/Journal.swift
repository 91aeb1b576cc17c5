internal import GRDB
internal import Glibc
public import WayreelCore
public import WayreelEngine

/// A player's journal in a file, which keeps findings permanently.
///
///     let journal = try Journal.open("player.sqlite", story: "mission-bell")
///     var news = JournalContents()
///     news.found["bell-tower"] = .init(timestamp: timestamp, position: position)
///     try journal.record(news)
///
/// Changes are on the disk when ``record(_:)`` returns: neither the end of the process nor a loss of power undoes
/// them. Several processes may have the same journal open. Between two changes the journal is a single file, which
/// can be copied; its format is SQLite.
public final class Journal: Sendable {
    public let path: String
    /// The id of the story that the journal belongs to.
    public let story: String
    private let database: DatabaseQueue

    /// Opens the journal at `path`. If there is none, an empty one is created atomically for `story`.
    ///
    /// - Parameter story: The id of the story that is played. With nil, the file must exist, and its story may be
    ///   any.
    /// - Throws: An `io` error if the file is missing or cannot be read or created, a `decoding` error if it is not a
    ///   journal or is damaged, an `unsupported` error if a newer Wayreel wrote it, and a `parameter` error if it
    ///   belongs to another story. The file is then unchanged.
    public static func open(_ path: String, story: String? = nil) throws(MediaError) -> Journal {
        if let story, access(path, F_OK) != 0, errno == ENOENT {
            do throws(MediaError) { try create(path, story: story, JournalContents()) } catch {
                // Another process created it first.
                guard error.code == .outputExists else { throw error }
            }
        }
        let (database, found) = try JournalDatabase.open(path)
        if let story, story != found { throw otherStory(path, found, wanted: story) }
        return Journal(path: path, story: found, database: database)
    }

    private init(path: String, story: String, database: DatabaseQueue) {
        self.path = path
        self.story = story
        self.database = database
    }

    /// Adds a journal's entries to the journal at `path`, all of them or none. If there is no file, it is created
    /// atomically.
    ///
    /// Throws the errors of ``open(_:story:)`` and ``record(_:)``.
    public static func add(_ document: JournalDocument, to path: String) throws(MediaError) {
        if access(path, F_OK) != 0, errno == ENOENT {
            do throws(MediaError) {
                return try create(path, story: document.story, document.contents)
            } catch { guard error.code == .outputExists else { throw error } }
        }
        try open(path, story: document.story).record(document.contents)
    }

    /// Creates the file of a journal atomically.
    ///
    /// Throws an `io` error if there is already a file at `path`, or if it cannot be created.
    private static func create(_ path: String, story: String, _ contents: JournalContents) throws(MediaError) {
        // SQLite would apply the leftover files of a deleted database with this name.
        for left in ["\(path)-journal", "\(path)-wal"] where access(left, F_OK) == 0 {
            throw MediaError(
                .io, step: .journal, subject: left, reason: "belongs to a journal '\(path)' that is missing",
                advice: "put that file back, or remove this one")
        }
        try check(contents, for: path)
        try OutputFile.write(
            try JournalDatabase.bytes(story: story, contents, for: path), to: path, ifExists: .fail)
    }

    /// The journal as a value that can be written as JSON.
    ///
    /// Throws the errors of ``contents()``.
    public func document() throws(MediaError) -> JournalDocument {
        JournalDocument(story: story, contents: try contents())
    }

    /// Returns all contents of the journal.
    ///
    /// Throws a `decoding` error if it is damaged.
    public func contents() throws(MediaError) -> JournalContents {
        try JournalDatabase.checked(path) {
            try database.read { try JournalDatabase.contents(of: $0) }
        }
    }

    /// Adds the contents of `news`, all of them or none. If both have a record of the same thing, the earlier one is
    /// kept, as in ``JournalContents/merge(_:)``. The changes are on the disk when this returns. It takes time for the
    /// entries of `news`, not for those of the journal.
    ///
    /// Throws an `io` error if the file cannot be written, and a `parameter` error for values that a journal cannot
    /// hold: a time outside of ``Timestamp/range``, an invalid position, more than a million points, a text with a
    /// NUL character. The journal is then unchanged.
    public func record(_ news: JournalContents) throws(MediaError) {
        guard !news.isEmpty else { return }
        try Self.check(news, for: path)
        try JournalDatabase.checked(path) {
            try database.write { _ = try JournalDatabase.record(news, to: $0, path) }
        }
    }

    /// Adds the contents of `news`, as ``record(_:)`` does, and returns what is new to a device that knows `news`, and
    /// the journal up to `cursor`: up to about `maxAnswerBytes` bytes of it.
    ///
    /// Throws the errors of ``record(_:)``, and a `limit` error if the journal would have more than `maxBytes` bytes. It
    /// is then unchanged.
    package func exchange(
        _ news: JournalContents, since cursor: JournalCursor, maxBytes: Int, maxAnswerBytes: Int
    ) throws(MediaError) -> JournalChanges {
        try Self.check(news, for: path)
        return try JournalDatabase.checked(path) {
            try database.write { database in
                try JournalDatabase.migrate(database, path)
                let former = try JournalDatabase.last(in: database)
                var contents = try JournalDatabase.record(news, to: database, path)
                let last = try JournalDatabase.last(in: database)
                if last > former, try JournalDatabase.usedBytes(of: database) > maxBytes { throw Self.isFull(path) }
                let isKnown = try cursor.isKnown(in: database)
                let (others, reached) = try JournalDatabase.entries(
                    of: database, after: isKnown ? cursor.change : 0, upTo: former, maxBytes: maxAnswerBytes)
                contents.merge(others)
                if let time = try JournalDatabase.erased(in: database) { contents.erase(upTo: time) }
                let hasMore = reached < former
                return JournalChanges(
                    story: story, contents: contents,
                    cursor: JournalCursor(
                        change: hasMore ? reached : last, last: last,
                        mark: try JournalDatabase.mark(of: last, in: database) ?? 0), hasMore: hasMore,
                    isWhole: !isKnown || cursor == .start)
            }
        }
    }

    /// The size of the journal in its file, in bytes, without room that is free for other entries.
    package func usedBytes() throws(MediaError) -> Int {
        try JournalDatabase.checked(path) { try database.read { try JournalDatabase.usedBytes(of: $0) } }
    }

    private static func isFull(_ path: String) -> MediaError {
        MediaError(.limit, step: .journal, subject: path, reason: "is full", advice: "delete it")
    }

    /// Adds the contents of another device's journal of the same story.
    ///
    /// Throws the errors of ``record(_:)``, and a `parameter` error if the other journal is of another story.
    public func merge(from other: Journal) throws(MediaError) {
        guard other.story == story else { throw Self.otherStory(other.path, other.story, wanted: story) }
        try record(try other.contents())
    }

    private static func check(_ contents: JournalContents, for path: String) throws(MediaError) {
        for kind in JournalDatabase.kinds {
            guard let fault = kind.fault(in: contents) else { continue }
            throw cannotHold(fault, path)
        }
        if let fault = contents.erased?.fault { throw cannotHold(fault, path) }
    }

    private static func cannotHold(_ fault: String, _ path: String) -> MediaError {
        MediaError(.parameter, step: .journal, subject: path, reason: "cannot hold \(fault)")
    }

    static func otherStory(_ path: String, _ found: String, wanted: String) -> MediaError {
        MediaError(
            .parameter, step: .journal, subject: path,
            reason: "is a journal of the story '\(found)', not of '\(wanted)'", advice: "give another file")
    }
}
