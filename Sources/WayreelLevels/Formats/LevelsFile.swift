public import WayreelCore

/// A file of levels, read back: audiowaveform's `.dat` and JSON, and Wayreel's own JSON.
public struct LevelsFile: Sendable {
    public let levels: Levels
    /// `dat`, `audiowaveform` or `json`.
    public let format: LevelsFormat
    /// Whose ballistics the fields `meter` and `hold` have.
    public let meter: MeterBallistics?
    /// What the levels were made from, where the file tells.
    public let source: LevelsSource?
    /// What the file tells of the sound's loudness.
    package let loudness: [NamedFigure]
    /// Of audiowaveform's formats: 8 or 16.
    let bits: Int?

    init(
        _ levels: Levels, format: LevelsFormat, meter: MeterBallistics? = nil, source: LevelsSource? = nil,
        loudness: [NamedFigure] = [], bits: Int? = nil
    ) {
        self.levels = levels
        self.format = format
        self.meter = meter
        self.source = source
        self.loudness = loudness
        self.bits = bits
    }
}

extension LevelsFile {
    /// Bytes that ``recognizes(_:)`` looks at.
    package static let prefixLength = 64

    /// Whether a file that begins with `prefix` is for ``read(_:limits:)`` and not for a decoder of sounds: a JSON object, or
    /// what can be nothing but the header of a `.dat`.
    package static func recognizes(_ prefix: [UInt8]) -> Bool { isJSON(prefix) || AudiowaveformData.recognizes(prefix) }

    private static func isJSON(_ prefix: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = prefix.starts(with: mark) ? prefix.dropFirst(mark.count) : prefix[...]
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    }

    /// Reads the file of levels at `path`, or from standard input for `-`.
    ///
    /// Throws a `decoding` error where it is damaged, ends too early or holds no levels, a `limit` error where its sound is
    /// longer or has more channels than `limits` allow or reading takes longer, an `unsupported` error for a later version of
    /// a format, an `io` error where there is no such file or it cannot be read.
    public static func read(path: String, limits: AudioLimits = .standard) throws(MediaError) -> LevelsFile {
        do {
            return try read(FileSource(path: path), limits: limits, watch: TaskWatch(seconds: limits.seconds))
        } catch {
            throw error.naming(path == "-" ? "standard input" : path)
        }
    }

    /// Reads a file of levels to its end. Throws as ``read(path:limits:)`` does.
    package static func read(
        _ source: any ByteSource, limits: AudioLimits = .standard, watch: TaskWatch = TaskWatch()
    ) throws(MediaError) -> LevelsFile {
        var prefix = [UInt8](repeating: 0, count: prefixLength)
        var count = 0
        while count < prefixLength {
            let got = try fill(&prefix, from: count, source)
            if got == 0 { break }
            count += got
        }
        prefix.removeLast(prefixLength - count)
        let whole = MemorySource(prefix, then: WatchedSource(source, watch))
        if AudiowaveformData.recognizes(prefix) { return try AudiowaveformData.read(whole, limits: limits) }
        guard isJSON(prefix) else {
            throw MediaError(.decoding, step: "read", reason: "it is no file of levels that Wayreel reads")
        }
        return try LevelsJSON(whole).file(limits: limits)
    }

    private static func fill(
        _ bytes: inout [UInt8], from start: Int, _ source: any ByteSource
    ) throws(MediaError) -> Int {
        var failure: MediaError?
        let count = bytes.withUnsafeMutableBytes { buffer in
            do throws(MediaError) {
                return try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return count
    }
}

extension LevelsFile {
    /// The whole file that the levels are in another format or with coarser buckets, in memory.
    ///
    /// Throws a `parameter` error where that would take the sound itself.
    public func encoded(as encoding: LevelsEncoding) throws(MediaError) -> [UInt8] {
        let sink = MemorySink()
        try document(as: encoding).write(to: sink)
        return sink.bytes
    }

    /// The levels as `encoding` asks for them, to be written by ``LevelsDocument`` or drawn: with coarser buckets where it
    /// names some, as the file has them where it does not.
    ///
    /// Throws a `parameter` error where that would take the sound itself: finer buckets, other channels, another meter.
    package func document(as encoding: LevelsEncoding) throws(MediaError) -> LevelsDocument {
        try encoding.check()
        func missing(_ what: String) -> MediaError {
            MediaError(.parameter, step: "read", reason: "the file has \(what)", advice: "start from the sound")
        }
        let count = levels.format.channels.count
        switch encoding.channels {
        case .mono where count > 1: throw missing("\(count) channels, of which no mean can be made")
        case .stereo where count > 2: throw missing("\(count) channels, of which no downmix can be made")
        default: break
        }
        if let asked = encoding.meter, asked != meter {
            throw missing(meter.map { "the meter \($0.rawValue), not \(asked.rawValue)" } ?? "no readings of a meter")
        }
        var encoding = encoding
        if encoding.meter == nil, encoding.format.settings.contains(.readings) { encoding.meter = meter }
        if encoding.format.settings.contains(.bits), encoding.bits == nil { encoding.bits = bits }
        var document = LevelsDocument(levels, as: encoding, source: source, loudness: loudness)
        if let asked = encoding.grid {
            let grid = try encoding.resolve(asked, sampleRate: levels.format.sampleRate)
            document.levels = try levels.zoomed(to: grid)
        } else if case .points(let points) = encoding.format.defaultGrid, points < levels.bucketCount {
            document.levels = try levels.zoomed(to: .points(points))
        }
        return document
    }
}
