internal import WayreelAV
package import WayreelCore

/// Processes the samples of a ``LevelMeter``: splits them at the edges of all active grids, measures each piece once,
/// and emits the levels.
final class LevelEngine: Sendable {
    /// A waiting audio callback raises the priority of the lock's holder.
    private let state: Monitor<State>

    private struct State {
        let sampleRate: Int
        let mixer: ChannelMixer
        let meter: ChannelMeter
        /// Levels since the last poll of the meter.
        let unread: ReadingQueue
        /// The levels of the current piece, per channel.
        var piece: [ChannelReading]
        var taps: [Tap] = []
        /// Number of samples added.
        var position = 0
        var isFinished = false

        mutating func read(_ block: AudioBlock) {
            var begin = 0
            while begin < block.count {
                let end = taps.reduce(block.count) { min($0, begin + $1.edge - position) }
                meter.add(block, begin..<end)
                piece.withUnsafeMutableBufferPointer { meter.endBucket(into: $0) }
                unread.push(ReadingQueue.Entry(index: 0, start: position, count: end - begin), piece)
                position += end - begin
                begin = end
                for index in taps.indices { taps[index].add(piece, upTo: position) }
            }
        }
    }

    init(_ mixer: sending ChannelMixer, sampleRate: Int, ballistics: MeterBallistics, unread: ReadingQueue) {
        let count = mixer.channels.count
        let meter = ChannelMeter(channelCount: count, sampleRate: sampleRate, ballistics: ballistics)
        state = Monitor(
            State(
                sampleRate: sampleRate, mixer: mixer, meter: meter, unread: unread,
                piece: Array(repeating: ChannelReading(), count: count)),
            inheritsPriority: true)
    }

    /// Adds a grid whose buckets go to `queue`, starting with the first bucket that begins from now on.
    func listen(_ queue: ReadingQueue, rate: Rational) {
        state.withLock { state in
            guard !state.isFinished else { return queue.close() }
            state.taps.append(
                Tap(
                    queue, rate: rate, sampleRate: state.sampleRate, position: state.position,
                    channelCount: state.piece.count))
        }
    }

    /// Throws a `parameter` error after ``finish()``.
    func add(_ block: AudioBlock) throws(MediaError) {
        try state.withLock { (state) throws(MediaError) in
            guard !state.isFinished else {
                throw MediaError(
                    .parameter, step: .meter, reason: "the meter is finished", advice: "create a new meter")
            }
            state.taps.removeAll { $0.queue.isFinished }
            try state.mixer.forEachPart(of: block) { part in state.read(part) }
        }
    }

    /// Emits the last, partial bucket of each grid and ends the readings.
    func finish() {
        state.withLock { state in
            state.isFinished = true
            for tap in state.taps {
                tap.finish(at: state.position)
                tap.queue.close()
            }
            state.taps = []
        }
    }

    deinit { state.withLock { state in for tap in state.taps { tap.queue.close() } } }
}

/// A grid of readings and its current bucket.
private struct Tap {
    let queue: ReadingQueue
    /// First sample after the bucket.
    private(set) var edge: Int
    private let grid: LevelGrid
    private let sampleRate: Int
    private var bucket: Int
    private var start: Int
    /// Whether the bucket started before the tap and is therefore not emitted.
    private var isHalf: Bool
    private var readings: [ChannelReading]

    init(_ queue: ReadingQueue, rate: Rational, sampleRate: Int, position: Int, channelCount: Int) {
        self.queue = queue
        self.sampleRate = sampleRate
        grid = .rate(rate)
        // The last bucket that starts at or before `position`; the product of two terms below 2⁶³ needs double width.
        (bucket, _) = (sampleRate * rate.denominator).dividingFullWidth(
            position.multipliedFullWidth(by: rate.numerator))
        start = grid.edge(bucket, sampleRate: sampleRate, sampleCount: 0)
        edge = grid.edge(bucket + 1, sampleRate: sampleRate, sampleCount: 0)
        isHalf = start < position
        readings = Array(repeating: ChannelReading(), count: channelCount)
    }

