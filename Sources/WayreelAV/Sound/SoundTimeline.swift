internal import WayreelCore

/// Which instant of a container is the beginning of the sound's timeline.
enum TimelineOrigin: Equatable {
    /// So many seconds of the container's clock: what starts later is preceded by silence, what is before is dropped.
    case at(Fraction)
    /// The first sample that is to be heard.
    case firstSample
}

/// Puts decoded packets into their places in time and hands them out as blocks without gaps or overlaps.
///
/// Once begun, samples are counted: timestamps only matter where they leave a gap, which is filled with silence, or jump
/// back, which is ignored. So the rounding of timestamps never moves anything, and ten hours stay exact.
struct SoundTimeline {
    /// Seconds that timestamps may be off before there is a gap.
    static let tolerance = 0.05

    typealias Body = (AudioBlock) throws(MediaError) -> Void

    /// Samples per channel handed out, without padding.
    private(set) var sampleCount = 0
    private(set) var lostPackets = 0
    private(set) var decodedPackets = 0
    private(set) var gaps = 0
    /// Samples of silence in the place of what is missing.
    private(set) var filled = 0

    private let origin: TimelineOrigin
    private let timeBase: Fraction
    private let sampleRate: Int
    private let channelCount: Int
    private let type: AudioBlock.SampleType
    private let limit: Int
    /// The last sample that can be meant by a timestamp.
    private let lastPlausible: Int?
    /// Samples beyond which a gap is a jump of the clock.
    private let mostGap: Int
    private let watch: TaskWatch
    private let silence: UnsafeMutableRawBufferPointer

    /// Where the next sample to be heard is on the container's clock, in samples from ``zero``; nil before the first.
    private var cursor: Int?
    private var zero: Fraction
    /// What timestamps are behind because they jumped back.
    private var shift = 0
    /// Samples that are still to be skipped.
    private var skip = 0
    /// Samples before the beginning of the timeline that are still to be dropped.
    private var drop = 0
    /// Lost packets whose silence is due when sound follows.
    private var owed: [EncodedPacket] = []
    /// Samples at the end of what has come so far that an encoder has added.
    private var padding: [SampleRun] = []
    /// Beyond a second no more is kept: a file may call all that it holds padding.
    private var paddingCount: Int { padding.reduce(0) { $0 + $1.count } }
    /// Whether that is only padding if nothing follows.
    private var paddingMayBeSound = false
    private let tellsEnd: Bool
    /// Whether the first packet, which gives no samples, has the time of those of the second: FFmpeg and mkvmerge write
    /// Vorbis into Matroska so.
    private let beginsWithPrimer: Bool
    private var primerTime: Int64?
    private var lastCount = 0

