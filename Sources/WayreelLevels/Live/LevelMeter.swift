internal import Synchronization
public import WayreelCore

/// Meters a sound while it happens: samples go in on any thread, levels come out on any other.
///
///     let meter = try LevelMeter(format: format, ballistics: .apple)
///     let readings = try meter.readings(rate: 60)       // in a task: for await reading in readings { … }
///     try meter.add(samples)                            // from an audio callback
///     let level = meter.read()                          // from a display's refresh, at any rate
///
/// No peak is lost between two readings, and memory does not grow. Who adds samples waits for others that do, and for a
/// reader no longer than it takes to copy one reading. A meter is for one sound; any number of them work side by side.
public final class LevelMeter: Sendable {
    /// The most readings that are kept for a reader.
    private static let mostReadings = 16_384

    /// That of the samples which are added.
    public let format: AudioFormat
    /// The channels that are read.
    public let channels: [AudioChannel]
    private let engine: LevelEngine
    /// What came since the last ``read()``.
    private let unread: ReadingQueue
    private let reads = Atomic<Int>(0)

    /// Throws a `parameter` error for a format without channels or with more than 64, or with a sample rate below 1 Hz or
    /// above 10 MHz.
    public init(
        format: AudioFormat, channels: ChannelSelection = .all, ballistics: MeterBallistics = .peak
    ) throws(MediaError) {
        guard (1...10_000_000).contains(format.sampleRate), (1...64).contains(format.channels.count) else {
            throw MediaError(
                .parameter, step: "meter",
                reason: "a sound of \(format.channels.count) channels at \(format.sampleRate) Hz",
                advice: "give 1 to 64 channels and a sample rate from 1 Hz to 10 MHz")
        }
        self.format = format
        let mixer = ChannelMixer(channels, of: format.channels)
        self.channels = mixer.channels
        let unread = ReadingQueue(capacity: 2, channelCount: mixer.channels.count, sampleRate: format.sampleRate)
        self.unread = unread
        engine = LevelEngine(mixer, sampleRate: format.sampleRate, ballistics: ballistics, unread: unread)
    }

    // MARK: Samples in

    /// Adds samples of all channels in turn; one that is no number or infinite counts as 0.
    ///
    /// Throws a `parameter` error where they are not as many of each channel, or the meter has been finished.
    public func add(_ samples: Span<Float>) throws { try add(.float32, samples) }

    /// Adds samples of all channels in turn, as the other `add` does; full scale is 32 768.
    public func add(_ samples: Span<Int16>) throws { try add(.int16, samples) }

    /// Adds samples of all channels in turn, as the other `add` does.
    public func add(_ samples: [Float]) throws { try add(samples.span) }

    /// Adds samples of all channels in turn, as the other `add` does; full scale is 32 768.
    public func add(_ samples: [Int16]) throws { try add(samples.span) }

    /// Adds samples of which those of each channel lie in a buffer of their own, all of one length; otherwise as the other
    /// `add` does.
    public func add(planes: [UnsafeBufferPointer<Float>]) throws { try add(.float32, planes) }

    /// The same for samples whose full scale is 32 768.
    public func add(planes: [UnsafeBufferPointer<Int16>]) throws { try add(.int16, planes) }

    /// Adds a block of the meter's channels; padding is no part of the sound.
    package func add(_ block: AudioBlock) throws(MediaError) {
        if block.isPadding { return }
        guard block.channelCount == format.channels.count else { throw misfit("\(block.channelCount) channels") }
        try withFinite(block) { (block) throws(MediaError) in try engine.add(block) }
    }

    /// The sound is over: hands on what each grid's last bucket holds, and ends the readings.
    public func finish() { engine.finish() }

    private func add<Sample>(_ type: AudioBlock.SampleType, _ samples: Span<Sample>) throws {
        let channelCount = format.channels.count
        guard samples.count.isMultiple(of: channelCount) else { throw misfit("\(samples.count) samples") }
        try samples.withUnsafeBufferPointer { buffer in
            guard let address = buffer.baseAddress else { return }
            try add(
                AudioBlock(
                    type, count: buffer.count / channelCount, channelCount: channelCount, planes: [address], start: 0))
        }
    }