    /// Adds the levels of a piece that ends at `position`, at most the bucket's edge.
    mutating func add(_ piece: [ChannelReading], upTo position: Int) {
        for channel in readings.indices {
            // An empty reading's minimum of 0 must not be merged.
            if readings[channel].sampleCount == 0 {
                readings[channel] = piece[channel]
            } else {
                readings[channel].join(piece[channel])
            }
        }
        guard position == edge else { return }
        if !isHalf { queue.push(ReadingQueue.Entry(index: bucket, start: start, count: edge - start), readings) }
        isHalf = false
        bucket += 1
        start = edge
        edge = grid.edge(bucket + 1, sampleRate: sampleRate, sampleCount: 0)
        for channel in readings.indices { readings[channel] = ChannelReading() }
    }

    /// Emits the partial bucket.
    func finish(at position: Int) {
        guard position > start, !isHalf else { return }
        queue.push(
            ReadingQueue.Entry(index: bucket, start: start, count: position - start, isPartial: true), readings)
    }
}

/// Live audio input whose levels are written as lines of JSON.
package struct LiveAudio: Sendable {
    /// A path, or `-` for standard input.
    package var path: String
    package var rate: Rational
    package var channels: ChannelSelection
    package var ballistics: MeterBallistics?
    package var track: Int?
    package var raw: RawAudioFormat?
    package var limits: AudioLimits

    package init(
        path: String, rate: Rational, channels: ChannelSelection, ballistics: MeterBallistics?, track: Int?,
        raw: RawAudioFormat?, limits: AudioLimits
    ) {
        self.path = path
        self.rate = rate
        self.channels = channels
        self.ballistics = ballistics
        self.track = track
        self.raw = raw
        self.limits = limits
    }

    /// Meters the audio on the calling thread and writes each reading to `sink` as soon as its last sample is decoded;
    /// calls `flush` after each group of readings.
    ///
    /// Throws the errors of ``AudioReader``, ``LevelMeter``, `sink` and `flush`.
    package func writeLines(
        as encoding: LevelsEncoding, to sink: some ByteSink, task: TaskContext, flush: () throws(MediaError) -> Void
    ) throws(MediaError) {
        try encoding.check()
        var lines: LiveLines?
        try measure(task) { (meter, sampleRate) throws(MediaError) in
            let made = LiveLines(encoding, channels: meter.channels, sink: sink)
            try made.writeHeader(sampleRate: sampleRate, rate: rate)
            try flush()
            lines = made
        } drain: { (readings) throws(MediaError) in
            if try lines?.writeAll(readings) == true { try flush() }
        }
    }

    /// Meters the audio on the calling thread: `begin` gets the channels, and `body` each reading as soon as its last sample
    /// is decoded.
    ///
    /// Throws the errors of ``AudioReader``, ``LevelMeter``, `begin` and `body`.
    package func read(
        task: TaskContext, begin: ([AudioChannel]) throws(MediaError) -> Void,
        _ body: (LiveReading) throws(MediaError) -> Void
    ) throws(MediaError) {
        try measure(task) { (meter, _) throws(MediaError) in
            try begin(meter.channels)
        } drain: { (readings) throws(MediaError) in
            while let reading = readings.poll() { try body(reading) }
        }
    }

    private func measure(
        _ task: TaskContext, begin: (LevelMeter, _ sampleRate: Int) throws(MediaError) -> Void,
        drain: (LiveReadings) throws(MediaError) -> Void
    ) throws(MediaError) {
        let reader = try AudioReader(
            MediaInput(path, raw: raw), tracks: track.map { [$0] } ?? [], limits: limits, workers: 1, task: task)
        let meter = try LevelMeter(
            format: reader.info.format, channels: channels, ballistics: ballistics ?? .peak)
        let readings = try meter.readings(rate: rate)
        try begin(meter, reader.info.format.sampleRate)
        // Smaller than the duration of kept readings: a block of a file may last half a minute.
        let maxCount = min(reader.info.format.sampleRate, 4096)
        while let block = try reader.next() {
            guard !block.isPadding else { continue }
            for start in stride(from: 0, to: block.count, by: maxCount) {
                try meter.add(block.slice(start..<min(start + maxCount, block.count)))
                try drain(readings)
            }
        }
        meter.finish()
        try drain(readings)
    }
}
