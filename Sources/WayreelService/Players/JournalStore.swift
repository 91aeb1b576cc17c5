internal import Glibc
internal import HTTPTypes
internal import WayreelCore
internal import WayreelEngine
internal import WayreelJournal
internal import WayreelStorage

/// The journals of all players, one file for each player and story.
///
/// All functions block. They run in the player's turn, ``StorageWork/run(for:_:)``: two merges at a time could exceed
/// the player's limits.
struct JournalStore: Sendable {
    let folder: DataFolder
    let erasures: ErasureDatabase

    /// The maximum size of a journal in a request, as JSON.
    static let maxBodyBytes = 4 << 20
    /// The maximum size of a journal, in bytes of its file.
    static let maxBytes = 4 << 20
    /// A journal with less room than this is full before the body of a request is received.
    private static let leastRoom = 16 << 10
    /// The total size of a player's journals, in bytes, from which on entries are refused, except in small journals.
    static let maxTotalBytes = 32 << 20
    /// The size up to which a journal needs no look at the player's others: all of them together are within the total.
    static let smallBytes = maxTotalBytes / maxStories
    /// The maximum number of stories of a player.
    static let maxStories = 256
    /// About the size of the changes in an answer, in bytes; further ones follow in further answers.
    private static let maxAnswerBytes = 1 << 20

