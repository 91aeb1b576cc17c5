internal import WayreelCore

/// Processes the samples of a ``LevelMeter``: splits them at the edges of all active grids, measures each piece once,
/// and emits the levels.
final class LevelEngine: @unchecked Sendable {
    private let sampleRate: Int
    /// Levels since the last poll of the meter.
    private let unread: ReadingQueue
    /// Guards the state; a waiting audio callback raises the priority of its holder.
    private let lock = Monitor((), inheritsPriority: true)

    // Guarded by `lock`.
    private let mixer: ChannelMixer
    private let meter: ChannelMeter
    private var taps: [Tap] = []
    /// Number of samples added.
    private var position = 0
    private var isFinished = false
    /// The levels of the current piece, per channel.
    private var piece: [ChannelReading]

    init(_ mixer: ChannelMixer, sampleRate: Int, ballistics: MeterBallistics, unread: ReadingQueue) {
        self.sampleRate = sampleRate
        self.unread = unread
        self.mixer = mixer
        meter = ChannelMeter(channelCount: mixer.channels.count, sampleRate: sampleRate, ballistics: ballistics)
        piece = Array(repeating: ChannelReading(), count: mixer.channels.count)
    }

    /// Adds a grid whose buckets go to `queue`, starting with the first bucket that begins from now on.
    func listen(_ queue: ReadingQueue, rate: Rational) {
        lock.withLock { _ in
            guard !isFinished else { return queue.close() }
            taps.append(Tap(queue, rate: rate, sampleRate: sampleRate, position: position, channelCount: piece.count))
        }
    }

    /// Throws a `parameter` error after ``finish()``.
    func add(_ block: AudioBlock) throws(MediaError) {
        try lock.withLock { (_) throws(MediaError) in
            guard !isFinished else {
                throw MediaError(
                    .parameter, step: "meter", reason: "the meter is finished", advice: "create a new meter")
            }
            taps.removeAll { $0.queue.isFinished }
            try mixer.forEachPart(of: block) { part in read(part) }
        }
    }

    private func read(_ block: AudioBlock) {
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

    /// Emits the last, partial bucket of each grid and ends the readings.
    func finish() {
        lock.withLock { _ in
            isFinished = true
            for tap in taps {
                tap.finish(at: position)
                tap.queue.close()
            }
            taps = []
        }
    }

    deinit { for tap in taps { tap.queue.close() } }
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
