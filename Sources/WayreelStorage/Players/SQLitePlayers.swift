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
    private let kept: (journals: SQLiteJournals, captures: SQLiteCaptures, notes: SQLiteNotes)

    package var journals: any JournalStoring { kept.journals }
    package var captures: any CaptureStoring { kept.captures }
    package var notes: any NoteStoring { kept.notes }
    package var erasures: any ErasureStoring { erased }
    package var blobs: any BlobStoring { FolderBlobs(folder: folder, threads: threads) }

    /// Creates the folder if it is missing. `maxImageBytes` is the total size of a player's images from which on further
    /// ones are refused.
    ///
    /// Throws an `io` error if something cannot be read or created, an `unsupported` one if a newer Wayreel wrote it.
    package init(
        folder path: String, maxImageBytes: Int, threads: any StorageThreads
    ) throws(MediaError) {
        (folder, self.threads, locks) = (try DataFolder(path), threads, PlayerLocks())
        let file = try DurableDatabase("\(folder.path)/players.sqlite", Migrations(sql: [SQLiteImages.schema]))
        erased = try SQLiteErasures("\(folder.path)/erasures.sqlite", threads)
        images = SQLiteImages(
            folder: folder, file: file, maxBytes: maxImageBytes, erasures: erased, threads: threads)
        kept = (
            SQLiteJournals(folder: folder, erasures: erased, locks: locks, threads: threads),
            SQLiteCaptures(images: images), SQLiteNotes(images: images)
        )
    }

    /// Removes images without a row that were pending when the last server ended. No image may be added meanwhile.
    ///
    /// Other files without a row stay: they may be newer than the database, if that is a restored backup.
    package func recover() async throws(StorageFault) {
        try await threads.attempt {
            let pending = try folder.pendingImages()
            guard !pending.isEmpty else { return }
            let named = try images.file.read {
                try String.fetchSet($0, sql: "SELECT file FROM capture UNION ALL SELECT file FROM note")
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
                try String.fetchAll($0, sql: "SELECT player FROM capture UNION SELECT author FROM note")
            }.map { PlayerIdentity(id: $0) }
            let deleting = Set(try erased.deleting(amongFolders: players.map(DataFolder.name(of:))))
            for player in players where deleting.contains(DataFolder.name(of: player)) {
                try kept.captures.remove(
                    try kept.captures.all(of: player).filter {
                        try erased.isErased($0.id, taken: $0.time, story: $0.story, of: player)
                    })
                try kept.notes.remove(try kept.notes.all(by: player).filter { try erased.has($0.id, of: player) })
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
                try erased.mark(captures.map(\.id) + notes.map(\.id), of: player, at: .now)
                try kept.captures.remove(captures)
                try kept.notes.remove(notes)
                let files = "\(folder.path)/\(folder.playerFolder(of: player))"
                Directory.remove(files)
                guard !Directory.isDirectory(files) else {
                    throw MediaError(.io, step: .data, subject: files, reason: "cannot be removed")
                }
            }
        }
    }
}

/// What captures and notes share: one SQLite file with their rows, the folder with their images, and the limit of both.
/// All functions block.
struct SQLiteImages: Sendable {
    let folder: DataFolder
    let file: DurableDatabase
    let maxBytes: Int
    let erasures: SQLiteErasures
    let threads: any StorageThreads

    static let schema = """
        CREATE TABLE capture (player TEXT NOT NULL, id TEXT NOT NULL, story TEXT NOT NULL, event TEXT NOT NULL,
            fingerprint TEXT NOT NULL, file TEXT NOT NULL, type TEXT NOT NULL, bytes INTEGER NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (player, id)) WITHOUT ROWID, STRICT;
        CREATE TABLE note (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, author TEXT NOT NULL, fingerprint TEXT NOT NULL,
            visibility TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL, start INTEGER NOT NULL, end INTEGER,
            text TEXT NOT NULL, file TEXT NOT NULL, type TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
            bytes INTEGER NOT NULL) STRICT;
        CREATE INDEX note_by_author ON note (author);
        CREATE VIRTUAL TABLE note_place USING rtree(number, south, north, west, east);
        """

    /// Throws a ``StorageFault`` if the images of a player have reached the maximum size. The transaction that adds an
    /// image calls it, because another one may have been added while this one was prepared.
    func checkRoom(for player: String, in database: Database) throws {
        let bytes = try Int.fetchOne(
            database,
            sql: """
                SELECT (SELECT coalesce(sum(bytes), 0) FROM capture WHERE player = ?1)
                    + (SELECT coalesce(sum(bytes), 0) FROM note WHERE author = ?1)
                """, arguments: [player])
        guard bytes ?? 0 < maxBytes else { throw StorageFault.full(.images(bytes: maxBytes)) }
    }

    /// Mark → file → row → mark removed. A server that is killed between these leaves the mark, and the next one removes a
    /// file without a row. `row` adds a row with the file, unless there is one of this id, and returns the one that is there
    /// then, whose file is `file`.
    func keep<Row>(
        _ image: NewImage, id: String, in place: String, file: (Row) -> BlobKey, row: (BlobKey) throws -> Row
    ) throws -> Row {
        let new = folder.name(id, of: image, in: place)
        try folder.markPending([new])
        _ = try folder.making(place)
        try OutputFile.write(image.bytes, to: folder.path(of: new))
        let kept: Row
        do { kept = try row(new) } catch let refusal as StorageFault {
            // The image certainly has no row.
            folder.remove(new)
            folder.unmarkPending([new])
            throw refusal
        }
        if file(kept) != new { folder.remove(new) }
        folder.unmarkPending([new])
        return kept
    }

    /// Runs `rows`, which removes the rows of images, in a transaction, and removes the images. What cannot be removed is
    /// left to the next server.
    func remove(_ files: [BlobKey], rows: (Database) throws -> Void) throws {
        guard !files.isEmpty else { return }
        try folder.markPending(files)
        try file.write(rows)
        let removed = files.map { file in Result { () throws(MediaError) in try folder.delete(file.path) } }
        for result in removed { try result.get() }
        folder.unmarkPending(files)
    }

    /// Removes a file without a row, if it is an image of the service.
    func removeUnnamed(_ image: BlobKey) {
        let parts = image.path.split(separator: "/")
        let path = ([folder.path] + parts.dropLast().map(String.init)).joined(separator: "/")
        // The service makes no symbolic links, so a path through one is not its own.
        guard let top = parts.first, ["players", "notes"].contains(top), Self.isImage(image.name),
            Directory.isDirectory(path, followingLinks: false)
        else { return }
        OutputFile.discardUnfinished(in: path)
        if RegularFile.byteCount(folder.path(of: image)) != nil { folder.remove(image) }
    }

    /// Whether a name has the form that ``DataFolder/name(_:of:in:)`` gives: a UUID, a hash and an extension.
    private static func isImage(_ name: Substring) -> Bool {
        name.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9a-f]{32}\.[a-z]{1,4}/) != nil
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
