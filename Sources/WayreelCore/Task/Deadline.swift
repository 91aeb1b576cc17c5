/// The condition to stop a task: a limit of wall time, or a cancellation.
package struct Deadline: Sendable {
    /// Seconds of wall time that the task may take; infinite for no limit.
    let seconds: Double
    let cancellation: Cancellation
    let start = Clock.wall

    var elapsedSeconds: Double { Clock.wall - start }

    /// Throws `cancelled` after a cancellation and `limit` after the deadline. It reads one atomic flag and one clock.
    func check(step: String) throws(MediaError) {
        try cancellation.check(step: step)
        // The condition is false for a NaN limit, which therefore throws too.
        guard elapsedSeconds <= seconds else {
            throw MediaError(
                .limit, code: .timedOut, step: step, reason: "took longer than \(seconds.shortDescription) s",
                advice: "raise the limit with \(.maxSeconds)")
        }
    }
}
