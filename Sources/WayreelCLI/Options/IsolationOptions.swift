internal import ArgumentParser
internal import Wayreel

/// Processes of their own for work on files that nobody knows.
struct IsolationOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            Work on each input in another process, so that one that crashes a decoder or never ends fails alone. \
            (default: videos where there are several, or with --max-seconds; else where a library cannot be stopped)
            """)
    var isolate: Bool?

    @Option(help: "Memory for each input, at most: 1GB or 1000000000; isolates. (default: as much as there is)")
    var maxMemory: ByteCount?

    @Option(help: "Seconds without a sign of life after which a process is ended; isolates. (default: 60)")
    var maxSilence: Double?

    func validate() throws {
        let given = [("--max-memory", maxMemory != nil), ("--max-silence", maxSilence != nil)]
        if isolate == false, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) is for processes of their own, and --no-isolate does without")
        }
        if let maxMemory, maxMemory.value < Self.leastMemory {
            throw ValidationError("--max-memory takes at least \(Self.leastMemory / 1_000_000)MB")
        }
        if let maxSilence, !(maxSilence >= 1 && maxSilence.isFinite) {
            throw ValidationError("--max-silence takes 1 second or more")
        }
    }

    /// Less than a process needs to begin with would fail every input.
    private static let leastMemory = 50_000_000

    /// How work is isolated; nil: not at all. `wholly`: whether all of it is, unless the options say otherwise.
    func isolation(wholly: Bool = false) -> Isolation? {
        guard isolate != false else { return nil }
        let isEveryTask = wholly || isolate == true || maxMemory != nil || maxSilence != nil
        var isolation = Isolation(
            executable: Isolation.ownExecutable, memoryBytes: maxMemory?.value,
            scope: isEveryTask ? .everyTask : .whereNeeded)
        if let maxSilence { isolation.silence = maxSilence }
        return isolation
    }

    /// The same for videos, each of which has a process that no other has worked in.
    func isolation(ofVideos inputs: [String], _ limits: VideoLimitOptions) -> Isolation? {
        var isolation = isolation(wholly: inputs.count > 1 || limits.maxSeconds != nil)
        isolation?.tasksPerProcess = 1
        return isolation
    }
}

extension Isolation {
    /// The running program, even where another version has meanwhile taken its place.
    static let ownExecutable = "/proc/self/exe"
}
