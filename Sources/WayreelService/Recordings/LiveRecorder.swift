internal import Synchronization
internal import WayreelCore
internal import WayreelEngine
internal import WayreelStorage
internal import WayreelStreams

/// Keeps the samples of a live stream as a recording of its player.
///
/// Who adds samples never waits for the disk: lines wait in a bounded buffer, which a task of the recorder stores each
/// second. Where the disk is too slow, samples are left out, and a mark in the recording says how many.
final class LiveRecorder: StreamRecorder {
    private struct State {
        var lines = RecordedLines()
        var waiting: [UInt8] = []
        var facts = RecordingFacts()
        var isEnded = false
        /// Why the recording has ended early.
        var failure: MediaError?
    }

    /// The bytes of lines that may wait.
    static let maxWaiting = 1_000_000
    private static let interval = Duration.seconds(1)
    /// How often it looks whether many lines wait.
    private static let shortInterval = Duration.milliseconds(250)

    let id: String?
    private let recording: String
    private let player: PlayerIdentity
    private let store: any RecordingStoring
    private let room: LiveRecorders
    private let state = Mutex(State())
    private let viewers: RecordingMarks
    private let task = Mutex<Task<Void, Never>?>(nil)

    var marks: (any MarkKeeper)? { viewers }

    init(_ recording: KeptRecording, of player: PlayerIdentity, in store: any RecordingStoring, _ room: LiveRecorders) {
        (id, self.recording) = (recording.id, recording.id)
        (self.player, self.store, self.room) = (player, store, room)
        viewers = RecordingMarks(recording.id, of: player, in: store) { room.tell($0) }
    }

    func begin() {
        task.withLock { task in task = Task { await run() } }
    }

    // MARK: The stream

    func add(_ samples: inout PendingSamples, of head: RecordingHead) throws(MediaError) {
        try state.withLock { (state) throws(MediaError) in
            if let failure = state.failure { throw failure }
            guard !state.isEnded else { return }
            guard state.waiting.count < Self.maxWaiting else { return state.lines.lose(&samples) }
            state.waiting += state.lines.lines(of: &samples, head)
            let counted = state.lines.written
            state.facts = RecordingFacts(
                channels: head.channels.map { RecordedChannel($0.name, unit: $0.unit, rate: $0.rate) },
                hasDates: head.notation == .date, times: counted.times, samples: counted.samples)
        }
    }

    /// Completes the recording, soon.
    func finish() {
        state.withLock { $0.isEnded = true }
        task.withLock { $0?.cancel() }
    }

    /// Waits until it is complete.
    func finished() async { await task.withLock(\.self)?.value }

    // MARK: The disk

    private func run() async {
        var due = ContinuousClock.now + Self.interval
        while !state.withLock({ $0.isEnded || $0.failure != nil }) {
            // Is cancelled at the end.
            try? await Task.sleep(for: Self.shortInterval)
            guard ContinuousClock.now >= due || state.withLock({ $0.waiting.count > Self.maxWaiting / 4 }) else {
                continue
            }
            due = .now + Self.interval
            await storeLines()
        }
        await storeLines()
        await viewers.finished()
        let rest = state.withLock(\.waiting.count)
        if rest > 0 { room.tell("its last \(rest) bytes could not be stored") }
        do { try await store.finish(recording, nil, of: player) } catch {
            // Whoever deletes a recording ends it.
            if error != .notFound { room.tell("\(error)") }
        }
        room.remove(self)
    }

    private func storeLines() async {
        let (lines, facts, lost) = state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.facts, state.lines.takeLost())
        }
        if !lines.isEmpty {
            do { try await store.append(lines, facts, to: recording, of: player) } catch { fail(error, lines) }
        }
        guard let lost else { return }
        room.count(lost: lost.samples)
        let text = "\(lost.samples.counted("value")) left out: the disk was too slow"
        room.tell(text)
        let seconds = (Double(lost.times.upperBound) - Double(lost.times.lowerBound)) / 1e6
        let mark = NewMark(lost.times.lowerBound, seconds: seconds, text: text)
        do { _ = try await store.changeMarks(adding: [mark], removing: [], of: recording, player) } catch {
            room.tell("\(error)")
        }
    }

    private func fail(_ fault: StorageFault, _ lines: [UInt8]) {
        guard case .failed(let error) = fault else {
            let reason = fault == .notFound ? "the recording was deleted" : fault.problem.title
            return state.withLock {
                $0.failure = MediaError(.limit, step: .recordings, subject: "the stream", reason: reason)
            }
        }
        room.tell("\(error)")
        // The disk may have room in a second.
        state.withLock { $0.waiting = lines + $0.waiting }
    }
}

/// The recorders of live streams that are at work.
final class LiveRecorders: Sendable {
    private let all = Mutex<[ObjectIdentifier: LiveRecorder]>([:])
    private let lost = Atomic(0)
    private let log: ServiceLog?

    init(_ log: ServiceLog?) { self.log = log }

    /// How many there are, and the values that were left out.
    var load: (count: Int, lost: Int) { (all.withLock(\.count), lost.load(ordering: .relaxed)) }

    func add(_ recorder: LiveRecorder) {
        all.withLock { $0[ObjectIdentifier(recorder)] = recorder }
        recorder.begin()
    }

    func remove(_ recorder: LiveRecorder) { all.withLock { $0[ObjectIdentifier(recorder)] = nil } }

    func count(lost samples: Int) { lost.wrappingAdd(samples, ordering: .relaxed) }

    func tell(_ fault: String) { log?.write(playersFault: "a recording: \(fault)") }

    /// Completes all recordings.
    func finish() async {
        let recorders = all.withLock { Array($0.values) }
        for recorder in recorders { recorder.finish() }
        for recorder in recorders { await recorder.finished() }
    }
}
