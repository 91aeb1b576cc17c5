internal import GRDB
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelEngine
internal import WayreelStory

/// The notes of players in the SQLite file of players, with their images in the folder.
struct SQLiteNotes: NoteStoring {
    let images: SQLiteImages

    /// The condition for notes that a player sees now: `?1` the player, `?2` the groups in JSON, `?3` the time.
    private static let visibleNow = """
        start <= ?3 AND (end IS NULL OR end > ?3)
            AND (author = ?1 OR visibility = 'all' OR visibility IN (SELECT 'group:' || value FROM json_each(?2)))
        """

    private static func arguments(_ player: PlayerIdentity, _ now: Timestamp) -> [any DatabaseValueConvertible] {
        let groups = player.groups.sorted().map(\.jsonQuoted).joined(separator: ",")
        return [player.id, "[\(groups)]", now.milliseconds]
    }

    func note(_ id: String) async throws(StorageFault) -> Note? {
        try await images.threads.attempt { try images.file.read { try Self.note(id, in: $0) } }
    }

    func note(_ id: String, to player: PlayerIdentity, now: Timestamp) async throws(StorageFault) -> Note? {
        try await images.threads.attempt {
            try images.file.read { database in
                try Row.fetchOne(
                    database, sql: "SELECT * FROM note WHERE id = ?4 AND (author = ?1 OR (\(Self.visibleNow)))",
                    arguments: StatementArguments(Self.arguments(player, now) + [id])
                ).map(Note.init)
            }
        }
    }

    /// Searches in circles that grow until they contain enough notes, so that a large radius is fast if there are many
    /// notes.
    func notes(_ query: NoteQuery) async throws(StorageFault) -> [FoundNote] {
        try await images.threads.attempt {
            try images.file.read { database in
                var radius = min(max(100, (query.after?.distance ?? 0) * 1.1), query.radius)
                while true {
                    let found = try Self.places(in: database, query, radius: radius)
                    if found.count >= query.limit || radius >= query.radius {
                        return try found.sorted().prefix(query.limit).compactMap { place in
                            try Self.note(place.id, in: database).map {
                                FoundNote(note: $0, distance: place.distance)
                            }
                        }
                    }
                    radius = min(radius * 4, query.radius)
                }
            }
        }
    }

    private static func places(in database: Database, _ query: NoteQuery, radius: Double) throws -> [NotePlace] {
        let condition = query.isOwn ? "author = ?1 AND ?2 = ?2 AND ?3 = ?3" : visibleNow
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, latitude, longitude FROM note_place JOIN note USING (number)
                    WHERE ?4 <= north AND south <= ?5 AND ?6 <= east AND west <= ?7 AND \(condition)
                """)
        let boxes = GeoBox.around(query.center, radius: radius)
        var places: [NotePlace] = []
        for box in [boxes.0, boxes.1].compactMap(\.self) {
            let bounds = [box.south, box.north, box.west, box.east]
            let rows = try Row.fetchCursor(
                statement, arguments: StatementArguments(arguments(query.player, query.now) + bounds))
            while let row = try rows.next() {
                let point = GeoPoint(latitude: row[1], longitude: row[2])
                let place = NotePlace(distance: query.center.geodesic(to: point).distance, id: row[0])
                if place.distance <= radius, query.after.map({ $0 < place }) ?? true { places.append(place) }
            }
        }
        return places
    }

    func notes(by player: PlayerIdentity) async throws(StorageFault) -> [Note] {
        try await images.threads.attempt { try all(by: player) }
    }

    // MARK: Changes

    func checkRoom(forNotesOf player: PlayerIdentity) async throws(StorageFault) {
        try await images.threads.attempt { try images.file.read { try checkRoom(for: player.id, in: $0) } }
    }

    private func checkRoom(for player: String, in database: Database) throws {
        try images.checkRoom(for: player, in: database)
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM note WHERE author = ?", arguments: [player])
        guard count ?? 0 < NoteLimits.maxNotes else { throw StorageFault.full(.notes(NoteLimits.maxNotes)) }
    }

    func keep(_ note: NewNote, _ image: NewImage) async throws(StorageFault) -> Note {
        try await images.threads.attempt {
            try images.keep(image, id: note.id, in: images.folder.noteFolder(of: note.id), file: \.file) { file in
                try add(Note(note, image, at: file), began: note.began)
            }
        }
    }

    /// Adds the row of a note, unless there is one with its id, and returns the one that is there then. Blocks.
    private func add(_ note: Note, began: Timestamp) throws -> Note {
        let author = PlayerIdentity(id: note.author)
        return try images.file.write { database in
            // What is erased is remembered before its rows are removed: whichever transaction is first, no row stays.
            guard try !images.erasures.isErased(author, since: began) else { throw StorageFault.removed(.player) }
            guard try !images.erasures.has(note.id, of: author) else { throw StorageFault.removed(.note) }
            if let known = try Self.note(note.id, in: database) { return known }
            try checkRoom(for: note.author, in: database)
            try database.execute(
                sql: "INSERT INTO note VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    note.id, note.author, note.fingerprint, note.visibility.text, note.place.latitude,
                    note.place.longitude, note.start.milliseconds, note.end?.milliseconds, note.text, note.file.path,
                    note.type, note.width, note.height, note.bytes,
                ])
            let (latitude, longitude) = (note.place.latitude, note.place.longitude)
            try database.execute(
                sql: "INSERT INTO note_place VALUES (?, ?, ?, ?, ?)",
                arguments: [database.lastInsertedRowID, latitude, latitude, longitude, longitude])
            return note
        }
    }

    func removeNotes(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) async throws(StorageFault) {
        try await images.threads.attempt {
            // A device may repeat the upload.
            do { try images.erasures.mark(ids, of: player, at: time) } catch StorageFault.full {}
            try remove(try all(by: player).filter { ids.contains($0.id) })
        }
    }

    func removeNotes(endedBefore time: Timestamp, count: Int) async throws(StorageFault) -> Int {
        try await images.threads.attempt {
            let notes = try images.file.read { database in
                try Row.fetchAll(
                    database, sql: "SELECT * FROM note WHERE end < ? LIMIT ?", arguments: [time.milliseconds, count]
                ).map(Note.init)
            }
            try remove(notes)
            return notes.count
        }
    }

    /// Removes rows and images. Blocks.
    func remove(_ notes: [Note]) throws {
        try images.remove(notes.map(\.file)) { database in
            for note in notes {
                try database.execute(
                    sql: "DELETE FROM note_place WHERE number IN (SELECT number FROM note WHERE id = ?)",
                    arguments: [note.id])
                try database.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [note.id])
            }
        }
    }

    /// Blocks.
    func all(by player: PlayerIdentity) throws -> [Note] {
        try images.file.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM note WHERE author = ?", arguments: [player.id])
                .map(Note.init)
        }
    }

    private static func note(_ id: String, in database: Database) throws -> Note? {
        try Row.fetchOne(database, sql: "SELECT * FROM note WHERE id = ?", arguments: [id]).map(Note.init)
    }
}

extension Note {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], author: row["author"], fingerprint: row["fingerprint"],
            visibility: NoteVisibility(row["visibility"]) ?? .author,
            place: GeoPoint(latitude: row["latitude"], longitude: row["longitude"]),
            start: Timestamp(milliseconds: row["start"]),
            end: (row["end"] as Int64?).map { Timestamp(milliseconds: $0) }, text: row["text"],
            file: BlobKey(row["file"]), type: row["type"], width: row["width"], height: row["height"],
            bytes: row["bytes"])
    }
}
