internal import WayreelCore

/// The cost of a program, or of work in this process. Unavailable figures are nil, with the reason in ``unavailable``.
public struct Measurement: Hashable, Sendable, Codable {
    /// The program and its arguments; nil for work in this process.
    public var command: [String]?
    /// nil for work in this process.
    public var outcome: Outcome?
    /// Start on the machine's monotonic clock.
    public var startMilliseconds: Double
    /// From exec of the program to its end.
    public var wallMilliseconds: Double
    /// CPU time in user mode of all threads and reaped children.
    public var userMilliseconds: Double
    /// CPU time in the kernel.
    public var systemMilliseconds: Double
    /// For work in this process, CPU time of the calling thread.
    public var callerMilliseconds: Double?
    /// Peak resident set in bytes, of the program or its largest child. For work in this process, the peak of the
    /// process meanwhile.
    public var peakMemoryBytes: Int?
    /// Page faults without disk reads.
    public var minorFaults: Int
    /// Page faults with disk reads.
    public var majorFaults: Int
    /// Voluntary context switches.
    public var voluntarySwitches: Int
    /// Involuntary context switches.
    public var involuntarySwitches: Int
    public var transfer: Transfer?
    /// Peak memory of all its processes together in bytes, including page cache: `memory.peak` of its own control
    /// group.
    public var groupPeakBytes: Int?
    /// Energy of the machine's processors, and memory if counted, in joules. Includes other processes.
    public var energyJoules: Double?
    /// In chronological order. Empty for a run shorter than the interval.
    public var samples: [Sample]
    public var sampling: SamplingCost
    /// The end of standard error, if requested.
    public var errorTail: String?
    public var unavailable: [Unavailable]

    /// User and system time.
    public var cpuMilliseconds: Double { userMilliseconds + systemMilliseconds }

    /// Average number of busy cores; nil for a run of zero length.
    public var coresUsed: Double? { wallMilliseconds > 0 ? cpuMilliseconds / wallMilliseconds : nil }

    /// The reason why a figure is unavailable; nil if it is available.
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
        unavailable = sampler.unavailable
    }

    /// Stores a figure, or the reason why it is unavailable.
    mutating func take<Value>(
        _ keyPath: WritableKeyPath<Measurement, Value?>, _ figure: Unavailable.Figure,
        _ read: () throws(SystemFault) -> Value
    ) {
        do throws(SystemFault) {
            self[keyPath: keyPath] = try read()
        } catch { unavailable.append(Unavailable(figure, error.description)) }
    }
}
