package import ArgumentParser
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
    var heartbeatTimeout: Double?

    package init() {}

    package func validate() throws {
        let given = [("--max-memory", maxMemory != nil), ("--heartbeat-timeout", heartbeatTimeout != nil)]
        if isolate == false, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) requires isolation; remove --no-isolate")
        }
        if let maxMemory, maxMemory.value < Isolation.minMemoryBytes {
            throw ValidationError("--max-memory takes at least \(Isolation.minMemoryBytes / 1_000_000)MB")
        }
        if let heartbeatTimeout, !(heartbeatTimeout >= 1 && heartbeatTimeout.isFinite) {
            throw ValidationError("--heartbeat-timeout takes 1 second or more")
        }
    }

    /// Returns the isolation; nil for none. `wholly` determines whether all work is isolated by default.
    package func isolation(wholly: Bool = false) -> Isolation? {
        guard isolate != false else { return nil }
        let isEveryTask = wholly || isolate == true || maxMemory != nil || heartbeatTimeout != nil
        var isolation = Isolation(
            executable: Isolation.ownExecutable, memoryBytes: maxMemory?.value,
            scope: isEveryTask ? .everyTask : .whereNeeded)
        if let heartbeatTimeout { isolation.heartbeatTimeout = heartbeatTimeout }
        return isolation
    }

    /// Returns the isolation for videos, each of which runs in a new process.
    func isolation(ofVideos inputs: [String], _ limits: VideoLimitOptions) -> Isolation? {
        var isolation = isolation(wholly: inputs.count > 1 || limits.maxSeconds != nil)
        isolation?.tasksPerProcess = 1
        return isolation
    }
}

package struct LimitOptions: ParsableArguments {
    @Option(
        help: "Max pixels of a capture: 150MP or 150000000. (default: 100MP; 400MP if decoded by rows or small tiles)")
    package var maxPixels: PixelCount?

    @Option(help: "Max size of an input file: 500MB or 500000000. (default: 268MB)")
    package var maxInputBytes: ByteCount?

    @Option(help: "Max seconds per capture. (default: 60)")
    package var maxSeconds: Double?

    @Option(help: "Max frames in an input, of which one is used. (default: 10000)")
    package var maxFrames: Int?

    package init() {}

    package func validate() throws {
        try requirePositive("--max-seconds", maxSeconds)
        if let maxFrames, maxFrames < 1 { throw ValidationError("--max-frames takes a positive number") }
    }

    package func limits() -> Limits {
        let standard = Limits.standard
        return Limits(
            pixels: maxPixels?.value, inputBytes: maxInputBytes?.value ?? standard.inputBytes,
            seconds: maxSeconds ?? standard.seconds, frames: maxFrames ?? standard.frames)
    }
}

struct VideoLimitOptions: ParsableArguments {
    @Option(help: "Max pixels of a frame: 50MP or 50000000. (default: 40MP)")
    var maxPixels: PixelCount?

    @OptionGroup var durations: DurationLimitOptions

    var maxSeconds: Double? { durations.maxSeconds }

    func limits() -> VideoLimits {
        var limits = VideoLimits.standard
        if let maxPixels { limits.pixels = maxPixels.value }
        if let maxSeconds { limits.seconds = maxSeconds }
        if let maxHours = durations.maxHours { limits.videoSeconds = maxHours * 3600 }
        return limits
    }
}
