internal import Synchronization
internal import WayreelAV
public import WayreelCore

/// Measures sounds: demux → decode → levels and loudness, in one pass.
///
/// Made once for its options, which it checks, and used for any number of sounds from any number of threads.
///
///     let pipeline = try LevelsPipeline(LevelsOptions([.data(LevelsEncoding(.json, grid: .rate(Rational(60)!)))]))
///     let sound = try pipeline.measure("radio.mp3")
///     let json = try sound.encoded()
public final class LevelsPipeline: Sendable {
    public let options: LevelsOptions
    /// Of all sounds so far, where loudness is measured.
    private let heard = Mutex<LoudnessStatistics?>(nil)

    /// Throws a `parameter` error where an output has a setting out of its range, or one that does not go with its format.
    public init(_ options: LevelsOptions) throws(MediaError) {
        for output in options.outputs { try output.check() }
        self.options = options
    }

    /// Measures the sound at `path`, or from standard input for `-`, on the calling thread and `threads - 1` others. The levels
    /// do not depend on their number.
    ///
    /// Throws a ``MediaError``: `io`, `decoding`, `unsupported`, `limit`, `parameter` or `cancelled`.
    public func measure(
        _ path: String, threads: Int = 1, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> MeasuredSound {
        let watch = TaskWatch(seconds: options.limits.seconds, cancellation: cancellation)
        return try measure(path, threads: threads, watch: watch)
    }

    package func measure(_ path: String, threads: Int, watch: TaskWatch) throws(MediaError) -> MeasuredSound {
        let reader = try watch.step("open") { () throws(MediaError) in
            try AudioReader(
                source(path), track: options.track, limits: options.limits, workers: threads, watch: watch)
        }
        let format = reader.info.format
        var plan: [Measurement] = []
        for output in options.outputs {
            plan.append(try output.measurement(of: format, isMP3: reader.info.codec.hasPrefix("mp3")))
        }
        var recorders: [Measurement: LevelRecorder] = [:]
        for measurement in Set(plan) { recorders[measurement] = try LevelRecorder(measurement, format: format) }
        let loudness = options.measuresLoudness ? try LoudnessMeter(format: format) : nil

        let outcome = try watch.step("decode and meter") { () throws(MediaError) in
            try reader.read { (block) throws(MediaError) in
                for recorder in recorders.values { try recorder.add(block) }
                if !block.isPadding { try loudness?.add(block) }
            }
        }
        try checkDamage(outcome, watch: watch)
        var levels: [Levels] = []
        var finished: [Measurement: Levels] = [:]
        for measurement in plan {
            let made: Levels
            if let shared = finished[measurement] { made = shared } else { made = try recorders[measurement]!.finish() }
            finished[measurement] = made
            levels.append(made)
        }
        return MeasuredSound(
            container: reader.info.container, codec: reader.info.codec, format: format,
            sampleCount: outcome.sampleCount, levels: levels, loudness: join(loudness), outputs: options.outputs,
            source: LevelsSource(file: path == "-" ? nil : fileName(path), codec: reader.info.codec))
    }

    /// How loud all the sounds are that this pipeline has measured so far, as if played one after another; nil where it
    /// measures no loudness or has measured none yet.
    public var loudnessOfAll: Loudness? { heard.withLock { $0?.loudness } }

    private func join(_ meter: LoudnessMeter?) -> Loudness? {
        guard let statistics = meter?.finish() else { return nil }
        heard.withLock { heard in
            if heard == nil { heard = LoudnessStatistics() }
            heard?.merge(statistics)
        }
        return statistics.loudness
    }

    private func source(_ path: String) -> AudioSource {
        if let raw = options.raw { return .raw(path: path, raw) }
        return path == "-" ? .standardInput : .path(path)
    }

    private func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private func checkDamage(_ outcome: AudioReadOutcome, watch: TaskWatch) throws(MediaError) {
        if options.tolerance == .warning, let warning = watch.warnings.first {
            throw MediaError(
                .decoding, step: warning.step, reason: warning.message,
                advice: "use --fail-on missing to accept some damage")
        }
        let missing = Double(outcome.filledSamples) / Double(outcome.sampleCount)
        if options.tolerance == .standard, missing > DamageTolerance.acceptedShare {
            throw MediaError(
                .decoding, step: "decode",
                reason: "\(Int((missing * 100).rounded())) % of the sound is missing, more than a quarter",
                advice: "use --fail-on none to take what is there")
        }
    }
}
