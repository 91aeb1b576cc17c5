internal import WayreelCore

/// What a program, or work in this process, took. A figure that could not be had is nil, and ``unavailable`` says why.
public struct Measurement: Hashable, Sendable, Codable {
    /// The program's name and arguments; nil of work in this process.
    public var command: [String]?
    /// nil of work in this process.
    public var outcome: Outcome?
    /// When it began, on the monotonic clock of the machine.
    public var startMilliseconds: Double
    /// From the moment when the program took over to its end.
    public var wallMilliseconds: Double
    /// Processor time in user mode, of all threads, and of the children that the program has waited for.
    public var userMilliseconds: Double
    /// The same in the kernel.
    public var systemMilliseconds: Double
    /// Of work in this process: processor time of the thread that has called.
    public var callerMilliseconds: Double?
    /// The largest resident set, in bytes: of the program, or of one of its children if that was larger. Of work in this process
    /// the process's, while the work went on.
    public var peakMemoryBytes: Int?
    /// Pages that were mapped without reading a disk.
    public var minorFaults: Int
    /// Pages that had to be read from a disk.
    public var majorFaults: Int
    /// How often a thread gave its core away to wait for something.
    public var voluntarySwitches: Int
    /// How often a thread's core was taken away.
    public var involuntarySwitches: Int
    public var transfer: Transfer?
    /// The most memory that all its processes together have held, files that they had the kernel keep in memory included, in
    /// bytes: `memory.peak` of a control group of its own.
    public var groupPeakBytes: Int?
    /// What the machine's processors, and their memory where it is counted, took meanwhile, in joules. What else ran counts.
    public var energyJoules: Double?
    /// In the order of time. None of a run that is shorter than the interval.
    public var samples: [Sample]
    public var sampling: SamplingCost
    /// The end of what it wrote to standard error, where that was asked for.
    public var errorTail: String?
    public var unavailable: [Unavailable]

    /// User and system time together.
    public var cpuMilliseconds: Double { userMilliseconds + systemMilliseconds }

    /// How many cores it kept at work, on average; nil of a run without a length.
    public var coresUsed: Double? { wallMilliseconds > 0 ? cpuMilliseconds / wallMilliseconds : nil }

    /// Why a figure is nil or missing; nil where it is there.
    public func reason(for figure: Unavailable.Figure) -> String? { unavailable.first { $0.figure == figure }?.reason }

    init(start: Double, wall: Double, usage: Usage, sampler: Sampler.Result) {
        startMilliseconds = Clock.milliseconds(start)
        wallMilliseconds = Clock.milliseconds(wall)
        userMilliseconds = Clock.milliseconds(usage.user)
        systemMilliseconds = Clock.milliseconds(usage.system)
        peakMemoryBytes = usage.peak
        minorFaults = usage.minorFaults
        majorFaults = usage.majorFaults
        voluntarySwitches = usage.voluntarySwitches
        involuntarySwitches = usage.involuntarySwitches
        energyJoules = sampler.energy
        samples = sampler.samples
        sampling = sampler.cost
        unavailable = sampler.lacks
    }

    /// Takes a figure, or the reason why there is none.
    mutating func take<Value>(
        _ place: WritableKeyPath<Measurement, Value?>, _ figure: Unavailable.Figure,
        _ read: () throws(SystemFault) -> Value
    ) {
        do throws(SystemFault) {
            self[keyPath: place] = try read()
        } catch { unavailable.append(Unavailable(figure, error.description)) }
    }
}
