package import WayreelAV
package import WayreelCore

/// Remuxes streams of a file without re-encoding.
///
/// Must be used by one thread at a time.
package final class StreamCopy: @unchecked Sendable {
    private let file: Demuxer
    private let sinks: [Int: any PacketSink]
    private let limits: VideoLimits
    private let task: TaskContext
    /// The offset that is subtracted from the timestamps of each stream, in its units, so that the file's timeline
    /// begins at 0.
    private let offsets: [Int: Int64]
    /// The timestamps at which the presentation of streams ends, on the output's timeline.
    private let ends: [Int: Int64]
    private var lastTimes: [Int: Int64] = [:]
    private var dropped = 0
    private var damaged = 0
    /// The end of the copied packets, in seconds.
    private(set) var end = 0.0

    /// `sinks`: the destination of each stream, by its index in `file`.
    package init(_ file: Demuxer, to sinks: [Int: any PacketSink], limits: VideoLimits, task: TaskContext) {
        self.file = file
        self.sinks = sinks
        self.limits = limits
        self.task = task
        let presented = sinks.keys.compactMap { stream in file.presentedTimes(of: stream).map { (stream, $0) } }
        offsets = sinks.keys.reduce(into: [:]) { offsets, stream in
            offsets[stream] = Int64(exactly: (file.origin / file.timeBase(of: stream).value).rounded()) ?? 0
        }.merging(presented.map { ($0, $1.start) }) { $0 + $1 }
        // The muxer declares what precedes 0, and the end, in an edit list.
        ends = Dictionary(
            uniqueKeysWithValues: presented.compactMap { stream, times in
                times.end.map { (stream, $0 - times.start) }
            })
        file.select(Set(sinks.keys))
    }

    /// Copies to the end; `progress` receives the position in seconds.
    package func run(progress: (Double) -> Void) throws(MediaError) {
        while let packet = try task.span("read", file.next) {
            try task.check()
            guard sinks[packet.stream] != nil else { continue }
            // A decoder would fail on a damaged packet.
            guard !packet.isDamaged else {
                damaged += 1
                continue
            }
            packet.delay(by: 0 &- (offsets[packet.stream] ?? 0))
            try task.span("write") { () throws(MediaError) in
                for packet in timed(packet) { try pass(packet, progress) }
            }
        }
        for (_, packets) in waiting.sorted(by: { $0.key < $1.key }) {
            for packet in packets { try pass(packet, progress) }
        }
        for sink in sinks.values { try sink.finish() }
        if damaged > 0 { task.warn(.read, "damaged packets: \(damaged); they are dropped") }
        if dropped > 0 { task.warn(.read, "packets whose timestamps decrease: \(dropped); they are dropped") }
        DecodingDamage(endedWithErrors: file.endedWithErrors).warn(task)
    }

    /// Packets at the beginning of a stream without DTS, as in Matroska.
    private var waiting: [Int: [Packet]] = [:]
    private static let maxWaiting = 64

    /// Returns the packets that can be written now: their DTS are extrapolated backwards from the first known one.
    private func timed(_ packet: Packet) -> [Packet] {
        let stream = packet.stream
        guard lastTimes[stream] == nil else { return [packet] }
        guard let known = packet.decodingTime else {
            waiting[stream, default: []].append(packet)
            return waiting[stream]?.count ?? 0 < Self.maxWaiting ? [] : waiting.removeValue(forKey: stream) ?? []
        }
        let before = waiting.removeValue(forKey: stream) ?? []
        let step = max(1, packet.duration)
        for (distance, packet) in before.reversed().enumerated() {
            packet.decodingTime = known &- Int64(distance + 1) &* step
        }
        return before + [packet]
    }

    /// Returns the duration of a frame whose packet has none, in its stream's units. Players drop a last frame
    /// without duration.
    private func defaultDuration(of packet: Packet) -> Int64 {
        guard let video = file.info.streams[packet.stream].videoProperties, let shown = packet.presentationTime else {
            return 0
        }
        let unit = file.timeBase(of: packet.stream).value
        let frameSeconds = 1 / (video.frameRate ?? 25).value
        let units = min(file.secondsLeft(after: Double(shown) * unit) ?? frameSeconds, frameSeconds) / unit
        return units < 1e15 ? max(1, Int64(units.rounded())) : 0
    }

    private func pass(_ packet: Packet, _ progress: (Double) -> Void) throws(MediaError) {
        let stream = packet.stream
        // DTS in a container must increase.
        if let time = packet.decodingTime {
            guard time > lastTimes[stream] ?? .min else {
                dropped += 1
                return
            }
            lastTimes[stream] = time
        }
        if packet.duration <= 0 { packet.duration = defaultDuration(of: packet) }
        if let end = ends[stream], let shown = packet.presentationTime {
            guard shown < end else { return }
            packet.duration = min(packet.duration, end - shown)
        }
        if let shown = packet.presentationTime ?? packet.decodingTime {
            end = max(end, Double(shown &+ packet.duration) * file.timeBase(of: stream).value)
            try limits.check(seconds: end)
            progress(end)
        }
        try sinks[stream]?.take(packet)
    }
}

/// Makes the DTS of a stream increase that several encoders have produced in turn. At a variable frame rate, those of an
/// encoder may begin before the last one of the previous encoder.
struct DecodingTimeFilter {
    private var last: Int64?

    /// Changes the DTS of the next packet in decoding order.
    mutating func apply(to packet: Packet) {
        let time = max(packet.decodingTime ?? 0, last.map { $0 + 1 } ?? .min)
        (packet.decodingTime, last) = (time, time)
    }
}
