internal import Glibc
public import WayreelCore

/// Measures the time, CPU, memory and I/O of a program, or of work in this process.
///
/// ```swift
/// let measurement = try Gauge.run(["vips", "thumbnail", "in.jpg", "out.jpg", "1080"])
/// print(measurement.wallMilliseconds, measurement.peakMemoryBytes ?? 0)
///
/// let (levels, cost) = try Gauge.measure { try readLevels() }
/// ```
public enum Gauge {
    /// Runs a program, found in `PATH` unless its name contains a slash, and measures it from outside.
    ///
    /// The program leads a process group of its own. Only the program is awaited: its background processes are left,
    /// except after a timeout or cancellation, which ends the whole group with SIGTERM and later SIGKILL.
    ///
    /// Throws a `parameter` error if the program does not exist, is not executable, or an option is invalid, an `io`
    /// error if it cannot be started, and `cancelled`.
    public static func run(
        _ command: [String], options: GaugeOptions = GaugeOptions(), cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> Measurement {
        try run(command, options: options, cancellation: cancellation, roots: SystemRoots())
    }

    /// The same with other paths of kernel files and a given way to notice the end, for tests.
    package static func run(
        _ command: [String], options: GaugeOptions = GaugeOptions(), cancellation: Cancellation = Cancellation(),
        roots: SystemRoots, watching: ProcessExit.Kind = .descriptor
    ) throws(MediaError) -> Measurement {
        try check(options)
        try cancellation.check(step: .measure)
        var groupUnavailable: String?
        var group: ControlGroup?
        do throws(SystemFault) { group = try ControlGroup(roots) } catch { groupUnavailable = error.description }
        let kills = MemoryKills(roots)
        let program = try Program(command, options, group: group, watching: watching)
        if program.groupError != 0 {
            groupUnavailable = "the program could not enter its group: \(systemReason(program.groupError))"
            group = nil
        }

        let sampler = Sampler(
            of: program.identifier, since: program.start, every: options.intervalSeconds, isOwn: false, roots)
        let (stop, end) = waitForEnd(program, options, cancellation)
        let samples = sampler.stop()
        if stop != nil { program.signal(SIGKILL) }
        if stop == .cancelled { throw .cancelled(step: .measure) }

        // Until the program is reaped, the kernel keeps its counters, which include reaped children.
        let transfer = Result { () throws(SystemFault) in try Transfer(of: program.identifier, roots) }
        let errorTail = program.errorTail
        guard let ending = program.reap() else {
            throw MediaError(
                .io, step: .measure, subject: command[0], reason: "the process was reaped elsewhere",
                advice: "do not ignore SIGCHLD")
        }
        var measurement = Measurement(
            start: program.start, wall: end - program.start, usage: ending.usage, sampler: samples)
        measurement.command = command
        measurement.errorTail = errorTail
        measurement.take(\.transfer, .transfer) { () throws(SystemFault) in try transfer.get() }
        measurement.take(\.groupPeakBytes, .groupPeakBytes) { () throws(SystemFault) in
            guard let group else { throw SystemFault(groupUnavailable ?? "") }
            return try group.peakBytes()
        }
        measurement.outcome = outcome(ending.status, stop, group?.memoryKills.map { $0 > 0 } ?? kills.hasOOMKill)
        return measurement
    }

    private enum Stop {
        case cancelled, timedOut
    }

    static func check(_ options: GaugeOptions) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .measure)
        guard GaugeOptions.intervals.contains(options.intervalSeconds) else {
            throw fault("the sampling interval must be 0.005 to 60 s, not \(options.intervalSeconds.shortDescription)")
        }
        guard options.timeoutSeconds > 0 else {
            throw fault("the timeout must be above 0 s, not \(options.timeoutSeconds.shortDescription)")
        }
        guard options.graceSeconds >= 0, options.graceSeconds <= 3600 else {
            throw fault("the grace period must be 0 to 3600 s, not \(options.graceSeconds.shortDescription)")
        }
    }

    /// Waits for the program to end, and ends it on timeout or cancellation. Returns the reason and the end time.
    private static func waitForEnd(
        _ program: Program, _ options: GaugeOptions, _ cancellation: Cancellation
    ) -> (stop: Stop?, end: Double) {
        /// Polling interval for cancellation in seconds.
        let pollInterval = 0.05
        let deadline = program.start + options.timeoutSeconds
        var stop: Stop?
        while stop == nil {
            if program.waitForEnd(min(pollInterval, max(0, deadline - Clock.wall))) { return (nil, Clock.wall) }
            if cancellation.isCancelled { stop = .cancelled } else if Clock.wall >= deadline { stop = .timedOut }
        }
        program.signal(SIGTERM)
        // A stopped process only reacts after SIGCONT.
        program.signal(SIGCONT)
        if !program.waitForEnd(options.graceSeconds) {
            program.signal(SIGKILL)
            while !program.waitForEnd(1) {}
        }
        return (stop, Clock.wall)
    }

    private static func outcome(
        _ status: Int32, _ stop: Stop?, _ hasMemoryRunOut: @autoclosure () -> Bool?
    ) -> Outcome {
        let signal = status & 0x7F
        if stop == .timedOut { return .timedOut }
        if signal == 0 { return .exited(status: status >> 8 & 0xFF) }
        return .signalled(signal, outOfMemory: signal == SIGKILL && hasMemoryRunOut() ?? true)
    }

    /// Runs `work` on the calling thread and measures the whole process meanwhile, including reaped children, without
    /// the cost of sampling.
    ///
    /// ``Measurement/peakMemoryBytes`` is the peak of this period if the kernel allows resetting it
    /// (`/proc/self/clear_refs`), which also affects getrusage(2) and is skipped while other work is measured.
    /// Otherwise it is the peak since process start, and ``Measurement/unavailable`` contains the reason.
    public static func measure<Output, Failure: Error>(
        every intervalSeconds: Double = 0.05, _ work: () throws(Failure) -> Output
    ) throws(Failure) -> (output: Output, measurement: Measurement) {
        let gauge = WorkGauge(every: intervalSeconds, SystemRoots())
        let output: Output
        do throws(Failure) { output = try work() } catch {
            _ = gauge.finish()
            throw error
        }
        return (output, gauge.finish())
    }

    /// The same for async work.
    public static func measure<Output, Failure: Error>(
        every intervalSeconds: Double = 0.05, isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws(Failure) -> Output
    ) async throws(Failure) -> (output: Output, measurement: Measurement) {
        let gauge = WorkGauge(every: intervalSeconds, SystemRoots())
        let output: Output
        do throws(Failure) { output = try await work() } catch {
            _ = gauge.finish()
            throw error
        }
        return (output, gauge.finish())
    }
}

