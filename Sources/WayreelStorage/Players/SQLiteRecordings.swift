internal import FoundationEssentials
internal import GRDB
internal import WayreelCore
internal import WayreelDatabase
internal import WayreelEngine

/// The recordings of players in the SQLite file of players, with their samples in files of the folder.
struct SQLiteRecordings: RecordingStoring {
    let images: SQLiteImages
    let limits: RecordingLimits

    static let schema = """
        CREATE TABLE recording (player TEXT NOT NULL, id TEXT NOT NULL, fingerprint TEXT NOT NULL, title TEXT NOT NULL,
            origin TEXT NOT NULL, credit TEXT, began INTEGER NOT NULL, channels TEXT NOT NULL, dates INTEGER NOT NULL,
            first INTEGER, last INTEGER, samples INTEGER NOT NULL, file TEXT NOT NULL, bytes INTEGER NOT NULL,
            writing INTEGER NOT NULL, settings TEXT, marks TEXT NOT NULL, mark_count INTEGER NOT NULL,
            mark_changes INTEGER NOT NULL, PRIMARY KEY (player, id)) WITHOUT ROWID, STRICT;
        CREATE INDEX recording_by_time ON recording (player, began DESC, id);
        """

    /// All but settings and marks.
    private static let columns = """
        player, id, fingerprint, title, origin, credit, began, channels, dates, first, last, samples, file, bytes, writing,
        mark_count, mark_changes
        """

    private var threads: any StorageThreads { images.threads }

    // MARK: What there is

