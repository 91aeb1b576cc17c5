internal import WayreelCore

/// A form that levels are written in.
public enum LevelsFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// Wayreel's own: one object, channels apart.
    case json
    /// A line of JSON a bucket, after one of what holds for all.
    case ndjson
    case csv
    /// audiowaveform's binary format, which peaks.js and waveform-data.js read.
    case dat
    /// audiowaveform's JSON.
    case audiowaveform
    /// The `peaks` and `duration` of wavesurfer.js.
    case wavesurfer
    case soundcloud
    case png
    case svg

    /// What is known of a format.
    private struct Traits {
        var fileExtensions: [String]
        var summary: String
        var settings: Set<LevelsEncoding.Setting>
        var grid: LevelGrid
        var channels = ChannelSelection.stereo
    }

    private static let table: [LevelsFormat: Traits] = [
        .json: Traits(
            fileExtensions: ["json"], summary: "Wayreel's JSON: channels apart, units named", settings: ownSettings,
            grid: ownGrid),
        .ndjson: Traits(
            fileExtensions: ["ndjson", "jsonl"], summary: "a line of JSON a bucket", settings: ownSettings,
            grid: ownGrid),
        .csv: Traits(
            fileExtensions: ["csv"], summary: "a row a bucket, a column a channel and reading", settings: ownSettings,
            grid: ownGrid),
        .dat: Traits(
            fileExtensions: ["dat"], summary: "audiowaveform's binary format, for peaks.js", settings: sampleSettings,
            grid: .samples(256), channels: .mono),
        .audiowaveform: Traits(
            fileExtensions: ["json"], summary: "audiowaveform's JSON, for peaks.js", settings: sampleSettings,
            grid: .samples(256), channels: .mono),
        .wavesurfer: Traits(
            fileExtensions: ["json"], summary: "peaks and duration, for wavesurfer.js", settings: [.decimals, .clamp],
            grid: .points(800)),
        .soundcloud: Traits(
            fileExtensions: ["json"], summary: "width, height and samples, as SoundCloud has them",
            settings: [.height], grid: .points(1800), channels: .mono),
        .png: Traits(
            fileExtensions: ["png"], summary: "a picture of pixels", settings: [.meter], grid: .points(1200)),
        .svg: Traits(
            fileExtensions: ["svg"], summary: "a picture of lines and shapes", settings: [.meter],
            grid: .points(1200)),
    ]
    private static let ownSettings: Set<LevelsEncoding.Setting> = [.unit, .decimals, .clamp, .readings, .meter]
    private static let sampleSettings: Set<LevelsEncoding.Setting> = [.bits, .amplitudeScale]
    private static let ownGrid = LevelGrid.rate(30)

    private var traits: Traits { Self.table[self]! }

    /// The endings of a file's name that go with the format; the first is the one that outputs get.
    public var fileExtensions: [String] { traits.fileExtensions }
    /// What the format is, in a few words.
    public var summary: String { traits.summary }
    /// The settings of ``LevelsEncoding`` that it has.
    public var settings: Set<LevelsEncoding.Setting> { traits.settings }
    /// The buckets that an output gets where none are asked for.
    public var defaultGrid: LevelGrid { traits.grid }
    /// The channels that an output gets where none are asked for.
    public var defaultChannels: ChannelSelection { traits.channels }
    public var isPicture: Bool { self == .png || self == .svg }
    /// Whether it holds samples of 8 or 16 bits, computed as audiowaveform computes them.
    var isAudiowaveform: Bool { self == .dat || self == .audiowaveform }

    /// The format that a file's name stands for by its ending, regardless of case; `.json` is Wayreel's own.
    public init?(fileName: String) {
        let name = fileName.lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains { name.hasSuffix("." + $0) } })
        else { return nil }
        self = format
    }

    /// The format called `name`, for an output of that file name: `audiowaveform` is its binary format, which has no text
    /// to read, unless the output's name ends in `.json`.
    public init?(named name: String, fileName: String) {
        guard let format = Self(rawValue: name.lowercased()) else { return nil }
        let isBinary = format == .audiowaveform && !fileName.lowercased().hasSuffix(".json")
        self = isBinary ? .dat : format
    }
}
