internal import GRDB
internal import Glibc
public import WayreelCore

/// A player's journal in a file: what was found stays found.
///
///     let journal = try Journal.open("player.sqlite", story: "mission-bell")
///     var news = JournalContents()
///     news.found["bell-tower"] = .init(timestamp: timestamp, position: position)
///     try journal.record(news)
///
/// What ``record(_:)`` returned from is on the disk: neither the end of the process nor that of the machine's power undoes it. Several
/// processes may have the same journal open. Between two changes the journal is one file, which can be copied; its format is SQLite's.
public final class Journal: Sendable {
    public let path: String
    /// The id of the story whose journal it is.
    public let story: String
    private let database: DatabaseQueue

    /// Opens the journal at `path`. Where there is none, an empty one is made for `story`, complete or not at all.
    ///
    /// - Parameter story: The id of the story that is played; nil for any, but then there must be such a file.
    /// - Throws: An `io` error where the file is missing or cannot be read or made, a `decoding` one where it is no journal or
    ///   damaged, an `unsupported` one where a newer Wayreel wrote it, and a `parameter` one where it is another story's. The file is
    ///   then as it was.
    public static func open(_ path: String, story: String? = nil) throws(MediaError) -> Journal {
        if let story, access(path, F_OK) != 0, errno == ENOENT {
            do throws(MediaError) { try create(path, story: story, JournalContents()) } catch {
                // Another process was faster.
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

    /// Adds a journal's entries to that at `path`, all of them or none. Where there is no file, it is made, complete or not at all.
    ///
    /// Throws what ``open(_:story:)`` and ``record(_:)`` throw.
    public static func add(_ document: JournalDocument, to path: String) throws(MediaError) {
        if access(path, F_OK) != 0, errno == ENOENT {
            do throws(MediaError) {
                return try create(path, story: document.story, document.contents)
            } catch { guard error.code == .outputExists else { throw error } }
        }
        try open(path, story: document.story).record(document.contents)
    }

    /// Makes the file of a journal, complete or not at all.
    ///
    /// Throws an `io` error where there is a file at `path` already, or none can be made.
    private static func create(_ path: String, story: String, _ contents: JournalContents) throws(MediaError) {
        // SQLite would take what is left of a former file of this name for its own.
        for left in ["\(path)-journal", "\(path)-wal"] where access(left, F_OK) == 0 {
            throw MediaError(
                .io, step: "journal", subject: left, reason: "belongs to a journal '\(path)' that is missing",
                advice: "put that file back, or remove this one")
        }
        try check(contents, for: path)
        try OutputFile.write(
            try JournalDatabase.bytes(story: story, contents, for: path), to: path, ifExists: .fail)
    }

    /// The journal as a value that can be written as JSON.
    ///
    /// Throws what ``contents()`` throws.
    public func document() throws(MediaError) -> JournalDocument {
        JournalDocument(story: story, contents: try contents())
    }

    /// Everything in the journal.
    ///
    /// Throws a `decoding` error where it is damaged.
    public func contents() throws(MediaError) -> JournalContents {
        try JournalDatabase.checked(path) {
            try database.read { database in
                var contents = JournalContents()
                for kind in JournalDatabase.kinds { try kind.read(from: database, into: &contents) }
                return contents
            }
        }
    }

    /// Adds what `news` holds, all of it or nothing; an earlier record of the same thing stays, as in ``JournalContents/merge(_:)``.
    /// When it returns, it is on the disk.
    ///
    /// Throws an `io` error where it cannot be written, and a `parameter` one for what no journal holds: a time outside of
    /// ``Timestamp/range``, a position that is none, points beyond a million, a text with a NUL character. The journal is then as it was.
    public func record(_ news: JournalContents) throws(MediaError) {
        guard !news.isEmpty else { return }
        try Self.check(news, for: path)
        try JournalDatabase.checked(path) {
            try database.write { database in
                for kind in JournalDatabase.kinds { try kind.record(news, to: database) }
            }
        }
    }

    /// Adds what another device's journal of the same story holds.
    ///
    /// Throws what ``record(_:)`` throws, and a `parameter` error where the other one is of another story.
    public func merge(from other: Journal) throws(MediaError) {
        guard other.story == story else { throw Self.otherStory(other.path, other.story, wanted: story) }
        try record(try other.contents())
    }

    private static func check(_ contents: JournalContents, for path: String) throws(MediaError) {
        for kind in JournalDatabase.kinds {
            guard let fault = kind.fault(in: contents) else { continue }
            throw MediaError(.parameter, step: "journal", subject: path, reason: "cannot hold \(fault)")
        }
    }

    static func otherStory(_ path: String, _ found: String, wanted: String) -> MediaError {
        MediaError(
            .parameter, step: "journal", subject: path,
            reason: "is a journal of the story '\(found)', not of '\(wanted)'", advice: "give another file")
    }
}
