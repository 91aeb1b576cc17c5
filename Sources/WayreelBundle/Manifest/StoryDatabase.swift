internal import GRDB
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelDocument
internal import WayreelStory

/// The tables of `story.sqlite`: the whole story and the paths of its media. The database is written once and then only
/// read.
enum StoryDatabase {
    /// The value of `PRAGMA user_version`. Version 2 has the JSON of stories of version 2, and version 1 that of version 1;
    /// both have one language, without the table `translated` and the languages of media.
    static let version = 3
    static let firstVersionWithLanguages = 3
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
        CREATE TABLE translated (language TEXT NOT NULL, part TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL,
            PRIMARY KEY (language, part, id)) WITHOUT ROWID;
        CREATE TABLE file (position INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, type TEXT NOT NULL, bytes INTEGER NOT NULL,
            sha256 TEXT NOT NULL, width INTEGER, height INTEGER, seconds REAL, parts TEXT);
        CREATE TABLE media (position INTEGER PRIMARY KEY, source TEXT NOT NULL, role TEXT NOT NULL, screen TEXT, event TEXT,
            file INTEGER NOT NULL REFERENCES file, languages TEXT);
        CREATE INDEX media_by_source ON media (source, role, screen);
        CREATE TABLE manifest (sha256 TEXT NOT NULL);
        """

    /// The parts of a story that may have another JSON in another language.
    enum Part: String {
        case story, chapter, event, treatment
    }

    /// Writes the database to a new file at `path`. Equal content gives equal bytes. `translated` is the story in its
    /// other languages.
    static func write(
        _ story: Story, _ translated: [Story], _ treatments: [EventTreatment], _ manifest: BundleManifest,
        to path: String
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
                let parts = try parts(of: story)
                try insert(story, parts, into: database)
                try insert(treatments, into: database)
                for translated in translated { try insert(translated, besides: parts, into: database) }
                try insert(manifest, into: database)
                try database.execute(sql: "INSERT INTO manifest VALUES (?)", arguments: [try manifest.digest()])
            }
            try queue.close()
        }
    }

    /// The story and its chapters without what has a row of its own, and its events, as JSON in their order.
    private static func parts(of story: Story) throws(MediaError) -> [(part: Part, id: String, json: String)] {
        var head = story
        head.chapters = []
        var parts: [(Part, String, String)] = [(.story, story.id, try CanonicalJSON.text(head))]
        for chapter in story.chapters {
            var head = chapter
            head.events = []
            parts.append((.chapter, chapter.id, try CanonicalJSON.text(head)))
            for event in chapter.events { parts.append((.event, event.id, try CanonicalJSON.text(event))) }
        }
        return parts
    }

    private static func insert(
        _ story: Story, _ parts: [(part: Part, id: String, json: String)], into database: Database
    ) throws {
        let chapters = try database.makeStatement(sql: "INSERT INTO chapter VALUES (?, ?, ?)")
        let events = try database.makeStatement(sql: "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        var rows = parts.makeIterator()
        func json() -> String? { rows.next()?.json }
        try database.execute(
            sql: "INSERT INTO story VALUES (?, ?, ?, ?)", arguments: [story.id, story.language, story.name, json()])
        var position = 0
        for (index, chapter) in story.chapters.enumerated() {
            try chapters.execute(arguments: [index, chapter.id, json()])
            for event in chapter.events {
                try events.execute(arguments: [
                    position, index, event.id, event.content.kind, event.position.latitude, event.position.longitude,
                    event.activation.radius, json(),
                ])
                position += 1
            }
        }
    }

    /// Inserts the parts of a translated story that differ from those in the story's own language.
    private static func insert(
        _ story: Story, besides own: [(part: Part, id: String, json: String)], into database: Database
    ) throws {
        let rows = try database.makeStatement(sql: "INSERT INTO translated VALUES (?, ?, ?, ?)")
        for (part, own) in zip(try parts(of: story), own) where part.json != own.json {
            try rows.execute(arguments: [story.language, part.part.rawValue, part.id, part.json])
        }
    }

    private static func insert(_ treatments: [EventTreatment], into database: Database) throws {
        for treatment in treatments {
            let json = try CanonicalJSON.text(treatment.options)
            guard let languages = treatment.languages else {
                try database.execute(sql: "INSERT INTO treatment VALUES (?, ?)", arguments: [treatment.event, json])
                continue
            }
            for language in languages {
                try database.execute(
                    sql: "INSERT INTO translated VALUES (?, ?, ?, ?)",
                    arguments: [language, Part.treatment.rawValue, treatment.event, json])
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

    /// Opens the database at `path` for reading, and returns its version with it. Takes no locks and creates no files
    /// beside it.
    ///
    /// Throws an `unsupported` error if a newer Wayreel wrote it, and a `decoding` error if it is damaged or no such
    /// database.
    static func open(_ path: String) throws(MediaError) -> (queue: DatabaseQueue, version: Int) {
        try checked(path) {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.label = "story"
            let queue = try DatabaseQueue(path: "file:\(path.escapedForURI)?immutable=1", configuration: configuration)
            let found = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
            guard found <= version else {
                throw MediaError.version(found, known: version, step: .bundle, subject: path)
            }
            return (queue, found)
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
