package import WayreelEngine
package import WayreelJournal
package import WayreelStorage
internal import WayreelStory

/// What is kept of players, in memory. It promises what ``SQLitePlayers`` promises, except that nothing outlives it.
package actor MemoryPlayers: PlayerStoring {
    private struct Player {
        var journals: [String: MemoryJournal] = [:]
        var captures: [String: KeptCapture] = [:]
        var recordings: [String: MemoryRecording] = [:]
        /// The times up to which stories are erased; that of the whole player with an empty story.
        var erased: [String: Timestamp] = [:]
        var removed: Set<String> = []
    }

    private let maxImageBytes: Int
    private let limits: RecordingLimits
    private var players: [JournalKey: Player] = [:]
    private var storedNotes: [String: Note] = [:]
    private var images: [BlobKey: [UInt8]] = [:]
    private var imageCount = 0

    package init(maxImageBytes: Int, recordings: RecordingLimits = RecordingLimits()) {
        (self.maxImageBytes, limits) = (maxImageBytes, recordings)
    }

    package nonisolated var journals: any JournalStoring { self }
    package nonisolated var captures: any CaptureStoring { self }
    package nonisolated var notes: any NoteStoring { self }
    package nonisolated var recordings: any RecordingStoring { self }
    package nonisolated var erasures: any ErasureStoring { self }
    package nonisolated var blobs: any BlobStoring { self }

    /// Nothing is cut off: each function runs to its end.
    package func recover() {}

    package func repeatErasures() {
        for (id, stored) in players {
            let player = PlayerIdentity(id: id.text)
            delete(stored.captures.values.filter { isErased($0.id, taken: $0.time, story: $0.story, of: player) })
            delete(storedNotes.values.filter { player.isCalled($0.author) && stored.removed.contains($0.id) })
            delete(
                stored.recordings.values.map(\.kept).filter {
                    stored.removed.contains($0.id) || isErased(player, since: $0.began)
                })
            for story in stored.journals.keys {
                guard let time = erased(player, story: story) else { continue }
                var news = JournalContents()
                news.erase(upTo: time)
                players[id]?.journals[story]?.add(news)
            }
        }
    }

    package func removeAll(of player: PlayerIdentity) throws(StorageFault) {
        erase(player, story: nil, upTo: .now)
        let (captures, notes) = (captures(of: player, story: nil), notes(by: player))
        let recordings = self[player].recordings.values.map(\.kept)
        try markRemoved(captures.map(\.id) + notes.map(\.id) + recordings.map(\.id), of: player, at: .now)
        delete(captures)
        delete(notes)
        delete(recordings)
        self[player].journals = [:]
    }

    private subscript(player: PlayerIdentity) -> Player {
        get { players[JournalKey(player.id)] ?? Player() }
        set { players[JournalKey(player.id)] = newValue }
    }

    // MARK: Images

    private func checkRoom(for player: PlayerIdentity) throws(StorageFault) {
        let bytes = self[player].captures.values.map(\.bytes) + notes(by: player).map(\.bytes)
        guard bytes.reduce(0, +) < maxImageBytes else { throw .full(.images(bytes: maxImageBytes)) }
    }

    private func add(_ image: NewImage) -> BlobKey {
        imageCount += 1
        let key = BlobKey("images/\(imageCount).\(image.format)")
        images[key] = image.bytes
        return key
    }

    private func delete(_ captures: [KeptCapture]) {
        for capture in captures {
            self[PlayerIdentity(id: capture.player)].captures[capture.id] = nil
            images[capture.file] = nil
        }
    }

    private func delete(_ recordings: [KeptRecording]) {
        for recording in recordings {
            self[PlayerIdentity(id: recording.player)].recordings[recording.id] = nil
            images[recording.file] = nil
        }
    }

    private func delete(_ notes: [Note]) {
        for note in notes {
            storedNotes[note.id] = nil
            images[note.file] = nil
        }
    }
}

extension MemoryPlayers: BlobStoring {
    private struct Blob: StoredBlob {
        let bytes: [UInt8]

