internal import Synchronization
internal import WayreelAV
public import WayreelCore

/// Measures audio: demux → decode → levels and loudness, in one pass.
///
/// Created once for its options, which it checks, and used for any number of files from any number of threads.
///
///     let pipeline = try LevelsPipeline(LevelsOptions([.data(LevelsEncoding(.json, grid: .rate(60)))]))
///     let measured = try pipeline.measure("radio.mp3")
///     let json = try measured.encoded()
public final class LevelsPipeline: Sendable {
    public let options: LevelsOptions
    /// Loudness accumulated over all files, if it is measured.
    private let accumulated = Mutex<LoudnessStatistics?>(nil)

    /// Throws a `parameter` error for an output setting that is out of range or not supported by its format.
    public init(_ options: LevelsOptions) throws(MediaError) {
        try options.check()
        self.options = options
    }

    /// Measures the audio at `path`, or standard input for `-`, on the calling thread and up to `threads - 1` others.
    /// The levels do not depend on their number.
    ///
    /// Throws a ``MediaError``: `io`, `decoding`, `unsupported`, `limit`, `parameter` or `cancelled`.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func measure(
        _ path: String, threads: Int = 1, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> MeasuredAudio {
        let task = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return try measure(path, threads: threads, task: task)
    }

    /// Measures the audio and adds it to ``loudnessOfAll``. `isNamed` determines whether outputs contain the name of the
    /// file.
    package func measure(
        _ path: String, isNamed: Bool = true, threads: Int = 1, task: TaskContext
    ) throws(MediaError) -> MeasuredAudio {
        let audio = try measureAlone(path, isNamed: isNamed, threads: threads, task: task)
        addToAll(audio)
        return audio
    }

    /// Measures the audio. ``addToAll(_:)`` adds it to ``loudnessOfAll``.
    package func measureAlone(
        _ path: String, isNamed: Bool = true, threads: Int = 1, task: TaskContext
    ) throws(MediaError) -> MeasuredAudio {
        let file = try task.step(.detect) { () throws(MediaError) in try levelsFile(path, task: task) }
        if let file { return try measured(file, task: task) }
        // A grid of points needs the exact length, for which the audio may have to be decoded twice.
        let input = MediaInput(path, raw: options.raw)
        guard options.outputs.contains(where: \.needsLength), let copy = try SpooledInput(of: input, task: task) else {
            return try measure(input, path, isNamed: isNamed, threads: threads, task: task)
        }
        let copied = options.raw.map { MediaInput.raw(path: copy.path, $0) } ?? .path(copy.path)
        do throws(MediaError) {
            return try withExtendedLifetime(copy) { () throws(MediaError) in
                try measure(copied, path, isNamed: isNamed, threads: threads, task: task)
            }
        } catch {
            var named = error
            if named.subject == copy.path { named.subject = path == "-" ? "standard input" : path }
            throw named
        }
    }

    private func measure(
        _ input: MediaInput, _ path: String, isNamed: Bool, threads: Int, task: TaskContext
    ) throws(MediaError) -> MeasuredAudio {
        let (reader, resampler, format) = try open(input, threads: threads, task: task)
        let info = reader.info
        let plan = try options.outputs.map { (output) throws(MediaError) in
            try output.measurement(of: format, isMP3: info.codec.hasPrefix("mp3"))
        }
        // Resampling changes the length.
        let expected = info.expectedSampleCount.map { count in
            resampler == nil
                ? count : Int((Double(count) * Double(format.sampleRate) / Double(info.format.sampleRate)).rounded(.up))
        }
        var recorders: [LevelMeasurement: LevelRecorder] = [:]
        for measurement in Set(plan) {
            recorders[measurement] = try LevelRecorder(
                measurement, format: format, sampleCount: expected, maxValues: options.limits.values)
        }
        let meter = options.measuresLoudness ? try LoudnessMeter(format: info.format) : nil
        let outcome = try decode(reader, resampler, meter, task: task) { (block) throws(MediaError) in
            for recorder in recorders.values { try recorder.add(block) }
        }
        try checkDamage(outcome, info.format, task: task)
        try warn(task)
        let inexact = recorders.filter { !$0.value.isExact }
        if !inexact.isEmpty {
            var again: [LevelMeasurement: LevelRecorder] = [:]
            for (measurement, recorder) in inexact {
                again[measurement] = try LevelRecorder(
                    measurement, format: format, sampleCount: recorder.sampleCount, maxValues: options.limits.values)
            }
            try remeasure(input, again, threads: threads, task: task)
            recorders.merge(again) { $1 }
        }
        var levels: [LevelMeasurement: Levels] = [:]
        for (measurement, recorder) in recorders { levels[measurement] = try recorder.finish() }
        let statistics = meter?.finish()
        let loudness = statistics?.loudness
        let source = LevelsSource(
            file: isNamed && path != "-" ? path.fileName : nil, codec: info.codec)
        return MeasuredAudio(
            container: info.container, codec: info.codec, format: format, tracks: info.tracks,
            sampleCount: resampler?.sampleCount ?? outcome.sampleCount, loudness: loudness, statistics: statistics,
            renditions: zip(options.outputs, plan).map { output, measurement in
                LevelsRendition(output, levels[measurement]!, source: source, loudness: loudness)
            })
    }

