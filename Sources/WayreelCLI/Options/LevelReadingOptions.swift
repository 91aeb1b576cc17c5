internal import ArgumentParser
internal import WayreelCore
internal import WayreelMedia

/// Resolution, channels and encoding of the readings.
struct LevelReadingOptions: ParsableArguments {
    private static let meters = MeterBallistics.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(help: "Readings per second: 30, 29.97, 30000/1001. (default: 30, in Wayreel's own formats)")
    var rate: Rational?

    @Option(help: "Samples per reading. (default: 256, in audiowaveform's formats)")
    var zoom: Int?

    @Option(help: "Readings per second as in audiowaveform, rounded down to whole samples per reading.")
    var pixelsPerSecond: Int?

    @Option(help: "Total number of readings. (default: 800 for wavesurfer, 1800 for soundcloud)")
    var points: Int?

    @Option(help: "Meter ballistics: \(meters); see 'wayreel meters'.")
    var meter: MeterBallistics?

    @Option(
        help:
            "Channels: stereo (downmixed by BS.775), mono, or all. (default: stereo; mono in audiowaveform's)")
    var channels: ChannelSelection?

    @Flag(help: "The same as --channels all.")
    var splitChannels = false

    @Option(help: "Unit of readings: dBFS, linear, int8 or int16. (default: dBFS)")
    var unit: LevelUnit?

    @Option(help: "Decimal digits. (default: 2 for dBFS, 5 for linear)")
    var decimals: Int?

    @Flag(help: "Clamp levels to full scale.")
    var clamp = false

    @Option(
        parsing: .upToNextOption,
        help:
            "Values to write: min, max, peak, rms, meter, hold. (default: peak and rms; with a meter, also meter and hold)"
    )
    var readings: [LevelReading] = []

    @Option(
        help:
            "Bits per value in audiowaveform's formats, 8 or 16. peaks.js reads 8, and one or two channels. (default: 8)"
    )
    var bits: Int?

    @Option(help: "Amplitude factor for audiowaveform's formats, or auto to normalise to full scale.")
    var amplitudeScale: AmplitudeScale?

    @Option(help: "Full scale of the soundcloud format. (default: 140)")
    var height: Int?

    func validate() throws {
        let grids = [rate != nil, zoom != nil, pixelsPerSecond != nil, points != nil]
        if grids.count(where: \.self) > 1 {
            throw ValidationError("--rate, --zoom, --pixels-per-second and --points are mutually exclusive")
        }
        for (name, value) in [("zoom", zoom), ("pixels-per-second", pixelsPerSecond), ("points", points)] {
            if let value, value < 1 { throw ValidationError("--\(name) takes a positive number") }
        }
        if splitChannels, let channels, channels != .all {
            throw ValidationError("--split-channels and --channels \(channels.rawValue) are mutually exclusive")
        }
    }

    /// The requested bucket grid.
    var grid: LevelGrid? {
        chosenRate.map { .rate($0) } ?? zoom.map { .samples($0) } ?? points.map { .points($0) }
    }

    var chosenRate: Rational? { rate ?? pixelsPerSecond.flatMap { Rational($0) } }
    var chosenChannels: ChannelSelection? { splitChannels ? .all : channels }

    /// Returns the settings that `format` supports; with several outputs, each takes its own.
    func encoding(_ format: LevelsFormat) -> LevelsEncoding {
        let has = format.settings.contains
        return LevelsEncoding(
            format, grid: grid, channels: chosenChannels, unit: has(.unit) ? unit : nil,
            decimals: has(.decimals) ? decimals : nil, clamp: has(.clamp) && clamp,
            readings: has(.readings) && !readings.isEmpty ? readings : nil, meter: has(.meter) ? meter : nil,
            bits: has(.bits) ? bits : nil, amplitudeScale: has(.amplitudeScale) ? amplitudeScale : nil,
            height: has(.height) ? height : nil)
    }

    /// Throws a `parameter` error for a setting that none of `formats` supports.
    func check(for formats: [LevelsFormat]) throws(MediaError) {
        let given: [(setting: LevelsEncoding.Setting, isGiven: Bool)] = [
            (.unit, unit != nil), (.decimals, decimals != nil), (.clamp, clamp), (.readings, !readings.isEmpty),
            (.meter, meter != nil), (.bits, bits != nil), (.amplitudeScale, amplitudeScale != nil),
            (.height, height != nil),
        ]
        let isAnyGiven = grid != nil || chosenChannels != nil || given.contains(where: \.isGiven)
        guard !formats.isEmpty || !isAnyGiven else {
            throw ErrorSite.usage("options of readings require an output", "add an output with -o")
        }
        for (setting, isGiven) in given where isGiven && !formats.contains(where: { $0.settings.contains(setting) }) {
            let others = LevelsFormat.allCases.filter { $0.settings.contains(setting) }.map(\.rawValue)
            throw ErrorSite.usage(
                "--\(setting.rawValue) has no effect on \(formats.map(\.rawValue).joined(separator: ", "))",
                "use it with \(others.joined(separator: " or "))")
        }
        if zoom != nil || points != nil, !formats.isEmpty, formats.allSatisfy(\.isImage) {
            throw ErrorSite.usage(
                "an image has its own buckets", "remove --\(zoom == nil ? "points" : "zoom"); a strip takes --rate")
        }
    }
}
