internal import Synchronization
package import WayreelCore

/// Plays a recording to the viewers of a live stream, who may pause it, and go to another place or speed.
///
/// It is read as it is played, so that its length does not matter. Another reader finds its length and all of its channels
/// meanwhile.
package final class RecordingPlayback: PlayControl {
    private struct Control {
        var state: PlayState
        /// Where it goes on, in seconds.
        var seek: Double?
        var changes = 0
    }

    private let stream: LiveStream
    private let cancellation: Cancellation
    private let onDamage: (@Sendable (MediaError) -> Void)?
    private let control: Monitor<Control>

    /// How far it reads ahead, in microseconds of what is played, and in samples.
    private static let (ahead, samplesAhead) = (1e6, 1_000_000)
    /// The seconds of the longest and the shortest wait.
    private static let (longestWait, shortestWait) = (0.05, 0.004)

    package init(
        speed: SensorReplay.Speed, stream: LiveStream, cancellation: Cancellation,
        onDamage: (@Sendable (MediaError) -> Void)?
    ) {
        (self.stream, self.cancellation, self.onDamage) = (stream, cancellation, onDamage)
        control = Monitor(Control(state: PlayState(speed: speed)))
    }

    package func play(from position: Double?, speed: SensorReplay.Speed?) {
        control.update { control in
            control.state.isPlaying = true
            control.state.speed = speed ?? control.state.speed
            control.seek = position ?? control.seek
            control.changes += 1
        }
    }

    package func pause() {
        control.update { control in
            control.state.isPlaying = false
            control.changes += 1
        }
    }

    // MARK: Reading

    private struct Extent: SampleSink {
        var earliest = Int64.max
        var latest = Int64.min

        mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
            for index in times.indices {
                earliest = min(earliest, times[index])
                latest = max(latest, times[index])
            }
        }
    }

    /// Reads the recording at `path` to its end, and tells viewers how long it is. Blocks.
    package func measure(_ path: String) throws(MediaError) {
        let source = try RecordingFiles.open(path, cancellation: cancellation, onDamage: { _ in })
        var extent = Extent()
        while try source.read(into: &extent) {}
        guard extent.earliest <= extent.latest else { return }
        var none = PendingSamples()
        stream.add(&none, of: source.head)
        let (first, last) = (SensorTime(microseconds: extent.earliest), SensorTime(microseconds: extent.latest))
        stream.describe { head in
            let origin = head.origin ?? first
            (head.origin, head.duration) = (origin, last.seconds(since: origin))
        }
    }

    /// Plays the recording at `path` until the cancellation, as viewers have asked for also before, and also after the end, since viewers may go back. Blocks.
    ///
    /// Throws the errors of the recording, which viewers are told, too, and `cancelled`.
    package func run(_ path: String) throws(MediaError) {
        var position = 0.0
        do throws(MediaError) {
            // Damaged lines are told once.
            var onDamage = onDamage
            while true {
                position = try play(path, from: position, onDamage)
                if onDamage != nil { onDamage = { _ in } }
            }
        } catch {
            if error.kind != .cancelled { stream.end(error) }
            throw error
        }
    }

    /// Plays from a position until viewers choose another one, which it returns.
    private func play(
        _ path: String, from position: Double, _ onDamage: (@Sendable (MediaError) -> Void)?
    ) throws(MediaError) -> Double {
        let source = try RecordingFiles.open(path, cancellation: cancellation, onDamage: onDamage)
        var pending = PendingSamples()
        var isAtEnd = false
        while !isAtEnd, pending.count == 0 { isAtEnd = try !source.read(into: &pending) }
        guard let origin = pending.next else {
            stream.end()
            return try waitForChange(after: control.withLock(\.changes))
        }
        stream.describe { $0.origin = $0.origin ?? SensorTime(microseconds: origin) }
        if position > 0 { try skip(source, &pending, until: origin + Int64(position * 1e6), &isAtEnd) }
        // The time of the recording that plays, and since when.
        var clock = (time: Double(origin) + position * 1e6, begin: Clock.wall)
        var (known, isEnded) = (-1, false)
        while true {
            try cancellation.check(step: .wait)
            let (state, seek, changes) = control.withLock { control in
                defer { control.seek = nil }
                return (control.state, control.seek, control.changes)
            }
            let (now, isRestarted) = (Clock.wall, known < 0)
            if let seek { return seek }
            if isEnded, changes != known, state.isPlaying { return 0 }
            if changes != known {
                clock.begin = now
                tell(state, at: clock.time, from: origin, restarts: isRestarted)
                known = changes
            }
            guard state.isPlaying, !isEnded else {
                control.withLock(when: { $0.changes != known }, until: now + Self.longestWait) { _ in }
                clock.begin = Clock.wall
                continue
            }
            var end = Int64.max
            var ahead = Self.ahead
            if case .times(let speed) = state.speed {
                // At most a hundred years, which no recording has.
                clock.time += min((now - clock.begin) * 1e6 * speed, 3e15)
                clock.begin = now
                end = Int64(min(max(clock.time, -4e18), 4e18))
                ahead *= speed
            }
            let wanted = end == .max ? end : end + Int64(min(ahead, 3e15))
            if end == .max, stream.backlog > 0.5 {
                control.withLock(when: { $0.changes != known }, until: now + Self.shortestWait) { _ in }
                continue
            }
            repeat {
                guard !isAtEnd, pending.count < Self.samplesAhead, pending.latest ?? .min <= wanted else { break }
                isAtEnd = try !source.read(into: &pending)
            } while end != .max
            stream.add(&pending, until: end, of: source.head)
            if end == .max, let latest = pending.latest { clock.time = Double(latest) }
            if isAtEnd, pending.count == 0 {
                isEnded = true
                stream.end()
            } else if end != .max {
                let next = pending.next.map { (Double($0) - clock.time) / 1e6 } ?? 0
                let wait = min(max(next, Self.shortestWait), Self.longestWait)
                control.withLock(when: { $0.changes != known }, until: now + wait) { _ in }
            }
        }
    }

    /// Leaves out what is before a time.
    private func skip(
        _ source: any RecordingSource, _ pending: inout PendingSamples, until time: Int64, _ isAtEnd: inout Bool
    ) throws(MediaError) {
        pending.take(until: time - 1) { _, _, _ in }
        pending.start = time
        while !isAtEnd, pending.count == 0 { isAtEnd = try !source.read(into: &pending) }
        pending.start = .min
    }

    private func tell(_ state: PlayState, at time: Double, from origin: Int64, restarts: Bool) {
        var state = state
        state.position = max(0, (time - Double(origin)) / 1e6)
        stream.tell(state, restarts: restarts)
    }

    /// Waits until viewers want something else of a recording without samples.
    private func waitForChange(after known: Int) throws(MediaError) -> Double {
        while control.withLock(\.changes) == known {
            try cancellation.check(step: .wait)
            control.withLock(when: { $0.changes != known }, until: Clock.wall + Self.longestWait) { _ in }
        }
        return control.withLock { control in
            defer { control.seek = nil }
            return control.seek ?? 0
        }
    }
}

/// Reads what a recorder writes into a pipe, for the viewers of a live stream and for a recording.
package enum SourceReading {
    /// Reads to the end. Blocks. `recorder` keeps all samples, also those that no viewer sees.
    ///
    /// Throws the errors of the source and of the recording, which viewers are told, too, and `cancelled`.
    package static func run(
        _ source: any RecordingSource, stream: LiveStream, recorder: (any StreamRecorder)?
    ) throws(MediaError) {
        do throws(MediaError) {
            var pending = PendingSamples()
            while try source.read(into: &pending) {
                if let recorder {
                    var copy = pending
                    try recorder.add(&copy, of: source.head)
                }
                stream.add(&pending, of: source.head)
            }
            stream.end()
        } catch {
            if error.kind != .cancelled { stream.end(error) }
            throw error
        }
    }
}
