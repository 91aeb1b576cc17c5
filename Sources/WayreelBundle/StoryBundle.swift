internal import GRDB
internal import Glibc
internal import Synchronization
public import WayreelCore
internal import WayreelDocument
public import WayreelImage
public import WayreelStory

/// A prepared story, which opens without parsing and is read chapter by chapter.
///
///     let bundle = try StoryBundle.open("bundle/")
///     for summary in try bundle.chapters() {
///         let chapter = try bundle.chapter(summary.id)
///         …
///     }
///     let image = try bundle.media(for: "images/bell.heic", role: .image, screen: "iphone-15").first
///     print(image.map { bundle.path(of: $0.file) } ?? "none")
///
/// The story and its media stay readable while a newer version replaces them.
public final class StoryBundle: Sendable {
    /// The names of the files in a bundle's folder.
    package static let fileNames = [BundleFolder.manifestName, BundleFolder.databaseName]

    /// The bundle's folder.
    public let path: String
    /// The folder of the opened version.
    private let version: String
    private let database: DatabaseQueue
    private let hasLanguages: Bool
    private let knownLanguages = Mutex<[String]?>(nil)
    /// The shared lock that prevents the removal of the version.
    private let lock: OwnerLock

    /// A chapter without its events.
    public struct ChapterSummary: Hashable, Sendable {
        public var id: String
        public var name: String
        public var events: Int
    }

    /// One use of a media file in the story.
    public struct Media: Hashable, Sendable {
        public var entry: MediaEntry
        public var file: MediaFile
    }

    /// Opens the bundle in a folder.
    ///
    /// Throws an `io` error if there is none, an `unsupported` error if a newer Wayreel wrote it, and a `decoding`
    /// error if it is damaged.
    public static func open(_ path: String) throws(MediaError) -> StoryBundle {
        // The version may be replaced between reading the link and taking the lock.
        for _ in 0..<10 {
            let version: String
            do throws(SystemError) { version = try Directory.realPath("\(path)/\(BundleFolder.currentName)") } catch {
                if error.code != ENOENT, error.code != ENOTDIR { throw BundleFolder.fault(path, error.code) }
                break
            }
            guard let lock = OwnerLock.sharing(version) else { continue }
            return try StoryBundle(path: path, version: version, lock: lock)
        }
        let isMissing = access(path, F_OK) != 0
        throw MediaError(
            .io, step: .bundle, subject: path, reason: isMissing ? systemReason(errno) : "is not a bundle",
            advice: "prepare a story into it with \(.prepare)")
    }

