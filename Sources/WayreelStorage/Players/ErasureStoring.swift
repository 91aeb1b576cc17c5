internal import FoundationEssentials
package import WayreelEngine

/// Remembers what players deleted, so that devices which still have it do not bring it back. A backup of the other stores
/// that is restored leaves it as it is.
///
/// Each function has its whole effect or none, whatever else runs at the same time.
package protocol ErasureStoring: Sendable {
    /// Erases a player's entries and captures of a story, or of all stories and the notes if it is nil, up to a time. Only
    /// remembers that: what is stored is removed by the functions of its store.
    func erase(_ player: PlayerIdentity, story: String?, upTo time: Timestamp) async throws(StorageFault)

    /// The time up to which a player's entries of a story are erased, alone or with the whole player; with nil, that of
    /// the whole player. nil if none are.
    func erased(_ player: PlayerIdentity, story: String?) async throws(StorageFault) -> Timestamp?

    /// Marks captures, or notes, as removed, all or none.
    ///
    /// Throws ``StorageFault/full(_:)`` if no more can be remembered.
    func markRemoved(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) async throws(StorageFault)

    /// Whether a capture, or a note, was removed.
    func isRemoved(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> Bool
}

extension ErasureStoring {
    /// Throws ``StorageFault/removed(_:)`` if the capture was removed, or if the journal was erased after it was taken.
    package func checkNotRemoved(
        capture id: String, taken: Timestamp, story: String, of player: PlayerIdentity
    ) async throws(StorageFault) {
        if try await isRemoved(id, of: player) { throw .removed(.capture) }
        if let time = try await erased(player, story: story), taken <= time { throw .removed(.capture) }
    }

    /// Throws ``StorageFault/removed(_:)`` if the note was deleted.
    package func checkNotRemoved(note id: String, of player: PlayerIdentity) async throws(StorageFault) {
        if try await isRemoved(id, of: player) { throw .removed(.note) }
    }
}

package enum ErasureLimits {
    /// The captures and notes of a player whose deletion is remembered: more than the quota of images lets a player keep.
    package static let maxRemoved = 20_000
}

extension Timestamp {
    package static var now: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}

/// Everything that is kept of players.
package protocol PlayerStoring: Sendable {
    var journals: any JournalStoring { get }
    var captures: any CaptureStoring { get }
    var notes: any NoteStoring { get }
    var erasures: any ErasureStoring { get }
    /// The images of captures and notes.
    var blobs: any BlobStoring { get }

    /// Completes or takes back what a service did when it was killed. Runs before the first request.
    func recover() async throws(StorageFault)

    /// Removes again what was deleted before and is there: a deletion was cut off, or a backup was restored. Journals and
    /// captures that are newer than the deletion stay.
    func repeatErasures() async throws(StorageFault)

    /// Erases a player up to now, and removes all journals, captures, notes and images.
    func removeAll(of player: PlayerIdentity) async throws(StorageFault)
}
