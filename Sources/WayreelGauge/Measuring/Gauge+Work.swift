internal import Glibc
internal import WayreelCore

extension Gauge {
    /// Does `work` on the calling thread and measures what the whole process takes meanwhile, with the
    /// children that it has waited for, the samples' own cost left out.
    ///
    /// ``Measurement/peakMemoryBytes`` is the peak of this time where the kernel lets the process reset it (`/proc/self/clear_refs`),
    /// which is done unless other work is being measured, and which getrusage(2) shows from then on as well. Otherwise it is the
    /// peak of the process's life, and ``Measurement/unavailable`` says so.
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

    /// The same for work that waits. It moves from thread to thread, so there is no time of the calling one.
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
        measurement.unavailable.append(Unavailable(.callerMilliseconds, "the work is not bound to a thread"))
        return (output, measurement)
    }
}