    /// Measures the audio once more for grids of points, since it is not as long as it declares.
    private func remeasure(
        _ input: MediaInput, _ recorders: [LevelMeasurement: LevelRecorder], threads: Int, task: TaskContext
    ) throws(MediaError) {
        // What there is to warn of was warned of.
        let silent = task.child()
        let (reader, resampler, _) = try open(input, threads: threads, task: silent)
        _ = try task.step(.decodeAgain) { () throws(MediaError) in
            try decode(reader, resampler, nil, task: silent) { (block) throws(MediaError) in
                for recorder in recorders.values { try recorder.add(block) }
            }
        }
    }

    /// Decodes the audio for `record`, at the sample rate of the options, and for `meter` at its own sample rate.
    func decode(
        _ reader: AudioReader, _ resampler: AudioConverter?, _ meter: LoudnessMeter?, task: TaskContext,
        _ record: (AudioBlock) throws(MediaError) -> Void
    ) throws(MediaError) -> AudioReadOutcome {
        try task.step(.decodeAndMeter) { () throws(MediaError) in
            while let block = try reader.next() {
                try task.span("meter") { () throws(MediaError) in
                    if resampler == nil { try record(block) }
                    guard !block.isPadding else { return }
                    if let converted = try resampler?.convert(block) { try record(converted) }
                    try meter?.add(block)
                }
            }
            if let converted = try resampler?.convert(nil) { try record(converted) }
            return reader.outcome
        }
    }

    /// Opens the audio of `input`. Returns the format of the measured samples in `format`, and nil in `resampler` if
    /// they keep their rate.
    func open(
        _ input: MediaInput, threads: Int, task: TaskContext
    ) throws(MediaError) -> (reader: AudioReader, resampler: AudioConverter?, format: AudioFormat) {
        let reader = try task.step(.open) { () throws(MediaError) in
            try AudioReader(
                input, tracks: options.track.map { [$0] } ?? [], limits: options.limits, workers: threads, task: task)
        }
        let own = reader.info.format
        let rate = options.sampleRate ?? own.sampleRate
        return (
            reader, rate == own.sampleRate ? nil : try AudioConverter(from: own, sampleRate: rate),
            AudioFormat(sampleRate: rate, channels: own.channels)
        )
    }

    /// Returns the levels file at `path`; nil for other files.
    func levelsFile(_ path: String, task: TaskContext) throws(MediaError) -> LevelsFile? {
        guard path != "-", options.raw == nil, options.track == nil,
            let prefix = FileSource.prefix(of: path, count: LevelsFile.prefixLength), LevelsFile.recognizes(prefix)
        else { return nil }
        return try LevelsFile.read(FileSource(path: path, task: task), limits: options.limits, task: task)
    }

    private func measured(_ file: LevelsFile, task: TaskContext) throws(MediaError) -> MeasuredAudio {
        guard !options.measuresLoudness else {
            throw MediaError(
                .parameter, step: .loudness, reason: "loudness cannot be measured from levels",
                advice: "use the audio as input")
        }
        guard options.sampleRate == nil else {
            throw MediaError(
                .parameter, step: .convert, reason: "a levels file cannot be resampled",
                advice: "use the audio as input, or remove \(.sampleRate)")
        }
        try warn(task)
        return MeasuredAudio(
            container: "levels", codec: file.format.rawValue, format: file.levels.format, tracks: [],
            sampleCount: file.levels.sampleCount, loudness: nil, statistics: nil,
            renditions: try options.outputs.map { (output) throws(MediaError) in try LevelsRendition(output, of: file) }
        )
    }

