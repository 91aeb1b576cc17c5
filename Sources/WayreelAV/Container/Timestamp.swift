internal import WayreelCore

/// An exact time in seconds, of either sign: a count of units of a time base, and sums of these.
struct Timestamp: Comparable {
    /// Not in lowest terms.
    private let numerator: Int128
    /// Positive.
    private let denominator: Int128

    static let zero = Timestamp(numerator: 0, denominator: 1)

    private init(numerator: Int128, denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Creates a time of `count` units of `timeBase` seconds.
    init(_ count: Int64, in timeBase: Rational) {
        self.init(numerator: Int128(count) * Int128(timeBase.numerator), denominator: Int128(timeBase.denominator))
    }

    var seconds: Double { Double(numerator) / Double(denominator) }

    static func < (a: Timestamp, b: Timestamp) -> Bool { a.numerator * b.denominator < b.numerator * a.denominator }

    static func == (a: Timestamp, b: Timestamp) -> Bool { a.numerator * b.denominator == b.numerator * a.denominator }

    static func + (a: Timestamp, b: Timestamp) -> Timestamp {
        Timestamp(
            numerator: a.numerator * b.denominator + b.numerator * a.denominator,
            denominator: a.denominator * b.denominator)
    }

    /// Returns (self − origin) · sampleRate, rounded to the nearest integer, halves up. nil beyond ±2⁶⁰, so that
    /// differences of several results do not overflow.
    func samples(since origin: Timestamp, at sampleRate: Int) -> Int? {
        let (scale, isOver) = denominator.multipliedReportingOverflow(by: origin.denominator)
        let (a, isOverA) = numerator.multipliedReportingOverflow(by: origin.denominator)
        let (b, isOverB) = origin.numerator.multipliedReportingOverflow(by: denominator)
        let (difference, isOverC) = a.subtractingReportingOverflow(b)
        let (product, isOverD) = difference.multipliedReportingOverflow(by: 2 * Int128(sampleRate))
        let (sum, isOverE) = product.addingReportingOverflow(scale)
        guard !isOver, !isOverA, !isOverB, !isOverC, !isOverD, !isOverE, scale <= Int128.max / 2 else { return nil }
        let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: 2 * scale)
        return Int(exactly: quotient - (remainder < 0 ? 1 : 0)).flatMap { $0.magnitude < 1 << 60 ? $0 : nil }
    }
}

/// Repairs the timestamps of a video packet that fit neither the preceding nor the next packet of its stream, which fit
/// each other.
struct TimestampOutliers {
    /// The greatest distance of packets that fit each other, in seconds.
    private static let maxDistance = 1.0
    /// Max number of packets that are read ahead for the next one of a stream.
    private static let maxAhead = 256

    /// Packets that were read ahead.
    private var ahead: [Packet] = []
    /// The DTS of the last packet of each stream.
    private var last: [Int: Int64] = [:]

    /// Returns the next packet from `read`; nil at the end. `unit` returns the seconds in a unit of timestamps, or nil
    /// for a stream that is not repaired.
    mutating func next(
        from read: () throws(MediaError) -> Packet?, unit: (Int) -> Double?
    ) throws(MediaError) -> Packet? {
        guard let packet = try ahead.isEmpty ? read() : ahead.removeFirst() else { return nil }
        guard let unit = unit(packet.stream), let time = packet.decodingTime else { return packet }
        defer { last[packet.stream] = packet.decodingTime }
        let isFar = { (a: Int64, b: Int64) in abs(Double(a) - Double(b)) * unit > Self.maxDistance }
        guard let previous = last[packet.stream], isFar(time, previous) else { return packet }
        guard let following = try peek(packet.stream, from: read)?.decodingTime, following > previous,
            !isFar(following, previous), isFar(time, following)
        else { return packet }
        let expected = previous + (following - previous) / 2
        packet.decodingTime = expected
        packet.presentationTime = packet.presentationTime.map { $0 &- time &+ expected }
        return packet
    }

    /// Returns the next packet of a stream, which ``next(from:unit:)`` still returns.
    private mutating func peek(
        _ stream: Int, from read: () throws(MediaError) -> Packet?
    ) throws(MediaError) -> Packet? {
        if let known = ahead.first(where: { $0.stream == stream }) { return known }
        while ahead.count < Self.maxAhead, let packet = try read() {
            ahead.append(packet)
            if packet.stream == stream { return packet }
        }
        return nil
    }
}

/// Rounds the timestamps of a stream with a constant frame rate to that rate, if the container has rounded them to its
/// own units.
struct TimestampRepair {
    /// Seconds in a unit of the grid's timestamps. A frame lasts an integer number of units.
    let timeBase: Rational
    private let containerUnit: Double
    private let frameLength: Int64
    private let offset: Int64

