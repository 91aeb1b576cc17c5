import StorageSupport
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelService
import WayreelStorage
import WayreelStreams

/// Live streams that are recorded, and what a killed service has left of them.
struct LiveRecorderTests {
    private static let ines = PlayerIdentity(id: "ines")

    /// Waits until a recording is complete.
    private static func completed(_ id: String, _ stores: any PlayerStoring) async throws -> KeptRecording {
        for _ in 0..<500 {
            if let found = try await stores.recordings.recording(id, of: ines), !found.isWriting { return found }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try #require(nil as KeptRecording?, "the recording is not complete")
    }

    private static func head() -> RecordingHead {
        var head = RecordingHead()
        head.channels = [SensorChannel("ecg", "ii", unit: "mV")]
        head.title = "At rest"
        head.notation = .seconds
        return head
    }

    private static func samples(_ count: Int, from first: Int = 0) -> PendingSamples {
        var samples = PendingSamples()
        let times = (0..<count).map { Int64(first + $0) * 4000 }
        samples.add(0, times: times.span, values: [Double](repeating: 0.5, count: count).span)
        return samples
    }

    @Test func aStreamIsRecorded() async throws {
        let stores = MemoryPlayers(maxImageBytes: 0)
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        let keeper = try #require(service.service.recordings)
        let recorder = try await keeper.recorder(of: Self.ines, stream: "belt", title: nil)
        let id = try #require(recorder.id)
        #expect(await stores.recording(id, of: Self.ines)?.isWriting == true)
        for first in [0, 2] {
            var waiting = Self.samples(2, from: first)
            try recorder.add(&waiting, of: Self.head())
            #expect(waiting.count == 0)
        }
        try recorder.marks?.save([SensorMark(SensorTime(microseconds: 4000), text: "beat")])
        try recorder.finish()
        let kept = try await Self.completed(id, stores)
        #expect(kept.title == "belt" && kept.origin == "belt" && kept.facts.samples == 4)
        #expect(kept.facts.channels == [RecordedChannel("ecg.ii", unit: "mV")])
        #expect(kept.facts.times == 0...12_000 && !kept.facts.hasDates)
        let text = String(decoding: try await stores.blobs.read(kept.file), as: UTF8.self)
        #expect(
            text == """
                {"format":"wayreel-recording","version":1,"units":{"ecg.ii":"mV"},"title":"At rest"}
                {"time":0,"stream":"ecg","values":{"ii":0.5}}
                {"time":0.004,"stream":"ecg","values":{"ii":0.5}}
                {"time":0.008,"stream":"ecg","values":{"ii":0.5}}
                {"time":0.012,"stream":"ecg","values":{"ii":0.5}}

                """)
        #expect(try await stores.marks(of: id, Self.ines).map(\.mark) == [NewMark(4000, text: "beat")])
    }