    private func add<Sample>(_ type: AudioBlock.SampleType, _ planes: [UnsafeBufferPointer<Sample>]) throws {
        let count = planes.first?.count ?? 0
        guard planes.count == format.channels.count, planes.allSatisfy({ $0.count == count }) else {
            throw misfit("\(planes.count) planes of \(planes.map { String($0.count) }.joined(separator: ", ")) samples")
        }
        if count == 0 { return }
        try add(
            AudioBlock(
                type, count: count, channelCount: planes.count,
                planes: planes.compactMap { $0.baseAddress.map { UnsafeRawPointer($0) } }, start: 0))
    }

    private func misfit(_ samples: String) -> MediaError {
        MediaError(
            .parameter, step: "meter", reason: "\(samples) do not make up \(format.channels.count) channels",
            advice: "add as many samples of each channel")
    }

    // MARK: Levels out

    /// The levels of everything that was added since the last call, by any thread; nil where nothing was.
    public func read() -> LiveReading? {
        guard var reading = unread.popAll() else { return nil }
        reading.index = reads.wrappingAdd(1, ordering: .relaxed).oldValue
        reading.merged = 0
        return reading
    }

    /// Readings of buckets, `rate` a second: bucket i begins with the first sample at or after i / rate seconds. They begin
    /// with the first bucket that begins after the call.
    ///
    /// `secondsKept` is for how long of the sound readings are kept for a reader that does not come, two readings at least and
    /// 16 384 at most. Throws a `parameter` error for a rate above the sample rate, or with a term above
    /// 10⁹.
    public func readings(rate: Rational, secondsKept: Double = 10) throws(MediaError) -> LiveReadings {
        let mostTerm = 1_000_000_000
        guard max(rate.numerator, rate.denominator) <= mostTerm, rate.value <= Double(format.sampleRate) else {
            throw MediaError(
                .parameter, step: "meter",
                reason: "\(rate) readings a second of a sound of \(format.sampleRate) samples a second",
                advice: "ask for fewer readings, by a rate whose terms are at most 10⁹")
        }
        let kept = (rate.value * secondsKept).rounded(.up)
        let queue = ReadingQueue(
            capacity: kept < Double(Self.mostReadings) ? Int(max(2, kept)) : Self.mostReadings,
            channelCount: channels.count, sampleRate: format.sampleRate)
        engine.listen(queue, rate: rate)
        return LiveReadings(queue)
    }
}

/// Hands `body` the block, or a copy with 0 in the place of floats that are no number or infinite.
private func withFinite(
    _ block: AudioBlock, _ body: (AudioBlock) throws(MediaError) -> Void
) throws(MediaError) {
    let count = block.count * block.stride
    let planes =
        block.type == .float32
        ? block.planes.map { UnsafeBufferPointer(start: $0.assumingMemoryBound(to: Float.self), count: count) } : []
    guard planes.contains(where: hasUnfinite) else { return try body(block) }
    let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: count * planes.count)
    defer { copy.deallocate() }
    for (index, plane) in planes.enumerated() {
        for (place, value) in plane.enumerated() { copy[index * count + place] = value.isFinite ? value : 0 }
    }
    try body(
        AudioBlock(
            .float32, count: block.count, channelCount: block.channelCount,
            planes: planes.indices.map { UnsafeRawPointer(copy.baseAddress! + $0 * count) }, start: block.start))
}

private func hasUnfinite(_ samples: UnsafeBufferPointer<Float>) -> Bool {
    let exponent = Float.infinity.bitPattern
    // Without a way out, so that it is done on vectors.
    var found: UInt32 = 0
    for sample in samples { found |= sample.bitPattern & exponent == exponent ? 1 : 0 }
    return found != 0
}