    /// Loudness of all files measured so far, as if played one after another; nil if loudness is not measured or no
    /// file has been measured. A task counts once its outputs are written.
    public var loudnessOfAll: Loudness? { accumulated.withLock { $0?.loudness } }

    /// Adds measured audio to ``loudnessOfAll``.
    package func addToAll(_ audio: MeasuredAudio) { addToAll(audio.statistics) }

    func addToAll(_ statistics: LoudnessStatistics?) {
        guard let statistics else { return }
        accumulated.withLock { accumulated in
            if accumulated == nil { accumulated = LoudnessStatistics() }
            accumulated?.merge(statistics)
        }
    }

    /// Warns about problems that are not damage, such as a missing font.
    private func warn(_ task: TaskContext) throws(MediaError) {
        for output in options.outputs {
            for warning in try output.warnings() { task.warn(warning.step, warning.message) }
        }
    }

    func checkDamage(
        _ outcome: AudioReadOutcome, _ format: AudioFormat, task: TaskContext
    ) throws(MediaError) {
        if options.tolerance == .warning, let warning = task.warnings.first {
            throw MediaError(
                .decoding, code: .damaged, step: warning.step, reason: warning.message,
                advice: "use \(.toleranceStandard) to accept some damage")
        }
        let absent = Double(outcome.absentSamples)
        let missing = (Double(outcome.filledSamples) + absent) / (Double(outcome.sampleCount) + absent)
        if options.tolerance == .standard, missing > DamageTolerance.acceptedShare {
            let seconds = { (samples: Int) in
                "\((Double(samples) / Double(format.sampleRate)).formatted(3)) s"
            }
            let found = outcome.sampleCount - outcome.filledSamples
            throw MediaError(
                .decoding, code: .damaged, step: .decode,
                reason: "only \(seconds(found)) of \(seconds(outcome.sampleCount + outcome.absentSamples)) of audio "
                    + "could be decoded: more than a quarter is missing",
                advice: "use \(.toleranceNone) to accept it")
        }
    }

    /// Measures the audio at `path` and passes the buckets of output `index`, each when its last sample is decoded. The
    /// levels equal those that ``measure(_:threads:cancellation:)`` returns.
    ///
    /// Throws what measuring throws, the errors of `body`, and a `parameter` error for levels files and for a number of
    /// points, whose buckets are known only at the end.
    package func readLevels(
        _ path: String, ofOutput index: Int, threads: Int = 1, task: TaskContext,
        _ body: @escaping (LiveReading) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard options.outputs.indices.contains(index) else {
            throw Self.fault("output \(index) does not exist; there are \(options.outputs.count)")
        }
        guard try levelsFile(path, task: task) == nil else {
            throw Self.fault("is a levels file, which holds its levels already", "read it with LevelsFile")
        }
        let (reader, resampler, format) = try open(MediaInput(path, raw: options.raw), threads: threads, task: task)
        let info = reader.info
        let measurement = try options.outputs[index].measurement(of: format, isMP3: info.codec.hasPrefix("mp3"))
        if case .points = measurement.grid {
            throw Self.fault(
                "the edges of a number of points depend on the length, which is known at the end",
                "use a rate or a number of samples, or measure the whole")
        }
        let recorder = try LevelRecorder(measurement, format: format)
        let rate = Double(format.sampleRate)
        var count = 0
        recorder.onBucket = { (samples, isPartial, readings) throws(MediaError) in
            try body(
                LiveReading(
                    index: count, time: Double(samples.lowerBound) / rate, duration: Double(samples.count) / rate,
                    merged: 0, isPartial: isPartial, channels: readings.map(LiveReading.Channel.init)))
            count += 1
        }
        let meter = options.measuresLoudness ? try LoudnessMeter(format: info.format) : nil
        let outcome = try decode(reader, resampler, meter, task: task) { (block) throws(MediaError) in
            try recorder.add(block)
        }
        try checkDamage(outcome, info.format, task: task)
        _ = try recorder.finish()
        addToAll(meter?.finish())
    }