    /// The grid keeps the first frame's timestamp to a tenth of a millisecond.
    private static let minUnitsPerSecond = 10_000

    /// `rate` is in frames per second, `offset` is the PTS of any frame in seconds, and `unit` is the container's time
    /// base. Returns nil if a frame lasts an integer number of container units.
    init?(rate: Rational, offset: Double, unit: Rational) {
        let (ours, isOurs) = rate.denominator.multipliedReportingOverflow(by: unit.denominator)
        let (theirs, areTheirs) = rate.numerator.multipliedReportingOverflow(by: unit.numerator)
        // Rates above a million would exceed the limit below.
        guard !isOurs, !areTheirs, !ours.isMultiple(of: theirs), rate.numerator <= 1_000_000 else { return nil }
        let times = max(1, (Self.minUnitsPerSecond + rate.numerator - 1) / rate.numerator)
        let perSecond = rate.numerator * times
        let (length, isLong) = rate.denominator.multipliedReportingOverflow(by: times)
        guard !isLong, perSecond <= 1_000_000, let timeBase = Rational(1, perSecond),
            let offset = Int64(exactly: (offset * Double(perSecond)).rounded())
        else { return nil }
        self.timeBase = timeBase
        frameLength = Int64(length)
        self.offset = offset
        containerUnit = unit.value
    }

    /// Converts the timestamps of a packet from the container's units to units of the grid.
    func align(_ packet: Packet) {
        packet.presentationTime = packet.presentationTime.flatMap(aligned)
        packet.decodingTime = packet.decodingTime.flatMap(aligned)
        let frames = max(1, frameCount(in: Double(packet.duration) * containerUnit) ?? 1)
        packet.duration = packet.duration > 0 ? frames * frameLength : 0
    }

    private func aligned(_ time: Int64) -> Int64? {
        frameCount(in: Double(time) * containerUnit - Double(offset) * timeBase.value)
            .flatMap { frames in
                let (length, overflow) = frames.multipliedReportingOverflow(by: frameLength)
                let (time, sumOverflow) = length.addingReportingOverflow(offset)
                return overflow || sumOverflow ? nil : time
            }
    }

    /// Returns the nearest number of frames; nil beyond any plausible duration.
    private func frameCount(in seconds: Double) -> Int64? {
        let count = (seconds / (Double(frameLength) * timeBase.value)).rounded()
        return count.magnitude < 1e12 ? Int64(count) : nil
    }
}

/// Corrects the times of frames whose packets are all numbered in decoding order although frames are displayed in
/// another order: AVI, raw MPEG video, and copies of these in other containers.
///
/// A decoder with a delay of one frame returns the first frame with the second packet. The packets' timestamps are
/// right, but apply to the frames in display order: each frame has the time of the packet before the one that it was
/// returned with. The same holds for frames that are displayed in decoding order.
struct DecodeOrderTimes {
    /// Codecs whose decoders have a constant delay.
    private static let codecs: Set<String> = ["mpeg1video", "mpeg2video", "mpeg4"]

    private let hasConstantDelay: Bool
    /// Whether a packet was shown before the one preceding it, so that frames have times of their own.
    private var hasDisplayTimes = false
    /// The last packets: DTS, which may have been guessed by the demuxer, and timestamp in increasing order.
    private var packets: [(decodingTime: Int64, time: Int64)] = []
    private static let maxPackets = 64

    init(codec: String) { hasConstantDelay = Self.codecs.contains(codec) }

    /// Observes a packet that is sent to the decoder.
    mutating func send(_ packet: Packet) {
        guard hasConstantDelay, !hasDisplayTimes else { return }
        guard let decodingTime = packet.decodingTime, case let time = packet.presentationTime ?? decodingTime,
            packets.last.map({ time > $0.time }) ?? true
        else {
            hasDisplayTimes = true
            return
        }
        packets.append((decodingTime, time))
        if packets.count > Self.maxPackets { packets.removeFirst() }
    }

    /// Forgets all packets. Call it after a seek.
    mutating func flush() { packets.removeAll() }

    /// Returns the time of a frame from a decoder with a delay of `delay` frames. `arrival` is the DTS of the packet
    /// that the frame was returned with, or nil at the end. Returns nil if the frame's own time is right.
    func time(arrival: Int64?, delay: Int) -> Int64? {
        guard hasConstantDelay, !hasDisplayTimes, delay == 1, let last = packets.last else { return nil }
        guard let arrival else { return last.time }
        guard let index = packets.lastIndex(where: { $0.decodingTime == arrival }), index > 0 else { return nil }
        return packets[index - 1].time
    }
}
