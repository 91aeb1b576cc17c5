internal import Glibc
public import WayreelCore

extension Gauge {
    /// Runs a program, found in the folders of `PATH` where its name holds no slash, and measures it from outside.
    ///
    /// The program is the leader of a process group of its own. It is waited for alone: what it leaves running is left, except
    /// after a timeout or a cancellation, which end the whole group, by SIGTERM and after a while by SIGKILL.
    ///
    /// Throws a `parameter` error where there is no such program, it may not be executed, or an option makes no sense, an `io`
    /// error where it cannot be started, and `cancelled`.
    public static func run(
        _ command: [String], options: GaugeOptions = GaugeOptions(), cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> Measurement {
        try run(command, options: options, cancellation: cancellation, roots: SystemRoots())
    }

    /// The same with the kernel's files elsewhere, and a way to learn of the program's end.
    package static func run(
        _ command: [String], options: GaugeOptions = GaugeOptions(), cancellation: Cancellation = Cancellation(),
        roots: SystemRoots, watching: ExitWatch.Kind = .descriptor
    ) throws(MediaError) -> Measurement {
        try check(options)
        if cancellation.isCancelled { throw cancelled }
        var groupLack: String?
        var group: RunGroup?
        do throws(SystemFault) { group = try RunGroup(roots) } catch { groupLack = error.description }
        let kills = MemoryKills(roots)
        let program = try Program(command, options, group: group, watching: watching)
        if program.groupError != 0 {
            groupLack = "the program could not enter its group: \(systemReason(program.groupError))"
            group = nil
        }

        let sampler = Sampler(
            of: program.identifier, since: program.start, every: options.intervalSeconds, isOwn: false, roots)
        let (stop, end) = attend(program, options, cancellation)
        let samples = sampler.stop()
        if stop != nil { program.signal(SIGKILL) }
        if stop == .cancelled { throw cancelled }

        // As long as nobody has waited for it, the kernel keeps its count; that holds the children's that it has waited for.
        let transfer = Result { () throws(SystemFault) in try Transfer(of: program.identifier, roots) }
        let errorTail = program.errorTail
        guard let ending = program.reap() else {
            throw MediaError(
                .io, step: "measure", subject: command[0], reason: "somebody else has waited for its end",
                advice: "do not ignore SIGCHLD")
        }
        var measurement = Measurement(
            start: program.start, wall: end - program.start, usage: ending.usage, sampler: samples)
        measurement.command = command
        measurement.errorTail = errorTail
        measurement.take(\.transfer, .transfer) { () throws(SystemFault) in try transfer.get() }
        measurement.take(\.groupPeakBytes, .groupPeakBytes) { () throws(SystemFault) in
            guard let group else { throw SystemFault(groupLack ?? "") }
            return try group.peakBytes()
        }
        measurement.unavailable.append(Unavailable(.callerMilliseconds, "the program is another process"))
        measurement.outcome = outcome(ending.status, stop, group?.memoryKills.map { $0 > 0 } ?? kills.hasBeen)
        return measurement
    }

    private enum Stop {
        case cancelled, timedOut
    }

    private static var cancelled: MediaError { MediaError(.cancelled, step: "measure", reason: "cancelled") }

    static func check(_ options: GaugeOptions) throws(MediaError) {
        func fault(_ reason: String) -> MediaError { MediaError(.parameter, step: "measure", reason: reason) }
        guard GaugeOptions.intervals.contains(options.intervalSeconds) else {
            throw fault("samples are taken every 0.005 to 60 s, not \(options.intervalSeconds.shortDescription)")
        }
        guard options.timeoutSeconds > 0 else {
            throw fault("a timeout is more than 0 s, not \(options.timeoutSeconds.shortDescription)")
        }
        guard options.graceSeconds >= 0, options.graceSeconds <= 3600 else {
            throw fault("the time to end is 0 to 3600 s, not \(options.graceSeconds.shortDescription)")
        }
    }

    /// Waits for the end of the program, and brings it about where it has to. Returns why, and when it came.
    private static func attend(
        _ program: Program, _ options: GaugeOptions, _ cancellation: Cancellation
    ) -> (stop: Stop?, end: Double) {
        /// A cancellation is looked for that often, in seconds.
        let look = 0.05
        let deadline = program.start + options.timeoutSeconds
        var stop: Stop?
        while stop == nil {
            if program.waitForEnd(min(look, max(0, deadline - Clock.wall))) { return (nil, Clock.wall) }
            if cancellation.isCancelled { stop = .cancelled } else if Clock.wall >= deadline { stop = .timedOut }
        }
        program.signal(SIGTERM)
        // One that stands still takes no notice of anything else.
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
}
