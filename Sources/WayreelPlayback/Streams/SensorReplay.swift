public import WayreelCore

/// Plays a recording of sensor streams: each sample at its time, or faster or slower, through filters.
///
///     let replay = SensorReplay(speed: .times(10), filters: try SensorFilterChain([SensorFilter(parsing: "accuracy:max=50")]))
///     let statistics = try replay.run(SensorReader("walk.ndjson")) { sample, notation in … }
///
/// The times at which samples are due are absolute, so that nothing adds up: what is late once does not make later samples late. Nothing is
/// lost: a sample that is overdue, also one whose time goes backwards, is delivered at once.
public struct SensorReplay: Sendable {
    public enum Speed: Hashable, Sendable {
        /// As fast as samples can be read.
        case max
        /// 1 for that of the recording, 0.001 to 1,000,000.
        case times(Double)
    }

    public var speed: Speed
    public var filters: SensorFilterChain

    public init(speed: Speed = .times(1), filters: SensorFilterChain) {
        self.speed = speed
        self.filters = filters
    }

    /// What a replay did, and how late it was.
    public struct Statistics: Sendable, Encodable {
        public var read = 0
        public var delivered = 0
        /// By the filters.
        public var dropped = 0
        /// The targets of filters that no sample had.
        public var unknownTargets: [String] = []
        /// By stream.
        public var deliveredByStream: [String: Int] = [:]
        /// From when a sample was due until it was read, filtered and delivered; none at the greatest speed.
        public var lateness = Lateness()
        /// From when the timer was to end until the thread ran again, wherever there was time to wait: the part of ``lateness`` that is the
        /// system's own.
        public var timer = Lateness()
        /// From then, or from when the sample was due if that was later, until it was delivered: Wayreel's part of ``lateness``.
        public var afterTimer = Lateness()
    }

    /// Plays all samples on the calling thread, while another one reads ahead.
    ///
    /// - Parameters:
    ///   - flush: Is called when nothing more is due at this moment.
    ///   - deliver: Takes the samples that the filters keep, and how the recording writes times.
    /// - Throws: What the reader, `deliver` and `flush` throw, among that `cancelled`.
    @available(*, noasync, message: "blocks its thread")
    public func run(
        _ reader: sending SensorReader, flush: () throws(MediaError) -> Void = { () throws(MediaError) in },
        deliver: (SensorSample, SensorTime.Notation) throws(MediaError) -> Void
    ) throws(MediaError) -> Statistics {
        var pass = Pass(filters: filters)
        switch speed {
        case .max: try pass.run(reader, flush: flush, deliver: deliver)
        case .times(let factor): try pass.run(reader, speed: factor, flush: flush, deliver: deliver)
        }
        pass.statistics.unknownTargets = pass.filters.idle.map(\.target.description)
        return pass.statistics
    }

    /// One replay.
    private struct Pass {
        var filters: SensorFilterChain
        var statistics = Statistics()
        /// When samples were due that are delivered, but not flushed.
        private var unflushed: [Int64] = []
        /// When the last wait ended.
        private var awake = Int64.min

        init(filters: SensorFilterChain) { self.filters = filters }

        mutating func run(
            _ reader: SensorReader, flush: () throws(MediaError) -> Void,
            deliver: (SensorSample, SensorTime.Notation) throws(MediaError) -> Void
        ) throws(MediaError) {
            while let sample = try reader.next() {
                try pass(sample, reader.notation ?? .seconds, deliver)
                if !reader.hasNext { try flush() }
            }
            try flush()
        }

        mutating func run(
            _ reader: sending SensorReader, speed: Double, flush: () throws(MediaError) -> Void,
            deliver: (SensorSample, SensorTime.Notation) throws(MediaError) -> Void
        ) throws(MediaError) {
            let cancellation = reader.cancellation
            let ahead = try ReadAhead(reader)
            defer { ahead.stop() }
            var start: (time: SensorTime, clock: Int64)?
            while let samples = try ahead.next() {
                for (sample, notation) in samples {
                    let begin = start ?? (sample.time, MonotonicTimer.now)
                    start = begin
                    // A thousand years at most, which no clock reaches.
                    let seconds = min(max(sample.time.seconds(since: begin.time) / speed, -3e7), 3e9)
                    let due = begin.clock + Int64(seconds * 1e9)
                    if due > MonotonicTimer.now {
                        try settle(flush)
                        try MonotonicTimer.wait(until: due, cancellation)
                        awake = MonotonicTimer.now
                        statistics.timer.add(awake - due)
                    }
                    try pass(sample, notation, deliver)
                    unflushed.append(due)
                }
                try settle(flush)
            }
        }

        private mutating func pass(
            _ sample: SensorSample, _ notation: SensorTime.Notation,
            _ deliver: (SensorSample, SensorTime.Notation) throws(MediaError) -> Void
        ) throws(MediaError) {
            statistics.read += 1
            guard let filtered = filters.apply(sample) else {
                statistics.dropped += 1
                return
            }
            try deliver(filtered, notation)
            statistics.delivered += 1
            statistics.deliveredByStream[filtered.stream, default: 0] += 1
        }

        private mutating func settle(_ flush: () throws(MediaError) -> Void) throws(MediaError) {
            guard !unflushed.isEmpty else { return }
            try flush()
            let now = MonotonicTimer.now
            for due in unflushed {
                statistics.lateness.add(now - due)
                statistics.afterTimer.add(now - max(due, awake))
            }
            unflushed.removeAll(keepingCapacity: true)
        }
    }
}

/// Reads samples on a thread of its own.
private final class ReadAhead {
    typealias Samples = [(SensorSample, SensorTime.Notation)]

    /// About a second of a dozen sensors.
    private let queue = BoundedQueue<Samples>(limit: 32)
    private static let batch = 64
    private let owner: Owner
    private let thread: WorkThread

    /// The thread alone uses the reader.
    private final class Owner: @unchecked Sendable {
        let reader: SensorReader
        init(_ reader: sending SensorReader) { self.reader = reader }
    }

    /// Throws a `limit` error where the system refuses the thread.
    init(_ reader: sending SensorReader) throws(MediaError) {
        let owner = Owner(reader)
        self.owner = owner
        thread = try WorkThread("streams") { [queue] in
            do throws(MediaError) {
                while true {
                    let samples = try Self.read(owner.reader)
                    guard !samples.isEmpty, queue.put(samples) else { break }
                }
                queue.finish()
            } catch { queue.finish(error) }
        }
    }

    /// As many as there are, at least one; none at the end.
    private static func read(_ reader: SensorReader) throws(MediaError) -> Samples {
        var samples: Samples = []
        repeat {
            guard let sample = try reader.next() else { break }
            samples.append((sample, reader.notation ?? .seconds))
        } while samples.count < batch && reader.hasNext
        return samples
    }

    func next() throws(MediaError) -> Samples? { try queue.take() }

    func stop() {
        queue.abandon()
        owner.reader.stop()
        thread.join()
    }
}
