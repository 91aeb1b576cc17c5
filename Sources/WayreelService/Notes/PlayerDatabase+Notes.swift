internal import FoundationEssentials
internal import GRDB
internal import HTTPTypes
internal import WayreelCore
internal import WayreelEngine
internal import WayreelStorage
internal import WayreelStory

/// A request for a list of notes.
struct NoteQuery: Sendable {
    var player: PlayerIdentity
    var center: GeoPoint
    /// Metres, up to ``maxRadius``.
    var radius: Double
    /// Whether the list contains the player's own notes only, at any time.
    var isOwn: Bool
    var now: Timestamp
    var limit: Int
    /// The last note of the previous page.
    var after: NotePlace?

    /// No two points on Earth are farther apart: half a meridian is 20 003.9 km long.
    static let maxRadius = 20_100_000.0
}

/// The position of a note in a list: ordered by distance, then by id.
struct NotePlace: Hashable, Comparable, Sendable {
    /// Metres.
    var distance: Double
    var id: String

    static func < (a: Self, b: Self) -> Bool { (a.distance, a.id) < (b.distance, b.id) }
}

extension PlayerDatabase {
    /// The maximum number of notes of a player.
    static let maxNotes = 500

    /// The condition for notes that a player sees now: `?1` the player, `?2` the groups in JSON, `?3` the time.
    private static let visibleNow = """
        start <= ?3 AND (end IS NULL OR end > ?3)
            AND (author = ?1 OR visibility = 'all' OR visibility IN (SELECT 'group:' || value FROM json_each(?2)))
        """

    private static func arguments(_ player: PlayerIdentity, _ now: Timestamp) -> [any DatabaseValueConvertible] {
        let groups = player.groups.sorted().map(\.jsonQuoted).joined(separator: ",")
        return [player.id, "[\(groups)]", now.milliseconds]
    }

    /// Returns a note by its id if the player may see it: own notes at any time. Blocks.
    func note(_ id: String, to player: PlayerIdentity, now: Timestamp) throws -> Note? {
        try read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM note WHERE id = ?4 AND (author = ?1 OR (\(Self.visibleNow)))",
                arguments: StatementArguments(Self.arguments(player, now) + [id])
            ).map(Note.init)
        }
    }

    /// Returns the requested notes, nearest first, each with its distance in metres. Blocks.
    ///
    /// Searches in circles that grow until they contain enough notes, so that a large radius is fast if there are many
    /// notes.
    func notes(_ query: NoteQuery) throws -> [(note: Note, distance: Double)] {
        try read { database in
            var radius = min(max(100, (query.after?.distance ?? 0) * 1.1), query.radius)
            while true {
                let found = try Self.places(in: database, query, radius: radius)
                if found.count >= query.limit || radius >= query.radius {
                    return try found.sorted().prefix(query.limit).compactMap { place in
                        try Row.fetchOne(database, sql: "SELECT * FROM note WHERE id = ?", arguments: [place.id])
                            .map { (Note($0), place.distance) }
                    }
                }
                radius = min(radius * 4, query.radius)
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

    /// Throws a ``Problem`` if a player has the maximum number of notes, or the maximum size of images.
    /// Blocks.
    func checkNoteRoom(for player: PlayerIdentity) throws { try read { try checkNoteRoom(for: player.id, in: $0) } }

    private func checkNoteRoom(for player: String, in database: Database) throws {
        try checkRoom(for: player, in: database)
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM note WHERE author = ?", arguments: [player])
        guard count ?? 0 < Self.maxNotes else {
            throw Problem(
                .forbidden, code: "quota", "The player has too many notes",
                detail: "at most \(Self.maxNotes); delete some of them")
        }
    }

    /// Returns a note by its id, for any player. Blocks.
    func note(_ id: String) throws -> Note? { try read { try Self.note(id, in: $0) } }

    private static func note(_ id: String, in database: Database) throws -> Note? {
        try Row.fetchOne(database, sql: "SELECT * FROM note WHERE id = ?", arguments: [id]).map(Note.init)
    }

    /// Adds a note, unless one with its id exists, and returns the stored one. Blocks.
    ///
    /// Throws a ``Problem`` if there is no room for it.
    func keep(_ note: Note) throws -> Note {
        try write { database in
            if let known = try Self.note(note.id, in: database) { return known }
            try checkNoteRoom(for: note.author, in: database)
            try database.execute(
                sql: "INSERT INTO note VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    note.id, note.author, note.fingerprint, note.visibility.text, note.place.latitude,
                    note.place.longitude, note.start.milliseconds, note.end?.milliseconds, note.text, note.file,
                    note.type, note.width, note.height, note.bytes,
                ])
            let (latitude, longitude) = (note.place.latitude, note.place.longitude)
            try database.execute(
                sql: "INSERT INTO note_place VALUES (?, ?, ?, ?, ?)",
                arguments: [database.lastInsertedRowID, latitude, latitude, longitude, longitude])
            return note
        }
    }

    /// Removes a note. Blocks.
    private static func remove(_ id: String, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM note_place WHERE number IN (SELECT number FROM note WHERE id = ?)", arguments: [id])
        try database.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [id])
    }

    /// Returns up to `count` notes whose end is before `time`. Blocks.
    func notes(endedBefore time: Timestamp, count: Int) throws -> [Note] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM note WHERE end < ? LIMIT ?", arguments: [time.milliseconds, count]
            ).map(Note.init)
        }
    }

    /// Returns all notes of a player. Blocks.
    func notes(by player: PlayerIdentity) throws -> [Note] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM note WHERE author = ?", arguments: [player.id])
                .map(Note.init)
        }
    }

    /// Removes the rows of notes. Blocks.
    func remove(_ notes: [Note]) throws {
        try write { for note in notes { try Self.remove(note.id, in: $0) } }
    }
}

extension Note {
    init(_ row: Row) {
        self.init(
            id: row["id"], author: row["author"], fingerprint: row["fingerprint"],
            visibility: Visibility(row["visibility"]) ?? .author,
            place: GeoPoint(latitude: row["latitude"], longitude: row["longitude"]),
            start: Timestamp(milliseconds: row["start"]),
            end: (row["end"] as Int64?).map { Timestamp(milliseconds: $0) }, text: row["text"], file: row["file"],
            type: row["type"], width: row["width"], height: row["height"], bytes: row["bytes"])
    }
}
