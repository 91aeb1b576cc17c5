internal import Glibc
internal import HTTPTypes
internal import Synchronization
internal import WayreelCore
internal import WayreelPlayback
internal import WayreelSigning

/// The journals of all players, one file for each player and story.
struct JournalStore: Sendable {
    let folder: DataFolder
    /// Locks, one per player, because two merges at a time could exceed the player's limits. Players may share a lock.
    private let merging = (0..<64).map { _ in Exclusion() }

    private final class Exclusion: Sendable {
        let mutex = Mutex(())
    }

    init(folder: DataFolder) { self.folder = folder }

    /// The maximum size of a journal in a request, as JSON.
    static let maxBodyBytes = 4 << 20
    /// The total size of a player's journals, in bytes, from which on merges are refused.
    static let maxBytes = 32 << 20
    /// The maximum number of stories of a player.
    static let maxStories = 256

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

    /// A player's journal of a story, empty if nothing was recorded. Blocks.
    ///
    /// Throws an `io` or `decoding` error if it cannot be read.
    func document(of player: Player, story: String) throws(MediaError) -> JournalDocument {
        let path = path(of: player, story)
        guard access(path, F_OK) == 0 else { return JournalDocument(story: story, contents: JournalContents()) }
        return try Journal.open(path, story: story).document()
    }

    /// A player's journals of all stories, sorted by the stories' ids. Blocks.
    func documents(of player: Player) throws(MediaError) -> [JournalDocument] {
        try files(of: player).map(\.story).sorted().map { (story) throws(MediaError) in
            try document(of: player, story: story)
        }
    }

    /// Merges `document` into the player's journal of its story, flushes it to disk and returns it. Blocks.
    ///
    /// Throws an `io` error if it cannot be written, and a ``Problem`` if the player's journals are full.
    func merge(_ document: JournalDocument, of player: Player) throws -> JournalDocument {
        let lock = merging[Int(UInt(bitPattern: player.id.hashValue) % UInt(merging.count))]
        return try lock.mutex.withLock { _ in try mergeAlone(document, of: player) }
    }

    private func mergeAlone(_ document: JournalDocument, of player: Player) throws -> JournalDocument {
        let files = files(of: player)
        guard files.reduce(0, { $0 + $1.bytes }) < Self.maxBytes,
            files.count < Self.maxStories || files.contains(where: { $0.story == document.story })
        else {
            throw Problem(
                .forbidden, code: "quota", "The player's journals are full",
                detail: "at most \(Self.maxStories) stories, and \(Self.maxBytes) bytes")
        }
        _ = try folder.making(folder.journalFolder(of: player))
        try Journal.add(document, to: path(of: player, document.story))
        return try self.document(of: player, story: document.story)
    }

    private func path(of player: Player, _ story: String) -> String {
        "\(folder.path)/\(folder.journalFolder(of: player))/\(story)\(Self.ending)"
    }

    private static let ending = ".sqlite"

    private func files(of player: Player) -> [(story: String, bytes: Int)] {
        let folder = "\(folder.path)/\(folder.journalFolder(of: player))"
        return Directory.entries(of: folder).compactMap { name in
            let story = String(name.dropLast(Self.ending.count))
            guard name.hasSuffix(Self.ending), Self.isID(story), let stamp = FileStamp(of: "\(folder)/\(name)") else {
                return nil
            }
            return (story, stamp.bytes)
        }
    }
}
