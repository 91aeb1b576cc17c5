internal import Glibc
internal import WayreelCore

/// A process and its descendants, as far as they were observed while their parents were alive.
///
/// Must be used from a single thread.
final class ProcessTree {
    /// Accumulated CPU time and current memory.
    struct State {
        /// CPU time in seconds.
        var seconds = 0.0
        var residentBytes = 0
        var processes = 0
        var threads = 0
    }

    private struct Member {
        var startTicks: Int
        var parent: Int32
        /// CPU time including reaped children.
        var seconds: Double
    }

    private let roots: SystemRoots
    private var members: [Int32: Member] = [:]
    /// Last reading of every live thread in seconds.
    private var threads: [Int32: Double] = [:]
    private var secondsByName: [String: Double] = [:]
    /// CPU time of ended processes that no process of the tree has reaped.
    private var departedSeconds = 0.0
    /// A thread that is excluded: the sampling thread.
    var ownThread: Int32?
    private(set) var unavailable: [Unavailable] = []

    init(of root: Int32, _ roots: SystemRoots) {
        self.roots = roots
        add(root)
    }

    private func folder(_ process: Int32) -> String { "\(roots.proc)/\(process)" }

    private func note(_ figure: Unavailable.Figure, _ reason: String) {
        if !unavailable.contains(where: { $0.figure == figure }) { unavailable.append(Unavailable(figure, reason)) }
    }

    private func add(_ process: Int32) {
        guard members[process] == nil else { return }
        do throws(SystemFault) {
            let status = try ProcessStatus(folder(process) + "/stat")
            members[process] = Member(startTicks: status.startTicks, parent: status.parent, seconds: 0)
        } catch {
            if members.isEmpty { note(.samples, error.description) }
        }
    }

    /// CPU time in nanosecond resolution, because clock ticks are too coarse for a sample.
    private static func ownSeconds(_ process: Int32, _ status: ProcessStatus) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return Double(status.ticks) * ProcessStatus.tick
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Reads all known processes; nil if none is left.
    func read() -> State? {
        var state = State()
        var hasLiving = false
        for (process, member) in members {
            guard let status = try? ProcessStatus(folder(process) + "/stat"), status.startTicks == member.startTicks
            else {
                members[process] = nil
                // Otherwise its parent's child counters include it.
                if members[member.parent] == nil { departedSeconds += member.seconds }
                continue
            }
            let seconds = Self.ownSeconds(process, status) + Double(status.childTicks) * ProcessStatus.tick
            members[process]?.seconds = seconds
            members[process]?.parent = status.parent
            state.seconds += seconds
            hasLiving = hasLiving || !status.isEnding
            let (sum, isTooLarge) = state.residentBytes.addingReportingOverflow(status.residentBytes)
            state.residentBytes = isTooLarge ? .max : sum
            state.processes += 1
            state.threads += status.threads
        }
        state.seconds += departedSeconds
        return hasLiving ? state : nil
    }

    /// Finds new processes and reads the CPU time of all threads in seconds by name. The number of threads determines
    /// the cost.
    @discardableResult
    func findProcesses() -> (secondsByName: [String: Double], threads: Int) {
        var living: [Int32: Double] = [:]
        var waiting = Array(members.keys)
        while let process = waiting.popLast() {
            let folder = folder(process) + "/task"
            guard let entries = try? numberedEntries(folder) else { continue }
            for thread in entries where thread != ownThread {
                guard let (name, seconds) = time(of: "\(folder)/\(thread)") else { continue }
                let before = threads[thread].flatMap { $0 <= seconds ? $0 : nil } ?? 0
                secondsByName[name, default: 0] += seconds - before
                living[thread] = seconds
                for child in children("\(folder)/\(thread)") where members[child] == nil {
                    add(child)
                    if members[child] != nil { waiting.append(child) }
                }
            }
        }
        threads = living
        return (secondsByName, living.count)
    }

    /// Restarts the threads' counters.
    func forgetThreadTimes() { secondsByName.removeAll() }

    private func time(of folder: String) -> (name: String, seconds: Double)? {
        // The first number is CPU time in nanoseconds; kernels without it have ticks.
        if let nanoseconds = (try? SystemText(folder + "/schedstat")).flatMap({ SystemText.number($0.bytes[...]) }),
            let name = try? SystemText(folder + "/comm").line
        {
            return (name, Double(nanoseconds) / 1e9)
        }
        guard let status = try? ProcessStatus(folder + "/stat") else { return nil }
        return (status.name, Double(status.ticks) * ProcessStatus.tick)
    }

    private func children(_ folder: String) -> [Int32] {
        do throws(SystemFault) {
            return try SystemText(folder + "/children").bytes.split(separator: UInt8(ascii: " ")).compactMap {
                SystemText.number($0).flatMap(Int32.init(exactly:))
            }
        } catch {
            // The folder of an ended thread no longer exists.
            if error.code == ENOENT, access(folder, F_OK) == 0 {
                note(.processes, "this kernel does not list a process's children")
            }
            return []
        }
    }
}

extension ProcessStatus {
    /// Reads the file `stat` of a process or thread.
    package init(_ path: String) throws(SystemFault) {
        guard let status = ProcessStatus(try SystemText(path).bytes) else {
            throw SystemFault(path, "has an unexpected format")
        }
        self = status
    }
}

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
