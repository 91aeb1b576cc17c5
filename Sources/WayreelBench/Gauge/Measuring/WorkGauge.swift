internal import Glibc
internal import Synchronization
internal import WayreelCore

/// Measures this process from creation to ``finish()``.
package final class WorkGauge {
    private let roots: SystemRoots
    private let start: Double
    private let usage: Usage
    private let children: Usage
    private let transfer: Result<Transfer, SystemFault>
    private let sampler: Sampler
    private let peakUnavailable: String?

    /// Number of active gauges, which share the process's peak counter.
    private static let count = Atomic<Int>(0)

    package init(every interval: Double, _ roots: SystemRoots) {
        self.roots = roots
        let isAlone = Self.count.add(1, ordering: .relaxed).newValue == 1
        peakUnavailable =
            isAlone ? Self.resetPeak(roots) : "other work was measured at the same time and shares the peak"
        transfer = Result { () throws(SystemFault) in try Transfer(of: getpid(), roots) }
        let limits = GaugeOptions.intervals
        let bounded = interval.isNaN ? limits.lowerBound : min(max(interval, limits.lowerBound), limits.upperBound)
        start = Clock.wall
        sampler = Sampler(of: getpid(), since: start, every: bounded, isOwn: true, roots)
        usage = Usage(of: .process)
        children = Usage(of: .children)
    }

    /// Resets the kernel's peak counter; returns the reason if that fails. See proc_pid_clear_refs(5).
    private static func resetPeak(_ roots: SystemRoots) -> String? {
        let path = "\(roots.proc)/\(getpid())/clear_refs"
        let file = Descriptor.open(path, O_WRONLY)
        guard let file, file.withNumber({ write($0, "5", 1) }) == 1 else {
            return "the peak is that since process start: \(path): \(systemReason(errno))"
        }
        return nil
    }

    /// Ends the measurement; call it once.
    package func finish() -> Measurement {
        let wall = Clock.wall - start
        let later = Usage(of: .process)
        let laterChildren = Usage(of: .children)
        let samples = sampler.stop()
        Self.count.subtract(1, ordering: .relaxed)
        var measurement = Measurement(
            start: start, wall: wall, usage: (later - usage) - samples.usage + (laterChildren - children),
            sampler: samples)
        // The kernel has one peak for all children since process start, which only counts if it has grown.
        measurement.peakMemoryBytes = max(later.peak, laterChildren.peak > children.peak ? laterChildren.peak : 0)
        measurement.take(\.transfer, .transfer) { () throws(SystemFault) in
            try Transfer(of: getpid(), roots) - transfer.get()
        }
        if let peakUnavailable { measurement.unavailable.append(Unavailable(.peakMemoryBytes, peakUnavailable)) }
        measurement.unavailable.append(Unavailable(.groupPeakBytes, "the work shares its process with other work"))
        return measurement
    }
}
