internal import Synchronization
package import WayreelCore

/// What a viewer of a recording may do with it for all viewers.
package protocol PlayControl: Sendable {
    /// Plays from a position in seconds, or from where it is; at another speed, if one is given.
    func play(from position: Double?, speed: SensorReplay.Speed?)
    func pause()
}

/// Keeps what a live stream gets: a file, or a recording of the service.
package protocol StreamRecorder: Sendable {
    /// The id under which the recording is found; nil if it has none.
    var id: String? { get }
    /// Where marks of its viewers are saved.
    var marks: (any MarkKeeper)? { get }
    /// Adds samples of channels, which are those of `head`. Blocks.
    func add(_ samples: inout PendingSamples, of head: RecordingHead) throws(MediaError)
    /// Ends the recording: it is complete. Blocks.
    func finish() throws(MediaError)
}

/// A stream that is measured now, or a recording that is played: its hub for threads that share it.
package final class LiveStream: Sendable {
    /// Runs a function after some milliseconds.
    package typealias Later = @Sendable (_ milliseconds: Double, _ body: @escaping @Sendable () -> Void) -> Void

    private struct State: Sendable {
        var hub: SignalHub
        var wakes: [SignalHub.ViewerID: @Sendable () -> Void] = [:]
        /// The marks that the recording itself has: viewers do not remove them.
        var given: Set<SensorMark> = []
        /// The marks in the head that was seen last.
        var markCount = 0
        /// The marks of viewers, which are saved.
        var own: Set<SensorMark> = []
        var isWatching = false
        /// Where marks are saved; nil if they are not.
        var keeper: (any MarkKeeper)?
        /// Those that the keeper has not got; nil: it may have none, or others.
        var unsaved: [SensorMark]?
    }

    private let state: Mutex<State>
    private let later: Later
    private let saving = Mutex(())
    /// How viewers play a recording; nil for what is measured now.
    private let control = Mutex<(any PlayControl)?>(nil)

    private static let watchInterval = 500.0

    package init(
        _ head: SignalHead, limits: SignalHub.Limits = .init(), marks keeper: (any MarkKeeper)? = nil,
        later: @escaping Later
    ) {
        var head = head
        head.keepsMarks = keeper != nil
        state = Mutex(State(hub: SignalHub(head, limits: limits, at: Clock.epochMilliseconds), keeper: keeper))
        self.later = later
    }

    // MARK: The source

    /// Adds the samples that wait in `samples`, of channels of `head`, and sends them to viewers.
    package func add(_ samples: inout PendingSamples, until end: Int64 = .max, of head: RecordingHead) {
        let now = Clock.epochMilliseconds
        let isChanged = state.withLock { state in
            let isChanged = Self.describe(&state, head)
            samples.take(until: end) { state.hub.add($0, times: $1, values: $2, at: now) }
            return isChanged
        }
        commit()
        if isChanged { wakeAll() }
    }

    /// Takes over what is new in the head of a recording. Returns whether something is.
    private static func describe(_ state: inout State, _ head: RecordingHead) -> Bool {
        var isChanged = false
        let known = state.hub.head
        if known.channels.count < min(head.channels.count, SignalHub.maxChannels)
            || known.notation != head.notation ?? known.notation || head.title != nil && known.title == nil
            || head.credit != nil && known.credit == nil
        {
            state.hub.describe {
                $0.channels = head.channels
                $0.notation = head.notation ?? $0.notation
                $0.title = $0.title ?? head.title
                $0.credit = $0.credit ?? head.credit
            }
            isChanged = true
        }
        guard head.marks.count != state.markCount else { return isChanged }
        state.markCount = head.marks.count
        for mark in head.marks where !state.own.contains(mark) && state.given.insert(mark).inserted {
            isChanged = state.hub.add(mark) != nil || isChanged
        }
        return isChanged
    }

    /// Saves marks from now on somewhere else, or no more.
    package func keepMarks(_ keeper: (any MarkKeeper)?) {
        state.withLock { ($0.keeper, $0.unsaved) = (keeper, nil) }
        describe { $0.keepsMarks = keeper != nil }
    }

    package func describe(_ change: (inout SignalHead) -> Void) {
        state.withLock { $0.hub.describe(change) }
        wakeAll()
    }

    /// Shows marks that were saved earlier, which viewers may remove.
    package func show(_ marks: [SensorMark]) {
        state.withLock { state in
            for mark in marks where state.own.insert(mark).inserted { _ = state.hub.add(mark) }
        }
        wakeAll()
    }

    private func commit(isDue: Bool = false) {
        switch state.withLock({ $0.hub.commit(at: Clock.epochMilliseconds, isDue: isDue) }) {
        case .nothing: break
        case .now: wakeAll()
        case .later(let milliseconds): later(milliseconds) { [self] in commit(isDue: true) }
        }
    }

    /// Ends the stream for its viewers. Samples that come later continue it.
    package func end(_ failure: MediaError? = nil) {
        state.withLock { $0.hub.end(failure.map { "\($0)" }, at: Clock.epochMilliseconds) }
        wakeAll()
    }

    package func tell(_ playState: PlayState, restarts: Bool = false) {
        state.withLock { $0.hub.play(playState, restarts: restarts) }
        wakeAll()
    }

    /// Lets viewers play a recording; nil: no longer. A control that has the stream is kept until then.
    package func use(_ control: (any PlayControl)?) { self.control.withLock { $0 = control } }

    /// The part of what is kept that the slowest viewer has not got, 0 to 1.
    package var backlog: Double { state.withLock { $0.hub.backlog(at: Clock.epochMilliseconds) } }

    package var head: SignalHead { state.withLock { $0.hub.head } }

    package var viewerCount: Int { state.withLock { $0.hub.viewerCount } }

    private func wakeAll() {
        for wake in state.withLock({ Array($0.wakes.values) }) { wake() }
    }

    // MARK: Viewers

    /// Adds a viewer. `wake` is called, on any thread, whenever there may be something to ``take(_:)``.
    package func join(_ wake: @escaping @Sendable () -> Void) -> SignalHub.ViewerID {
        let (id, isFirst) = state.withLock { state in
            let id = state.hub.join(at: Clock.epochMilliseconds)
            state.wakes[id] = wake
            defer { state.isWatching = true }
            return (id, !state.isWatching)
        }
        if isFirst { watch() }
        return id
    }

    package func leave(_ id: SignalHub.ViewerID) {
        state.withLock { state in
            state.hub.leave(id)
            state.wakes[id] = nil
        }
    }

    /// Looks for silence as long as there are viewers.
    private func watch() {
        later(Self.watchInterval) { [weak self] in
            guard let self else { return }
            let isWatched = state.withLock { state in
                state.isWatching = !state.wakes.isEmpty
                return state.isWatching
            }
            guard isWatched else { return }
            wakeAll()
            watch()
        }
    }

    /// `isForWork`: a viewer with filters gets few samples at a time.
    package func take(_ id: SignalHub.ViewerID, isForWork: Bool = false) -> SignalHub.Delivery {
        state.withLock { $0.hub.take(id, at: Clock.epochMilliseconds, isForWork: isForWork) }
    }

    package func acknowledge(_ batch: UInt32, from id: SignalHub.ViewerID) {
        state.withLock { $0.hub.acknowledge(batch, from: id, at: Clock.epochMilliseconds) }
    }

    /// Fulfils a request of a viewer that concerns all. Blocks while marks are saved.
    ///
    /// Throws an error that says why it cannot be fulfilled.
    package func fulfil(_ request: SignalRequest) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .work, subject: "the stream")
        switch request {
        case .mark(let seconds, let duration, let text, let channel): try mark(seconds, duration, text, channel)
        case .unmark(let id):
            let isRemoved = state.withLock { state in
                guard let mark = state.hub.mark(id), state.own.contains(mark), state.hub.removeMark(id) else {
                    return false
                }
                state.own.remove(mark)
                state.unsaved = nil
                return true
            }
            wakeAll()
            guard isRemoved else { throw fault("has no such mark, or it is part of the recording") }
            try save()
        case .play(let position, let speed):
            guard let control = control.withLock(\.self) else { throw fault("is measured now, and is not played") }
            control.play(from: position, speed: speed)
        case .pause:
            guard let control = control.withLock(\.self) else { throw fault("is measured now, and is not played") }
            control.pause()
        case .acknowledge, .ping, .filters: break
        }
    }

    private func mark(_ seconds: Double, _ duration: Double, _ text: String, _ channel: String?) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .work, subject: "the stream")
        let problem = state.withLock { state -> String? in
            guard let origin = state.hub.head.origin else { return "has no sample yet" }
            guard channel == nil || state.hub.head.channels.contains(where: { $0.name == channel }) else {
                return "has no such channel"
            }
            let time = origin.advanced(by: seconds)
            // A recording with another one could not be read any more.
            guard time.isOfRecordings(state.hub.head.notation) else { return "cannot have a mark at that time" }
            let mark = SensorMark(time, seconds: duration, text: text, channel: channel)
            guard state.hub.add(mark) != nil else { return "has too many marks" }
            if state.own.insert(mark).inserted { state.unsaved?.append(mark) }
            return nil
        }
        if let problem { throw fault(problem) }
        wakeAll()
        try save()
    }

    private func save() throws(MediaError) {
        try saving.withLock { (_) throws(MediaError) in
            do throws(MediaError) {
                guard try !addUnsaved() else { return }
                let (keeper, marks) = state.withLock { state in
                    state.unsaved = []
                    return (state.keeper, state.own)
                }
                try keeper?.save(marks.sorted { $0.time < $1.time })
            } catch {
                state.withLock { $0.unsaved = nil }
                throw error
            }
        }
    }

    /// Saves the marks that the keeper has not got beside those that it has. Returns false if all have to be saved.
    private func addUnsaved() throws(MediaError) -> Bool {
        let (keeper, marks) = state.withLock { state in
            defer { if state.unsaved != nil { state.unsaved = [] } }
            return (state.keeper, state.unsaved)
        }
        guard let keeper, let marks else { return keeper == nil }
        for mark in marks where try !keeper.add(mark) { return false }
        return true
    }
}