    /// Viewers save all of their marks each time.
    @Test func marksOfViewersReplaceThoseBefore() async throws {
        let stores = MemoryPlayers(maxImageBytes: 0)
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        let recorder = try await #require(service.service.recordings).recorder(
            of: Self.ines, stream: "belt", title: "Belt")
        let id = try #require(recorder.id)
        // One that came over HTTP stays.
        _ = try await stores.changeMarks(adding: [NewMark(0, text: "start")], removing: [], of: id, Self.ines)
        let marks = ["a", "b", "c"].map { SensorMark(SensorTime(microseconds: 1), text: $0) }
        try recorder.marks?.save([marks[0], marks[1]])
        try recorder.finish()
        _ = try await Self.completed(id, stores)
        // Also when it is complete.
        try recorder.marks?.save([marks[1], marks[2]])
        var texts: [String] = []
        for _ in 0..<500 where texts != ["start", "b", "c"] {
            try await Task.sleep(for: .milliseconds(20))
            texts = try await stores.marks(of: id, Self.ines).map(\.mark.text)
        }
        #expect(texts == ["start", "b", "c"])
    }

    /// Neither the adding of samples nor memory waits for a disk that does not answer, and the recording says what is missing.
    @Test(.timeLimit(.minutes(1))) func aSlowDiskHoldsNothingUp() async throws {
        let stores = SlowPlayers()
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        let recorder = try await #require(service.service.recordings).recorder(
            of: Self.ines, stream: "belt", title: nil)
        let id = try #require(recorder.id)
        // The first lines are with the disk.
        var waiting = Self.samples(1)
        try recorder.add(&waiting, of: Self.head())
        while await !stores.gate.isHolding { try await Task.sleep(for: .milliseconds(10)) }
        // 50 bytes and more for each sample: about 100 000 of them are more than may wait.
        let count = 100_000
        for first in stride(from: 1, to: count, by: 1000) {
            waiting = Self.samples(1000, from: first)
            try recorder.add(&waiting, of: Self.head())
        }
        await stores.gate.open()
        try recorder.finish()
        let kept = try await Self.completed(id, stores)
        let missing = count - kept.facts.samples
        #expect(missing > 10_000 && kept.bytes < 2_000_000, "\(kept.facts.samples) samples, \(kept.bytes) bytes")
        let lines = try await stores.blobs.read(kept.file).count { $0 == UInt8(ascii: "\n") }
        #expect(lines == kept.facts.samples + 1)
        let marks = try await stores.recordings.marks(of: id, Self.ines)
        #expect(marks.count == 1)
        let mark = try #require(marks.first?.mark)
        #expect(mark.text == "\(missing + 1) values left out: the disk was too slow")
        #expect(mark.time > 0 && mark.seconds > 0)
    }

    @Test func aDeletedRecordingTellsItsSender() async throws {
        let stores = MemoryPlayers(maxImageBytes: 0)
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        let recorder = try await #require(service.service.recordings).recorder(
            of: Self.ines, stream: "belt", title: nil)
        await stores.removeRecordings([try #require(recorder.id)], of: Self.ines, at: .now)
        var reason: String?
        for number in 0..<500 where reason == nil {
            var waiting = Self.samples(1, from: number)
            do { try recorder.add(&waiting, of: Self.head()) } catch { reason = error.reason }
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(reason == "the recording was deleted")
    }

    /// Neither of a sender that has gone before its first sample, nor of one that a killed service had.
    @Test func aStreamWithoutSamplesLeavesNoRecording() async throws {
        let stores = MemoryPlayers(maxImageBytes: 0)
        let all: any RecordingStoring = stores
        let id = "00000000-0000-4000-8000-000000000001"
        _ = try await all.begin(NewRecording(id: id, title: "Belt", origin: "belt", began: .now), of: Self.ines)
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        try await service.service.begin()
        let recorder = try await #require(service.service.recordings).recorder(
            of: Self.ines, stream: "belt", title: nil)
        var samples = PendingSamples()
        samples.add(0, times: [0].span, values: [.nan].span)
        try recorder.add(&samples, of: Self.head())
        try recorder.finish()
        for _ in 0..<500 where try await !all.recordings(of: Self.ines, limit: 9, after: nil).isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
        let rest = try await all.recordings(of: Self.ines, limit: 9, after: nil)
        #expect(rest.isEmpty, "\(rest)")
    }

    /// Two whole lines, and what was written of a third.
    @Test func theNextServiceCompletesARecording() async throws {
        let first = try TestService([("data", "FOLDER/data")])
        func open() throws -> SQLitePlayers {
            try SQLitePlayers(
                folder: "\(first.folder.path)/data", maxImageBytes: 0, threads: CallingThread())
        }
        let killed = try open()
        let id = "00000000-0000-4000-8000-000000000001"
        let new = NewRecording(id: id, title: "Belt", origin: "belt", began: .now)
        _ = try await killed.recordings.begin(new, of: Self.ines)
        let lines = """
            {"format":"wayreel-recording","version":1,"units":{"ecg.ii":"mV"}}
            {"time":"2026-01-01T00:00:00Z","stream":"ecg","values":{"ii":0.5}}
            {"time":"2026-01-01T00:00:02Z","stream":"ecg","values":{"ii":0.25}}

            """
        try await killed.recordings.append(Array(lines.utf8), RecordingFacts(), to: id, of: Self.ines)
        let file = try #require(try await killed.recordings.recording(id, of: Self.ines)).file
        try await killed.blobs.write(Array((lines + "{\"time\":").utf8), to: file)

        let stores = try open()
        let next = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        try await next.service.begin()
        let kept = try await Self.completed(id, stores)
        #expect(kept.facts.samples == 2 && kept.facts.seconds == 2 && kept.facts.hasDates)
        #expect(kept.facts.channels == [RecordedChannel("ecg.ii", unit: "mV")])
        #expect(kept.facts.times?.lowerBound == 1_767_225_600_000_000)
        #expect(try await stores.blobs.read(file) == Array(lines.utf8))
    }
}

