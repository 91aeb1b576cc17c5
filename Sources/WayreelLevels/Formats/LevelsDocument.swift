package import WayreelCore

/// The source that levels were measured from.
public struct LevelsSource: Hashable, Sendable, Codable {
    /// File name without folders; nil for a pipe.
    public var file: String?
    /// `mp3`, `flac`, `pcm_s16le`, …
    public var codec: String?

    public init(file: String? = nil, codec: String? = nil) {
        self.file = file
        self.codec = codec
    }
}

/// A named figure of a whole audio file, such as its loudness.
package struct NamedFigure: Hashable, Sendable {
    package var name: String
    /// nil if undefined: silence has no loudness.
    package var value: Double?

    package init(_ name: String, _ value: Double?) {
        self.name = name
        self.value = value
    }
}

/// Levels with all metadata of an output.
package struct LevelsDocument {
    package var levels: Levels
    package var encoding: LevelsEncoding
    package var source: LevelsSource?
    /// Loudness figures, written to Wayreel's JSON and to the first line of NDJSON with two decimals.
    package var loudness: [NamedFigure]

    package init(
        _ levels: Levels, as encoding: LevelsEncoding, source: LevelsSource? = nil, loudness: [NamedFigure] = []
    ) {
        self.levels = levels
        self.encoding = encoding
        self.source = source
        self.loudness = loudness
    }

    /// Writes the document in its data format.
    ///
    /// Throws a `decoding` error without buckets, a `parameter` error if the levels lack a requested reading or the
    /// format cannot represent them, and the errors of `sink`.
    package func write(to sink: some ByteSink) throws(MediaError) {
        try encoding.check()
        guard levels.bucketCount > 0 else {
            throw MediaError(.decoding, step: .encode, reason: "it contains no audio")
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
                .parameter, step: .encode, reason: "\(encoding.format.rawValue) is an image format",
                advice: "give it a size and a style")
        }
        try output.flush()
    }

    /// The requested readings, or those of the encoding's defaults that the levels contain.
    var readings: [LevelReading] {
        encoding.readings
            ?? encoding.effectiveReadings.filter { ReadingColumn($0, channel: 0, of: levels) != nil }
    }

    func column(_ reading: LevelReading, channel: Int) throws(MediaError) -> ReadingColumn {
        guard let column = ReadingColumn(reading, channel: channel, of: levels) else {
            throw MediaError(
                .parameter, step: .encode, reason: "the levels contain no '\(reading.rawValue)'",
                advice: "use the audio as input")
        }
        return column
    }

    /// First sample of a bucket, clamped to the end of the audio.
    func edge(_ index: Int) -> Int {
        min(
            levels.grid.edge(index, sampleRate: levels.format.sampleRate, sampleCount: levels.sampleCount),
            levels.sampleCount)
    }

    /// Returns the time of a sample, rounded to microseconds.
    func microseconds(_ sample: Int) -> Int {
        let sampleRate = levels.format.sampleRate
        let (seconds, rest) = sample.quotientAndRemainder(dividingBy: sampleRate)
        return seconds * 1_000_000 + (rest * 1_000_000 + sampleRate / 2) / sampleRate
    }
}
