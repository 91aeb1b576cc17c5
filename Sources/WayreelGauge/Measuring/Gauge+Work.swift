internal import Glibc
internal import WayreelCore

extension Gauge {
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
        let caller = Clock.thread
        let output: Output
        do throws(Failure) { output = try work() } catch {
            _ = gauge.finish()
            throw error
        }
        let callerSeconds = Clock.thread - caller
        var measurement = gauge.finish()
        measurement.callerMilliseconds = Clock.milliseconds(callerSeconds)
        return (output, measurement)
    }

    /// The same for async work. It changes threads, so the time of the calling thread is unavailable.
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
        var measurement = gauge.finish()
        measurement.unavailable.append(Unavailable(.callerMilliseconds, "asynchronous work is not bound to a thread"))
        return (output, measurement)
    }
}
