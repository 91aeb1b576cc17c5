internal import Synchronization
internal import WayreelCore
internal import WayreelStorage
internal import WayreelStreams

/// Stores the marks of viewers of a recording, beside those that came in other ways. Nobody waits for the disk.
final class RecordingMarks: MarkKeeper {
    private struct State {
        /// The marks that are to be stored, in place of those before; nil if they are.
        var wanted: [NewMark]?
        /// Those that are stored, with their ids.
        var stored: [NewMark: Int]
        /// Stores marks until none are wanted.
        var task: Task<Void, Never>?
    }

    private let recording: String
    private let player: PlayerIdentity
    private let store: any RecordingStoring
    private let tell: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// `marks`: those that viewers are shown, and may remove. `tell` is called with a fault of the disk.
    init(
        _ recording: String, of player: PlayerIdentity, _ marks: [KeptMark] = [], in store: any RecordingStoring,
        tell: @escaping @Sendable (String) -> Void
    ) {
        (self.recording, self.player, self.store, self.tell) = (recording, player, store, tell)
        let stored = Dictionary(marks.map { ($0.mark, $0.id) }) { first, _ in first }
        state = Mutex(State(stored: stored))
    }

    func save(_ marks: [SensorMark]) throws(MediaError) {
        state.withLock { state in
            state.wanted = marks.map(NewMark.init)
            if state.task == nil { state.task = Task { await storeAll() } }
        }
    }

    /// Waits until all marks are stored.
    func finished() async { await state.withLock(\.task)?.value }

    private func storeAll() async {
        while let (wanted, stored) = next() {
            let all = Set(wanted)
            let gone = stored.filter { !all.contains($0.key) }
            let new = all.filter { stored[$0] == nil }.sorted { $0.time < $1.time }
            guard !gone.isEmpty || !new.isEmpty else { continue }
            do {
                let added = try await store.changeMarks(
                    adding: new, removing: Set(gone.values), of: recording, player)
                state.withLock { state in
                    for mark in gone.keys { state.stored[mark] = nil }
                    for mark in added { state.stored[mark.mark] = mark.id }
                }
            } catch { tell("\(error)") }
        }
    }

    /// What is to be stored; nil, and the end of the task, if nothing is.
    private func next() -> (wanted: [NewMark], stored: [NewMark: Int])? {
        state.withLock { state in
            guard let wanted = state.wanted else {
                state.task = nil
                return nil
            }
            state.wanted = nil
            return (wanted, state.stored)
        }
    }
}

extension NewMark {
    init(_ mark: SensorMark) {
        self.init(mark.time.microseconds, seconds: mark.seconds, text: mark.text, channel: mark.channel)
    }
}

extension SensorMark {
    init(_ mark: NewMark) {
        self.init(
            SensorTime(microseconds: mark.time), seconds: mark.seconds, text: mark.text, channel: mark.channel)
    }
}
