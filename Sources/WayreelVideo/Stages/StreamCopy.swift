package import WayreelAV
package import WayreelCore

/// Takes streams over from a file bit by bit.
///
/// Belongs to one thread at a time.
package final class StreamCopy: @unchecked Sendable {
    private let file: MediaFile
    private let sinks: [Int: any PacketSink]
    private let limits: VideoLimits
    private let watch: TaskWatch
    /// Of each stream, in its units: what to take off its times so that the file's timeline begins at 0.
    private let offsets: [Int: Int64]
    private var lastTimes: [Int: Int64] = [:]
    private var dropped = 0
    private var damaged = 0
    /// When what was copied ends, in seconds.
    private(set) var end = 0.0

    /// `sinks`: for each stream, by its place in `file`, where it goes.
    package init(_ file: MediaFile, to sinks: [Int: any PacketSink], limits: VideoLimits, watch: TaskWatch) {
        self.file = file
        self.sinks = sinks
        self.limits = limits
        self.watch = watch
        offsets = sinks.keys.reduce(into: [:]) { offsets, stream in
            offsets[stream] = Int64(exactly: (file.origin / file.timeBase(of: stream).value).rounded()) ?? 0
        }
        file.select(Set(sinks.keys))
    }

    /// Copies to the end; `progress` is told how far, in seconds.
    package func run(progress: (Double) -> Void) throws(MediaError) {
        while let packet = try watch.span("read", file.next) {
            try watch.check()
            guard sinks[packet.stream] != nil else { continue }
            // A decoder would stumble over it.
            guard !packet.isDamaged else {
                damaged += 1
                continue
            }
            packet.delay(by: 0 &- (offsets[packet.stream] ?? 0))
            try watch.span("write") { () throws(MediaError) in
                for packet in settled(packet) { try pass(packet, progress) }
            }
        }
        for (_, packets) in waiting.sorted(by: { $0.key < $1.key }) {
            for packet in packets { try pass(packet, progress) }
        }
        for sink in sinks.values { try sink.finish() }
        if damaged > 0 { watch.warn("read", "damaged packets: \(damaged); they are left out") }
        if dropped > 0 { watch.warn("read", "packets whose times go back: \(dropped); they are left out") }
        if file.isCutShort { watch.warn("read", "the file breaks off; what was there is kept") }
    }

    /// Packets of the beginning of a stream whose decoding times Matroska does not tell.
    private var waiting: [Int: [MediaPacket]] = [:]
    private static let mostWaiting = 64

    /// The packets that can go on now that this one has come: reckoned back from the first decoding time that is told.
    private func settled(_ packet: MediaPacket) -> [MediaPacket] {
        let stream = packet.stream
        guard lastTimes[stream] == nil else { return [packet] }
        guard let known = packet.decodingTime else {
            waiting[stream, default: []].append(packet)
            return waiting[stream]?.count ?? 0 < Self.mostWaiting ? [] : waiting.removeValue(forKey: stream) ?? []
        }
        let before = waiting.removeValue(forKey: stream) ?? []
        let step = max(1, packet.duration)
        for (distance, packet) in before.reversed().enumerated() {
            packet.decodingTime = known &- Int64(distance + 1) &* step
        }
        return before + [packet]
    }

    /// How long a picture is shown of which nothing is told, in its stream's units: were it none at all, the last would be left out
    /// by what comes after.
    private func usualLength(of packet: MediaPacket) -> Int64 {
        guard let picture = file.info.streams[packet.stream].picture, let shown = packet.presentationTime else {
            return 0
        }
        let unit = file.timeBase(of: packet.stream).value
        let usual = 1 / (picture.frameRate ?? 25).value
        let units = min(file.secondsLeft(after: Double(shown) * unit) ?? usual, usual) / unit
        return units < 1e15 ? max(1, Int64(units.rounded())) : 0
    }

    private func pass(_ packet: MediaPacket, _ progress: (Double) -> Void) throws(MediaError) {
        let stream = packet.stream
        // The container must not be asked to go back.
        if let time = packet.decodingTime {
            guard time > lastTimes[stream] ?? .min else {
                dropped += 1
                return
            }
            lastTimes[stream] = time
        }
        if packet.duration == 0 { packet.duration = usualLength(of: packet) }
        if let shown = packet.presentationTime ?? packet.decodingTime {
            end = max(end, Double(shown &+ packet.duration) * file.timeBase(of: stream).value)
            try limits.check(seconds: end)
            progress(end)
        }
        try sinks[stream]?.take(packet)
    }
}