    private init(path: String, version: String, lock: OwnerLock) throws(MediaError) {
        self.path = path
        self.version = version
        self.lock = lock
        let (queue, found) = try StoryDatabase.open("\(version)/\(BundleFolder.databaseName)")
        (database, hasLanguages) = (queue, found >= StoryDatabase.firstVersionWithLanguages)
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(MediaError) -> Value {
        try StoryDatabase.checked(version) { try database.read(body) }
    }

    // MARK: Story

    /// Returns the languages that the story was prepared in; that of the story is the first.
    public func languages() throws(MediaError) -> [String] {
        if let known = knownLanguages.withLock(\.self) { return known }
        let (own, all) = try read { database in
            let row = try Row.fetchOne(database, sql: "SELECT language, json -> '$.languages' FROM story")
            return (try row?.decode(String?.self, atIndex: 0), try row?.decode(String?.self, atIndex: 1))
        }
        let languages = try all.map { (json) throws(MediaError) in try decoded([String].self, json) } ?? [own ?? ""]
        knownLanguages.withLock { $0 = languages }
        return languages
    }

    /// Returns the story without its chapters: see ``wholeStory(language:)``.
    ///
    /// `language` is one of ``languages()``, nil for the story's own; a more general one is enough, as `de` for `de-AT`.
    /// `qps` is the pseudo-language, which every bundle has in texts. What is not translated is in a more general
    /// language, or in the story's own. Throws a `parameter` error if there is no such language.
    public func story(language: String? = nil) throws(MediaError) -> Story {
        switch try tongue(language) {
        case .own: try ownStory()
        case .translated(let language):
            try decoded(Story.self, try translation(.story, of: try ownStory().id, language))
        case .pseudo: try ownStory().pseudolocalized()
        }
    }

    /// Returns the story with all chapters and their events. Throws as ``story(language:)`` does.
    public func wholeStory(language: String? = nil) throws(MediaError) -> Story {
        var story = try story(language: language)
        let ids = try read { try String.fetchAll($0, sql: "SELECT id FROM chapter ORDER BY position") }
        story.chapters = try ids.map { (id) throws(MediaError) in try chapter(id, language: language) }
        return story
    }

    /// Returns all chapters in the author's order. Throws as ``story(language:)`` does.
    public func chapters(language: String? = nil) throws(MediaError) -> [ChapterSummary] {
        let tongue = try tongue(language)
        let name = json(.chapter, tongue)
        let summaries = try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT chapter.id, \(name.sql) ->> '$.name', count(event.id) FROM chapter LEFT JOIN event
                        ON event.chapter = chapter.position GROUP BY chapter.position ORDER BY chapter.position
                    """, arguments: StatementArguments(name.arguments)
            ).map { row in
                ChapterSummary(
                    id: try row.decode(String.self, atIndex: 0), name: try row.decode(String?.self, atIndex: 1) ?? "",
                    events: try row.decode(Int.self, atIndex: 2))
            }
        }
        guard tongue == .pseudo else { return summaries }
        return try summaries.map { (summary) throws(MediaError) in
            var summary = summary
            summary.name = try chapter(summary.id, language: language).name
            return summary
        }
    }

    /// Returns a chapter with its events.
    ///
    /// Throws a `parameter` error if there is no chapter with that id, and as ``story(language:)`` does.
    public func chapter(_ id: String, language: String? = nil) throws(MediaError) -> Chapter {
        let tongue = try tongue(language)
        let (head, event) = (json(.chapter, tongue), json(.event, tongue))
        let (json, events) = try read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT position, \(head.sql) FROM chapter WHERE id = ?",
                arguments: StatementArguments(head.arguments + [id]))
            guard let row else { return (nil as String?, [String]()) }
            let position = try row.decode(Int.self, atIndex: 0)
            let events = try String.fetchAll(
                database, sql: "SELECT \(event.sql) FROM event WHERE chapter = ? ORDER BY position",
                arguments: StatementArguments(event.arguments) + [position])
            return (try row.decode(String?.self, atIndex: 1), events)
        }
        guard let json else {
            throw MediaError(
                .parameter, step: .bundle, subject: path, reason: "has no chapter '\(id)'",
                advice: "it has \(try chapters().map(\.id).joined(separator: ", "))")
        }
        var chapter = try decoded(Chapter.self, json)
        chapter.events = try decoded([Event].self, "[\(events.joined(separator: ","))]")
        guard tongue == .pseudo else { return chapter }
        var story = try ownStory()
        story.chapters = [chapter]
        return story.pseudolocalized().chapters[0]
    }

    /// Whether the story has an event with that id, in any of its chapters.
    package func hasEvent(_ id: String) throws(MediaError) -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM event WHERE id = ?)", arguments: [id]) }
            ?? false
    }

    /// Returns the options with which captures of a camera event are prepared, for a screen in pixels.
    ///
    /// Throws a `parameter` error if there is no camera event with that id, and as ``story(language:)`` does.
    public func captureOptions(
        for event: String, screen: PixelSize?, language: String? = nil
    ) throws(MediaError) -> CaptureOptions {
        var json: String?
        if case .translated(let language) = try tongue(language) {
            json = try translation(.treatment, of: event, language)
        }
        if json == nil {
            json = try read { database in
                try String.fetchOne(database, sql: "SELECT json FROM treatment WHERE event = ?", arguments: [event])
            }
        }
        guard let json else {
            throw MediaError(.parameter, step: .bundle, subject: path, reason: "has no camera event '\(event)'")
        }
        var options = try decoded(CaptureOptions.self, json)
        if options.framing.screen == nil { options.framing.screen = screen }
        var files: [String: String] = [:]
        for media in try rows("role = 'treatment' AND event = ?", [event]) {
            files[media.entry.source] = path(of: media.file)
        }
        options.filters = options.filters.map { $0.renamingFiles { files[$0] ?? $0 } }
        options.overlays = options.overlays.map { $0.renamingFile { files[$0] ?? $0 } }
        return options
    }

    // MARK: Languages

    /// How the story is read in a language.
    private enum Tongue: Equatable {
        case own
        case translated(String)
        /// As texts that are made of the story's own: the bundle was not prepared in the pseudo-language.
        case pseudo
    }

    private func tongue(_ language: String?) throws(MediaError) -> Tongue {
        guard let language else { return .own }
        let languages = try languages()
        for tag in LanguageTag.fallbacks(of: language.lowercased()) {
            guard let known = languages.first(where: { $0.lowercased() == tag }) else { continue }
            return known == languages[0] ? .own : .translated(known)
        }
        guard language.lowercased() == Story.pseudoLanguage else {
            throw MediaError(
                .parameter, step: .bundle, subject: path, reason: "has no language '\(language)'",
                advice: "it has \(languages.joined(separator: ", "))")
        }
        return .pseudo
    }

    private func ownStory() throws(MediaError) -> Story {
        try decoded(Story.self, try read { try String.fetchOne($0, sql: "SELECT json FROM story") })
    }

    /// The JSON of a part in a language, where that differs from the story's own.
    private func translation(
        _ part: StoryDatabase.Part, of id: String, _ language: String
    ) throws(MediaError) -> String? {
        try read { database in
            try String.fetchOne(
                database, sql: "SELECT json FROM translated WHERE language = ? AND part = ? AND id = ?",
                arguments: [language, part.rawValue, id])
        }
    }

    /// The JSON of a row of the table that has the part's name, with the arguments of the expression.
    private func json(_ part: StoryDatabase.Part, _ tongue: Tongue) -> (sql: String, arguments: [String]) {
        let (table, own) = (part.rawValue, "\(part.rawValue).json")
        guard case .translated(let language) = tongue else { return (own, []) }
        let found = "SELECT json FROM translated WHERE language = ? AND part = '\(table)' AND id = \(table).id"
        return ("ifnull((\(found)), \(own))", [language])
    }

    // MARK: Media

    /// Returns the screens that the bundle was prepared for.
    public func screens() throws(MediaError) -> [Screen] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT name, width, height FROM screen ORDER BY position").map { row in
                let name = try row.decode(String.self, atIndex: 0)
                let size = PixelSize(
                    width: try row.decode(Int.self, atIndex: 1), height: try row.decode(Int.self, atIndex: 2))
                return Screen(name: name, label: name, size: size)
            }
        }
    }

    /// Returns the files made from a file of the story: those made for the screen, and those that serve all screens.
    ///
    /// If `role`, `screen` or `language` is nil, it does not restrict the result. A sample may have a preview for each
    /// language; other media are the same in all languages that name the source.
    public func media(
        for source: String, role: MediaRole? = nil, screen: String? = nil, language: String? = nil
    ) throws(MediaError) -> [Media] {
        var condition = "source = ?"
        var arguments: [String] = [source]
        if let role {
            condition += " AND role = ?"
            arguments.append(role.rawValue)
        }
        if let screen {
            condition += " AND (screen IS NULL OR screen = ?)"
            arguments.append(screen)
        }
        let found = try rows(condition, arguments)
        guard let language else { return found }
        return found.filter { $0.entry.languages?.contains(language) ?? true }
    }

    /// Returns the path of a file of this bundle.
    public func path(of file: MediaFile) -> String { "\(path)/\(file.path)" }

    /// Returns the manifest of the bundle, read from `manifest.json`.
    public func manifest() throws(MediaError) -> BundleManifest {
        try BundleManifest.read(path: "\(version)/\(BundleFolder.manifestName)")
    }

    private func rows(_ condition: String, _ arguments: [String]) throws(MediaError) -> [Media] {
        let rows = try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT source, role, screen, event, path, type, bytes, sha256, width, height, seconds, parts,
                        \(hasLanguages ? "languages" : "NULL")
                        FROM media JOIN file ON media.file = file.position WHERE \(condition) ORDER BY media.position
                    """, arguments: StatementArguments(arguments))
        }
        var found: [Media] = []
        for row in rows {
            guard let role = MediaRole(rawValue: try text(row, 1)) else { continue }
            let (parts, languages) = (try optional(String.self, row, 11), try optional(String.self, row, 12))
            let file = MediaFile(
                path: try text(row, 4), type: try text(row, 5), bytes: try optional(Int.self, row, 6) ?? -1,
                sha256: try text(row, 7), width: try optional(Int.self, row, 8), height: try optional(Int.self, row, 9),
                seconds: try optional(Double.self, row, 10),
                parts: try parts.map { (json) throws(MediaError) in try decoded([MediaFile.Part].self, json) })
            guard file.isSound else { throw damaged("a path that leads out of it") }
            let entry = MediaEntry(
                source: try text(row, 0), role: role, screen: try optional(String.self, row, 2),
                event: try optional(String.self, row, 3),
                languages: try languages.map { (json) throws(MediaError) in try decoded([String].self, json) },
                path: file.path)
            found.append(Media(entry: entry, file: file))
        }
        return found
    }

    private func text(_ row: Row, _ index: Int) throws(MediaError) -> String {
        try optional(String.self, row, index) ?? ""
    }

    private func optional<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ type: Value.Type, _ row: Row, _ index: Int
    ) throws(MediaError) -> Value? {
        do { return try row.decode(Value?.self, atIndex: index) } catch { throw damaged("a value of another type") }
    }

    private func damaged(_ what: String) -> MediaError {
        MediaError(
            .decoding, step: .bundle, subject: path, reason: "is damaged: it holds \(what)",
            advice: "prepare the story again")
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ json: String?) throws(MediaError) -> Value {
        guard let value = json.flatMap({ CanonicalJSON.value(type, from: $0) }) else {
            throw damaged("a \(type) that cannot be read")
        }
        return value
    }

    // MARK: Verification

    /// Returns all uses of files in the order of the story.
    func allMedia() throws(MediaError) -> [Media] { try rows("1", []) }

    /// Returns the files that the treatment of each camera event uses.
    func treatmentFiles() throws(MediaError) -> [(event: String, sources: [String])] {
        let rows = try read { database in
            try Row.fetchAll(database, sql: "SELECT event, json FROM treatment ORDER BY event")
        }
        var found: [(String, [String])] = []
        for row in rows {
            let options = try decoded(CaptureOptions.self, try text(row, 1))
            found.append((try text(row, 0), options.overlays.imagePaths + options.filters.flatMap(\.files)))
        }
        return found
    }

    /// Returns the ``BundleManifest/digest()`` of the manifest that was written with the database; nil for an older
    /// one.
    func manifestDigest() throws(MediaError) -> String? {
        try read { database in
            try database.tableExists("manifest") ? String.fetchOne(database, sql: "SELECT sha256 FROM manifest") : nil
        }
    }

    /// Returns the path of a file of the opened version.
    func versionPath(_ name: String) -> String { "\(version)/\(name)" }
}