    func recording(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> KeptRecording? {
        try await threads.attempt { try images.file.read { try Self.recording(id, of: player, in: $0) } }
    }

    private static func recording(
        _ id: String, of player: PlayerIdentity, in database: Database
    ) throws -> KeptRecording? {
        try fetch(database, "player = ? AND id = ?", [player.id, id]).first
    }

    private static func fetch(
        _ database: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [KeptRecording] {
        try Row.fetchAll(
            database, sql: "SELECT \(columns) FROM recording WHERE \(condition)", arguments: arguments
        ).map(KeptRecording.init)
    }

    func recordings(
        of player: PlayerIdentity, limit: Int, after place: RecordingPlace?
    ) async throws(StorageFault) -> [KeptRecording] {
        try await threads.attempt {
            try images.file.read { database in
                try Self.fetch(
                    database,
                    """
                    player = ?1 AND (?2 IS NULL OR began < ?2 OR (began = ?2 AND id > ?3))
                        ORDER BY began DESC, id LIMIT ?4
                    """, [player.id, place?.began.milliseconds, place?.id, limit])
            }
        }
    }

    func unfinished() async throws(StorageFault) -> [KeptRecording] {
        try await threads.attempt { try images.file.read { try Self.fetch($0, "writing", []) } }
    }

    /// Blocks.
    func all(of player: PlayerIdentity) throws -> [KeptRecording] {
        try images.file.read { try Self.fetch($0, "player = ?", [player.id]) }
    }

    // MARK: Room

    func checkRoom(forRecordingsOf player: PlayerIdentity, bytes: Int) async throws(StorageFault) {
        try await threads.attempt {
            try images.file.read { try checkRoom(for: player, bytes: bytes, isNew: true, in: $0) }
        }
    }

    private func checkRoom(for player: PlayerIdentity, bytes: Int, isNew: Bool, in database: Database) throws {
        let most = RecordingLimits.maxRecordings
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM recording WHERE player = ?", arguments: [player.id])
        guard !isNew || count ?? 0 < most else { throw StorageFault.full(.recordings(most)) }
        let own = try Int.fetchOne(
            database, sql: "SELECT sum(bytes) FROM recording WHERE player = ?", arguments: [player.id])
        guard bytes <= limits.playerBytes - (own ?? 0) else {
            throw StorageFault.full(.samples(bytes: limits.playerBytes))
        }
        let all = try Int.fetchOne(database, sql: "SELECT sum(bytes) FROM recording")
        guard bytes <= limits.totalBytes - (all ?? 0) else {
            throw StorageFault.full(.allSamples(bytes: limits.totalBytes))
        }
    }

    // MARK: New recordings

    func begin(_ recording: NewRecording, of player: PlayerIdentity) async throws(StorageFault) -> KeptRecording {
        try await keep(
            recording, RecordingFacts(), KeptMarks(), bytes: 0, isWriting: true, content: { _ in [] }, of: player)
    }

    func keep(
        _ recording: NewRecording, _ facts: RecordingFacts, marks new: [NewMark], bytes: Int,
        content: @escaping @Sendable (Range<Int>) throws -> [UInt8], of player: PlayerIdentity
    ) async throws(StorageFault) -> KeptRecording {
        var marks = KeptMarks()
        if !new.isEmpty { _ = try marks.change(adding: new, removing: []) }
        return try await keep(recording, facts, marks, bytes: bytes, isWriting: false, content: content, of: player)
    }

    private static let pieceBytes = 1 << 20

    private func keep(
        _ new: NewRecording, _ facts: RecordingFacts, _ marks: KeptMarks, bytes: Int, isWriting: Bool,
        content: @escaping @Sendable (Range<Int>) throws -> [UInt8], of player: PlayerIdentity
    ) async throws(StorageFault) -> KeptRecording {
        try await threads.attempt {
            // Before all of it is written.
            let known = try images.file.read { database -> KeptRecording? in
                if let known = try Self.recording(new.id, of: player, in: database) { return known }
                try checkRoom(for: player, bytes: bytes, isNew: true, in: database)
                return nil
            }
            if let known { return known }
            let name = "\(new.id)-\(Self.randomDigits()).ndjson"
            let place = images.folder.recordingFolder(of: player)
            let file = BlobKey("\(place)/\(name)")
            return try images.keep(file, file: \.file) { file in
                let kept = KeptRecording(
                    new, facts, marks, at: file, bytes: bytes, isWriting: isWriting, of: player)
                return try add(kept, marks, of: player)
            } write: { path in
                let file = try SampleFile(creating: path)
                for start in stride(from: 0, to: bytes, by: Self.pieceBytes) {
                    try file.append(try content(start..<min(start + Self.pieceBytes, bytes)), at: start)
                }
                try file.flush()
                try Directory.flush("\(images.folder.path)/\(place)")
            }
        }
    }

    /// No two files of a recording that is sent twice have the same name.
    private static func randomDigits() -> String {
        (0..<16).map { _ in UInt8.random(in: 0...255) }.hexadecimal
    }

    /// Adds the row of a recording, unless there is one with its id, and returns the one that is there then. Blocks.
    private func add(_ new: KeptRecording, _ marks: KeptMarks, of player: PlayerIdentity) throws -> KeptRecording {
        try images.file.write { database in
            // What is erased is remembered before its rows are removed: whichever transaction is first, no row stays.
            guard try !images.erasures.isErased(player, since: new.began) else { throw StorageFault.removed(.player) }
            guard try !images.erasures.has(new.id, of: player) else { throw StorageFault.removed(.recording) }
            if let known = try Self.recording(new.id, of: player, in: database) { return known }
            try checkRoom(for: player, bytes: new.bytes, isNew: true, in: database)
            try database.execute(
                sql: """
                    INSERT INTO recording VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)
                    """,
                arguments: [
                    new.player, new.id, new.fingerprint, new.title, new.origin, new.credit, new.began.milliseconds,
                    try Self.json(new.facts.channels), new.facts.hasDates, new.facts.times?.lowerBound,
                    new.facts.times?.upperBound, new.facts.samples, new.file.path, new.bytes, new.isWriting,
                    try Self.json(marks), new.marks, new.markChanges,
                ])
            return new
        }
    }

    fileprivate static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    // MARK: Recordings that are being written

    /// File → row. A service that is killed between these leaves lines that are not in the row, which the next one counts
    /// in; where the row cannot be changed, the next lines replace them.
    func append(
        _ lines: [UInt8], _ facts: RecordingFacts, to id: String, of player: PlayerIdentity
    ) async throws(StorageFault) {
        try await threads.attempt {
            let known = try images.file.read { database -> KeptRecording in
                guard let known = try Self.recording(id, of: player, in: database), known.isWriting else {
                    throw StorageFault.notFound
                }
                try checkRoom(for: player, bytes: lines.count, isNew: false, in: database)
                return known
            }
            let file = try SampleFile(opening: images.folder.path(of: known.file))
            try file.append(lines, at: known.bytes)
            try file.flush()
            try set(facts, bytes: known.bytes + lines.count, isWriting: true, of: known)
        }
    }

    func finish(_ id: String, _ facts: RecordingFacts?, of player: PlayerIdentity) async throws(StorageFault) {
        try await threads.attempt {
            guard let known = try images.file.read({ try Self.recording(id, of: player, in: $0) }) else {
                throw StorageFault.notFound
            }
            guard known.isWriting else { return }
            if known.bytes == 0, known.marks == 0, try removeEmpty(known) { return }
            try set(facts ?? known.facts, bytes: known.bytes, isWriting: false, of: known)
        }
    }

    /// Removes a recording, unless it has got samples or marks meanwhile. Returns whether it is removed. Blocks.
    private func removeEmpty(_ known: KeptRecording) throws -> Bool {
        do {
            try images.remove([known.file]) { database in
                try database.execute(
                    sql: "DELETE FROM recording WHERE player = ? AND id = ? AND bytes = 0 AND mark_count = 0",
                    arguments: [known.player, known.id])
                guard database.changesCount == 1 else { throw StorageFault.conflict(.request) }
            }
            return true
        } catch StorageFault.conflict {
            images.folder.unmarkPending([known.file])
            return false
        }
    }

    private func set(_ facts: RecordingFacts, bytes: Int, isWriting: Bool, of known: KeptRecording) throws {
        try images.file.write { database in
            try database.execute(
                sql: """
                    UPDATE recording SET channels = ?, dates = ?, first = ?, last = ?, samples = ?, bytes = ?, writing = ?
                        WHERE player = ? AND id = ? AND writing
                    """,
                arguments: [
                    try Self.json(facts.channels), facts.hasDates, facts.times?.lowerBound, facts.times?.upperBound,
                    facts.samples, bytes, isWriting, known.player, known.id,
                ])
        }
    }

    /// Cuts off what a killed service has written of a line, and counts the lines before it in. Blocks.
    func recover() throws {
        for known in try images.file.read({ try Self.fetch($0, "writing", []) }) {
            let path = images.folder.path(of: known.file)
            guard RegularFile.byteCount(path) != nil else { continue }
            let bytes = try SampleFile(opening: path).cutAfterLastLine(from: known.bytes)
            guard bytes != known.bytes else { continue }
            try set(known.facts, bytes: bytes, isWriting: true, of: known)
        }
    }

    // MARK: Settings and marks

    func settings(of id: String, _ player: PlayerIdentity) async throws(StorageFault) -> String? {
        try await threads.attempt { try images.file.read { try Self.text("settings", of: id, player, in: $0) } }
    }

    func setSettings(_ json: String, of id: String, _ player: PlayerIdentity) async throws(StorageFault) {
        try await threads.attempt {
            try images.file.write { database in
                try database.execute(
                    sql: "UPDATE recording SET settings = ? WHERE player = ? AND id = ?",
                    arguments: [json, player.id, id])
                guard database.changesCount == 1 else { throw StorageFault.notFound }
            }
        }
    }

    func marks(of id: String, _ player: PlayerIdentity) async throws(StorageFault) -> [KeptMark] {
        try await threads.attempt { try images.file.read { try Self.marks(of: id, player, in: $0).marks } }
    }

    func changeMarks(
        adding new: [NewMark], removing ids: Set<Int>, of id: String, _ player: PlayerIdentity
    ) async throws(StorageFault) -> [KeptMark] {
        try await threads.attempt {
            try images.file.write { database in
                var marks = try Self.marks(of: id, player, in: database)
                let added = try marks.change(adding: new, removing: ids)
                try database.execute(
                    sql: """
                        UPDATE recording SET marks = ?, mark_count = ?, mark_changes = ? WHERE player = ? AND id = ?
                        """, arguments: [try Self.json(marks), marks.marks.count, marks.changes, player.id, id])
                return added
            }
        }
    }

    private static func marks(of id: String, _ player: PlayerIdentity, in database: Database) throws -> KeptMarks {
        let json = try text("marks", of: id, player, in: database) ?? ""
        return try JSONDecoder().decode(KeptMarks.self, from: Data(json.utf8))
    }

    /// Throws ``StorageFault/notFound`` if there is no recording.
    private static func text(
        _ column: String, of id: String, _ player: PlayerIdentity, in database: Database
    ) throws -> String? {
        let row = try Row.fetchOne(
            database, sql: "SELECT \(column) FROM recording WHERE player = ? AND id = ?", arguments: [player.id, id])
        guard let row else { throw StorageFault.notFound }
        return row[0]
    }

    // MARK: Removal

    func removeRecordings(
        _ ids: [String], of player: PlayerIdentity, at time: Timestamp
    ) async throws(StorageFault) {
        try await threads.attempt {
            // A device may repeat the upload.
            do { try images.erasures.mark(ids, of: player, at: time) } catch StorageFault.full {}
            try remove(
                try images.file.read { database in
                    try ids.compactMap { try Self.recording($0, of: player, in: database) }
                })
        }
    }

    /// Removes rows and files. Blocks.
    func remove(_ recordings: [KeptRecording]) throws {
        try images.remove(recordings.map(\.file)) { database in
            for recording in recordings {
                try database.execute(
                    sql: "DELETE FROM recording WHERE player = ? AND id = ?",
                    arguments: [recording.player, recording.id])
            }
        }
    }
}

extension KeptRecording {
    fileprivate init(_ row: Row) throws {
        let channels = try JSONDecoder().decode([RecordedChannel].self, from: Data((row["channels"] as String).utf8))
        let (first, last): (Int64?, Int64?) = (row["first"], row["last"])
        let times = first.flatMap { first in last.flatMap { first <= $0 ? first...$0 : nil } }
        self.init(
            player: row["player"], id: row["id"], fingerprint: row["fingerprint"], title: row["title"],
            origin: row["origin"], credit: row["credit"], began: Timestamp(milliseconds: row["began"]),
            facts: RecordingFacts(
                channels: channels, hasDates: row["dates"], times: times, samples: row["samples"]),
            file: BlobKey(row["file"]), bytes: row["bytes"], isWriting: row["writing"], marks: row["mark_count"],
            markChanges: row["mark_changes"])
    }
}
