internal import WayreelCore

/// An output format for levels.
public enum LevelsFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// Wayreel's JSON: one object, channels separate.
    case json
    /// One line of JSON per bucket after a header line.
    case ndjson
    case csv
    /// audiowaveform's binary format, read by peaks.js and waveform-data.js.
    case dat
    /// audiowaveform's JSON.
    case audiowaveform
    /// `peaks` and `duration` for wavesurfer.js.
    case wavesurfer
    case soundcloud
    case png
    case svg

    /// Properties of a format.
    private struct Traits {
        var fileExtensions: [String]
        var summary: String
        var settings: Set<LevelsEncoding.Setting>
        var grid: LevelGrid
        var channels = ChannelSelection.stereo
    }

    private static let table: [LevelsFormat: Traits] = [
        .json: Traits(
            fileExtensions: ["json"], summary: "Wayreel's JSON: channels separate, with units", settings: ownSettings,
            grid: ownGrid),
        .ndjson: Traits(
            fileExtensions: ["ndjson", "jsonl"], summary: "one line of JSON per bucket", settings: ownSettings,
            grid: ownGrid),
        .csv: Traits(
            fileExtensions: ["csv"], summary: "one row per bucket, one column per channel and reading",
            settings: ownSettings,
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
            fileExtensions: ["json"], summary: "width, height and samples, in SoundCloud's format",
            settings: [.height], grid: .points(1800), channels: .mono),
        .png: Traits(
            fileExtensions: ["png"], summary: "raster image", settings: [.meter], grid: .points(1200)),
        .svg: Traits(
            fileExtensions: ["svg"], summary: "vector image", settings: [.meter],
            grid: .points(1200)),
    ]
    private static let ownSettings: Set<LevelsEncoding.Setting> = [.unit, .decimals, .clamp, .readings, .meter]
    private static let sampleSettings: Set<LevelsEncoding.Setting> = [.bits, .amplitudeScale]
    private static let ownGrid = LevelGrid.rate(30)

    private var traits: Traits { Self.table[self]! }

    /// File extensions; outputs use the first.
    public var fileExtensions: [String] { traits.fileExtensions }
    /// A short description.
    public var summary: String { traits.summary }
    /// The supported settings of ``LevelsEncoding``.
    public var settings: Set<LevelsEncoding.Setting> { traits.settings }
    /// The default bucket grid.
    public var defaultGrid: LevelGrid { traits.grid }
    /// The default channels.
    public var defaultChannels: ChannelSelection { traits.channels }
    public var isImage: Bool { self == .png || self == .svg }
    /// Whether it contains 8-bit or 16-bit samples computed like audiowaveform's.
    var isAudiowaveform: Bool { self == .dat || self == .audiowaveform }

    /// The format of a file name's extension, ignoring case; `.json` is Wayreel's own.
    public init?(fileName: String) {
        let name = fileName.lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains { name.hasSuffix("." + $0) } })
        else { return nil }
        self = format
    }

    /// Looks up a format by name: `audiowaveform` is its binary format unless `fileName` ends with `.json`.
    public init?(named name: String, fileName: String) {
        guard let format = Self(rawValue: name.lowercased()) else { return nil }
        let isBinary = format == .audiowaveform && !fileName.lowercased().hasSuffix(".json")
        self = isBinary ? .dat : format
    }
}
