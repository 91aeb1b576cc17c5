import Testing
import WayreelEngine
import WayreelStorage

/// What ``RecordingStoring`` promises.
@Suite struct RecordingContractTests {
    private static let lines = Array("{\"a\":1}\n{\"a\":2}\n".utf8)

    private func keep(
        _ new: NewRecording, _ stores: Stores, bytes: [UInt8] = lines, of player: PlayerIdentity = ines
    ) async throws -> KeptRecording {
        try await stores.players.recordings.keep(
            new, facts(2), marks: [], bytes: bytes.count, content: { Array(bytes[$0]) }, of: player)
    }

    @Test(arguments: Implementation.allCases) func hasWhatWasKept(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let recordings = stores.players.recordings
        let kept = try await keep(recording(id(1)), stores)
        #expect(try await recordings.recording(id(1), of: ines) == kept)
        #expect(kept.player == "ines" && kept.title == "Walk" && kept.origin == "walk.csv" && kept.credit == "Ines")
        #expect(kept.facts == facts(2) && kept.facts.seconds == 1 && kept.began == time(10))
        #expect(kept.bytes == 16 && !kept.isWriting && kept.marks == 0)
        #expect(try await stores.players.blobs.read(kept.file) == Self.lines)
        // Of an id, the first one of a player is kept.
        #expect(try await keep(recording(id(1), fingerprint: "two"), stores, bytes: [1]) == kept)
        #expect(try await stores.players.blobs.read(kept.file) == Self.lines)
        #expect(try await recordings.recording(id(1), of: olaf) == nil)
        _ = try await keep(recording(id(1)), stores, bytes: [10], of: olaf)
        #expect(try await recordings.recording(id(1), of: ines) == kept)
        // With its marks.
        let marked = try await recordings.keep(
            recording(id(2)), facts(2), marks: [NewMark(2, text: "b"), NewMark(1, text: "a")], bytes: 0,
            content: { _ in [] }, of: ines)
        #expect(marked.marks == 2)
        #expect(try await recordings.recording(id(2), of: ines) == marked)
        #expect(try await recordings.marks(of: id(2), ines).map(\.mark.text) == ["a", "b"])
    }

    @Test(arguments: Implementation.allCases) func listsTheNewestFirst(_ kind: Implementation) async throws {
        let stores = try kind.make()
        for (number, seconds) in [(1, 10), (2, 30), (3, 20), (4, 20)] as [(Int, Int64)] {
            _ = try await keep(recording(id(number), at: seconds), stores)
        }
        _ = try await keep(recording(id(5)), stores, of: olaf)
        let recordings = stores.players.recordings
        let first = try await recordings.recordings(of: ines, limit: 2, after: nil)
        #expect(first.map(\.id) == [2, 3].map(id))
        let rest = try await recordings.recordings(of: ines, limit: 9, after: first[1].place)
        #expect(rest.map(\.id) == [4, 1].map(id))
        #expect(try await recordings.recordings(of: ines, limit: 9, after: rest[1].place).isEmpty)
    }