    init(
        _ demuxer: Demuxer, _ format: SampleStore.Format, limits: AudioLimits, watch: TaskWatch
    ) {
        origin = demuxer.timeBegins
        tellsEnd = demuxer.tellsEnd
        beginsWithPrimer = demuxer.beginsWithPrimer
        timeBase = demuxer.timeBase
        sampleRate = format.sampleRate
        channelCount = format.channelCount
        type = format.type
        limit = limits.sampleCount(at: sampleRate)
        lastPlausible = demuxer.seconds.map { ($0 * 1.01 + 30) * Double(format.sampleRate) }.flatMap {
            Int(exactly: $0.rounded())
        }
        mostGap = demuxer.mostGap.map { Int($0 * Double(format.sampleRate)) } ?? .max
        self.watch = watch
        if case .at(let time) = origin { zero = time } else { zero = .zero }
        silence = .allocate(byteCount: 4096 * channelCount * type.byteCount, alignment: 64)
        silence.initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// To be called once after the last use.
    func deallocate() { silence.deallocate() }

    /// Hands out what is to be heard of a packet. `runs` are its samples in the format of the sound.
    mutating func place(_ decoded: DecodedPacket, runs: [SampleRun], _ body: Body) throws(MediaError) {
        guard !decoded.isLost || !runs.isEmpty else {
            lostPackets += 1
            owed.append(decoded.packet)
            if owed.count >= 1024 { try payOwed(body) }
            return
        }
        guard !runs.isEmpty else {
            if beginsWithPrimer, primerTime == nil { primerTime = decoded.packet.time }
            return
        }
        decodedPackets += 1
        try payOwed(body)
        // Of a fresh decoder only the beginning of the track is to be skipped.
        let packet = decoded.packet
        if packet.skip > 0 || packet.number == 0, decoded.skip > 0 { skip = decoded.skip }
        let count = runs.reduce(0) { $0 + $1.count }
        lastCount = count
        guard let heard = try begin(packet, count, body) else { return }
        let told = tellsEnd ? samples(of: packet) : 0
        let isShort = told > 0 && told < heard.upperBound && packet.padding == 0
        let end = isShort ? max(told, heard.lowerBound) : heard.upperBound
        if isShort { paddingMayBeSound = true }
        try emit(runs, heard.lowerBound..<end, body)
    }

    /// Hands out the samples in `heard`; those behind may be padding.
    private mutating func emit(_ runs: [SampleRun], _ heard: Range<Int>, _ body: Body) throws(MediaError) {
        var start = 0
        for run in runs {
            let end = start + run.count
            let own = heard.clamped(to: start..<end)
            if !own.isEmpty { try emit(run.slice(own.lowerBound - start..<own.upperBound - start), body) }
            let rest = max(heard.upperBound, start)..<max(heard.upperBound, end)
            // What the decoder has written to is used again before it is known whether this is the end.
            if !rest.isEmpty, paddingCount < sampleRate {
                padding.append(try run.slice(rest.lowerBound - start..<rest.upperBound - start).copy())
            }
            start = end
        }
    }

    /// Decides, since sound follows, what the padding so far was.
    private mutating func settlePadding(_ body: Body) throws(MediaError) {
        let runs = padding
        padding.removeAll()
        guard paddingMayBeSound else { return }
        paddingMayBeSound = false
        for run in runs { try emit(run, body) }
    }

    /// Where a time of the container is on the timeline, in samples.
    private func samples(at time: Int64) -> Int? {
        Fraction(time, times: timeBase).distance(from: zero, times: sampleRate)
    }

    /// The duration that the container gives a packet, in samples.
    private func samples(of packet: EncodedPacket) -> Int {
        Fraction(packet.duration, times: timeBase).distance(from: .zero, times: sampleRate) ?? 0
    }

    /// Hands out samples that follow the last packet's.
    mutating func extend(_ run: SampleRun, _ body: Body) throws(MediaError) {
        guard run.count > 0, cursor != nil else { return }
        try emit(run, body)
    }

    /// Hands out what is left at the end of the track.
    mutating func finish(_ body: Body) throws(MediaError) {
        // What does not decode at the end of a sound without a container need not be sound.
        if origin != .firstSample { try payOwed(body) }
        var position = sampleCount
        for run in padding {
            try body(run.block(start: position, isPadding: true))
            position += run.count
        }
    }

    /// Silence for the packets that were lost before the one that follows.
    private mutating func payOwed(_ body: Body) throws(MediaError) {
        guard !owed.isEmpty else { return }
        let packets = owed
        owed.removeAll()
        if cursor == nil, origin == .firstSample { return }
        for packet in packets {
            let count = min(samples(of: packet), 60 * sampleRate)
            if packet.skip > 0 { skip = packet.skip }
            let whole = count > 0 ? count : lastCount
            guard let heard = try begin(packet, whole, body) else { continue }
            cursor = cursor.map { $0 + heard.count }
            filled += heard.count
            try fill(heard.count, body)
        }
    }

    /// Goes to the time of a packet with `count` samples, and tells which of them are to be heard.
    private mutating func begin(_ packet: EncodedPacket, _ count: Int, _ body: Body) throws(MediaError) -> Range<Int>? {
        guard !packet.isDiscarded, count > skip else {
            skip = max(0, skip - count)
            return nil
        }
        let first = skip
        skip = 0
        let heard = first..<max(first, count - packet.padding)
        guard !heard.isEmpty else { return heard }
        try settlePadding(body)
        let time = packet.time.flatMap { samples(at: $0) }
        if cursor == nil, let primer = primerTime.flatMap({ samples(at: $0) }), let time { shift = time - primer }
        try go(to: time.map { $0 + first }, body)
        return heard
    }

    private mutating func go(to time: Int?, _ body: Body) throws(MediaError) {
        guard let cursor else { return try start(at: (time ?? shift) - shift, body) }
        guard let time else { return }
        let gap = time - shift - cursor
        let tolerated = Int(Self.tolerance * Double(sampleRate))
        if gap < -tolerated {
            shift += gap
        } else if gap > tolerated {
            let isBeyond = lastPlausible.map { time - shift > $0 && sampleCount < $0 } ?? false
            if isBeyond || gap > mostGap {
                // Beyond what the container says is its length, or a clock that starts anew: not followed.
                shift += gap
                return
            }
            gaps += 1
            filled += gap
            self.cursor = cursor + gap
            try fill(gap, body)
        }
    }

    private mutating func start(at time: Int, _ body: Body) throws(MediaError) {
        cursor = time
        // A time base of milliseconds cannot tell the time of a sample better.
        let tick = Int((timeBase.value * Double(sampleRate)).rounded(.up))
        guard origin != .firstSample, abs(time) > min(tick, sampleRate / 100) else {
            if origin == .firstSample { (shift, cursor) = (shift + time, 0) }
            return
        }
        if time > 0 {
            try fill(time, body)
        } else {
            drop = -time
        }
    }

    private mutating func emit(_ run: SampleRun, _ body: Body) throws(MediaError) {
        cursor = cursor.map { $0 + run.count }
        let dropped = min(drop, run.count)
        drop -= dropped
        let rest = run.slice(dropped..<run.count)
        guard rest.count > 0 else { return }
        try checkLength(rest.count)
        try body(rest.block(start: sampleCount))
        sampleCount += rest.count
    }

    /// Hands out silence.
    private mutating func fill(_ count: Int, _ body: Body) throws(MediaError) {
        let dropped = min(drop, count)
        drop -= dropped
        var left = count - dropped
        try checkLength(left)
        while left > 0 {
            try watch.check()
            let part = min(left, 4096)
            try body(
                AudioBlock(
                    type, count: part, channelCount: channelCount,
                    planes: [UnsafeRawPointer(silence.baseAddress!)], start: sampleCount))
            sampleCount += part
            left -= part
        }
    }

    private func checkLength(_ count: Int) throws(MediaError) {
        guard count <= limit - sampleCount else {
            throw AudioLimits.tooLong(limit, at: sampleRate)
        }
    }
}

extension AudioLimits {
    /// Samples per channel that a sound may have.
    func sampleCount(at rate: Int) -> Int { Int(exactly: (audioSeconds * Double(rate)).rounded()) ?? .max }

    static func tooLong(_ samples: Int, at rate: Int) -> MediaError {
        MediaError(
            .limit, step: "decode",
            reason: "is longer than the limit of \((Double(samples) / Double(rate)).shortDescription) s of sound",
            advice: "raise it with --max-hours")
    }
}
