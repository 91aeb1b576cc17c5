internal import GRDB
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelEngine

/// The captures of events in the SQLite file of players, with their images in the folder.
struct SQLiteCaptures: CaptureStoring {
    let images: SQLiteImages

    func capture(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> KeptCapture? {
        try await images.threads.attempt { try images.file.read { try Self.capture(id, of: player, in: $0) } }
    }

    func captures(of player: PlayerIdentity, story: String?) async throws(StorageFault) -> [KeptCapture] {
        try await images.threads.attempt { try all(of: player, story: story) }
    }

    func checkRoom(forCapturesOf player: PlayerIdentity) async throws(StorageFault) {
        try await images.threads.attempt { try images.file.read { try images.checkRoom(for: player.id, in: $0) } }
    }

    func keep(
        _ capture: NewCapture, _ image: NewImage, of player: PlayerIdentity
    ) async throws(StorageFault) -> (capture: KeptCapture, isNew: Bool) {
        try await images.threads.attempt {
            try images.keep(
                image, id: capture.id, in: images.folder.captureFolder(of: player), file: { $0.capture.file }
            ) { file in
                try add(KeptCapture(capture, image, at: file, of: player), taken: capture.taken, of: player)
            }
        }
    }

    /// Adds the row of a capture, unless there is one with its id, and returns the one that is there then. Blocks.
    private func add(
        _ new: KeptCapture, taken: Timestamp, of player: PlayerIdentity
    ) throws -> (capture: KeptCapture, isNew: Bool) {
        try images.file.write { database in
            // What is erased is remembered before its rows are removed: whichever transaction is first, no row stays.
            guard try !images.erasures.isErased(new.id, taken: taken, story: new.story, of: player) else {
                throw StorageFault.removed(.capture)
            }
            if let known = try Self.capture(new.id, of: player, in: database) { return (known, false) }
            try images.checkRoom(for: player.id, in: database)
            try database.execute(
                sql: "INSERT INTO capture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    new.player, new.id, new.story, new.event, new.fingerprint, new.file.path, new.type, new.bytes,
                    new.time.milliseconds,
                ])
            return (new, true)
        }
    }

    func removeCaptures(
        _ ids: [String], of player: PlayerIdentity, at time: Timestamp
    ) async throws(StorageFault) {
        try await images.threads.attempt {
            // Their uploads may be repeated.
            try images.erasures.mark(ids, of: player, at: time)
            try remove(
                try images.file.read { database in
                    try ids.compactMap { try Self.capture($0, of: player, in: database) }
                })
        }
    }

    /// Removes rows and images. Blocks.
    func remove(_ captures: [KeptCapture]) throws {
        try images.remove(captures.map(\.file)) { database in
            for capture in captures {
                try database.execute(
                    sql: "DELETE FROM capture WHERE player = ? AND id = ?", arguments: [capture.player, capture.id])
            }
        }
    }

    /// Blocks.
    func all(of player: PlayerIdentity, story: String? = nil) throws -> [KeptCapture] {
        try images.file.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM capture WHERE player = ?1 AND (?2 IS NULL OR story = ?2)",
                arguments: [player.id, story]
            ).map(KeptCapture.init)
        }
    }

    private static func capture(
        _ id: String, of player: PlayerIdentity, in database: Database
    ) throws -> KeptCapture? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM capture WHERE player = ? AND id = ?", arguments: [player.id, id]
        ).map(KeptCapture.init)
    }
}

extension KeptCapture {
    fileprivate init(_ row: Row) {
        self.init(
            player: row["player"], id: row["id"], story: row["story"], event: row["event"],
            fingerprint: row["fingerprint"], file: BlobKey(row["file"]), type: row["type"], bytes: row["bytes"],
            time: Timestamp(milliseconds: row["time"]))
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
        try keep(folder.name(id, of: image, in: place), file: file, row: row) { path in
            try OutputFile.write(image.bytes, to: path)
        }
    }

    /// The same for a new file of any content, which `write` writes.
    func keep<Row>(
        _ new: BlobKey, file: (Row) -> BlobKey, row: (BlobKey) throws -> Row, write: (_ path: String) throws -> Void
    ) throws -> Row {
        try folder.markPending([new])
        _ = try folder.making(new.path.split(separator: "/").dropLast().joined(separator: "/"))
        do { try write(folder.path(of: new)) } catch {
            folder.remove(new)
            folder.unmarkPending([new])
            throw error
        }
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

    /// Whether a name has the form that ``DataFolder/name(_:of:in:)`` and recordings have: a UUID, a hash and an extension.
    private static func isImage(_ name: Substring) -> Bool {
        name.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9a-f]{32}\.[a-z]{1,6}/) != nil
    }
}