        var count: Int { bytes.count }

        func read(_ range: Range<Int>) async throws(StorageFault) -> [UInt8] { Array(bytes[range]) }
    }

    package func write(_ bytes: [UInt8], to key: BlobKey) { images[key] = bytes }

    package func open(_ key: BlobKey) throws(StorageFault) -> any StoredBlob {
        guard let bytes = images[key] else { throw .notFound }
        return Blob(bytes: bytes)
    }

    package func delete(_ keys: [BlobKey]) { for key in keys { images[key] = nil } }
}

extension MemoryPlayers: ErasureStoring {
    package func erase(_ player: PlayerIdentity, story: String?, upTo time: Timestamp) {
        let known = self[player].erased[story ?? ""]
        self[player].erased[story ?? ""] = max(known ?? time, time)
    }

    package func erased(_ player: PlayerIdentity, story: String?) -> Timestamp? {
        let times = self[player].erased
        return [times[""], story.flatMap { times[$0] }].compactMap(\.self).max()
    }

    package func markRemoved(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) throws(StorageFault) {
        let removed = self[player].removed.union(ids)
        guard removed == self[player].removed || removed.count <= ErasureLimits.maxRemoved else {
            throw .full(.removals)
        }
        self[player].removed = removed
    }

    package func isRemoved(_ id: String, of player: PlayerIdentity) -> Bool { self[player].removed.contains(id) }

    private func isErased(_ player: PlayerIdentity, since time: Timestamp) -> Bool {
        erased(player, story: nil).map { time <= $0 } ?? false
    }

    private func isErased(_ id: String, taken: Timestamp, story: String, of player: PlayerIdentity) -> Bool {
        isRemoved(id, of: player) || erased(player, story: story).map { taken <= $0 } ?? false
    }
}

extension MemoryPlayers: CaptureStoring {
    package func capture(_ id: String, of player: PlayerIdentity) -> KeptCapture? { self[player].captures[id] }

    package func captures(of player: PlayerIdentity, story: String?) -> [KeptCapture] {
        self[player].captures.values.filter { story == nil || $0.story == story }
    }

    package func checkRoom(forCapturesOf player: PlayerIdentity) throws(StorageFault) { try checkRoom(for: player) }

    package func keep(
        _ capture: NewCapture, _ image: NewImage, of player: PlayerIdentity
    ) throws(StorageFault) -> (capture: KeptCapture, isNew: Bool) {
        guard !isErased(capture.id, taken: capture.taken, story: capture.story, of: player) else {
            throw .removed(.capture)
        }
        if let known = self[player].captures[capture.id] { return (known, false) }
        try checkRoom(for: player)
        let kept = KeptCapture(capture, image, at: add(image), of: player)
        self[player].captures[capture.id] = kept
        return (kept, true)
    }

    package func removeCaptures(
        _ ids: [String], of player: PlayerIdentity, at time: Timestamp
    ) throws(StorageFault) {
        try markRemoved(ids, of: player, at: time)
        delete(ids.compactMap { self[player].captures[$0] })
    }
}

extension MemoryPlayers: NoteStoring {
    package func note(_ id: String) -> Note? { storedNotes[id] }

    package func note(_ id: String, to player: PlayerIdentity, now: Timestamp) -> Note? {
        storedNotes[id].flatMap { player.isCalled($0.author) || isVisible($0, to: player, now) ? $0 : nil }
    }

    package func notes(_ query: NoteQuery) -> [FoundNote] {
        let found = storedNotes.values.compactMap { note -> (FoundNote, NotePlace)? in
            let isOwn = query.player.isCalled(note.author)
            guard query.isOwn ? isOwn : isVisible(note, to: query.player, query.now) else { return nil }
            let distance = query.center.geodesic(to: note.place).distance
            let place = NotePlace(distance: distance, id: note.id)
            guard distance <= query.radius, query.after.map({ $0 < place }) ?? true else { return nil }
            return (FoundNote(note: note, distance: distance), place)
        }
        return found.sorted { $0.1 < $1.1 }.prefix(query.limit).map(\.0)
    }

