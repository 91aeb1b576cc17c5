internal import WayreelCore

/// What a ``LevelMeter`` does with samples: cuts them at the edges of every grid that is listened to, reads each piece once,
/// and hands the levels on.
final class LevelEngine: @unchecked Sendable {
    private let sampleRate: Int
    /// Everything that came since the meter was last polled.
    private let unread: ReadingQueue
    private let monitor = Monitor()

    // Guarded by `monitor`.
    private let mixer: ChannelMixer
    private let meter: ChannelMeter
    private var taps: [Tap] = []
    /// Samples that have been added.
    private var position = 0
    private var isFinished = false
    /// The levels of the piece in hand, of each channel.
    private var piece: [ChannelReading]

    init(_ mixer: ChannelMixer, sampleRate: Int, ballistics: MeterBallistics, unread: ReadingQueue) {
        self.sampleRate = sampleRate
        self.unread = unread
        self.mixer = mixer
        meter = ChannelMeter(channelCount: mixer.channels.count, sampleRate: sampleRate, ballistics: ballistics)
        piece = Array(repeating: ChannelReading(), count: mixer.channels.count)
    }

    /// Hands the buckets of a grid to `queue`, from the first that begins with a sample yet to come.
    func listen(_ queue: ReadingQueue, rate: Rational) {
        monitor.locked {
            guard !isFinished else { return queue.close() }
            taps.append(Tap(queue, rate: rate, sampleRate: sampleRate, position: position, channelCount: piece.count))
        }
    }

    /// Throws a `parameter` error after the end.
    func add(_ block: AudioBlock) throws(MediaError) {
        try monitor.locked { () throws(MediaError) in
            guard !isFinished else {
                throw MediaError(
                    .parameter, step: "meter", reason: "the meter has been finished", advice: "begin another meter")
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

    /// Hands on what the last bucket of each grid holds, and ends the readings.
    func finish() {
        monitor.locked {
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

/// A grid of readings that somebody listens to, and its bucket in the making.
private struct Tap {
    let queue: ReadingQueue
    /// The first sample after the bucket.
    private(set) var edge: Int
    private let grid: LevelGrid
    private let sampleRate: Int
    private var bucket: Int
    private var start: Int
    /// Whether the bucket began before the tap was there, so that it is not handed on.
    private var isHalf: Bool
    private var readings: [ChannelReading]

    init(_ queue: ReadingQueue, rate: Rational, sampleRate: Int, position: Int, channelCount: Int) {
        self.queue = queue
        self.sampleRate = sampleRate
        grid = .rate(rate)
        // The last bucket that begins at or before `position`: the product of two terms below 2⁶³ has its double width.
        (bucket, _) = (sampleRate * rate.denominator).dividingFullWidth(
            position.multipliedFullWidth(by: rate.numerator))
        start = grid.edge(bucket, sampleRate: sampleRate, sampleCount: 0)
        edge = grid.edge(bucket + 1, sampleRate: sampleRate, sampleCount: 0)
        isHalf = start < position
        readings = Array(repeating: ChannelReading(), count: channelCount)
    }

    /// Adds the levels of a piece that ends at `position`, which is not beyond the bucket's edge.
    mutating func add(_ piece: [ChannelReading], upTo position: Int) {
        for channel in readings.indices {
            // Nothing has a minimum of 0, which is not that of what follows.
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

    /// Hands on what there is of the bucket.
    func finish(at position: Int) {
        guard position > start, !isHalf else { return }
        queue.push(
            ReadingQueue.Entry(index: bucket, start: start, count: position - start, isPartial: true), readings)
    }
}