/// Recordings that are played to a viewer.
struct PlayedRecordingTests {
    private static let id = "00000000-0000-4000-8000-000000000001"
    private static let ines = PlayerIdentity(id: "ines")

    private func kept(in stores: MemoryPlayers) async throws {
        let lines = Array(
            """
            {"time":10,"stream":"ecg","values":{"ii":0.5}}
            {"time":12.5,"stream":"ecg","values":{"ii":0.25}}

            """.utf8)
        let new = NewRecording(id: Self.id, title: "Belt", origin: "belt.ndjson", credit: "Ines", began: .now)
        _ = try await stores.keep(
            new, RecordingFacts(), marks: [NewMark(10_000_000, text: "start")], bytes: lines.count,
            content: { Array(lines[$0]) }, of: Self.ines)
    }

    @Test(.timeLimit(.minutes(1))) func isPlayedAndMarked() async throws {
        let stores = MemoryPlayers(maxImageBytes: 0)
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        try await kept(in: stores)
        let keeper = try #require(service.service.recordings)
        let played = try await keeper.played(Self.id, of: Self.ines, ringBytes: 1_000_000)
        played.start()
        while played.stream.head.duration == nil { try await Task.sleep(for: .milliseconds(10)) }
        let head = played.stream.head
        #expect(head.title == "Belt" && head.credit == "Ines" && !head.isLive && head.keepsMarks)
        #expect(head.duration == 2.5 && head.origin == SensorTime(microseconds: 10_000_000))
        #expect(head.channels.map(\.name) == ["ecg.ii"])
        // The mark that is there is the first, and may be removed.
        try played.stream.fulfil(.unmark(1))
        try played.stream.fulfil(.mark(seconds: 1, duration: 0, text: "beat", channel: nil))
        var texts: [String] = []
        for _ in 0..<500 where texts != ["beat"] {
            try await Task.sleep(for: .milliseconds(20))
            texts = try await stores.marks(of: Self.id, Self.ines).map(\.mark.text)
        }
        #expect(texts == ["beat"])
        #expect(try await stores.marks(of: Self.id, Self.ines).first?.mark.time == 11_000_000)
        played.end()
    }

    /// What the viewer asks for at once is done when the copy of the recording is there.
    @Test(.timeLimit(.minutes(1))) func isPlayedAsItsViewerSaysAtOnce() async throws {
        let stores = MemoryPlayers(maxImageBytes: 0)
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        try await kept(in: stores)
        let keeper = try #require(service.service.recordings)
        let played = try await keeper.played(Self.id, of: Self.ines, ringBytes: 1_000_000)
        let viewer = played.stream.join {}
        played.start()
        try played.stream.fulfil(.play(position: 2, speed: .times(3)))
        try played.stream.fulfil(.pause)
        var messages = SignalViewer()
        var state = ""
        while !state.hasPrefix(#"{"type":"state","playing":false,"speed":3.0,"position":2."#) {
            for case .text(let text) in messages.messages(played.stream.take(viewer), sent: 0)
            where text.contains(#""type":"state""#) { state = text }
            try await Task.sleep(for: .milliseconds(10))
        }
        played.end()
    }

    @Test func isOfItsPlayer() async throws {
        let stores = MemoryPlayers(maxImageBytes: 0)
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        try await kept(in: stores)
        let keeper = try #require(service.service.recordings)
        await #expect(throws: (any Error).self) {
            _ = try await keeper.played(Self.id, of: PlayerIdentity(id: "olaf"), ringBytes: 1_000_000)
        }
    }
}

