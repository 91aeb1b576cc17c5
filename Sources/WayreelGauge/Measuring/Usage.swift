internal import Glibc

/// Kernel counters of a process or thread; see getrusage(2).
struct Usage: Hashable, Sendable {
    /// RUSAGE_CHILDREN, RUSAGE_SELF and RUSAGE_THREAD.
    enum Subject: Int32 {
        /// Reaped children and their descendants.
        case children = -1
        case process = 0
        case thread = 1
    }

    /// In seconds.
    var user = 0.0
    var system = 0.0
    var minorFaults = 0
    var majorFaults = 0
    var voluntarySwitches = 0
    var involuntarySwitches = 0
    /// Peak resident set in bytes.
    var peak = 0

    init() {}

    init(_ usage: rusage) {
        user = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        system = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
        minorFaults = usage.ru_minflt
        majorFaults = usage.ru_majflt
        voluntarySwitches = usage.ru_nvcsw
        involuntarySwitches = usage.ru_nivcsw
        peak = usage.ru_maxrss * 1024
    }

    /// The counters so far.
    init(of subject: Subject) {
        var usage = rusage()
        getrusage(subject.rawValue, &usage)
        self.init(usage)
    }

    /// Sums of both; the peak is the larger one.
    static func + (first: Usage, second: Usage) -> Usage {
        var sum = first
        sum.user += second.user
        sum.system += second.system
        sum.minorFaults &+= second.minorFaults
        sum.majorFaults &+= second.majorFaults
        sum.voluntarySwitches &+= second.voluntarySwitches
        sum.involuntarySwitches &+= second.involuntarySwitches
        sum.peak = max(first.peak, second.peak)
        return sum
    }

    /// Differences; the peak is that of `later`.
    static func - (later: Usage, earlier: Usage) -> Usage {
        var difference = later
        difference.user = max(0, later.user - earlier.user)
        difference.system = max(0, later.system - earlier.system)
        difference.minorFaults = max(0, later.minorFaults - earlier.minorFaults)
        difference.majorFaults = max(0, later.majorFaults - earlier.majorFaults)
        difference.voluntarySwitches = max(0, later.voluntarySwitches - earlier.voluntarySwitches)
        difference.involuntarySwitches = max(0, later.involuntarySwitches - earlier.involuntarySwitches)
        return difference
    }
}
