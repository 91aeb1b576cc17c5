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

/// The outcome of a program.
public enum Outcome: Hashable, Sendable, CustomStringConvertible {
    case exited(status: Int32)
    /// `outOfMemory`: probably the kernel's OOM kill: a SIGKILL not sent by this process while the kernel counted an
    /// OOM kill, or does not report the count.
    case signalled(Int32, outOfMemory: Bool)
    /// Ended for exceeding ``GaugeOptions/timeoutSeconds``.
    case timedOut

    /// Whether it exited with status 0.
    public var isSuccess: Bool { self == .exited(status: 0) }

    public var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let signal, false): "ended by signal \(signal)"
        case .signalled(let signal, true): "ended by signal \(signal), probably out of memory"
        case .timedOut: "exceeded the timeout and was ended"
        }
    }
}

/// Encoded as `{"ending": "exited", "status": 0}`, `{"ending": "signalled", "signal": 9, "outOfMemory": true}`,
/// `{"ending": "timedOut"}`.
extension Outcome: Codable {
    private enum CodingKeys: String, CodingKey {
        case ending, status, signal, outOfMemory
    }

    private enum Ending: String, Codable {
        case exited, signalled, timedOut
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try values.decode(Ending.self, forKey: .ending) {
            case .exited: .exited(status: try values.decode(Int32.self, forKey: .status))
            case .signalled:
                .signalled(
                    try values.decode(Int32.self, forKey: .signal),
                    outOfMemory: try values.decode(Bool.self, forKey: .outOfMemory))
            case .timedOut: .timedOut
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .exited(let status):
            try values.encode(Ending.exited, forKey: .ending)
            try values.encode(status, forKey: .status)
        case .signalled(let signal, let outOfMemory):
            try values.encode(Ending.signalled, forKey: .ending)
            try values.encode(signal, forKey: .signal)
            try values.encode(outOfMemory, forKey: .outOfMemory)
        case .timedOut: try values.encode(Ending.timedOut, forKey: .ending)
        }
    }
}

/// I/O of a program from `/proc/PID/io`, including reaped children.
public struct Transfer: Hashable, Sendable, Codable {
    /// Bytes read by system calls, including page cache, pipes and sockets.
    public var bytesRead: Int
    /// Bytes written by system calls.
    public var bytesWritten: Int
    /// Bytes read from storage.
    public var storageBytesRead: Int
    /// Bytes written to storage, now or later.
    public var storageBytesWritten: Int

    static func - (later: Transfer, earlier: Transfer) -> Transfer {
        Transfer(
            bytesRead: later.bytesRead &- earlier.bytesRead, bytesWritten: later.bytesWritten &- earlier.bytesWritten,
            storageBytesRead: later.storageBytesRead &- earlier.storageBytesRead,
            storageBytesWritten: later.storageBytesWritten &- earlier.storageBytesWritten)
    }
}

extension Transfer {
    /// Reads the I/O of `process`, up to its end if it has not been reaped.
    package init(of process: Int32, _ roots: SystemRoots = SystemRoots()) throws(SystemFault) {
        let path = "\(roots.proc)/\(process)/io"
        let text = try SystemText(path)
        func count(_ name: StaticString) throws(SystemFault) -> Int {
            guard let number = text.number(after: name) else { throw SystemFault(path, "contains no \(name)") }
            return number
        }
        bytesRead = try count("rchar:")
        bytesWritten = try count("wchar:")
        storageBytesRead = try count("read_bytes:")
        storageBytesWritten = try count("write_bytes:")
    }
}

/// The cost of sampling, in addition to the program's.
///
/// Each kind of reading has a budget as a fraction of one core, in total below 1 %: the threads of a large tree of
/// processes are read less often.
public struct SamplingCost: Hashable, Sendable, Codable {
    /// CPU time of the sampling thread in milliseconds.
    public var cpuMilliseconds: Double
    /// The same in percent of one core over the run.
    public var cpuPercent: Double
}

/// An unavailable figure and the reason.
public struct Unavailable: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Named like the properties of ``Measurement`` and ``Sample``.
    public enum Figure: String, Sendable, Codable, CaseIterable {
        case peakMemoryBytes, transfer, groupPeakBytes, energyJoules, samples, threadMilliseconds, processes
    }

    public var figure: Figure
    /// The reason without a full stop.
    public var reason: String

    public init(_ figure: Figure, _ reason: String) {
        self.figure = figure
        self.reason = reason
    }

    /// `energyJoules: not available: /sys/class/powercap: no such file or directory`, on one line.
    public var description: String { "\(figure.rawValue): not available: \(reason)".onOneLine }
}
