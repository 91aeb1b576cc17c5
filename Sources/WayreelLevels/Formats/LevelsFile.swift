public import WayreelCore

/// A levels file that was read: audiowaveform's `.dat` and JSON, and Wayreel's JSON.
public struct LevelsFile: Sendable {
    public let levels: Levels
    /// `dat`, `audiowaveform` or `json`.
    public let format: LevelsFormat
    /// The ballistics of the fields `meter` and `hold`.
    public let meter: MeterBallistics?
    /// The source of the levels, if stored.
    public let source: LevelsSource?
    /// Loudness figures in the file.
    package let loudness: [NamedFigure]
    /// Bits in audiowaveform's formats: 8 or 16.
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

    /// Bytes needed by ``recognizes(_:)``.
    package static let prefixLength = 64

    /// Returns whether a file that starts with `prefix` is a levels file rather than audio: a JSON object or a `.dat`
    /// header.
    package static func recognizes(_ prefix: [UInt8]) -> Bool { isJSON(prefix) || AudiowaveformData.recognizes(prefix) }

    private static func isJSON(_ prefix: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = prefix.starts(with: mark) ? prefix.dropFirst(mark.count) : prefix[...]
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    }

    /// Reads the levels file at `path`, or standard input for `-`.
    ///
    /// Throws a `decoding` error if it is damaged, truncated or contains no levels, a `limit` error if it exceeds
    /// `limits` or takes longer, an `unsupported` error for a newer version of a format, an `io` error if it cannot be
    /// read.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public static func read(path: String, limits: AudioLimits = .standard) throws(MediaError) -> LevelsFile {
        do {
            let task = TaskContext(seconds: limits.seconds)
            return try read(FileSource(path: path, task: task), limits: limits, task: task)
        } catch {
            throw error.naming(path == "-" ? "standard input" : path)
        }
    }

    /// Reads a levels file to its end. Throws the errors of ``read(path:limits:)``.
    package static func read(
        _ source: any ByteSource, limits: AudioLimits = .standard, task: TaskContext = TaskContext()
    ) throws(MediaError) -> LevelsFile {
        let source = CancellableSource(source, task)
        var prefix = [UInt8](repeating: 0, count: prefixLength)
        var count = 0
        while count < prefixLength {
            let got = try prefix.withMutableBytes { (bytes) throws(MediaError) in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
            }
            if got == 0 { break }
            count += got
        }
        prefix.removeLast(prefixLength - count)
        let whole = MemorySource(prefix, then: source)
        if AudiowaveformData.recognizes(prefix) { return try AudiowaveformData.read(whole, limits: limits) }
        guard isJSON(prefix) else {
            throw MediaError(.decoding, step: .read, reason: "it is not a supported levels file")
        }
        return try LevelsJSON(whole).file(limits: limits)
    }

    /// Returns the levels as a complete file in another format or with larger buckets.
    ///
    /// Throws a `parameter` error for settings that require the audio.
    public func encoded(as encoding: LevelsEncoding) throws(MediaError) -> [UInt8] {
        let sink = MemorySink()
        try document(as: encoding).write(to: sink)
        return sink.bytes
    }

    /// Returns the levels prepared for `encoding`, with larger buckets if it requests them.
    ///
    /// Throws a `parameter` error for settings that require the audio: smaller buckets, other channels, another meter.
    package func document(as encoding: LevelsEncoding) throws(MediaError) -> LevelsDocument {
        try encoding.check()
        func missing(_ what: String) -> MediaError {
            MediaError(.parameter, step: .read, reason: "the file has \(what)", advice: "use the audio as input")
        }
        let count = levels.format.channels.count
        switch encoding.channels {
        case .mono where count > 1: throw missing("\(count) channels, whose mean is unknown")
        case .stereo where count > 2: throw missing("\(count) channels, whose downmix is unknown")
        default: break
        }
        if let asked = encoding.meter, asked != meter {
            throw missing(meter.map { "the meter \($0.rawValue), not \(asked.rawValue)" } ?? "no meter readings")
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
