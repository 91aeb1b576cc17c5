internal import Glibc
internal import WayreelCore

/// A process, those that it has started, and so on down, as far as they were seen while their parents lived.
///
/// Belongs to one thread.
final class ProcessTree {
    /// What the processes have taken so far and hold now.
    struct State {
        /// Processor time, in seconds.
        var seconds = 0.0
        var residentBytes = 0
        var processes = 0
        var threads = 0
    }

    private struct Member {
        var startTicks: Int
        var parent: Int32
        /// Its own time and that of the children that it has waited for.
        var seconds: Double
    }

    private let roots: SystemRoots
    private var members: [Int32: Member] = [:]
    /// The last reading of every thread that was alive then, in seconds.
    private var threads: [Int32: Double] = [:]
    private var secondsByName: [String: Double] = [:]
    /// What processes took whose end nobody of the tree has waited for.
    private var departedSeconds = 0.0
    /// A thread that is not counted: the one that reads.
    var ownThread: Int32?
    private(set) var lacks: [Unavailable] = []

    init(of root: Int32, _ roots: SystemRoots) {
        self.roots = roots
        add(root)
    }

    private func folder(_ process: Int32) -> String { "\(roots.proc)/\(process)" }

    private func note(_ figure: Unavailable.Figure, _ reason: String) {
        if !lacks.contains(where: { $0.figure == figure }) { lacks.append(Unavailable(figure, reason)) }
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

    /// Processor time to the nanosecond, where the kernel's count of it in ticks is too coarse for a sample.
    private static func ownSeconds(_ process: Int32, _ status: ProcessStatus) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return Double(status.ticks) * ProcessStatus.tick
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Looks at all processes that are known; nil where none of them is there any more, or about to stay.
    func look() -> State? {
        var state = State()
        var hasLiving = false
        for (process, member) in members {
            guard let status = try? ProcessStatus(folder(process) + "/stat"), status.startTicks == member.startTicks
            else {
                members[process] = nil
                // Otherwise its parent's count of its children has it now.
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

    /// Looks for new processes, and reads the time of all threads; returns it in seconds by name. How many threads were read
    /// is what the reading costs.
    @discardableResult
    func survey() -> (secondsByName: [String: Double], threads: Int) {
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

    /// Counts threads' time from here on only.
    func forgetThreadTimes() { secondsByName.removeAll() }

    private func time(of folder: String) -> (name: String, seconds: Double)? {
        // The first number is its time on a core in nanoseconds; a kernel without it has the ticks.
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
            // Of a thread that has ended meanwhile its whole folder is gone.
            if error.code == ENOENT, access(folder, F_OK) == 0 {
                note(.processes, "this kernel does not name a process's children")
            }
            return []
        }
    }

    /// The sums of the proportional sets, and of the resident ones at the same time, in bytes.
    struct Proportion {
        var bytes = 0
        var residentBytes = 0
    }

    /// nil where the proportional sets cannot be read.
    func proportion() -> Proportion? {
        var total: Proportion?
        for process in members.keys {
            let path = folder(process) + "/smaps_rollup"
            do throws(SystemFault) {
                let text = try SystemText(path)
                guard let own = text.number(after: "Pss:"), let resident = text.number(after: "Rss:") else { continue }
                let before = total ?? Proportion()
                total = Proportion(
                    bytes: Self.adding(kibibytes: own, to: before.bytes),
                    residentBytes: Self.adding(kibibytes: resident, to: before.residentBytes))
            } catch {
                // A process that has ended has no memory any more.
                guard error.code != ESRCH, error.code != ENOENT || access(folder(process), F_OK) == 0 else { continue }
                note(.proportionalBytes, error.description)
                return nil
            }
        }
        return total
    }

    private static func adding(kibibytes: Int, to sum: Int) -> Int {
        let (bytes, isTooLarge) = kibibytes.multipliedReportingOverflow(by: 1024)
        let (total, isStillTooLarge) = sum.addingReportingOverflow(bytes)
        return isTooLarge || isStillTooLarge ? .max : total
    }
}
