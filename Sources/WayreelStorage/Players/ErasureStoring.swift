internal import FoundationEssentials
package import WayreelEngine

/// Remembers what players deleted, so that devices which still have it do not bring it back. A backup of the other stores
/// that is restored leaves it as it is.
///
/// Each function has its whole effect or none, whatever else runs at the same time.
package protocol ErasureStoring: Sendable {
    /// Erases a player's entries and captures of a story, or of all stories, notes and recordings if it is nil, up to a time. Only
    /// remembers that: what is stored is removed by the functions of its store.
    func erase(_ player: PlayerIdentity, story: String?, upTo time: Timestamp) async throws(StorageFault)

    /// The time up to which a player's entries of a story are erased, alone or with the whole player; with nil, that of
    /// the whole player. nil if none are.
    func erased(_ player: PlayerIdentity, story: String?) async throws(StorageFault) -> Timestamp?

    /// Marks captures, notes or recordings as removed, all or none.
    ///
    /// Throws ``StorageFault/full(_:)`` if no more can be remembered.
    func markRemoved(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) async throws(StorageFault)

    /// Whether a capture, a note or a recording was removed.
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

    /// Throws ``StorageFault/removed(_:)`` if the recording was deleted.
    package func checkNotRemoved(recording id: String, of player: PlayerIdentity) async throws(StorageFault) {
        if try await isRemoved(id, of: player) { throw .removed(.recording) }
    }
}

package enum ErasureLimits {
    /// The captures, notes and recordings of a player whose deletion is remembered: more than the quotas let a player keep.
    package static let maxRemoved = 20_000
}

extension Timestamp {
    package static var now: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}
