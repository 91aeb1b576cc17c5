package import WayreelCore

/// What levels were made from.
public struct LevelsSource: Hashable, Sendable, Codable {
    /// The file's name without its folders; nil for a pipe.
    public var file: String?
    /// `mp3`, `flac`, `pcm_s16le`, …
    public var codec: String?

    public init(file: String? = nil, codec: String? = nil) {
        self.file = file
        self.codec = codec
    }
}

/// A figure of a whole sound, as its loudness is.
package struct NamedFigure: Hashable, Sendable {
    package var name: String
    /// nil where the sound has none: silence has no loudness.
    package var value: Double?

    package init(_ name: String, _ value: Double?) {
        self.name = name
        self.value = value
    }
}

/// Levels and all else that an output tells.
package struct LevelsDocument {
    package var levels: Levels
    package var encoding: LevelsEncoding
    package var source: LevelsSource?
    /// Told in Wayreel's JSON and in the first line of NDJSON, with two decimals.
    package var loudness: [NamedFigure]

    package init(
        _ levels: Levels, as encoding: LevelsEncoding, source: LevelsSource? = nil, loudness: [NamedFigure] = []
    ) {
        self.levels = levels
        self.encoding = encoding
        self.source = source
        self.loudness = loudness
    }

    /// Writes the document in its format, which is not one of a picture.
    ///
    /// Throws a `decoding` error where there is no bucket, a `parameter` error where the levels lack what the encoding tells
    /// or the format cannot hold them, and what `sink` throws.
    package func write(to sink: some ByteSink) throws(MediaError) {
        try encoding.check()
        guard levels.bucketCount > 0 else {
            throw MediaError(.decoding, step: "encode", reason: "it holds no sound")
        }
        let output = BufferedOutput(sink)
        switch encoding.format {
        case .json: try writeJSON(to: output)
        case .ndjson: try writeLines(to: output)
        case .csv: try writeCSV(to: output)
        case .dat: try writeAudiowaveformData(to: output)
        case .audiowaveform: try writeAudiowaveformJSON(to: output)
        case .wavesurfer: try writeWavesurfer(to: output)
        case .soundcloud: try writeSoundCloud(to: output)
        case .png, .svg:
            throw MediaError(
                .parameter, step: "encode", reason: "\(encoding.format.rawValue) is a picture",
                advice: "give it a size and a style")
        }
        try output.flush()
    }

    /// What is told of each bucket: what was asked for or, of what the encoding's default is, what the levels hold.
    var readings: [LevelReading] {
        encoding.readings
            ?? encoding.effectiveReadings.filter { ReadingColumn($0, channel: 0, of: levels) != nil }
    }

    /// The place of a reading in the runs of the levels.
    func column(_ reading: LevelReading, channel: Int) throws(MediaError) -> ReadingColumn {
        guard let column = ReadingColumn(reading, channel: channel, of: levels) else {
            throw MediaError(
                .parameter, step: "encode", reason: "there is no '\(reading.rawValue)' in these levels",
                advice: "start from the sound")
        }
        return column
    }

    /// The first sample of a bucket, which is at most the end of the sound.
    func edge(_ index: Int) -> Int {
        min(
            levels.grid.edge(index, sampleRate: levels.format.sampleRate, sampleCount: levels.sampleCount),
            levels.sampleCount)
    }

    /// The time of a sample, rounded to the nearest millionth of a second.
    func microseconds(_ sample: Int) -> Int {
        let sampleRate = levels.format.sampleRate
        let (seconds, rest) = sample.quotientAndRemainder(dividingBy: sampleRate)
        return seconds * 1_000_000 + (rest * 1_000_000 + sampleRate / 2) / sampleRate
    }
}
