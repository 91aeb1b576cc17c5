internal import GRDB
internal import Glibc
internal import Synchronization
package import WayreelCore
internal import WayreelDatabase

/// What is kept of players as SQLite files and images in a folder: ``DataFolder`` says where. All are of one machine and
/// one service; journals and erasures may be open in other processes.
package struct SQLitePlayers: PlayerStoring {
    private let folder: DataFolder
    private let threads: any StorageThreads
    private let locks: PlayerLocks
    private let images: SQLiteImages
    private let erased: SQLiteErasures
    private let kept:
        (journals: SQLiteJournals, captures: SQLiteCaptures, notes: SQLiteNotes, recordings: SQLiteRecordings)

    package var journals: any JournalStoring { kept.journals }
    package var captures: any CaptureStoring { kept.captures }
    package var notes: any NoteStoring { kept.notes }
    package var recordings: any RecordingStoring { kept.recordings }
    package var erasures: any ErasureStoring { erased }
    package var blobs: any BlobStoring { FolderBlobs(folder: folder, threads: threads) }

    /// Creates the folder if it is missing. `maxImageBytes` is the total size of a player's images from which on further
    /// ones are refused; `recordings` limits those.
    ///
    /// Throws an `io` error if something cannot be read or created, an `unsupported` one if a newer Wayreel wrote it.
    package init(
        folder path: String, maxImageBytes: Int, recordings: RecordingLimits = RecordingLimits(),
        threads: any StorageThreads
    ) throws(MediaError) {
        (folder, self.threads, locks) = (try DataFolder(path), threads, PlayerLocks())
        let file = try DurableDatabase(
            "\(folder.path)/players.sqlite", Migrations(sql: [SQLiteImages.schema, SQLiteRecordings.schema]))
        erased = try SQLiteErasures("\(folder.path)/erasures.sqlite", threads)
        images = SQLiteImages(
            folder: folder, file: file, maxBytes: maxImageBytes, erasures: erased, threads: threads)
        kept = (
            SQLiteJournals(folder: folder, erasures: erased, locks: locks, threads: threads),
            SQLiteCaptures(images: images), SQLiteNotes(images: images),
            SQLiteRecordings(images: images, limits: recordings)
        )
    }

    /// Removes images and recordings without a row that were pending when the last server ended, and cuts off what was
    /// written of a line. Nothing may be added meanwhile.
    ///
    /// Other files without a row stay: they may be newer than the database, if that is a restored backup.
    package func recover() async throws(StorageFault) {
        try await threads.attempt {
            try kept.recordings.recover()
            let pending = try folder.pendingImages()
            guard !pending.isEmpty else { return }
            let named = try images.file.read {
                try String.fetchSet(
                    $0,
                    sql: """
                        SELECT file FROM capture UNION ALL SELECT file FROM note UNION ALL SELECT file FROM recording
                        """)
            }
            for image in pending {
                if !named.contains(image.path) { images.removeUnnamed(image) }
                folder.unmarkPending([image])
            }
        }
    }

    package func repeatErasures() async throws(StorageFault) {
        try await threads.attempt {
            let players = try images.file.read {
                try String.fetchAll(
                    $0,
                    sql: """
                        SELECT player FROM capture UNION SELECT author FROM note UNION SELECT player FROM recording
                        """)
            }.map { PlayerIdentity(id: $0) }
            let deleting = Set(try erased.deleting(amongFolders: players.map(DataFolder.name(of:))))
            for player in players where deleting.contains(DataFolder.name(of: player)) {
                try kept.captures.remove(
                    try kept.captures.all(of: player).filter {
                        try erased.isErased($0.id, taken: $0.time, story: $0.story, of: player)
                    })
                try kept.notes.remove(try kept.notes.all(by: player).filter { try erased.has($0.id, of: player) })
                try kept.recordings.remove(
                    try kept.recordings.all(of: player).filter {
                        try erased.has($0.id, of: player) || erased.isErased(player, since: $0.began)
                    })
            }
            for name in try erased.deleting(amongFolders: Directory.entries(of: "\(folder.path)/players")) {
                try kept.journals.repeatErasures(inFolder: name)
            }
        }
    }

    package func removeAll(of player: PlayerIdentity) async throws(StorageFault) {
        try await threads.attempt {
            try locks.locked(player) {
                // What was deleted is marked first, so that a deletion that was cut off can be repeated.
                try erased.add(player, story: nil, upTo: .now)
                let (captures, notes) = (try kept.captures.all(of: player), try kept.notes.all(by: player))
                let recordings = try kept.recordings.all(of: player)
                try erased.mark(
                    captures.map(\.id) + notes.map(\.id) + recordings.map(\.id), of: player, at: .now)
                try kept.captures.remove(captures)
                try kept.notes.remove(notes)
                try kept.recordings.remove(recordings)
                let files = "\(folder.path)/\(folder.playerFolder(of: player))"
                Directory.remove(files)
                guard !Directory.isDirectory(files) else {
                    throw MediaError(.io, step: .data, subject: files, reason: "cannot be removed")
                }
            }
        }
    }
}

/// Lets one change of a player's journals run at a time.
final class PlayerLocks: Sendable {
    private final class Lock: Sendable { let mutex = Mutex(()) }

    /// Players may share one.
    private let locks = (0..<64).map { _ in Lock() }

    /// Runs `body`, which blocks, when the earlier ones of the player have ended.
    func locked<Value: Sendable>(_ player: PlayerIdentity, _ body: () throws -> Value) throws -> Value {
        try locks[Int(UInt(bitPattern: player.id.hashValue) % UInt(locks.count))].mutex.withLock { _ in try body() }
    }
}
