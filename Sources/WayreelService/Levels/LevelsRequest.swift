internal import WayreelCore
internal import WayreelDocument
internal import WayreelLevels

/// The options of `POST /v1/levels`, by their names as flags of `wayreel levels`.
struct LevelsRequest: Sendable {
    /// nil for the format that the `Accept` header chooses.
    var format: LevelsFormat?
    private var grid: [LevelGrid] = []
    private var channels: ChannelSelection?
    private var encoding = LevelsEncoding()
    private var plot = LevelsPlot(style: .waveform, size: PixelSize(width: 1200, height: 300), theme: .light)
    private var isDrawn = false
    private var track: Int?
    private var raw: RawAudioFormat?
    private var sampleRate: Int?
    private var measuresLoudness = false

    init() {}

    private static let maxPoints = 100_000

    static let settings: [Setting<LevelsRequest>] =
        [
            .choice("format", LevelsFormat.self) { $0.format = $1 },
            .value("rate", "readings per second such as 30 or 30000/1001", read: { Rational($0) }) {
                $0.grid.append(.rate($1))
            },
            .whole("zoom", 1...Int(Int32.max), "samples per reading") { $0.grid.append(.samples($1)) },
            .whole("pixels-per-second", 1...768_000, "readings per second") { $0.grid.append(.rate(Rational($1)!)) },
            .whole("points", 1...maxPoints, "readings") { $0.grid.append(.points($1)) },
            .choice("meter", MeterBallistics.self) { $0.encoding.meter = $1 },
            .choice("channels", ChannelSelection.self) { $0.channels = $1 },
            .flag("split-channels") { if $1 { $0.channels = .all } },
            .choice("unit", LevelUnit.self) { $0.encoding.unit = $1 },
            .whole("decimals", 0...9, "digits") { $0.encoding.decimals = $1 },
            .flag("clamp") { $0.encoding.clamp = $1 },
            .value(
                "readings", "\(LevelReading.allCases.map(\.rawValue).alternatives), several of them with commas",
                read: { text in
                    let names = text.split(separator: ",", omittingEmptySubsequences: false)
                    let readings = names.compactMap { LevelReading(rawValue: String($0)) }
                    return readings.count == names.count ? readings : nil
                }
            ) { $0.encoding.readings = $1 },
            .value("bits", "8 or 16", values: .choice(["8", "16"]), read: { ["8": 8, "16": 16][$0] }) {
                $0.encoding.bits = $1
            },
            .value("amplitude-scale", "a factor, or auto", read: { AmplitudeScale($0) }) {
                $0.encoding.amplitudeScale = $1
            },
            .whole("height", 1...32_767, "steps") { $0.encoding.height = $1 },
            .whole("track", 1...100, "the track") { $0.track = $1 },
            .value("raw", "ENCODING:RATE:CHANNELS such as s16le:44100:2", read: { try? RawAudioFormat(parsing: $0) }) {
                $0.raw = $1
            },
            .whole("sample-rate", LevelsOptions.sampleRates, "samples per second") { $0.sampleRate = $1 },
            .flag("loudness") { $0.measuresLoudness = $1 },
        ]
        + [
            .choice("style", LevelsPlot.Style.self) { $0.style = $1 },
            .value("size", "WIDTHxHEIGHT in pixels", read: { PixelSize($0) }) { $0.size = $1 },
            .choice("theme", LevelsPlot.Theme.self) { $0.theme = $1 },
            .color("color") { $0.colors.append($1) },
            .color("background") { $0.background = $1 },
            .choice("layout", LevelsPlot.Layout.self) { $0.layout = $1 },
            .choice("scale", LevelsPlot.Scale.self) { $0.scale = $1 },
            .flag("axes") { $0.showsAxes = $1 },
            .flag("legend") { $0.showsLegend = $1 },
        ].map { (setting: Setting<LevelsPlot>) in
            setting.of(\LevelsRequest.plot, marking: \LevelsRequest.isDrawn)
        }

    /// Throws a `parameter` error for options that exclude each other.
    func options(_ format: LevelsFormat, limits: AudioLimits) throws(MediaError) -> LevelsOptions {
        guard grid.count <= 1 else {
            throw fault("rate, zoom, pixels-per-second and points exclude each other")
        }
        let output: LevelsOutput
        if format.isImage {
            var plot = plot
            plot.meter = encoding.meter
            var rate: Rational?
            switch grid.first {
            case .rate(let asked)?: rate = asked
            case nil: break
            default: throw fault("an image has its own readings; a strip takes a rate")
            }
            let isPlain = encoding == LevelsEncoding(meter: encoding.meter)
            guard isPlain else { throw fault("\(format.rawValue) takes no options of numbers") }
            output = .plot(plot, format == .png ? .png : .svg, rate: rate, channels: channels)
        } else {
            guard !isDrawn else { throw fault("options of drawings need the format png or svg") }
            var encoding = encoding
            (encoding.format, encoding.grid, encoding.channels) = (format, grid.first, channels)
            try encoding.check()
            output = .data(encoding)
        }
        return LevelsOptions(
            [output], track: track, raw: raw, sampleRate: sampleRate, measuresLoudness: measuresLoudness,
            limits: limits)
    }

    private var fault: ErrorSite { ErrorSite(.parameter, step: .options) }
}
