internal import WayreelEngine
package import WayreelJournal

/// Stores the journals of players, one for each player and story. What a player has erased (``ErasureStoring``) neither
/// is in a journal nor gets into one.
///
/// Each function has its whole effect or none, whatever else runs at the same time. All throw
/// ``StorageFault/damaged(journal:_:)`` for a journal that cannot be read.
package protocol JournalStoring: Sendable {
    /// The ids of the stories of which a player has a journal, sorted.
    func stories(of player: PlayerIdentity) async throws(StorageFault) -> [String]

    /// A player's journal of a story, empty if nothing was recorded.
    func document(of player: PlayerIdentity, story: String) async throws(StorageFault) -> JournalDocument

    /// Merges `news` into the player's journal of its story. Returns what is new to a device that knows `news`, and the
    /// journal up to `cursor`. The changes survive a loss of power when this returns.
    ///
    /// Throws ``StorageFault/full(_:)`` if `isLimited`, and the journal or the player's number of journals would exceed
    /// ``JournalLimits``. What the service itself records has no limit.
    func exchange(
        _ news: JournalDocument, since cursor: JournalCursor, of player: PlayerIdentity, isLimited: Bool
    ) async throws(StorageFault) -> JournalChanges

    /// Throws ``StorageFault/full(_:)`` if the player's journal of a story can take no entries.
    func checkRoom(forJournal story: String, of player: PlayerIdentity) async throws(StorageFault)

    /// About how many bytes a player's journal of a story has, or with nil all of the player's journals together.
    func bytes(ofJournal story: String?, of player: PlayerIdentity) async throws(StorageFault) -> Int

    /// Removes a player's journal of a story, if there is one, also a damaged one.
    func removeJournal(_ story: String, of player: PlayerIdentity) async throws(StorageFault)
}

extension JournalStoring {
    /// Adds what the service itself records, also to a full journal.
    package func record(_ news: JournalDocument, of player: PlayerIdentity) async throws(StorageFault) {
        _ = try await exchange(news, since: .start, of: player, isLimited: false)
    }

    /// Merges `news` into the player's journal of its story and returns the whole journal. The answer to a document
    /// without deletions has none either, because older devices do not know them.
    package func merge(
        _ news: JournalDocument, of player: PlayerIdentity
    ) async throws(StorageFault) -> JournalDocument {
        _ = try await exchange(news, since: .start, of: player, isLimited: true)
        var merged = try await document(of: player, story: news.story)
        if news.version == 1 { merged.contents = merged.contents.withoutMarks }
        return merged
    }
}

/// What a player's journals may have.
package enum JournalLimits {
    /// The maximum size of a journal in a request, as JSON.
    package static let maxBodyBytes = 4 << 20
    /// The maximum size of a stored journal, in bytes.
    package static let maxBytes = 4 << 20
    /// A journal with less room than this is full before the body of a request is received.
    package static let leastRoom = 16 << 10
    /// The total size of a player's journals, in bytes, from which on entries are refused, except in small journals.
    package static let maxTotalBytes = 32 << 20
    /// The size up to which a journal needs no look at the player's others: all of them together are within the total.
    package static let smallBytes = maxTotalBytes / maxStories
    /// The maximum number of stories of a player.
    package static let maxStories = 256
    /// About the size of the changes in an answer, in bytes; further ones follow in further answers.
    package static let maxAnswerBytes = 1 << 20

    /// Whether a text can be the id of a story or an event, which may be used as the name of a file.
    package static func isID(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 100, alphanumerics.contains(first) else { return false }
        return text.utf8.allSatisfy { alphanumerics.contains($0) || "._-".utf8.contains($0) }
    }

    private static let alphanumerics = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
}