    @Test(arguments: Implementation.allCases) func growsUntilItIsFinished(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let recordings = stores.players.recordings
        let begun = try await recordings.begin(recording(id(1)), of: ines)
        #expect(begun.isWriting && begun.bytes == 0 && begun.facts == RecordingFacts())
        #expect(try await recordings.begin(recording(id(1)), of: ines) == begun)
        try await recordings.append(Self.lines, facts(2), to: id(1), of: ines)
        try await recordings.append(Array("{}\n".utf8), facts(3), to: id(1), of: ines)
        await #expect(throws: StorageFault.notFound) {
            try await recordings.append(Self.lines, facts(2), to: id(1), of: olaf)
        }
        let grown = try #require(try await recordings.recording(id(1), of: ines))
        #expect(grown.isWriting && grown.bytes == 19 && grown.facts == facts(3))
        #expect(try await stores.players.blobs.read(grown.file) == Self.lines + Array("{}\n".utf8))
        #expect(try await recordings.unfinished().map(\.id) == [id(1)])
        try await recordings.finish(id(1), nil, of: ines)
        #expect(try await recordings.unfinished().isEmpty)
        #expect(try await recordings.recording(id(1), of: ines)?.facts == facts(3))
        await #expect(throws: StorageFault.notFound) {
            try await recordings.append(Self.lines, facts(5), to: id(1), of: ines)
        }
        // Nothing changes any more.
        try await recordings.finish(id(1), facts(9), of: ines)
        #expect(try await recordings.recording(id(1), of: ines)?.facts == facts(3))
        await #expect(throws: StorageFault.notFound) { try await recordings.finish(id(2), nil, of: ines) }
    }

    /// One that never had a sample is gone, and can be sent: it was not removed by its player.
    @Test(arguments: Implementation.allCases) func nothingStaysOfAnEmptyOne(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let recordings = stores.players.recordings
        let empty = try await recordings.begin(recording(id(1)), of: ines)
        _ = try await recordings.begin(recording(id(2)), of: ines)
        _ = try await recordings.changeMarks(adding: [NewMark(1, text: "here")], removing: [], of: id(2), ines)
        for number in 1...2 { try await recordings.finish(id(number), nil, of: ines) }
        #expect(try await recordings.recording(id(1), of: ines) == nil)
        await #expect(throws: StorageFault.notFound) { _ = try await stores.players.blobs.read(empty.file) }
        let marked = try #require(try await recordings.recording(id(2), of: ines))
        #expect(!marked.isWriting && marked.marks == 1)
        #expect(try await recordings.begin(recording(id(1)), of: ines).isWriting)
    }

    /// 4 MiB of texts, with the names of channels.
    @Test(arguments: Implementation.allCases) func textsOfMarksAreBounded(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let recordings = stores.players.recordings
        _ = try await recordings.begin(recording(id(1)), of: ines)
        let long = NewMark(1, text: String(repeating: "x", count: (4 << 20) - 3), channel: "a.b")
        _ = try await recordings.changeMarks(adding: [long], removing: [], of: id(1), ines)
        await #expect(throws: StorageFault.full(.markTexts(bytes: 4 << 20))) {
            try await recordings.changeMarks(adding: [NewMark(2, text: "y")], removing: [], of: id(1), ines)
        }
        let first = try #require(try await recordings.marks(of: id(1), ines).first)
        _ = try await recordings.changeMarks(adding: [NewMark(2, text: "y")], removing: [first.id], of: id(1), ines)
        #expect(try await recordings.marks(of: id(1), ines).map(\.mark.text) == ["y"])
    }

    @Test(arguments: Implementation.allCases) func hasSettingsAndMarks(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let recordings = stores.players.recordings
        let kept = try await keep(recording(id(1)), stores)
        #expect(try await recordings.settings(of: id(1), ines) == nil)
        try await recordings.setSettings("{\"span\":10}", of: id(1), ines)
        #expect(try await recordings.settings(of: id(1), ines) == "{\"span\":10}")
        await #expect(throws: StorageFault.notFound) { try await recordings.setSettings("{}", of: id(1), olaf) }
        await #expect(throws: StorageFault.notFound) { try await recordings.settings(of: id(2), ines) }

        let (late, early) = (NewMark(9, text: "late"), NewMark(-5, seconds: 2.5, text: "early", channel: "ecg.ii"))
        let added = try await recordings.changeMarks(adding: [late, early], removing: [], of: id(1), ines)
        #expect(added.map(\.mark) == [late, early] && added.map(\.id) == [1, 2])
        #expect(try await recordings.marks(of: id(1), ines).map(\.mark) == [early, late])
        // Ids are not used again.
        let other = try await recordings.changeMarks(adding: [late], removing: [2], of: id(1), ines)
        #expect(other.map(\.id) == [3])
        #expect(try await recordings.marks(of: id(1), ines).map(\.id) == [1, 3])
        let changed = try #require(try await recordings.recording(id(1), of: ines))
        #expect(changed.marks == 2 && changed.markChanges > kept.markChanges)
        await #expect(throws: StorageFault.notFound) {
            try await recordings.changeMarks(adding: [late], removing: [], of: id(1), olaf)
        }
        let most = RecordingLimits.maxMarks
        await #expect(throws: StorageFault.full(.marks(most))) {
            try await recordings.changeMarks(
                adding: Array(repeating: late, count: most - 1), removing: [], of: id(1), ines)
        }
        #expect(try await recordings.marks(of: id(1), ines).count == 2)
    }

    @Test(arguments: Implementation.allCases) func quotasCountBytes(_ kind: Implementation) async throws {
        let stores = try kind.make(recordings: RecordingLimits(playerBytes: 40, totalBytes: 50))
        let recordings = stores.players.recordings
        let own = StorageFault.full(.samples(bytes: 40))
        _ = try await keep(recording(id(1)), stores)
        _ = try await recordings.begin(recording(id(2)), of: ines)
        try await recordings.append(Self.lines, facts(2), to: id(2), of: ines)
        await #expect(throws: own) { try await recordings.append(Self.lines, facts(4), to: id(2), of: ines) }
        await #expect(throws: own) { try await keep(recording(id(3)), stores) }
        await #expect(throws: own) { try await recordings.checkRoom(forRecordingsOf: ines, bytes: 9) }
        try await recordings.checkRoom(forRecordingsOf: ines, bytes: 8)
        let all = StorageFault.full(.allSamples(bytes: 50))
        await #expect(throws: all) { try await recordings.checkRoom(forRecordingsOf: olaf, bytes: 19) }
        try await recordings.checkRoom(forRecordingsOf: olaf, bytes: 18)
        // What was refused has left nothing.
        let kept = try #require(try await recordings.recording(id(2), of: ines))
        #expect(kept.bytes == 16 && kept.facts == facts(2))
        #expect(try await stores.players.blobs.read(kept.file) == Self.lines)
        try await recordings.removeRecordings([id(1)], of: ines, at: time(20))
        _ = try await keep(recording(id(4)), stores)
    }

    @Test(arguments: Implementation.allCases) func removalIsFinal(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let recordings = stores.players.recordings
        let kept = try await keep(recording(id(1)), stores)
        // Those of others stay.
        try await recordings.removeRecordings([id(1)], of: olaf, at: time(20))
        #expect(try await recordings.recording(id(1), of: ines) == kept)
        try await recordings.removeRecordings([id(1)], of: ines, at: time(20))
        #expect(try await recordings.recording(id(1), of: ines) == nil)
        await #expect(throws: StorageFault.notFound) { try await stores.players.blobs.open(kept.file) }
        await #expect(throws: StorageFault.removed(.recording)) { try await keep(recording(id(1)), stores) }
        await #expect(throws: StorageFault.removed(.recording)) {
            try await stores.players.erasures.checkNotRemoved(recording: id(1), of: ines)
        }
        // One that is being written takes nothing more.
        _ = try await recordings.begin(recording(id(2)), of: ines)
        try await recordings.removeRecordings([id(2)], of: ines, at: time(20))
        await #expect(throws: StorageFault.notFound) {
            try await recordings.append(Self.lines, facts(2), to: id(2), of: ines)
        }
    }

    @Test(arguments: Implementation.allCases) func goesWithThePlayer(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let recordings = stores.players.recordings
        let kept = try await keep(recording(id(1)), stores)
        let others = try await keep(recording(id(1)), stores, of: olaf)
        try await stores.players.removeAll(of: ines)
        #expect(try await recordings.recordings(of: ines, limit: 9, after: nil).isEmpty)
        await #expect(throws: StorageFault.notFound) { try await stores.players.blobs.open(kept.file) }
        #expect(try await recordings.recording(id(1), of: olaf) == others)
        await #expect(throws: StorageFault.removed(.player)) { try await keep(recording(id(2)), stores) }
        // An upload that began before, on whose way the player was erased.
        try await stores.players.erasures.erase(olaf, story: nil, upTo: time(20))
        await #expect(throws: StorageFault.removed(.player)) {
            try await recordings.begin(recording(id(3), at: 20), of: olaf)
        }
        // A backup that was restored is cleaned.
        try await stores.players.repeatErasures()
        #expect(try await recordings.recording(id(1), of: olaf) == nil)
    }
}