/// Options for running and sampling a program.
public struct GaugeOptions: Sendable {
    /// Redirection of standard input or output.
    public enum Stream: String, Sendable, Codable, CaseIterable {
        /// Shared with this process. With a terminal as standard input, the program stays in this process group,
        /// because a background group would be stopped on reading.
        case inherited
        /// Redirected to `/dev/null`.
        case none
    }

    /// Redirection of standard error.
    public enum ErrorStream: Hashable, Sendable {
        case inherited
        /// Redirected to `/dev/null`.
        case none
        /// Collected in ``Measurement/errorTail``, which keeps this number of last bytes.
        case tail(bytes: Int)
    }

    public var input: Stream
    public var output: Stream
    public var errors: ErrorStream
    /// Working directory, from which a relative program path is resolved; nil for this process's.
    public var folder: String?
    /// Max wall time, after which the whole process group is ended.
    public var timeoutSeconds: Double
    /// Seconds between SIGTERM and SIGKILL.
    public var graceSeconds: Double
    /// Sampling interval, 0.005 to 60 s. Expensive readings are taken less often; see ``SamplingCost``.
    public var intervalSeconds: Double

    public init(
        input: Stream = .none, output: Stream = .inherited, errors: ErrorStream = .inherited, folder: String? = nil,
        timeoutSeconds: Double = .infinity, graceSeconds: Double = 2, intervalSeconds: Double = 0.05
    ) {
        self.input = input
        self.output = output
        self.errors = errors
        self.folder = folder
        self.timeoutSeconds = timeoutSeconds
        self.graceSeconds = graceSeconds
        self.intervalSeconds = intervalSeconds
    }

    static let intervals = 0.005...60.0

    static let tailBytes = 1 << 20
}
