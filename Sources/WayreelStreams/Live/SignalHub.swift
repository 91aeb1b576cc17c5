internal import WayreelCore

/// The newest samples of a live stream, and where each of its viewers is in them.
///
/// Samples are kept once, encoded as they are sent: a ring of pieces that is bounded in bytes and in seconds. A viewer has a
/// position and no queue. One that is slower than the ring is moved forward, and told what it missed. The hub knows no
/// clock: times of arrival are given to it, in milliseconds since 1970 with a fraction.
package struct SignalHub: Sendable {
    package struct Limits: Sendable {
        /// The bytes of all pieces, with what each takes in memory.
        package var bytes = 4_000_000
        /// The age of the oldest piece.
        package var seconds = 60.0
        /// The batches that a viewer may have without acknowledging them.
        package var unacknowledged = 8
        /// The marks and removals of marks, and the bytes of the texts of marks.
        package var (marks, markBytes) = (10_000, 4 << 20)

        package init(bytes: Int = 4_000_000, seconds: Double = 60) {
            (self.bytes, self.seconds) = (bytes, seconds)
        }
    }

    package typealias ViewerID = Int

    /// What a viewer has not got, up to one batch.
    package struct Delivery: Sendable {
        var head: SignalHead?
        var state: PlayState?
        var marks: ArraySlice<SignalMarks.Event> = []
        var missed: (from: SensorTime, to: SensorTime, samples: Int)?
        var origin = SensorTime(microseconds: 0)
        var pieces: [SignalBatch.Runs] = []
        /// The number of the batch, and when its newest sample arrived.
        var number: UInt32 = 0
        var arrival = 0.0
        /// The seconds without a sample.
        var silence: Double?
        var hasEnded = false
        /// Why it has ended, if that is an error.
        var failure: String?

        /// Whether there is nothing in it.
        package var isEmpty: Bool {
            head == nil && state == nil && marks.isEmpty && missed == nil && pieces.isEmpty && silence == nil
                && !hasEnded
        }
    }

    /// What has to be done after ``commit(at:)``.
    package enum Wake: Hashable, Sendable {
        case nothing
        /// There is something for viewers.
        case now
        /// ``commit(at:)`` has to be called again after some milliseconds.
        case later(Double)
    }

    private struct Piece: Sendable {
        var runs: SignalBatch.Runs
        var arrival: Double
        var earliest: Int64
        var latest: Int64
        /// The samples before it, and in it.
        var before: Int
        var samples: Int

        var cost: Int { runs.bytes.count + Self.overhead }
        static let overhead = 96
    }

    private struct Viewer: Sendable {
        /// The number of the next piece.
        var next: Int
        /// The samples before it.
        var samples: Int
        /// The time of the newest sample that it got.
        var latest: Int64?
        var sent: UInt32 = 0
        var acknowledged: UInt32 = 0
        /// When it last acknowledged something.
        var sign: Double
        var head = -1
        var state = 0
        var marks = 0
        /// The arrival after which it was told of silence.
        var silence: Double?
        var isToldEnd = false
    }

    private struct Column: Sendable {
        var times: [Int64] = []
        var values: [Float] = []
    }

    private let limits: Limits
    /// A head that changes has to be sent again.
    private(set) package var head: SignalHead { didSet { headVersion += 1 } }
    private(set) package var state: PlayState? { didSet { stateVersion += 1 } }
    private var headVersion = 0
    private var stateVersion = 0
    private var marks: SignalMarks

    private var pieces: [Piece] = []
    /// The index of the oldest piece, and its number.
    private var first = 0
    private var firstNumber = 0
    private var bytes = 0
    private var samples = 0
    /// The samples that are not in a piece yet, by channel, and which channels have some.
    private var open: [Column] = []
    private var touched: [Int] = []
    private var openSamples = 0
    private var openArrival = 0.0
    private var lastPiece = -Double.infinity
    private var isDue = false

    private var viewers: [ViewerID: Viewer] = [:]
    private var lastViewer = 0
    private var lastArrival: Double
    private var hasEnded = false
    private var failure: String?

    /// The most channels; further ones are left out.
    package static let maxChannels = 256
    /// The milliseconds between two pieces: few viewers get samples soon, many of them once a frame of a display.
    private static let (interval, busyInterval, fewViewers) = (4.0, 1000.0 / 60, 8)
    private static let samplesInPiece = 8192
    /// The bytes of a batch.
    private static let batchBytes = 240 << 10
    /// The samples of a batch that is worked on, unless it has one piece.
    private static let workSamples = 4096
    /// The milliseconds after which viewers are told that no sample comes.
    package static let silence = 2000.0

    package init(_ head: SignalHead = SignalHead(), limits: Limits = Limits(), at now: Double) {
        (self.head, self.limits, lastArrival) = (head, limits, now)
        marks = SignalMarks(limit: limits.marks, textLimit: limits.markBytes)
    }

    // MARK: Samples

    /// Adds samples of a channel that arrive at `now`: times in microseconds, and as many values. They reach viewers after
    /// ``commit(at:)``. The channel has to be in the head.
    package mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>, at now: Double) {
        guard channel < head.channels.count, channel < Self.maxChannels, !times.isEmpty else { return }
        if head.origin == nil { head.origin = SensorTime(microseconds: times[0]) }
        while open.count <= channel { open.append(Column()) }
        if open[channel].times.isEmpty { touched.append(channel) }
        (openArrival, lastArrival) = (now, now)
        for index in times.indices {
            open[channel].times.append(times[index])
            let value = Float(values[index])
            open[channel].values.append(value.isFinite ? value : .nan)
            openSamples += 1
            if openSamples >= Self.samplesInPiece {
                close(at: now)
                touched.append(channel)
            }
        }
        if open[channel].times.isEmpty { touched.removeAll { $0 == channel } }
        if hasEnded { hasEnded = false }
    }

    /// Makes a piece of the samples so far, unless there was one a moment ago. `isDue`: it was told to be called later, and
    /// that is now, by a clock that may be a little ahead.
    package mutating func commit(at now: Double, isDue isTimer: Bool = false) -> Wake {
        guard openSamples > 0 else {
            isDue = false
            return .nothing
        }
        let interval = viewers.count > Self.fewViewers ? Self.busyInterval : Self.interval
        guard isTimer || now - lastPiece >= interval else {
            if isDue { return .nothing }
            isDue = true
            return .later(lastPiece + interval - now)
        }
        isDue = false
        close(at: now)
        return viewers.isEmpty ? .nothing : .now
    }

    private mutating func close(at now: Double) {
        guard let origin = head.origin else { return }
        var runs = SignalBatch.Runs()
        var (earliest, latest) = (Int64.max, Int64.min)
        for channel in touched where !open[channel].times.isEmpty {
            runs.add(channel, open[channel].times, open[channel].values, from: origin)
            earliest = min(earliest, open[channel].times.min() ?? earliest)
            latest = max(latest, open[channel].times.max() ?? latest)
            open[channel].times.removeAll(keepingCapacity: true)
            open[channel].values.removeAll(keepingCapacity: true)
        }
        let piece = Piece(
            runs: runs, arrival: openArrival, earliest: earliest, latest: latest, before: samples, samples: openSamples)
        touched.removeAll(keepingCapacity: true)
        samples += openSamples
        openSamples = 0
        lastPiece = now
        pieces.append(piece)
        bytes += piece.cost
        while first < pieces.count - 1, bytes > limits.bytes || pieces[first].arrival < now - limits.seconds * 1000 {
            dropFirst()
        }
        if first > 1024, first > pieces.count / 2 {
            pieces.removeFirst(first)
            first = 0
        }
    }

    private mutating func dropFirst() {
        bytes -= pieces[first].cost
        pieces[first].runs = .init()
        first += 1
        firstNumber += 1
    }

    /// The bytes that the ring takes.
    package var usedBytes: Int { bytes }

    /// Changes what the stream says about itself; channels keep their index.
    package mutating func describe(_ change: (inout SignalHead) -> Void) {
        var changed = head
        change(&changed)
        // Times in the ring are counted from the origin.
        changed.origin = head.origin ?? changed.origin
        changed.channels = Array(changed.channels.prefix(Self.maxChannels))
        head = changed
    }

    /// Ends the stream, because of an error if there is one; samples that come later continue it.
    package mutating func end(_ failure: String? = nil, at now: Double) {
        if openSamples > 0 { close(at: now) }
        (hasEnded, self.failure) = (true, failure)
        for id in viewers.keys { viewers[id]?.isToldEnd = false }
    }

    // MARK: Recordings that are played

    /// Tells viewers how a recording is played. `restarts`: it goes on at another place, and the samples so far are dropped.
    package mutating func play(_ state: PlayState, restarts: Bool = false) {
        self.state = state
        guard restarts else { return }
        for channel in touched { open[channel] = Column() }
        touched.removeAll()
        openSamples = 0
        while first < pieces.count { dropFirst() }
        for id in viewers.keys {
            viewers[id]?.next = firstNumber
            viewers[id]?.samples = samples
            viewers[id]?.isToldEnd = false
        }
        hasEnded = false
    }

    /// The largest part of the ring, 0 to 1, that a viewer has not got. One that acknowledges nothing for a second, such as
    /// a tab that is hidden, is waited for no longer.
    package func backlog(at now: Double) -> Double {
        let end = firstNumber + pieces.count - first
        var most = 0
        for viewer in viewers.values where viewer.next < end && now - viewer.sign < 1000 {
            var waiting = 0
            for index in max(first, viewer.next - firstNumber + first)..<pieces.count { waiting += pieces[index].cost }
            most = max(most, waiting)
        }
        return Double(most) / Double(limits.bytes)
    }

    // MARK: Marks

    /// Adds a mark; returns its id, or nil if there are too many.
    package mutating func add(_ mark: SensorMark) -> Int? { marks.add(mark) }

    /// The mark of an id; nil if there is none, or if it was removed.
    package func mark(_ id: Int) -> SensorMark? { marks.mark(id) }

    /// Removes a mark; returns false if there is none, or if there were too many changes.
    package mutating func removeMark(_ id: Int) -> Bool { marks.remove(id) }

    // MARK: Viewers

    package var viewerCount: Int { viewers.count }

    /// Adds a viewer, which gets what the ring has and then what comes.
    package mutating func join(at now: Double) -> ViewerID {
        lastViewer += 1
        viewers[lastViewer] = Viewer(next: firstNumber, samples: samples(before: firstNumber), sign: now)
        return lastViewer
    }

    package mutating func leave(_ id: ViewerID) { viewers[id] = nil }

    private func samples(before number: Int) -> Int {
        let index = number - firstNumber + first
        return index < pieces.count ? pieces[index].before : samples
    }

    /// Notes that a viewer has shown all batches up to a number.
    package mutating func acknowledge(_ number: UInt32, from id: ViewerID, at now: Double) {
        guard let viewer = viewers[id], number > viewer.acknowledged, number <= viewer.sent else { return }
        viewers[id]?.acknowledged = number
        viewers[id]?.sign = now
    }

    /// What a viewer has not got; empty while it has nothing to get, or has too many batches without acknowledging them.
    /// `isForWork`: its samples are worked on, so that a batch has few, and other viewers have turns.
    package mutating func take(_ id: ViewerID, at now: Double, isForWork: Bool = false) -> Delivery {
        var delivery = Delivery()
        guard var viewer = viewers[id] else { return delivery }
        defer { viewers[id] = viewer }
        if viewer.head != headVersion {
            delivery.head = head
            viewer.head = headVersion
        }
        if viewer.state != stateVersion, let state {
            delivery.state = state
            viewer.state = stateVersion
        }
        // Times of marks are told from the origin.
        if let origin = head.origin {
            delivery.origin = origin
            delivery.marks = marks.next(&viewer.marks)
            // Those that are left come before samples.
            guard viewer.marks == marks.count else { return delivery }
        }
        // Once for all of it, when it may get what comes after: a tab that is hidden for long is not told again and again.
        let mayGet = viewer.sent - viewer.acknowledged < limits.unacknowledged
        if mayGet, viewer.next < firstNumber {
            let reached = samples(before: firstNumber)
            if let latest = viewer.latest, reached > viewer.samples {
                let to = first < pieces.count ? pieces[first].earliest : latest
                delivery.missed = (
                    SensorTime(microseconds: latest), SensorTime(microseconds: to), reached - viewer.samples
                )
            }
            (viewer.next, viewer.samples) = (firstNumber, reached)
        }
        if mayGet { takePieces(&viewer, &delivery, samples: isForWork ? Self.workSamples : .max) }
        let end = firstNumber + pieces.count - first
        if viewer.next == end, hasEnded, !viewer.isToldEnd {
            viewer.isToldEnd = true
            (delivery.hasEnded, delivery.failure) = (true, failure)
        }
        if !hasEnded, state?.isPlaying ?? true, now - lastArrival > Self.silence, viewer.silence != lastArrival {
            viewer.silence = lastArrival
            delivery.silence = (now - lastArrival) / 1000
        }
        return delivery
    }

    private func takePieces(_ viewer: inout Viewer, _ delivery: inout Delivery, samples most: Int) {
        var (size, runs, count) = (0, 0, 0)
        for index in (viewer.next - firstNumber + first)..<pieces.count {
            let piece = pieces[index]
            count += piece.samples
            let isFull =
                size + piece.runs.bytes.count > Self.batchBytes || runs + piece.runs.count > UInt16.max || count > most
            guard delivery.pieces.isEmpty || !isFull else { break }
            size += piece.runs.bytes.count
            runs += piece.runs.count
            delivery.pieces.append(piece.runs)
            delivery.arrival = piece.arrival
            viewer.next += 1
            viewer.samples = piece.before + piece.samples
            viewer.latest = max(viewer.latest ?? piece.latest, piece.latest)
        }
        guard !delivery.pieces.isEmpty else { return }
        viewer.sent += 1
        delivery.number = viewer.sent
    }
}
