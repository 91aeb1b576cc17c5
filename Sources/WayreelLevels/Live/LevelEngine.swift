internal import WayreelCore

/// What a ``LevelMeter`` does under its lock: cuts the samples at the edges of every grid that is listened to, reads each
/// piece once, and hands the levels on.
struct LevelEngine {
    private let sampleRate: Int
    /// Everything that came since the meter was last polled.
    private let unread: ReadingQueue
    private var channels: [LiveChannel]
    private var taps: [Tap] = []
    /// Samples that have been added.
    private var position = 0
    private(set) var isFinished = false
    /// The levels of the piece in hand.
    private var spans: [ChannelSpan]

    init(format: AudioFormat, ballistics: MeterBallistics, unread: ReadingQueue) {
        sampleRate = format.sampleRate
        self.unread = unread
        channels = format.channels.map { _ in LiveChannel(sampleRate: format.sampleRate, ballistics: ballistics) }
        spans = Array(repeating: ChannelSpan(), count: format.channels.count)
    }

    /// Hands the buckets of a grid to `queue`, from the first that begins with a sample yet to come.
    mutating func listen(_ queue: ReadingQueue, rate: Rational) {
        guard !isFinished else { return queue.close() }
        taps.append(Tap(queue, rate: rate, sampleRate: sampleRate, position: position, channelCount: channels.count))
    }

    mutating func add(_ block: AudioBlock) {
        taps.removeAll { $0.queue.isFinished }
        var begin = 0
        while begin < block.count {
            let end = taps.reduce(block.count) { min($0, begin + $1.edge - position) }
            let piece = block.slice(begin..<end)
            for channel in channels.indices { spans[channel] = channels[channel].read(piece, channel: channel) }
            unread.push(ReadingQueue.Entry(index: 0, start: position, count: piece.count), spans)
            position += piece.count
            begin = end
            for index in taps.indices { taps[index].add(spans, upTo: position) }
        }
    }

    /// Hands on what the last bucket of each grid holds, and ends the readings.
    mutating func finish() {
        isFinished = true
        for tap in taps { tap.finish(at: position) }
        close()
    }

    mutating func close() {
        for tap in taps { tap.queue.close() }
        taps = []
    }
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
    private var spans: [ChannelSpan]

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
        spans = Array(repeating: ChannelSpan(), count: channelCount)
    }

    /// Adds the levels of a piece that ends at `position`, which is not beyond the bucket's edge.
    mutating func add(_ piece: [ChannelSpan], upTo position: Int) {
        for channel in spans.indices { spans[channel].merge(piece[channel]) }
        guard position == edge else { return }
        if !isHalf { queue.push(ReadingQueue.Entry(index: bucket, start: start, count: edge - start), spans) }
        isHalf = false
        bucket += 1
        start = edge
        edge = grid.edge(bucket + 1, sampleRate: sampleRate, sampleCount: 0)
        for channel in spans.indices { spans[channel] = ChannelSpan() }
    }

    /// Hands on what there is of the bucket.
    func finish(at position: Int) {
        guard position > start, !isHalf else { return }
        queue.push(
            ReadingQueue.Entry(index: bucket, start: start, count: position - start, isPartial: true), spans)
    }
}