    private static let fault = ErrorSite(.parameter, step: .measure)
}

/// An output with its levels.
enum LevelsRendition: Sendable {
    case data(LevelsDocument)
    case plot(LevelsPlot, LevelsPlot.FileType, Levels)

    /// Creates a rendition of measured levels.
    init(_ output: LevelsOutput, _ levels: Levels, source: LevelsSource, loudness: Loudness?) {
        switch output {
        case .data(let encoding):
            self = .data(LevelsDocument(levels, as: encoding, source: source, loudness: loudness?.figures ?? []))
        case .plot(let plot, let type, _, _): self = .plot(plot, type, levels)
        }
    }

    /// Creates a rendition of a levels file.
    ///
    /// Throws a `parameter` error for settings that require the audio: smaller buckets, other channels, another meter.
    init(_ output: LevelsOutput, of file: LevelsFile) throws(MediaError) {
        switch output {
        case .data(let encoding): self = .data(try file.document(as: encoding))
        case .plot(let plot, let type, let rate, let channels):
            let encoding = LevelsEncoding(grid: rate.map { .rate($0) }, channels: channels, meter: plot.meter)
            self = .plot(plot, type, try file.document(as: encoding).levels)
        }
    }

    var levels: Levels {
        switch self {
        case .data(let document): document.levels
        case .plot(_, _, let levels): levels
        }
    }

    func write(to sink: some ByteSink) throws(MediaError) {
        switch self {
        case .data(let document): try document.write(to: sink)
        case .plot(let plot, let type, let levels): try plot.draw(levels, as: type, to: sink)
        }
    }
}

/// Levels and loudness of measured audio, with its properties.
public struct MeasuredAudio: Sendable {
    /// FFmpeg's short name of the container: `mp3`, `wav`, `mov,mp4,m4a,3gp,3g2,mj2`; `levels` for a levels file.
    public let container: String
    /// FFmpeg's name of the codec: `mp3`, `flac`, `pcm_s16le`; the format of a levels file.
    public let codec: String
    /// Format of the measured audio, after resampling. ``levels`` may have fewer channels.
    public let format: AudioFormat
    /// The numbers of the audio tracks, from 1: several if each holds one channel of the recording. Empty for a levels
    /// file.
    public let tracks: [Int]
    /// Samples per channel.
    public let sampleCount: Int
    /// The loudness, if requested by the options.
    public let loudness: Loudness?
    /// What ``loudness`` is computed from.
    let statistics: LoudnessStatistics?
    let renditions: [LevelsRendition]

    /// The levels of each output of the options, in order.
    public var levels: [Levels] { renditions.map(\.levels) }

    /// The duration in seconds.
    public var duration: Double { Double(sampleCount) / Double(format.sampleRate) }

    /// Returns the complete file of output `index`.
    ///
    /// Throws if the levels cannot be written or drawn.
    public func encoded(_ index: Int = 0) throws(MediaError) -> [UInt8] {
        guard renditions.indices.contains(index) else {
            throw MediaError(
                .parameter, step: .encode, reason: "output \(index) does not exist; there are \(renditions.count)")
        }
        let sink = MemorySink()
        try write(index, to: sink)
        return sink.bytes
    }

    package func write(_ index: Int, to sink: some ByteSink) throws(MediaError) {
        try renditions[index].write(to: sink)
    }
}

extension MediaError.Step {
    public static let decodeAgain = MediaError.Step(rawValue: "decode again")
    public static let decodeAndMeter = MediaError.Step(rawValue: "decode and meter")
    public static let detect = MediaError.Step(rawValue: "detect")
    public static let loudness = MediaError.Step(rawValue: "loudness")
    public static let meter = MediaError.Step(rawValue: "meter")
    public static let zoom = MediaError.Step(rawValue: "zoom")
}

extension OptionName {
    public static let sampleRate = OptionName(rawValue: "sampleRate")
    public static let rateGrid = OptionName(rawValue: "grid .rate")
    public static let samplesGrid = OptionName(rawValue: "grid .samples")

    /// All of this module.
    package static let ofLevels: [OptionName] = [.sampleRate, .rateGrid, .samplesGrid]
}
