internal import Glibc
internal import Synchronization
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

        /// Parses a number from 0.001 to 1000000, or `max`.
        package init?(_ text: String) {
            if text == "max" {
                self = .max
            } else {
                guard let factor = Double(text) else { return nil }
                self.init(times: factor)
            }
        }

        /// nil for a multiple out of range.
        init?(times factor: Double) {
            guard (0.001...1e6).contains(factor) else { return nil }
            self = .times(factor)
        }
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
        /// What came of the last sample.
        private var filtered: [SensorSample] = []
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
            try finish(reader.notation ?? .seconds, deliver)
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
            var last = SensorTime.Notation.seconds
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
                    last = notation
                    unflushed.append(due)
                }
                try flushDelivered(flush)
            }
            try finish(last, deliver)
            try flush()
        }

        private mutating func pass(
            _ sample: SensorSample, _ notation: SensorTime.Notation,
            _ deliver: (SensorSample, SensorTime.Notation) throws(MediaError) -> Void
        ) throws(MediaError) {
            statistics.read += 1
            try filters.apply(sample, to: &filtered)
            try deliverFiltered(notation, deliver)
        }

        /// Delivers what the filters held back.
        private mutating func finish(
            _ notation: SensorTime.Notation, _ deliver: (SensorSample, SensorTime.Notation) throws(MediaError) -> Void
        ) throws(MediaError) {
            try filters.finish(to: &filtered)
            try deliverFiltered(notation, deliver)
            statistics.dropped = filters.dropped
        }

        private mutating func deliverFiltered(
            _ notation: SensorTime.Notation, _ deliver: (SensorSample, SensorTime.Notation) throws(MediaError) -> Void
        ) throws(MediaError) {
            for sample in filtered {
                try deliver(sample, notation)
                statistics.delivered += 1
                statistics.deliveredByStream[sample.stream, default: 0] += 1
            }
            filtered.removeAll(keepingCapacity: true)
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
    private let stopping: Cancellation
    private let thread: WorkThread

    /// Gives the reader to the thread.
    private final class Owner: Sendable {
        let reader: Mutex<SensorReader>
        init(_ reader: sending SensorReader) { self.reader = Mutex(reader) }
    }

    /// Throws a `limit` error if the system refuses the thread.
    init(_ reader: sending SensorReader) throws(MediaError) {
        stopping = reader.stopping
        let owner = Owner(reader)
        thread = try WorkThread("streams") { [queue] in
            do throws(MediaError) {
                while true {
                    let samples = try owner.reader.withLock { (reader) throws(MediaError) in try Self.read(reader) }
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
        stopping.cancel()
        thread.join()
    }
}

/// Waits for absolute times of CLOCK_MONOTONIC, in nanoseconds.
enum MonotonicTimer {
    /// The maximum delay of a cancellation, in nanoseconds.
    private static let slice: Int64 = 50_000_000

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Waits until a time. Throws a `cancelled` error.
    static func wait(until due: Int64, _ cancellation: Cancellation) throws(MediaError) {
        while true {
            try cancellation.check(step: .wait)
            let now = now
            guard now < due else { return }
            let until = min(due, now + slice)
            var time = timespec(tv_sec: Int(until / 1_000_000_000), tv_nsec: Int(until % 1_000_000_000))
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
        }
    }
}

/// A histogram of delays. The buckets are 1/32 of their value wide, or a nanosecond.
public struct Lateness: Sendable, Encodable {
    public private(set) var count = 0
    /// The largest delay in seconds.
    public private(set) var maximum = 0.0
    private var buckets = [Int](repeating: 0, count: 64 * 32)

    public init() {}

    /// Adds a delay; negative `nanoseconds` count as 0.
    mutating func add(_ nanoseconds: Int64) {
        let value = UInt64(max(0, nanoseconds))
        count += 1
        maximum = max(maximum, Double(value) / 1e9)
        buckets[Self.bucket(of: value)] += 1
    }

    /// Returns a quantile of the delays in seconds; `part` is 0 to 1. Returns nil if there are no delays.
    public func quantile(_ part: Double) -> Double? {
        guard count > 0 else { return nil }
        let wanted = max(1, Int((Double(count) * part).rounded(.up)))
        var sum = 0
        for (index, number) in buckets.enumerated() {
            sum += number
            if sum >= wanted { return min(Double(Self.upperEnd(of: index)) / 1e9, maximum) }
        }
        return maximum
    }

    /// Returns the bucket of a value: below 32, each value has its own bucket; above, each power of two has 32.
    private static func bucket(of value: UInt64) -> Int {
        guard value >= 32 else { return Int(value) }
        let shift = 58 - value.leadingZeroBitCount
        return 32 * shift + Int(value >> UInt64(shift))
    }

    private static func upperEnd(of bucket: Int) -> UInt64 {
        guard bucket >= 64 else { return UInt64(bucket) }
        let shift = UInt64(bucket / 32 - 1)
        return (UInt64(bucket % 32 + 32 + 1) << shift) - 1
    }

    private enum CodingKeys: CodingKey {
        case count, p50Milliseconds, p99Milliseconds, maxMilliseconds
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encodeIfPresent(quantile(0.5).map { $0 * 1000 }, forKey: .p50Milliseconds)
        try container.encodeIfPresent(quantile(0.99).map { $0 * 1000 }, forKey: .p99Milliseconds)
        try container.encode(maximum * 1000, forKey: .maxMilliseconds)
    }
}
