internal import WayreelCore

enum TimelineOrigin: Equatable {
    /// A time of the container's clock: silence precedes audio that starts later; audio before it is dropped.
    case at(Timestamp)
    /// The first presented sample.
    case firstSample
}

/// Places decoded packets on a timeline and returns them as blocks without gaps or overlaps.
///
/// After the first packet, positions are counted in samples. Timestamps matter only if they leave a gap, which is
/// filled with silence, or jump back, which is ignored. Rounded timestamps therefore cause no shift, and ten hours stay
/// exact.
struct AudioTimeline {
    /// Timestamp errors up to this many seconds are not treated as gaps.
    static let tolerance = 0.05

    /// Samples per channel placed so far, without padding.
    private(set) var sampleCount = 0
    private(set) var lostPackets = 0
    private(set) var decodedPackets = 0
    private(set) var gaps = 0
    /// Samples per channel of silence in place of lost packets and gaps.
    private(set) var filled = 0
    /// Samples per channel that were decoded and not presented so far.
    private(set) var trimmed = 0

    private let origin: TimelineOrigin
    private let timeBase: Rational
    private let sampleRate: Int
    private let limit: Int
    /// The last sample that a timestamp can plausibly refer to.
    private let lastPlausible: Int?
    /// The largest gap in samples. A larger one is treated as a restart of the clock.
    private let maxGap: Int
    private var blocks: BlockQueue

    /// Max number of lost packets that are collected before silence is emitted for them.
    private static let maxLost = 1024
    /// Max seconds of silence for a lost packet.
    private static let maxLostSeconds = 60

    /// The time of the next sample on the container's clock, in samples from ``zero``; nil before the first.
    private var cursor: Int?
    private var zero: Timestamp
    /// Samples by which timestamps are late since they jumped back.
    private var shift = 0
    /// Samples of the next packets that are not presented.
    private var skip = 0
    /// Samples before the origin that remain to be dropped.
    private var drop = 0
    /// Lost packets since the last decoded one. They become silence when audio follows.
    private var lost: [AudioPacket] = []
    /// Trailing samples so far that are encoder padding.
    private var padding: [SampleRun] = []
    /// The number of padding samples. At most a second is kept, since a file may declare all of its samples as padding.
    private var paddingCount: Int { padding.reduce(0) { $0 + $1.count } }
    /// Whether these samples are padding only at the end of the track.
    private var isPaddingProvisional = false
    private let trimsLastPacket: Bool
    /// What is declared about the samples beside the packets.
    private var gapless: GaplessInfo?
    /// Whether the delay that FFmpeg asks to skip is not applied, because an edit list declares another one.
    private let ignoresDelay: Bool
    /// Whether the clock starts again with the next samples.
    private var restartsClock = false
    /// Whether several links of chained Ogg were placed.
    private(set) var hasLinks = false
    /// Whether the first packet, which decodes to nothing, has the timestamp of the second packet's samples: FFmpeg and
    /// mkvmerge write Vorbis into Matroska this way.
    private let startsWithPrimer: Bool
    private var primerTime: Int64?
    private var lastCount = 0

    init(
        _ track: AudioTrackReader, _ format: SampleBuffer.Format, limits: AudioLimits, task: TaskContext
    ) {
        origin = track.origin
        trimsLastPacket = track.trimsLastPacket
        (gapless, ignoresDelay) = (track.gapless, track.ignoresDelay)
        // The samples after a delay that is skipped are at their times.
        if let delay = track.gapless?.delay { shift = delay }
        startsWithPrimer = track.startsWithPrimer
        timeBase = track.timeBase
        sampleRate = format.sampleRate
        limit = limits.sampleCount(at: sampleRate)
        lastPlausible = track.seconds.map { ($0 * 1.01 + 30) * Double(format.sampleRate) }.flatMap {
            Int(exactly: $0.rounded())
        }
        maxGap = track.maxTimestampGap.map { Int($0 * Double(format.sampleRate)) } ?? .max
        if case .at(let time) = origin { zero = time } else { zero = .zero }
        blocks = BlockQueue(format, task: task)
    }

    /// Returns the next block; nil if more packets must be placed first. Valid until the next call.
    mutating func next() throws(MediaError) -> AudioBlock? { try blocks.next() }

