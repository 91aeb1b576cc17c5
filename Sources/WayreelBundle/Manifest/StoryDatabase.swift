internal import GRDB
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelStory

/// The tables of `story.sqlite`: the whole story and the paths of its media. The database is written once and then only
/// read.
enum StoryDatabase {
    /// The value of `PRAGMA user_version`. Version 2 has the JSON of stories of version 2, version 3 that of version 3 and
    /// the languages of media; older ones are read as they are.
    static let version = 3
    /// The value of `PRAGMA application_id`: "wayr".
    private static let applicationID = 0x7761_7972

    static let schema = """
        CREATE TABLE story (id TEXT NOT NULL, language TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL);
        CREATE TABLE screen (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, width INTEGER NOT NULL,
            height INTEGER NOT NULL);
        CREATE TABLE chapter (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL);
        CREATE TABLE event (position INTEGER PRIMARY KEY, chapter INTEGER NOT NULL REFERENCES chapter, id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL, radius REAL NOT NULL, json TEXT NOT NULL);
        CREATE INDEX event_by_chapter ON event (chapter, position);
        CREATE TABLE treatment (event TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE file (position INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, type TEXT NOT NULL, bytes INTEGER NOT NULL,
            sha256 TEXT NOT NULL, width INTEGER, height INTEGER, seconds REAL, parts TEXT);
        CREATE TABLE media (position INTEGER PRIMARY KEY, source TEXT NOT NULL, role TEXT NOT NULL, screen TEXT, event TEXT,
            file INTEGER NOT NULL REFERENCES file, languages TEXT);
        CREATE INDEX media_by_source ON media (source, role, screen);
        CREATE TABLE manifest (sha256 TEXT NOT NULL);
        """

    /// Writes the database to a new file at `path`. Equal content gives equal bytes.
    static func write(
        _ story: Story, _ treatments: [EventTreatment], _ manifest: BundleManifest, to path: String
    ) throws(MediaError) {
        try checked(path) {
            var configuration = Configuration()
            // The caller flushes the file before it becomes visible to readers.
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { database in
                try database.execute(sql: schema)
                try database.execute(sql: "PRAGMA user_version = \(version); PRAGMA application_id = \(applicationID)")
                try insert(story, into: database)
                for treatment in treatments {
                    try database.execute(
                        sql: "INSERT INTO treatment VALUES (?, ?)",
                        arguments: [treatment.event, CanonicalJSON.text(treatment.options)])
                }
                try insert(manifest, into: database)
                try database.execute(sql: "INSERT INTO manifest VALUES (?)", arguments: [try manifest.digest()])
            }
            try queue.close()
        }
    }

    private static func insert(_ story: Story, into database: Database) throws {
        var head = story
        head.chapters = []
        try database.execute(
            sql: "INSERT INTO story VALUES (?, ?, ?, ?)",
            arguments: [story.id, story.language, story.name, CanonicalJSON.text(head)])
        let chapters = try database.makeStatement(sql: "INSERT INTO chapter VALUES (?, ?, ?)")
        let events = try database.makeStatement(sql: "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        var position = 0
        for (index, chapter) in story.chapters.enumerated() {
            var head = chapter
            head.events = []
            try chapters.execute(arguments: [index, chapter.id, CanonicalJSON.text(head)])
            for event in chapter.events {
                try events.execute(arguments: [
                    position, index, event.id, event.content.kind, event.position.latitude, event.position.longitude,
                    event.activation.radius, CanonicalJSON.text(event),
                ])
                position += 1
            }
        }
    }

    private static func insert(_ manifest: BundleManifest, into database: Database) throws {
        for (index, screen) in manifest.screens.enumerated() {
            try database.execute(
                sql: "INSERT INTO screen VALUES (?, ?, ?, ?)",
                arguments: [index, screen.name, screen.width, screen.height])
        }
        let files = try database.makeStatement(sql: "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        var indices: [String: Int] = [:]
        for (index, file) in manifest.files.enumerated() {
            indices[file.path] = index
            try files.execute(arguments: [
                index, file.path, file.type, file.bytes, file.sha256, file.width, file.height, file.seconds,
                file.parts.map { try CanonicalJSON.text($0) },
            ])
        }
        let media = try database.makeStatement(sql: "INSERT INTO media VALUES (?, ?, ?, ?, ?, ?, ?)")
        for (index, entry) in manifest.media.enumerated() {
            try media.execute(arguments: [
                index, entry.source, entry.role.rawValue, entry.screen, entry.event, indices[entry.path],
                entry.languages.map { try CanonicalJSON.text($0) },
            ])
        }
    }

    /// Opens the database at `path` for reading. Takes no locks and creates no files beside it.
    ///
    /// Throws an `unsupported` error if a newer Wayreel wrote it, and a `decoding` error if it is damaged or no such
    /// database.
    static func open(_ path: String) throws(MediaError) -> DatabaseQueue {
        try checked(path) {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.label = "story"
            let queue = try DatabaseQueue(path: "file:\(path.escapedForURI)?immutable=1", configuration: configuration)
            let found = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
            guard found <= version else {
                throw MediaError.version(found, known: version, step: .bundle, subject: path)
            }
            return queue
        }
    }

    static func checked<Result>(_ path: String, _ body: () throws -> Result) throws(MediaError) -> Result {
        try SQLite.checked(step: .bundle, subject: path, otherwise: { fault($0, path) }, body)
    }

    private static func fault(_ error: any Error, _ path: String) -> MediaError {
        guard let error = error as? DatabaseError else {
            return MediaError(.decoding, step: .bundle, subject: path, reason: "\(error)")
        }
        return MediaError(
            .decoding, step: .bundle, subject: path, reason: error.message ?? "\(error.resultCode)",
            advice: "prepare the story again")
    }
}

extension String {
    /// The path, escaped for an SQLite URI.
    fileprivate var escapedForURI: String {
        replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }
}
