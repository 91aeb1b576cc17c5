internal import ArgumentParser
package import WayreelMedia

/// Child processes for untrusted inputs.
package struct IsolationOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            Work on each input in another process, so that one that crashes a decoder or never ends fails alone. \
            (default: videos where there are several, or with --max-seconds; else where a library cannot be stopped)
            """)
    var isolate: Bool?

    @Option(help: "Max memory per input: 1GB or 1000000000; implies isolation. (default: unlimited)")
    var maxMemory: ByteCount?

    @Option(help: "Max seconds without a heartbeat before a process is ended; implies isolation. (default: 60)")
    var maxSilence: Double?

    package init() {}

    package func validate() throws {
        let given = [("--max-memory", maxMemory != nil), ("--max-silence", maxSilence != nil)]
        if isolate == false, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) requires isolation; remove --no-isolate")
        }
        if let maxMemory, maxMemory.value < Self.minMemory {
            throw ValidationError("--max-memory takes at least \(Self.minMemory / 1_000_000)MB")
        }
        if let maxSilence, !(maxSilence >= 1 && maxSilence.isFinite) {
            throw ValidationError("--max-silence takes 1 second or more")
        }
    }

    /// The min memory limit in bytes. With less memory than a process needs to start, every input would fail.
    private static let minMemory = 50_000_000

    /// Returns the isolation; nil for none. `wholly` determines whether all work is isolated by default.
    package func isolation(wholly: Bool = false) -> Isolation? {
        guard isolate != false else { return nil }
        let isEveryTask = wholly || isolate == true || maxMemory != nil || maxSilence != nil
        var isolation = Isolation(
            executable: Isolation.ownExecutable, memoryBytes: maxMemory?.value,
            scope: isEveryTask ? .everyTask : .whereNeeded)
        if let maxSilence { isolation.silence = maxSilence }
        return isolation
    }

    /// Returns the isolation for videos, each of which runs in a new process.
    func isolation(ofVideos inputs: [String], _ limits: VideoLimitOptions) -> Isolation? {
        var isolation = isolation(wholly: inputs.count > 1 || limits.maxSeconds != nil)
        isolation?.tasksPerProcess = 1
        return isolation
    }
}
