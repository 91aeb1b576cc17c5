internal import ArgumentParser
internal import Wayreel

/// What is read of a sound, and how it is told.
struct ReadingOptions: ParsableArguments {
    @Option(help: "Readings a second: 30, 29.97, 30000/1001. (default: 30, in Wayreel's own formats)")
    var rate: Rational?

    @Option(help: "Samples a reading. (default: 256, in audiowaveform's formats)")
    var zoom: Int?

    @Option(help: "Readings a second, as audiowaveform counts them: in whole samples, rounded down.")
    var pixelsPerSecond: Int?

    @Option(help: "Readings in all. (default: 800 for wavesurfer, 1800 for soundcloud)")
    var points: Int?

    @Option(help: "A meter: peak, apple, ppm1, ppm2, vu, digital. 'wayreel meters' tells what they do.")
    var meter: MeterBallistics?

    @Option(help: "stereo (more than two are mixed down by BS.775), mono, or all. (default: stereo; mono in audiowaveform's)")
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
        help: "What is told: min, max, peak, rms, meter, hold. (default: peak and rms; with a meter, also meter and hold)")
    var readings: [LevelReading] = []

    @Option(help: "8 or 16, in audiowaveform's formats. (default: 16)")
    var bits: Int?

    @Option(help: "A factor for audiowaveform's formats, or auto: the loudest becomes full scale.")
    var amplitudeScale: AmplitudeScale?

    @Option(help: "soundcloud's full scale. (default: 140)")
    var height: Int?

    func validate() throws {
        let grids = [rate.map(\.description), zoom.map(\.description), pixelsPerSecond.map(\.description), points.map(\.description)]
        if grids.count(where: { $0 != nil }) > 1 {
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
        if let rate = rate ?? pixelsPerSecond.flatMap({ Rational($0) }) { return .rate(rate) }
        return zoom.map { .samples($0) } ?? points.map { .points($0) }
    }

    func encoding(_ format: LevelsFormat) -> LevelsEncoding {
        LevelsEncoding(
            format, grid: grid, channels: splitChannels ? .all : channels, unit: unit, decimals: decimals, clamp: clamp,
            readings: readings.isEmpty ? nil : readings, meter: meter, bits: bits, amplitudeScale: amplitudeScale,
            height: height)
    }
}
