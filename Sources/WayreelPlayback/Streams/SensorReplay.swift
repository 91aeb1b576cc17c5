public import WayreelCore

/// Replays a recording of sensor streams through filters, in real time, or faster or slower.
///
///     let replay = SensorReplay(speed: .times(10), filters: try SensorFilterChain([SensorFilter(parsing:
///     "accuracy:max=50")])) let statistics = try replay.run(SensorReader("walk.ndjson")) { sample, notation in … }
///
/// Samples are due at absolute times, so that delays do not accumulate: a late sample does not delay the following
/// ones. No samples are lost: an overdue sample, including one whose time goes backwards, is delivered at once.
public struct SensorReplay: Sendable {
    public enum Speed: Hashable, Sendable {
        /// As fast as samples can be read.
        case max
        /// A multiple of real time, 0.001 to 1,000,000.
        case times(Double)
    }

    public var speed: Speed
    public var filters: SensorFilterChain

    public init(speed: Speed = .times(1), filters: SensorFilterChain) {
        self.speed = speed
        self.filters = filters
    }

    /// The counts of a replay, and its delays.
    public struct Statistics: Sendable, Encodable {
        public var read = 0
        public var delivered = 0
        /// The number of samples that the filters dropped.
        public var dropped = 0
        /// The targets of filters that did not occur in any sample.
        public var unknownTargets: [String] = []
        /// The number of delivered samples by stream.
        public var deliveredByStream: [String: Int] = [:]
        /// The time from when a sample was due until it was read, filtered and delivered; empty at maximum speed.
        public var lateness = Lateness()
        /// The time from when the timer was set to expire until the thread ran again, for each wait: the operating
        /// system's part of ``lateness``.
        public var timer = Lateness()
        /// The time from then, or from when the sample was due if that was later, until it was delivered: Wayreel's
        /// part of ``lateness``.
        public var afterTimer = Lateness()
    }

    /// Plays all samples on the calling thread, while another thread reads ahead.
    ///
    /// - Parameters:
    ///   - flush: Is called when no more samples are due at this moment.
    ///   - deliver: Receives the samples that pass the filters, and the recording's notation of times.
    /// - Throws: The errors of the reader, `deliver` and `flush`, including `cancelled`.
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
        /// The due times of samples that are delivered but not flushed.
        private var unflushed: [Int64] = []
        /// The end of the last wait.
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
                    // At most a hundred years, which no clock reaches.
                    let seconds = min(max(sample.time.seconds(since: begin.time) / speed, -3e7), 3e9)
                    let due = begin.clock + Int64(seconds * 1e9)
                    if due > MonotonicTimer.now {
                        try flushDelivered(flush)
                        try MonotonicTimer.wait(until: due, cancellation)
                        awake = MonotonicTimer.now
                        statistics.timer.add(awake - due)
                    }
                    try pass(sample, notation, deliver)
                    unflushed.append(due)
                }
                try flushDelivered(flush)
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

        private mutating func flushDelivered(_ flush: () throws(MediaError) -> Void) throws(MediaError) {
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

/// Reads samples on a separate thread.
private final class ReadAhead {
    typealias Samples = [(SensorSample, SensorTime.Notation)]

    /// Holds about a second of samples from a dozen sensors.
    private let queue = BoundedQueue<Samples>(limit: 32)
    private static let batch = 64
    private let owner: Owner
    private let thread: WorkThread

    /// Only the thread uses the reader.
    private final class Owner: @unchecked Sendable {
        let reader: SensorReader
        init(_ reader: sending SensorReader) { self.reader = reader }
    }

    /// Throws a `limit` error if the system refuses the thread.
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

    /// Returns all available samples, at least one, or none at the end.
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
