/// Everything that is kept of players. ``SQLitePlayers`` keeps it in a folder; the suites `…ContractTests` run against each
/// implementation.
package protocol PlayerStoring: Sendable {
    var journals: any JournalStoring { get }
    var captures: any CaptureStoring { get }
    var notes: any NoteStoring { get }
    var recordings: any RecordingStoring { get }
    var erasures: any ErasureStoring { get }
    /// The images of captures and notes, and the samples of recordings.
    var blobs: any BlobStoring { get }

    /// Completes or takes back what a service did when it was killed. Runs before the first request.
    func recover() async throws(StorageFault)

    /// Removes again what was deleted before and is there: a deletion was cut off, or a backup was restored. Journals,
    /// captures and recordings that are newer than the deletion stay.
    func repeatErasures() async throws(StorageFault)

    /// Erases a player up to now, and removes all journals, captures, notes, recordings and files.
    func removeAll(of player: PlayerIdentity) async throws(StorageFault)
}