    package func notes(by player: PlayerIdentity) -> [Note] {
        storedNotes.values.filter { player.isCalled($0.author) }
    }

    package func checkRoom(forNotesOf player: PlayerIdentity) throws(StorageFault) {
        try checkRoom(for: player)
        guard notes(by: player).count < NoteLimits.maxNotes else { throw .full(.notes(NoteLimits.maxNotes)) }
    }

    package func keep(_ note: NewNote, _ image: NewImage) throws(StorageFault) -> Note {
        let author = PlayerIdentity(id: note.author)
        guard !isErased(author, since: note.began) else { throw .removed(.player) }
        guard !isRemoved(note.id, of: author) else { throw .removed(.note) }
        if let known = storedNotes[note.id] { return known }
        try checkRoom(forNotesOf: author)
        let kept = Note(note, image, at: add(image))
        storedNotes[note.id] = kept
        return kept
    }

    package func removeNotes(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) {
        // A note is removed also if no further id can be remembered.
        try? markRemoved(ids, of: player, at: time)
        delete(notes(by: player).filter { ids.contains($0.id) })
    }

    package func removeNotes(endedBefore time: Timestamp, count: Int) -> Int {
        let ended = storedNotes.values.filter { note in note.end.map { $0 < time } ?? false }.prefix(count)
        delete(Array(ended))
        return ended.count
    }

    private func isVisible(_ note: Note, to player: PlayerIdentity, _ now: Timestamp) -> Bool {
        guard note.start <= now, note.end.map({ $0 > now }) ?? true else { return false }
        if player.isCalled(note.author) { return true }
        return switch note.visibility {
        case .all: true
        case .group(let name): player.groups.contains(name)
        case .author: false
        }
    }
}

/// A recording with what belongs to it.
private struct MemoryRecording {
    var kept: KeptRecording
    var settings: String?
    var marks = KeptMarks()
}

extension MemoryPlayers: RecordingStoring {
    package func recording(_ id: String, of player: PlayerIdentity) -> KeptRecording? {
        self[player].recordings[id]?.kept
    }

    package func recordings(of player: PlayerIdentity, limit: Int, after place: RecordingPlace?) -> [KeptRecording] {
        let all = self[player].recordings.values.map(\.kept).filter { recording in
            place.map { recording.place.isAfter($0) } ?? true
        }
        return Array(all.sorted { $1.place.isAfter($0.place) }.prefix(limit))
    }

    package func unfinished() -> [KeptRecording] {
        players.values.flatMap { $0.recordings.values.map(\.kept) }.filter(\.isWriting)
    }

    package func checkRoom(forRecordingsOf player: PlayerIdentity, bytes: Int) throws(StorageFault) {
        guard self[player].recordings.count < RecordingLimits.maxRecordings else {
            throw .full(.recordings(RecordingLimits.maxRecordings))
        }
        try checkRoom(for: bytes, of: player)
    }

    private func checkRoom(for bytes: Int, of player: PlayerIdentity) throws(StorageFault) {
        func sum(_ players: some Sequence<Player>) -> Int {
            players.flatMap { $0.recordings.values.map(\.kept.bytes) }.reduce(0, +)
        }
        guard bytes <= limits.playerBytes - sum([self[player]]) else {
            throw .full(.samples(bytes: limits.playerBytes))
        }
        guard bytes <= limits.totalBytes - sum(players.values) else {
            throw .full(.allSamples(bytes: limits.totalBytes))
        }
    }

    package func begin(_ recording: NewRecording, of player: PlayerIdentity) throws(StorageFault) -> KeptRecording {
        try keep(recording, RecordingFacts(), KeptMarks(), [], isWriting: true, of: player)
    }

