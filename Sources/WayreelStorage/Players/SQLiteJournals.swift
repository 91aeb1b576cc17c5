internal import Glibc
internal import WayreelCore
internal import WayreelEngine
internal import WayreelJournal

/// The journals of all players, one SQLite file for each player and story.
struct SQLiteJournals: JournalStoring {
    let folder: DataFolder
    let erasures: SQLiteErasures
    let locks: PlayerLocks
    let threads: any StorageThreads

    func stories(of player: PlayerIdentity) async throws(StorageFault) -> [String] {
        await threads.run { files(of: player).sorted() }
    }

    func document(of player: PlayerIdentity, story: String) async throws(StorageFault) -> JournalDocument {
        try await threads.attempt {
            let path = path(of: player, story)
            var contents = JournalContents()
            if access(path, F_OK) == 0 {
                contents = try stored(story) { () throws(MediaError) in
                    try Journal.open(path, story: story).contents()
                }
            }
            if let time = try erasures.time(of: player, story: story) { contents.erase(upTo: time) }
            return JournalDocument(story: story, contents: contents)
        }
    }

    func exchange(
        _ news: JournalDocument, since cursor: JournalCursor, of player: PlayerIdentity, isLimited: Bool
    ) async throws(StorageFault) -> JournalChanges {
        try await threads.attempt {
            // Two at a time could exceed the player's limits, and one could write into a file that is removed.
            try locks.locked(player) {
                let story = news.story
                let path = path(of: player, story)
                var contents = news.contents
                if let time = try erasures.time(of: player, story: story) { contents.erase(upTo: time) }
                if access(path, F_OK) != 0 {
                    guard contents.hasEntries else {
                        return JournalChanges(story: story, contents: contents, cursor: .start, isWhole: true)
                    }
                    if isLimited { try checkCount(of: player) }
                    _ = try folder.making(folder.journalFolder(of: player))
                }
                return try stored(story) { () throws(MediaError) in
                    try Journal.open(path, story: story).exchange(
                        contents, since: cursor, maxBytes: isLimited ? JournalLimits.maxBytes : .max,
                        maxAnswerBytes: JournalLimits.maxAnswerBytes)
                }
            }
        }
    }

    func bytes(ofJournal story: String?, of player: PlayerIdentity) async throws(StorageFault) -> Int {
        await threads.run {
            guard let story else { return totalBytes(of: player) }
            return FileStamp(of: path(of: player, story))?.bytes ?? 0
        }
    }

    func removeJournal(_ story: String, of player: PlayerIdentity) async throws(StorageFault) {
        try await threads.attempt {
            try locks.locked(player) {
                let file = "\(folder.journalFolder(of: player))/\(story)\(Self.ending)"
                // A rollback journal that is left would be applied to the next file of this name.
                try folder.delete("\(file)-journal")
                try folder.delete(file)
            }
        }
    }

    /// Runs `body`, which uses the journal of a story. Errors of the stored file are errors of the server, not of the
    /// request. Blocks.
    private func stored<Value>(_ story: String, _ body: () throws(MediaError) -> Value) throws -> Value {
        do throws(MediaError) { return try body() } catch {
            switch error.kind {
            case .limit: throw Self.isFull(story)
            case .decoding, .unsupported: throw StorageFault.damaged(journal: story, error)
            default: throw error
            }
        }
    }

    // MARK: Limits

    func checkRoom(forJournal story: String, of player: PlayerIdentity) async throws(StorageFault) {
        try await threads.attempt {
            let path = path(of: player, story)
            guard let bytes = FileStamp(of: path)?.bytes else { return try checkCount(of: player) }
            if bytes > JournalLimits.smallBytes, totalBytes(of: player) >= JournalLimits.maxTotalBytes {
                throw StorageFault.full(.journals(bytes: JournalLimits.maxTotalBytes))
            }
            let most = JournalLimits.maxBytes - JournalLimits.leastRoom
            guard bytes > most else { return }
            // The file may have room that deleted captures left.
            let used = try stored(story) { () throws(MediaError) in try Journal.open(path).usedBytes() }
            guard used <= most else { throw Self.isFull(story) }
        }
    }

    private func checkCount(of player: PlayerIdentity) throws {
        guard files(of: player).count < JournalLimits.maxStories else {
            throw StorageFault.full(.stories(JournalLimits.maxStories))
        }
    }

    private static func isFull(_ story: String) -> StorageFault {
        .full(.journal(story: story, bytes: JournalLimits.maxBytes))
    }

    // MARK: Files

    /// Removes again the entries that a player has erased. Damaged journals stay. Blocks.
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
            return name.hasSuffix(ending) && JournalLimits.isID(story) ? story : nil
        }
    }

    private func totalBytes(of player: PlayerIdentity) -> Int {
        Directory.byteCount(of: "\(folder.path)/\(folder.journalFolder(of: player))")
    }
}

extension JournalContents {
    /// Whether there is anything beside the time of an erasure.
    fileprivate var hasEntries: Bool {
        !(found.isEmpty && opened.isEmpty && attempts.isEmpty && scores.isEmpty && captures.isEmpty && removed.isEmpty)
    }
}