    /// Places the presented samples of a packet. `runs` are its samples in the track's format.
    mutating func place(_ decoded: DecodedPacket, runs: [SampleRun]) throws(MediaError) {
        if decoded.packet.startsLink { (restartsClock, hasLinks) = (true, true) }
        guard !decoded.isLost || !runs.isEmpty else {
            lostPackets += 1
            lost.append(decoded.packet)
            if lost.count >= Self.maxLost { try fillLost() }
            return
        }
        guard !runs.isEmpty else {
            if startsWithPrimer, primerTime == nil { primerTime = decoded.packet.time }
            return
        }
        decodedPackets += 1
        try fillLost()
        let packet = decoded.packet
        // A decoder that starts within the track also requests to skip its first samples.
        if packet.skip > 0 || packet.number == 0, decoded.skip > 0 { skip = decoded.skip }
        if packet.number == 0 { skip = delay(requested: skip) }
        if packet.startsLink, decoded.skip == 0 { skip = packet.skip }
        let count = runs.reduce(0) { $0 + $1.count }
        lastCount = count
        guard let presented = try begin(packet, count) else { return }
        let declared = trimsLastPacket ? samples(of: packet) : 0
        let isShort = declared > 0 && declared < presented.upperBound && packet.padding == 0
        let end = isShort ? max(declared, presented.lowerBound) : presented.upperBound
        if isShort { isPaddingProvisional = true }
        try append(runs, presented.lowerBound..<end)
    }

    /// Returns the samples to skip at the beginning; FFmpeg asks for `requested`.
    private mutating func delay(requested: Int) -> Int {
        guard !ignoresDelay else { return 0 }
        guard let own = gapless, own.isOwn else { return requested }
        guard requested == 0 else {
            gapless = nil
            shift = 0
            return requested
        }
        return own.delay
    }

    /// Places the samples in `presented`, and keeps the following ones as padding.
    private mutating func append(_ runs: [SampleRun], _ presented: Range<Int>) throws(MediaError) {
        var start = 0
        for run in runs {
            let end = start + run.count
            let own = presented.clamped(to: start..<end)
            if !own.isEmpty { try append(run.slice(own.lowerBound - start..<own.upperBound - start)) }
            let rest = max(presented.upperBound, start)..<max(presented.upperBound, end)
            trimmed += rest.count
            // The samples are copied because the decoder reuses its buffer before it is known whether the track ends
            // here.
            if !rest.isEmpty, paddingCount < sampleRate {
                padding.append(try run.slice(rest.lowerBound - start..<rest.upperBound - start).copy())
            }
            start = end
        }
    }

    /// Places or drops the padding so far, because audio follows.
    private mutating func resolvePadding() throws(MediaError) {
        let runs = padding
        padding.removeAll()
        guard isPaddingProvisional else { return }
        isPaddingProvisional = false
        for run in runs {
            trimmed -= run.count
            try append(run)
        }
    }

    /// Converts a time of the container to samples on the timeline.
    private func samples(at time: Int64) -> Int? {
        Timestamp(time, in: timeBase).samples(since: zero, at: sampleRate)
    }

    /// Returns the declared duration of a packet, in samples.
    private func samples(of packet: AudioPacket) -> Int {
        Timestamp(packet.duration, in: timeBase).samples(since: .zero, at: sampleRate) ?? 0
    }

    /// Places samples that follow the preceding packet's samples.
    mutating func extend(_ run: SampleRun) throws(MediaError) {
        guard run.count > 0, cursor != nil else { return }
        try append(run)
    }

    /// Places the rest at the end of the track.
    mutating func finish() throws(MediaError) {
        // Without a container, undecodable bytes at the end are not necessarily audio.
        if origin != .firstSample { try fillLost() }
        var position = sampleCount
        for run in padding {
            blocks.append(run, start: position, isPadding: true)
            position += run.count
        }
    }