    package func keep(
        _ recording: NewRecording, _ facts: RecordingFacts, marks new: [NewMark], bytes: Int,
        content: @escaping @Sendable (Range<Int>) throws -> [UInt8], of player: PlayerIdentity
    ) throws(StorageFault) -> KeptRecording {
        if let known = self.recording(recording.id, of: player) { return known }
        var marks = KeptMarks()
        if !new.isEmpty { _ = try marks.change(adding: new, removing: []) }
        let all: [UInt8]
        do { all = try content(0..<bytes) } catch { throw StorageFault(error) }
        return try keep(recording, facts, marks, all, isWriting: false, of: player)
    }

    private func keep(
        _ new: NewRecording, _ facts: RecordingFacts, _ marks: KeptMarks, _ bytes: [UInt8], isWriting: Bool,
        of player: PlayerIdentity
    ) throws(StorageFault) -> KeptRecording {
        guard !isErased(player, since: new.began) else { throw .removed(.player) }
        guard !isRemoved(new.id, of: player) else { throw .removed(.recording) }
        if let known = recording(new.id, of: player) { return known }
        try checkRoom(forRecordingsOf: player, bytes: bytes.count)
        imageCount += 1
        let key = BlobKey("recordings/\(imageCount).ndjson")
        images[key] = bytes
        let kept = KeptRecording(
            new, facts, marks, at: key, bytes: bytes.count, isWriting: isWriting, of: player)
        self[player].recordings[new.id] = MemoryRecording(kept: kept, marks: marks)
        return kept
    }

    package func append(
        _ lines: [UInt8], _ facts: RecordingFacts, to id: String, of player: PlayerIdentity
    ) throws(StorageFault) {
        guard var known = recording(id, of: player), known.isWriting else { throw .notFound }
        try checkRoom(for: lines.count, of: player)
        images[known.file]? += lines
        known.facts = facts
        known.bytes += lines.count
        self[player].recordings[id]?.kept = known
    }

    package func finish(_ id: String, _ facts: RecordingFacts?, of player: PlayerIdentity) throws(StorageFault) {
        guard let known = recording(id, of: player) else { throw .notFound }
        guard known.isWriting else { return }
        guard known.bytes > 0 || known.marks > 0 else { return delete([known]) }
        self[player].recordings[id]?.kept.facts = facts ?? known.facts
        self[player].recordings[id]?.kept.isWriting = false
    }

    package func settings(of id: String, _ player: PlayerIdentity) throws(StorageFault) -> String? {
        guard let known = self[player].recordings[id] else { throw .notFound }
        return known.settings
    }

    package func setSettings(_ json: String, of id: String, _ player: PlayerIdentity) throws(StorageFault) {
        guard self[player].recordings[id] != nil else { throw .notFound }
        self[player].recordings[id]?.settings = json
    }

    package func marks(of id: String, _ player: PlayerIdentity) throws(StorageFault) -> [KeptMark] {
        guard let known = self[player].recordings[id] else { throw .notFound }
        return known.marks.marks
    }

    package func changeMarks(
        adding new: [NewMark], removing ids: Set<Int>, of id: String, _ player: PlayerIdentity
    ) throws(StorageFault) -> [KeptMark] {
        guard var known = self[player].recordings[id] else { throw .notFound }
        let added = try known.marks.change(adding: new, removing: ids)
        known.kept.marks = known.marks.marks.count
        known.kept.markChanges = known.marks.changes
        self[player].recordings[id] = known
        return added
    }

    package func removeRecordings(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) {
        // A recording is removed also if no further id can be remembered.
        try? markRemoved(ids, of: player, at: time)
        delete(ids.compactMap { recording($0, of: player) })
    }
}

extension MemoryPlayers: JournalStoring {
    package func stories(of player: PlayerIdentity) -> [String] { self[player].journals.keys.sorted() }

    package func document(of player: PlayerIdentity, story: String) -> JournalDocument {
        var contents = self[player].journals[story]?.contents ?? JournalContents()
        if let time = erased(player, story: story) { contents.erase(upTo: time) }
        return JournalDocument(story: story, contents: contents)
    }