    /// Whether a text can be the id of a story or an event, which is used as the name of a file.
    static func isID(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 100, isAlphanumeric(first) else { return false }
        return text.utf8.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// A player's journal of a story, empty if nothing was recorded.
    ///
    /// Throws a ``Problem`` if it is damaged.
    func document(of player: PlayerIdentity, story: String) throws -> JournalDocument {
        let path = path(of: player, story)
        var contents = JournalContents()
        if access(path, F_OK) == 0 {
            contents = try Self.stored(story) { () throws(MediaError) in
                try Journal.open(path, story: story).contents()
            }
        }
        if let time = try erasures.time(of: player, story: story) { contents.erase(upTo: time) }
        return JournalDocument(story: story, contents: contents)
    }

    /// A player's journals of all stories, sorted by the stories' ids; the problem of each damaged one.
    func documents(of player: PlayerIdentity) throws -> [(story: String, document: Result<JournalDocument, Problem>)] {
        try files(of: player).sorted().map { story in
            do { return (story, .success(try document(of: player, story: story))) } catch let problem as Problem {
                return (story, .failure(problem))
            }
        }
    }

    /// Merges `document` into the player's journal of its story, flushes it to disk and returns the whole journal. The
    /// answer to a document without deletions has none either, because older devices do not know them.
    ///
    /// Throws an `io` error if it cannot be written, and a ``Problem`` if the player's journals are full.
    func merge(_ document: JournalDocument, of player: PlayerIdentity) throws -> JournalDocument {
        _ = try exchange(document, since: .start, of: player, maxBytes: Self.maxBytes)
        var merged = try self.document(of: player, story: document.story)
        if document.version == 1 { merged.contents = merged.contents.withoutMarks }
        return merged
    }

    /// Merges `document` into the player's journal of its story, flushes it to disk and returns what is new to a device
    /// that knows the document, and the journal up to `cursor`.
    ///
    /// Throws likewise.
    func exchange(
        _ document: JournalDocument, since cursor: JournalCursor, of player: PlayerIdentity
    ) throws -> JournalChanges {
        try exchange(document, since: cursor, of: player, maxBytes: Self.maxBytes)
    }

    /// Adds what the service itself records, also to a full journal.
    ///
    /// Throws likewise.
    func record(_ document: JournalDocument, of player: PlayerIdentity) throws {
        _ = try exchange(document, since: .start, of: player, maxBytes: .max)
    }

    private func exchange(
        _ document: JournalDocument, since cursor: JournalCursor, of player: PlayerIdentity, maxBytes: Int
    ) throws -> JournalChanges {
        let story = document.story
        let path = path(of: player, story)
        var news = document.contents
        if let time = try erasures.time(of: player, story: story) { news.erase(upTo: time) }
        if access(path, F_OK) != 0 {
            guard news.hasEntries else {
                return JournalChanges(story: story, contents: news, cursor: .start, isWhole: true)
            }
            if maxBytes < .max { try checkCount(of: player) }
            _ = try folder.making(folder.journalFolder(of: player))
        }
        return try Self.stored(story) { () throws(MediaError) in
            try Journal.open(path, story: story).exchange(
                news, since: cursor, maxBytes: maxBytes, maxAnswerBytes: Self.maxAnswerBytes)
        }
    }

    /// Runs `body`, which uses the journal of a story. Errors of the stored file are errors of the server, not of the
    /// request.
    private static func stored<Value>(_ story: String, _ body: () throws(MediaError) -> Value) throws -> Value {
        do throws(MediaError) { return try body() } catch {
            switch error.kind {
            case .limit: throw isFull(story)
            case .decoding, .unsupported:
                var problem = Problem(
                    .internalServerError, code: "damaged-journal", "A stored journal cannot be read",
                    detail: "that of the story '\(story)'")
                problem.fault = "\(error)"
                throw problem
            default: throw error
            }
        }
    }

    // MARK: Limits

    /// Throws a ``Problem`` if the player's journal of a story can take no entries.
    func checkRoom(for player: PlayerIdentity, story: String) throws {
        let path = path(of: player, story)
        guard let bytes = FileStamp(of: path)?.bytes else { return try checkCount(of: player) }
        if bytes > Self.smallBytes, totalBytes(of: player) >= Self.maxTotalBytes {
            throw Self.full(
                "The player's journals are full", "at most \(Self.maxTotalBytes) bytes; delete some of them")
        }
        let most = Self.maxBytes - Self.leastRoom
        guard bytes > most else { return }
        // The file may have room that deleted captures left.
        let used = try Self.stored(story) { () throws(MediaError) in try Journal.open(path).usedBytes() }
        guard used <= most else { throw Self.isFull(story) }
    }

    private func checkCount(of player: PlayerIdentity) throws {
        guard files(of: player).count < Self.maxStories else {
            throw Self.full(
                "The player's journals are full", "at most \(Self.maxStories) stories; delete some of them")
        }
    }

    private static func isFull(_ story: String) -> Problem {
        full("The journal is full", "that of the story '\(story)': at most \(maxBytes) bytes; delete it")
    }

    private static func full(_ title: String, _ detail: String) -> Problem {
        Problem(.forbidden, code: "quota", title, detail: detail)
    }

    // MARK: Files

    /// Removes a player's journal of a story, if there is one. Throws an `io` error if it is still there.
    func remove(_ story: String, of player: PlayerIdentity) throws(MediaError) {
        let file = "\(folder.journalFolder(of: player))/\(story)\(Self.ending)"
        // A rollback journal that is left would be applied to the next file of this name.
        try folder.delete("\(file)-journal")
        try folder.delete(file)
    }

    /// Removes again the entries that a player has erased. Damaged journals stay.
    func repeatErasures(inFolder player: String) throws {
        let folder = "\(folder.path)/players/\(player)/journals"
        for story in Self.stories(in: folder) {
            guard let time = try erasures.time(ofFolder: player, story: story),
                let journal = try? Journal.open("\(folder)/\(story)\(Self.ending)", story: story)
            else { continue }
            var news = JournalContents()
            news.erase(upTo: time)
            try? journal.record(news)
        }
    }

    private func path(of player: PlayerIdentity, _ story: String) -> String {
        "\(folder.path)/\(folder.journalFolder(of: player))/\(story)\(Self.ending)"
    }

    private static let ending = ".sqlite"

    /// The ids of the stories of which a player has a journal.
    private func files(of player: PlayerIdentity) -> [String] {
        Self.stories(in: "\(folder.path)/\(folder.journalFolder(of: player))")
    }

    private static func stories(in folder: String) -> [String] {
        Directory.entries(of: folder).compactMap { name in
            let story = String(name.dropLast(ending.count))
            return name.hasSuffix(ending) && isID(story) ? story : nil
        }
    }

    /// Whether a player has a journal of a story. Blocks.
    func exists(_ story: String, of player: PlayerIdentity) -> Bool { access(path(of: player, story), F_OK) == 0 }

    /// The size of a player's journal of a story, in bytes. Blocks.
    func bytes(of player: PlayerIdentity, story: String) -> Int { FileStamp(of: path(of: player, story))?.bytes ?? 0 }

    /// The size of a player's journals in bytes. Blocks.
    func totalBytes(of player: PlayerIdentity) -> Int {
        Directory.byteCount(of: "\(folder.path)/\(folder.journalFolder(of: player))")
    }
}

extension JournalContents {
    /// Whether there is anything beside the time of an erasure.
    fileprivate var hasEntries: Bool {
        !(found.isEmpty && opened.isEmpty && attempts.isEmpty && scores.isEmpty && captures.isEmpty && removed.isEmpty)
    }
}
