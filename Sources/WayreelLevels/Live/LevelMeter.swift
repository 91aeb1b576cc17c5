internal import Synchronization
public import WayreelCore

/// Meters live audio: samples are added on any thread and levels are read on any other.
///
///     let meter = try LevelMeter(format: format, ballistics: .apple)
///     let readings = try meter.readings(rate: 60)       // in a task: for await reading in readings { … }
///     try meter.add(samples)                            // from an audio callback
///     let level = meter.read()                          // from a display's refresh, at any rate
///
/// No peak is lost between readings, and memory is bounded. A thread that adds samples waits for other writers, and for
/// a reader only while one reading is copied. A meter is for one audio stream; meters are independent.
public final class LevelMeter: Sendable {
    /// Max number of readings kept for a reader.
    private static let maxReadings = 16_384

    /// Format of the added samples.
    public let format: AudioFormat
    /// The measured channels.
    public let channels: [AudioChannel]
    private let engine: LevelEngine
    /// Levels since the last ``read()``.
    private let unread: ReadingQueue
    private let reads = Atomic<Int>(0)

    /// Throws a `parameter` error for a format with no channels or more than 64, or a sample rate below 1 Hz or above
    /// 10 MHz.
    public init(
        format: AudioFormat, channels: ChannelSelection = .all, ballistics: MeterBallistics = .peak
    ) throws(MediaError) {
        guard (1...10_000_000).contains(format.sampleRate), (1...64).contains(format.channels.count) else {
            throw MediaError(
                .parameter, step: .meter,
                reason: "audio with \(format.channels.count) channels at \(format.sampleRate) Hz",
                advice: "use 1 to 64 channels and a sample rate from 1 Hz to 10 MHz")
        }
        self.format = format
        let mixer = ChannelMixer(channels, of: format.channels)
        self.channels = mixer.channels
        let unread = ReadingQueue(capacity: 2, channelCount: mixer.channels.count, sampleRate: format.sampleRate)
        self.unread = unread
        engine = LevelEngine(mixer, sampleRate: format.sampleRate, ballistics: ballistics, unread: unread)
    }

    // MARK: Input

    /// Adds interleaved samples; NaN and infinity count as 0.
    ///
    /// Throws a `parameter` error for an incomplete frame, or after ``finish()``.
    public func add(_ samples: Span<Float>) throws { try add(.float32, samples) }

    /// Adds interleaved samples with a full scale of 32 768; see ``add(_:)-(Span<Float>)``.
    public func add(_ samples: Span<Int16>) throws { try add(.int16, samples) }

    /// Adds interleaved samples.
    public func add(_ samples: [Float]) throws { try add(samples.span) }

    /// Adds interleaved samples with a full scale of 32 768.
    public func add(_ samples: [Int16]) throws { try add(samples.span) }

    /// Adds planar samples: one array per channel, all of the same length.
    public func add(planes: [[Float]]) throws { try add(.float32, planes) }

    /// Adds planar samples with a full scale of 32 768.
    public func add(planes: [[Int16]]) throws { try add(.int16, planes) }

    /// Adds a block with the meter's channels; padding is ignored.
    package func add(_ block: AudioBlock) throws(MediaError) {
        if block.isPadding { return }
        guard block.channelCount == format.channels.count else { throw misfit("\(block.channelCount) channels") }
        try withFinite(block) { (block) throws(MediaError) in try engine.add(block) }
    }

    /// Ends the audio: emits the last bucket of each grid and ends the readings.
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

    private func add<Sample>(_ type: AudioBlock.SampleType, _ planes: [[Sample]]) throws {
        let count = planes.first?.count ?? 0
        guard planes.count == format.channels.count, planes.allSatisfy({ $0.count == count }) else {
            throw misfit("\(planes.count) planes of \(planes.map { String($0.count) }.joined(separator: ", ")) samples")
        }
        if count == 0 { return }
        try withAddresses(of: planes[...], after: []) { addresses in
            try add(AudioBlock(type, count: count, channelCount: planes.count, planes: addresses, start: 0))
        }
    }

    /// Passes the addresses of all planes, each of which is fixed by a call of its own.
    private func withAddresses<Sample>(
        of planes: ArraySlice<[Sample]>, after first: [UnsafeRawPointer], _ body: ([UnsafeRawPointer]) throws -> Void
    ) throws {
        guard let plane = planes.first else { return try body(first) }
        try plane.withUnsafeBytes { bytes in
            try withAddresses(
                of: planes.dropFirst(), after: first + [bytes.baseAddress].compactMap(\.self), body)
        }
    }

    private func misfit(_ samples: String) -> MediaError {
        MediaError(
            .parameter, step: .meter, reason: "\(samples) do not make up \(format.channels.count) channels",
            advice: "add as many samples of each channel")
    }

    // MARK: Output

    /// Returns the levels since the last call, from all threads; nil if there were no samples.
    public func read() -> LiveReading? {
        guard var reading = unread.popAll() else { return nil }
        reading.index = reads.wrappingAdd(1, ordering: .relaxed).oldValue
        reading.merged = 0
        return reading
    }

    /// Returns readings of buckets at `rate` per second: bucket i starts with the first sample at or after i / rate
    /// seconds. The first reading covers the first bucket that starts after this call.
    ///
    /// `secondsKept` is the audio duration for which unread readings are kept, at least 2 and at most 16 384 readings.
    /// Throws a `parameter` error for a rate above the sample rate, or with a term above 10⁹.
    public func readings(rate: Rational, secondsKept: Double = 10) throws(MediaError) -> LiveReadings {
        let maxTerm = 1_000_000_000
        guard max(rate.numerator, rate.denominator) <= maxTerm, rate.value <= Double(format.sampleRate) else {
            throw MediaError(
                .parameter, step: .meter,
                reason: "\(rate) readings per second at a sample rate of \(format.sampleRate) Hz",
                advice: "use a lower rate, with terms of at most 10⁹")
        }
        let kept = (rate.value * secondsKept).rounded(.up)
        let queue = ReadingQueue(
            capacity: kept < Double(Self.maxReadings) ? Int(max(2, kept)) : Self.maxReadings,
            channelCount: channels.count, sampleRate: format.sampleRate)
        engine.listen(queue, rate: rate)
        return LiveReadings(queue)
    }
}

/// Passes the block to `body`, or a copy in which NaN and infinity are replaced by 0.
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
        for (frame, value) in plane.enumerated() { copy[index * count + frame] = value.isFinite ? value : 0 }
    }
    try body(
        AudioBlock(
            .float32, count: block.count, channelCount: block.channelCount,
            planes: planes.indices.map { UnsafeRawPointer(copy.baseAddress! + $0 * count) }, start: block.start))
}

private func hasUnfinite(_ samples: UnsafeBufferPointer<Float>) -> Bool {
    let exponent = Float.infinity.bitPattern
    // The loop has no early exit, so that it vectorises.
    var found: UInt32 = 0
    for sample in samples { found |= sample.bitPattern & exponent == exponent ? 1 : 0 }
    return found != 0
}
