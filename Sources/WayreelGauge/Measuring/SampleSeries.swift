internal import CLinux
internal import WayreelCore

/// Samples as they are gathered: with what was taken since the start, so that some may be left out.
struct SampleSeries {
    struct Entry {
        /// Since the start, in seconds.
        var time: Double
        /// Processor time since the start, in seconds.
        var seconds: Double
        var resident: Int
        var proportional: Int?
        var isProportionalRead: Bool
        var processes: Int
        /// In seconds, by name.
        var threads: [String: Double]?
    }

    private var entries: [Entry] = []

    /// Ten minutes at 20 a second.
    static let limit = 12_000

    var isFull: Bool { entries.count >= Self.limit }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Leaves out every other one. The larger memory of the two stays.
    mutating func thin() {
        entries = stride(from: 1, to: entries.count, by: 2).map { index in
            let (first, second) = (entries[index - 1], entries[index])
            var entry = second
            if first.resident > second.resident {
                entry.resident = first.resident
                entry.proportional = first.proportional
                entry.isProportionalRead = first.isProportionalRead
            }
            entry.processes = max(first.processes, second.processes)
            entry.threads = second.threads ?? first.threads
            return entry
        }
    }

    var samples: [Sample] {
        zip(carriedBack, intervals).map { entry, interval in
            Sample(
                milliseconds: Clock.milliseconds(entry.time),
                cpuPercent: interval.wall > 0 ? interval.cpu / interval.wall * 100 : 0,
                residentBytes: entry.resident, proportionalBytes: entry.proportional,
                isProportionalRead: entry.isProportionalRead, processes: entry.processes,
                threadMilliseconds: entry.threads?.mapValues(Clock.milliseconds))
        }
    }

    private static let cores = Double(max(1, wr_available_cores()))

    /// Wall and processor time, in seconds, between one sample and the next.
    ///
    /// A process that was found late, or whose parent has waited for it, brings with it what it took before: more than all cores
    /// can do in the time belongs to the samples before.
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

    /// What came before the first reading of the proportional set gets what that was, less what was added to the resident set
    /// meanwhile.
    private var carriedBack: [Entry] {
        guard let place = entries.firstIndex(where: \.isProportionalRead), let known = entries[place].proportional
        else {
            return entries
        }
        let shared = max(0, entries[place].resident - known)
        return entries.enumerated().map { index, entry in
            var entry = entry
            if index < place { entry.proportional = max(0, entry.resident - shared) }
            return entry
        }
    }
}
