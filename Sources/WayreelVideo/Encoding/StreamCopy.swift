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
        while let packet = try file.next() {
            try watch.check()
            let stream = packet.stream
            guard let sink = sinks[stream] else { continue }
            packet.presentationTime = packet.presentationTime.map { $0 &- (offsets[stream] ?? 0) }
            packet.decodingTime = packet.decodingTime.map { $0 &- (offsets[stream] ?? 0) }
            // The container must not be asked to go back. Matroska does not tell when the first are to be decoded.
            if let time = packet.decodingTime {
                guard time > lastTimes[stream] ?? .min else {
                    dropped += 1
                    continue
                }
                lastTimes[stream] = time
            }
            if let shown = packet.presentationTime ?? packet.decodingTime {
                end = max(end, Double(shown &+ packet.duration) * file.timeBase(of: stream).value)
                try limits.check(seconds: end)
                progress(end)
            }
            try sink.take(packet)
        }
        for sink in sinks.values { try sink.finish() }
        if dropped > 0 { watch.warn("read", "packets whose times go back: \(dropped); they are left out") }
        if file.isCutShort { watch.warn("read", "the file breaks off; what was there is kept") }
    }
}