    /// Places silence for the packets that were lost before the next one.
    private mutating func fillLost() throws(MediaError) {
        guard !lost.isEmpty else { return }
        let packets = lost
        lost.removeAll()
        if cursor == nil, origin == .firstSample { return }
        for packet in packets {
            let declared = min(samples(of: packet), Self.maxLostSeconds * sampleRate)
            if packet.skip > 0 { skip = packet.skip }
            let count = declared > 0 ? declared : lastCount
            guard let presented = try begin(packet, count) else { continue }
            cursor = cursor.map { $0 + presented.count }
            filled += presented.count
            try fill(presented.count)
        }
    }

    /// Moves to the time of a packet with `count` samples. Returns the range of presented samples, or nil if there are
    /// none.
    private mutating func begin(_ packet: AudioPacket, _ count: Int) throws(MediaError) -> Range<Int>? {
        guard !packet.isDiscarded, count > skip else {
            skip = max(0, skip - count)
            trimmed += count
            return nil
        }
        let first = skip
        trimmed += first
        skip = 0
        // A tag that was copied from another file.
        if let whole = gapless?.wholeCount, sampleCount + trimmed > whole + 2 * count { gapless?.forgetLength() }
        let left = (gapless?.sampleCount).map { max(0, $0 - (cursor ?? 0)) } ?? count
        if left < count, gapless?.wholeCount != nil { isPaddingProvisional = true }
        let presented = first..<min(max(first, count - packet.padding), first + left)
        guard !presented.isEmpty else { return presented }
        try resolvePadding()
        let time = packet.time.flatMap { samples(at: $0) }
        if cursor == nil, let primer = primerTime.flatMap({ samples(at: $0) }), let time { shift = time - primer }
        try go(to: time.map { $0 + first })
        return presented
    }

    private mutating func go(to time: Int?) throws(MediaError) {
        guard let cursor else { return try start(at: (time ?? shift) - shift) }
        guard let time else { return }
        if restartsClock { (restartsClock, shift) = (false, time - cursor) }
        let gap = time - shift - cursor
        let tolerated = Int(Self.tolerance * Double(sampleRate))
        if gap < -tolerated {
            shift += gap
        } else if gap > tolerated {
            let isBeyond = lastPlausible.map { time - shift > $0 && sampleCount < $0 } ?? false
            if isBeyond || gap > maxGap {
                // Beyond the declared length, or after a restart of the clock, the timestamp is ignored.
                shift += gap
                return
            }
            gaps += 1
            filled += gap
            self.cursor = cursor + gap
            try fill(gap)
        }
    }

    private mutating func start(at time: Int) throws(MediaError) {
        cursor = time
        // The resolution of the time base, for example one millisecond.
        let tick = Int((timeBase.value * Double(sampleRate)).rounded(.up))
        guard origin != .firstSample, abs(time) > min(tick, sampleRate / 100) else {
            if origin == .firstSample { (shift, cursor) = (shift + time, 0) }
            return
        }
        if time > 0 {
            try fill(time)
        } else {
            drop = -time
        }
    }

    private mutating func append(_ run: SampleRun) throws(MediaError) {
        cursor = cursor.map { $0 + run.count }
        let dropped = min(drop, run.count)
        trimmed += dropped
        drop -= dropped
        let rest = run.slice(dropped..<run.count)
        guard rest.count > 0 else { return }
        try checkLength(rest.count)
        blocks.append(rest, start: sampleCount)
        sampleCount += rest.count
    }

    /// Places silence.
    private mutating func fill(_ count: Int) throws(MediaError) {
        let dropped = min(drop, count)
        drop -= dropped
        let left = count - dropped
        try checkLength(left)
        guard left > 0 else { return }
        blocks.appendSilence(left, start: sampleCount)
        sampleCount += left
    }

    private func checkLength(_ count: Int) throws(MediaError) {
        guard count <= limit - sampleCount else {
            throw AudioLimits.tooLong(limit, at: sampleRate)
        }
    }
}

extension AudioLimits {
    func sampleCount(at rate: Int) -> Int { Int(exactly: (audioSeconds * Double(rate)).rounded()) ?? .max }

    static func tooLong(_ samples: Int, at rate: Int) -> MediaError {
        MediaError(
            .limit, code: .tooLong, step: .decode,
            reason: "is longer than the limit of \((Double(samples) / Double(rate)).shortDescription) s of audio",
            advice: "raise it with \(.maxAudioSeconds)")
    }
}
