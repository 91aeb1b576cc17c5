internal import CLinux
internal import Glibc
internal import WayreelCore

/// Samples a process tree periodically on a thread.
final class Sampler {
    struct Result: Sendable {
        var samples: [Sample] = []
        var unavailable: [Unavailable] = []
        var cost = SamplingCost(cpuMilliseconds: 0, cpuPercent: 0)
        /// Cost of the sampling thread.
        var usage = Usage()
        /// Energy in joules while it ran.
        var energy: Double?
    }

    private let outcome = Monitor(Result())
    private var thread: WorkThread?
    private let stopping: [Descriptor]

    /// Samples `process` and its descendants every `interval` seconds; sample times count from `start` on the monotonic
    /// clock. `isOwn`: the process is this one, and only changes from now on count.
    init(of process: Int32, since start: Double, every interval: Double, isOwn: Bool, _ roots: SystemRoots) {
        stopping = Descriptor.pipe()
        let reader = stopping.first?.number ?? -1
        let outcome = outcome
        do throws(MediaError) {
            guard reader >= 0 else {
                throw MediaError(.limit, step: .measure, reason: "no file descriptors left")
            }
            thread = try WorkThread("gauge") {
                let loop = SamplingLoop(process, start: start, interval: interval, isOwn: isOwn, roots)
                loop.run(until: reader)
                let result = loop.finish()
                outcome.withLock { $0 = result }
            }
        } catch {
            let reason = error.reason
            outcome.withLock {
                $0.unavailable = [Unavailable(.samples, reason), Unavailable(.energyJoules, reason)]
            }
        }
    }

    /// Stops sampling; call it once.
    func stop() -> Result {
        stopping.last?.close()
        thread?.join()
        thread = nil
        return outcome.withLock { $0 }
    }
}

private final class SamplingLoop {
    private let start: Double
    private var interval: Double
    private let tree: ProcessTree
    private let isOwn: Bool
    private var energy: EnergyCounter
    private var series = SampleSeries()
    /// CPU seconds of the process at the start.
    private var secondsBefore = 0.0
    private var threads = 1
    private var processes = 1

    // The budgets sum to 0.8 % of a core; the rest is for wake-ups. Initial costs are those of a slow machine.
    private var readingBudget = ReadingBudget(share: 0.003, unitCost: 40e-6)
    private var searchBudget = ReadingBudget(share: 0.005, unitCost: 60e-6)

    init(_ process: Int32, start: Double, interval: Double, isOwn: Bool, _ roots: SystemRoots) {
        self.start = start
        self.interval = interval
        self.isOwn = isOwn
        tree = ProcessTree(of: process, roots)
        energy = EnergyCounter(roots)
        guard isOwn else { return }
        tree.ownThread = wr_thread_number()
        tree.findProcesses()
        tree.forgetThreadTimes()
        secondsBefore = tree.read()?.seconds ?? 0
    }

    /// Samples until the other end of `pipe` is closed.
    func run(until pipe: Int32) {
        var due = start
        while true {
            let now = Clock.wall
            due += interval
            // Missed samples are skipped.
            if due <= now { due += ((now - due) / interval).rounded(.down) * interval + interval }
            var wait = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(((due - now) * 1000).rounded(.up))
            if poll(&wait, 1, milliseconds) != 0 { return }
            sample()
            energy.keepUp()
        }
    }

    private func sample() {
        let began = (wall: Clock.wall - start, cpu: Clock.thread)
        guard readingBudget.allows(processes, after: began.wall) else { return }
        guard let state = tree.read() else { return }
        processes = state.processes
        threads = state.threads
        let cpu = Clock.thread
        readingBudget.pay(cpu - began.cpu, for: processes)
        let own = isOwn ? cpu : 0
        let names = readThreads(at: began.wall)
        series.append(
            SampleSeries.Entry(
                time: began.wall, seconds: max(0, state.seconds - secondsBefore - own), resident: state.residentBytes,
                processes: processes, threads: names))
        if series.isFull {
            series.thin()
            interval *= 2
        }
    }

    private func readThreads(at time: Double) -> [String: Double]? {
        guard searchBudget.allows(threads, after: time) else { return nil }
        let began = Clock.thread
        let found = tree.findProcesses()
        searchBudget.pay(Clock.thread - began, for: found.threads)
        return found.secondsByName
    }

    func finish() -> Sampler.Result {
        var result = Sampler.Result()
        let wall = Clock.wall - start
        result.samples = series.samples
        result.unavailable = tree.unavailable
        if !result.samples.isEmpty, result.samples.allSatisfy({ $0.threadMilliseconds == nil }) {
            let reason = "reading it once would have cost more than 1 % of a core over so short a run"
            result.unavailable.append(Unavailable(.threadMilliseconds, reason))
        }
        result.energy = energy.joules()
        result.unavailable += energy.unavailableReason.map { [Unavailable(.energyJoules, $0)] } ?? []
        let cpu = Clock.thread
        result.cost = SamplingCost(
            cpuMilliseconds: Clock.milliseconds(cpu), cpuPercent: wall > 0 ? cpu / wall * 100 : 0)
        result.usage = Usage(of: .thread)
        return result
    }
}

/// The budget for one kind of reading: a fraction of one core since the start.
///
/// A reading is taken if it fits into the accumulated budget, so large processes are read less often.
package struct ReadingBudget {
    package let share: Double
    /// CPU time in seconds.
    package private(set) var spent = 0.0
    private let guess: Double
    private var units = 0.0

    /// Weight of the initial guess in units: small readings have a higher cost per unit and must not determine that of
    /// large ones.
    private static let guessedUnits = 100.0

    /// `unitCost`: estimated cost per unit in seconds.
    package init(share: Double, unitCost: Double) {
        self.share = share
        guess = unitCost
    }

    /// Estimated cost per unit in seconds, updated by each reading.
    private var unitCost: Double { (guess * Self.guessedUnits + spent) / (Self.guessedUnits + units) }

    /// Whether `units` may be read after `elapsed` seconds.
    package func allows(_ units: Int, after elapsed: Double) -> Bool {
        spent + unitCost * Double(max(1, units)) <= share * elapsed
    }

    package mutating func pay(_ seconds: Double, for units: Int) {
        spent += seconds
        self.units += Double(max(1, units))
    }
}