/// Holds whoever passes until it is opened.
private actor Gate {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    var isHolding: Bool { !waiting.isEmpty }

    func pass() async { if !isOpen { await withCheckedContinuation { waiting.append($0) } } }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// Stores in memory that append nothing to recordings until their gate is opened.
private struct SlowPlayers: PlayerStoring, RecordingStoring {
    let gate = Gate()
    private let base = MemoryPlayers(maxImageBytes: 0)

    var journals: any JournalStoring { base }
    var captures: any CaptureStoring { base }
    var notes: any NoteStoring { base }
    var recordings: any RecordingStoring { self }
    var erasures: any ErasureStoring { base }
    var blobs: any BlobStoring { base }

    func recover() async throws(StorageFault) {}
    func repeatErasures() async throws(StorageFault) {}
    func removeAll(of player: PlayerIdentity) async throws(StorageFault) { try await base.removeAll(of: player) }

    func append(
        _ lines: [UInt8], _ facts: RecordingFacts, to id: String, of player: PlayerIdentity
    ) async throws(StorageFault) {
        await gate.pass()
        try await base.append(lines, facts, to: id, of: player)
    }

    func recording(_ id: String, of player: PlayerIdentity) async -> KeptRecording? {
        await base.recording(id, of: player)
    }
    func recordings(of player: PlayerIdentity, limit: Int, after place: RecordingPlace?) async -> [KeptRecording] {
        await base.recordings(of: player, limit: limit, after: place)
    }
    func unfinished() async -> [KeptRecording] { await base.unfinished() }
    func checkRoom(forRecordingsOf player: PlayerIdentity, bytes: Int) async throws(StorageFault) {
        try await base.checkRoom(forRecordingsOf: player, bytes: bytes)
    }
    func begin(_ recording: NewRecording, of player: PlayerIdentity) async throws(StorageFault) -> KeptRecording {
        try await base.begin(recording, of: player)
    }
    func keep(
        _ recording: NewRecording, _ facts: RecordingFacts, marks: [NewMark], bytes: Int,
        content: @escaping @Sendable (Range<Int>) throws -> [UInt8], of player: PlayerIdentity
    ) async throws(StorageFault) -> KeptRecording {
        try await base.keep(recording, facts, marks: marks, bytes: bytes, content: content, of: player)
    }
    func finish(_ id: String, _ facts: RecordingFacts?, of player: PlayerIdentity) async throws(StorageFault) {
        try await base.finish(id, facts, of: player)
    }
    func settings(of id: String, _ player: PlayerIdentity) async throws(StorageFault) -> String? {
        try await base.settings(of: id, player)
    }
    func setSettings(_ json: String, of id: String, _ player: PlayerIdentity) async throws(StorageFault) {
        try await base.setSettings(json, of: id, player)
    }
    func marks(of id: String, _ player: PlayerIdentity) async throws(StorageFault) -> [KeptMark] {
        try await base.marks(of: id, player)
    }
    func changeMarks(
        adding new: [NewMark], removing ids: Set<Int>, of id: String, _ player: PlayerIdentity
    ) async throws(StorageFault) -> [KeptMark] {
        try await base.changeMarks(adding: new, removing: ids, of: id, player)
    }
    func removeRecordings(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) async {
        await base.removeRecordings(ids, of: player, at: time)
    }
}
