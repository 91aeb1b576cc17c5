package import WayreelAV
package import WayreelCore

/// Takes streams over from a file bit by bit.
///
/// Belongs to one thread at a time.
package final class StreamCopy: @unchecked Sendable {
    private let file: MediaFile
    private let sinks: [Int: any PacketSink]
    private let watch: TaskWatch
    /// Of each stream, in its units: what to take off its times so that the file's timeline begins at 0.
    private let offsets: [Int: Int64]
    private var lastTimes: [Int: Int64] = [:]
    /// When what was copied ends, in seconds.
    private(set) var end = 0.0

    /// `sinks`: for each stream, by its place in `file`, where it goes.
    package init(_ file: MediaFile, to sinks: [Int: any PacketSink], watch: TaskWatch) {
        self.file = file
        self.sinks = sinks
        self.watch = watch
        offsets = sinks.keys.reduce(into: [:]) { offsets, stream in
            offsets[stream] = Int64((file.origin / file.timeBase(of: stream).value).rounded())
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
            if let time = packet.decodingTime ?? packet.presentationTime {
                // The container must not be asked to go back.
                guard time > lastTimes[stream] ?? .min else { continue }
                lastTimes[stream] = time
                let shown = packet.presentationTime ?? time
                end = max(end, Double(shown &+ packet.duration) * file.timeBase(of: stream).value)
                progress(end)
            }
            try sink.take(packet)
        }
        for sink in sinks.values { try sink.finish() }
    }
}