    package func exchange(
        _ news: JournalDocument, since cursor: JournalCursor, of player: PlayerIdentity, isLimited: Bool
    ) throws(StorageFault) -> JournalChanges {
        let story = news.story
        var contents = news.contents
        if let time = erased(player, story: story) { contents.erase(upTo: time) }
        var journal = self[player].journals[story] ?? MemoryJournal()
        if self[player].journals[story] == nil {
            guard contents.withoutMarks != JournalContents() || !contents.removed.isEmpty else {
                return JournalChanges(story: story, contents: contents, cursor: .start, isWhole: true)
            }
            if isLimited, self[player].journals.count >= JournalLimits.maxStories {
                throw .full(.stories(JournalLimits.maxStories))
            }
        }
        let hasChanged = journal.add(contents)
        if isLimited, hasChanged, journal.bytes > JournalLimits.maxBytes { throw Self.isFull(story) }
        self[player].journals[story] = journal
        return journal.changes(since: cursor, beside: contents, story: story)
    }

    package func checkRoom(forJournal story: String, of player: PlayerIdentity) throws(StorageFault) {
        guard let journal = self[player].journals[story] else {
            guard self[player].journals.count < JournalLimits.maxStories else {
                throw .full(.stories(JournalLimits.maxStories))
            }
            return
        }
        let bytes = journal.bytes
        if bytes > JournalLimits.smallBytes, self.bytes(ofJournal: nil, of: player) >= JournalLimits.maxTotalBytes {
            throw .full(.journals(bytes: JournalLimits.maxTotalBytes))
        }
        guard bytes <= JournalLimits.maxBytes - JournalLimits.leastRoom else { throw Self.isFull(story) }
    }

    package func bytes(ofJournal story: String?, of player: PlayerIdentity) -> Int {
        let journals = self[player].journals
        guard let story else { return journals.values.reduce(0) { $0 + $1.bytes } }
        return journals[story]?.bytes ?? 0
    }

    package func removeJournal(_ story: String, of player: PlayerIdentity) { self[player].journals[story] = nil }

    private static func isFull(_ story: String) -> StorageFault {
        .full(.journal(story: story, bytes: JournalLimits.maxBytes))
    }
}

/// A journal with all of its versions, by which it knows what a device lacks.
private struct MemoryJournal {
    /// The contents after each change, at first none.
    private var versions = [JournalContents()]
    /// A removed journal that begins anew has another one.
    private let mark = Int64.random(in: .min ... .max)

    var contents: JournalContents { versions[versions.count - 1] }
    /// The size of its JSON.
    var bytes: Int { (try? JournalDocument(story: "", contents: contents).json().count) ?? 0 }

    /// Returns whether anything has changed.
    @discardableResult
    mutating func add(_ news: JournalContents) -> Bool {
        let merged = contents.merging(news)
        guard merged != contents else { return false }
        versions.append(merged)
        return true
    }

    /// What is new to a device that knows the version of a cursor, and `news`.
    func changes(since cursor: JournalCursor, beside news: JournalContents, story: String) -> JournalChanges {
        let known = versions.indices.first { self.cursor(of: $0) == cursor }
        var new = contents.subtracting((known.map { versions[$0] } ?? JournalContents()).merging(news))
        if let time = contents.erased { new.erase(upTo: time) }
        return JournalChanges(
            story: story, contents: new, cursor: self.cursor(of: versions.count - 1), isWhole: known == nil)
    }

    private func cursor(of version: Int) -> JournalCursor { JournalCursor("\(version).\(version).\(mark)") }
}

extension JournalContents {
    /// The entries that are not the same in another journal.
    fileprivate func subtracting(_ known: JournalContents) -> JournalContents {
        var new = JournalContents()
        new.found = found.filter { known.found[$0.key] != $0.value }
        new.opened = opened.filter { known.opened[$0.key] != $0.value }
        new.attempts = attempts.subtracting(known.attempts)
        new.scores = scores.filter { known.scores[$0.key] != $0.value }
        new.captures = captures.filter { known.captures[$0.key] != $0.value }
        new.removed = removed.filter { known.removed[$0.key] != $0.value }
        return new
    }
}
