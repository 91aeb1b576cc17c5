internal import ArgumentParser
internal import Wayreel

/// What is read of a sound, and how it is told.
struct ReadingOptions: ParsableArguments {
    @Option(help: "Readings a second: 30, 29.97, 30000/1001. (default: 30, in Wayreel's own formats)")
    var rate: Rational?

    @Option(help: "Samples a reading. (default: 256, in audiowaveform's formats)")
    var zoom: Int?

    @Option(help: "What audiowaveform calls --rate; its formats round a reading down to whole samples.")
    var pixelsPerSecond: Int?

    @Option(help: "Readings in all. (default: 800 for wavesurfer, 1800 for soundcloud)")
    var points: Int?

    @Option(help: "A meter: peak, apple, ppm1, ppm2, vu, digital. 'wayreel meters' tells what they do.")
    var meter: MeterBallistics?

    @Option(
        help:
            "stereo (more than two are mixed down by BS.775), mono, or all. (default: stereo; mono in audiowaveform's)")
    var channels: ChannelSelection?

    @Flag(help: "Every channel apart, as audiowaveform calls --channels all.")
    var splitChannels = false

    @Option(help: "dBFS, linear, int8 or int16. (default: dBFS)")
    var unit: LevelUnit?

    @Option(help: "Digits after the point. (default: 2 for dBFS, 5 for linear)")
    var decimals: Int?

    @Flag(help: "Tell levels over full scale as full scale.")
    var clamp = false

    @Option(
        parsing: .upToNextOption,
        help:
            "What is told: min, max, peak, rms, meter, hold. (default: peak and rms; with a meter, also meter and hold)"
    )
    var readings: [LevelReading] = []

    @Option(help: "8 or 16, in audiowaveform's formats. (default: 16)")
    var bits: Int?

    @Option(help: "A factor for audiowaveform's formats, or auto: the loudest becomes full scale.")
    var amplitudeScale: AmplitudeScale?

    @Option(help: "soundcloud's full scale. (default: 140)")
    var height: Int?

    func validate() throws {
        let grids = [rate != nil, zoom != nil, pixelsPerSecond != nil, points != nil]
        if grids.count(where: \.self) > 1 {
            throw ValidationError("--rate, --zoom, --pixels-per-second and --points exclude one another")
        }
        for (name, value) in [("zoom", zoom), ("pixels-per-second", pixelsPerSecond), ("points", points)] {
            if let value, value < 1 { throw ValidationError("--\(name) takes a number above 0") }
        }
        if splitChannels, let channels, channels != .all {
            throw ValidationError("--split-channels and --channels \(channels.rawValue) exclude one another")
        }
    }

    /// The buckets that were asked for.
    var grid: LevelGrid? {
        chosenRate.map { .rate($0) } ?? zoom.map { .samples($0) } ?? points.map { .points($0) }
    }

    var chosenRate: Rational? { rate ?? pixelsPerSecond.flatMap { Rational($0) } }
    var chosenChannels: ChannelSelection? { splitChannels ? .all : channels }

    /// What was asked for, as far as it goes with `format`: of several outputs each takes what it has a use for.
    func encoding(_ format: LevelsFormat) -> LevelsEncoding {
        let has = format.settings.contains
        return LevelsEncoding(
            format, grid: grid, channels: chosenChannels, unit: has(.unit) ? unit : nil,
            decimals: has(.decimals) ? decimals : nil, clamp: has(.clamp) && clamp,
            readings: has(.readings) && !readings.isEmpty ? readings : nil, meter: has(.meter) ? meter : nil,
            bits: has(.bits) ? bits : nil, amplitudeScale: has(.amplitudeScale) ? amplitudeScale : nil,
            height: has(.height) ? height : nil)
    }

    /// Throws a `parameter` error for a setting that none of `formats` has a use for.
    func check(for formats: [LevelsFormat]) throws(MediaError) {
        let given: [(setting: LevelsEncoding.Setting, isGiven: Bool)] = [
            (.unit, unit != nil), (.decimals, decimals != nil), (.clamp, clamp), (.readings, !readings.isEmpty),
            (.meter, meter != nil), (.bits, bits != nil), (.amplitudeScale, amplitudeScale != nil),
            (.height, height != nil),
        ]
        let isAnyGiven = grid != nil || chosenChannels != nil || given.contains(where: \.isGiven)
        guard !formats.isEmpty || !isAnyGiven else {
            throw MediaError(
                .parameter, step: "plan", reason: "the options of readings are for outputs, and none is made",
                advice: "name an output with -o")
        }
        for (setting, isGiven) in given where isGiven && !formats.contains(where: { $0.settings.contains(setting) }) {
            let others = LevelsFormat.allCases.filter { $0.settings.contains(setting) }.map(\.rawValue)
            throw MediaError(
                .parameter, step: "plan",
                reason: "--\(setting.rawValue) has no meaning for \(formats.map(\.rawValue).joined(separator: ", "))",
                advice: "use it with \(others.joined(separator: " or "))")
        }
        if zoom != nil || points != nil, !formats.isEmpty, formats.allSatisfy(\.isPicture) {
            throw MediaError(
                .parameter, step: "plan", reason: "a picture has its own buckets",
                advice: "leave --\(zoom == nil ? "points" : "zoom") out; --rate is that of a strip")
        }
    }
}
