internal import WayreelCore

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
