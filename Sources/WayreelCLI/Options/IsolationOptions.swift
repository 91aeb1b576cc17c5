internal import ArgumentParser
internal import Wayreel

/// Processes of their own for work on files that nobody knows.
struct IsolationOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            Work on each input in a process of its own, so that one that crashes a decoder fails alone. (default: where \
            there are several)
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

    /// How work on so many inputs is isolated; nil: not at all.
    func isolation(inputs: Int) -> Isolation? {
        guard isolate ?? (inputs > 1 || maxMemory != nil || maxSilence != nil) else { return nil }
        // Of the running program, even where another version has meanwhile taken its place.
        var isolation = Isolation(executable: "/proc/self/exe", memoryBytes: maxMemory?.value)
        if let maxSilence { isolation.silence = maxSilence }
        return isolation
    }
}
