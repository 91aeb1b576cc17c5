internal import CLinux
internal import WayreelCore

/// Collects samples with cumulative values, so that samples can be dropped.
struct SampleSeries {
    struct Entry {
        /// Seconds since the start.
        var time: Double
        /// CPU seconds since the start.
        var seconds: Double
        var resident: Int
        var processes: Int
        /// Seconds by thread name.
        var threads: [String: Double]?
    }

    private var entries: [Entry] = []

    /// Ten minutes at 20 per second.
    static let limit = 12_000

    var isFull: Bool { entries.count >= Self.limit }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Drops every second sample and keeps the larger memory of each pair.
    mutating func thin() {
        entries = stride(from: 1, to: entries.count, by: 2).map { index in
            let (first, second) = (entries[index - 1], entries[index])
            var entry = second
            entry.resident = max(first.resident, second.resident)
            entry.processes = max(first.processes, second.processes)
            entry.threads = second.threads ?? first.threads
            return entry
        }
    }

    var samples: [Sample] {
        zip(entries, intervals).map { entry, interval in
            Sample(
                milliseconds: Clock.milliseconds(entry.time),
                cpuPercent: interval.wall > 0 ? interval.cpu / interval.wall * 100 : 0,
                residentBytes: entry.resident, processes: entry.processes,
                threadMilliseconds: entry.threads?.mapValues(Clock.milliseconds))
        }
    }

    private static let cores = Double(max(1, wr_available_cores()))

    /// Wall and CPU time between consecutive samples in seconds.
    ///
    /// A process that was found late, or reaped by its parent, adds earlier CPU time: more than all cores can use in
    /// the interval is moved to earlier samples.
    private var intervals: [(wall: Double, cpu: Double)] {
        var before = (time: 0.0, seconds: 0.0)
        var intervals = entries.map { entry -> (wall: Double, cpu: Double) in
            let interval = (entry.time - before.time, max(0, entry.seconds - before.seconds))
            before = (entry.time, max(before.seconds, entry.seconds))
            return interval
        }
        var excess = 0.0
        for index in intervals.indices.reversed() {
            let whole = intervals[index].cpu + excess
            intervals[index].cpu = min(whole, Self.cores * max(0, intervals[index].wall))
            excess = whole - intervals[index].cpu
        }
        return intervals
    }
}

/// State of a process tree at a point in time.
public struct Sample: Hashable, Sendable, Codable {
    /// Wall time since the start.
    public var milliseconds: Double
    /// CPU use since the previous sample, or the start, in percent of one core: 200 is two busy cores.
    public var cpuPercent: Double
    /// Sum of resident sets in bytes. Shared pages count for each process.
    public var residentBytes: Int
    /// Number of processes.
    public var processes: Int
    /// CPU time since the start by thread name, including ended threads, in milliseconds; nil if not read. A thread
    /// that ends between two readings counts up to the first one.
    public var threadMilliseconds: [String: Double]?

    public init(
        milliseconds: Double, cpuPercent: Double, residentBytes: Int, processes: Int = 1,
        threadMilliseconds: [String: Double]? = nil
    ) {
        self.milliseconds = milliseconds
        self.cpuPercent = cpuPercent
        self.residentBytes = residentBytes
        self.processes = processes
        self.threadMilliseconds = threadMilliseconds
    }

    /// CPU use by thread name since `earlier`, the previous sample with thread times, in percent of one core; since the
    /// start if nil. nil without thread times or elapsed time.
    public func threadPercents(since earlier: Sample?) -> [String: Double]? {
        let time = milliseconds - (earlier?.milliseconds ?? 0)
        guard let threadMilliseconds, time > 0 else { return nil }
        return Dictionary(
            uniqueKeysWithValues: threadMilliseconds.map { name, now in
                (name, max(0, now - (earlier?.threadMilliseconds?[name] ?? 0)) / time * 100)
            })
    }
}
