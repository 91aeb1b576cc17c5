import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelStreams

/// The clock that the sources of a recording share.
@Suite struct SourceClockTests {
    private static func times(
        _ clock: inout SourceClock, _ times: [Int64], arrival: Int64, _ notation: SensorTime.Notation = .seconds
    ) throws -> [Int64] {
        var samples = PendingSamples()
        samples.add(0, times: times.span, values: Array(repeating: 0, count: times.count).span)
        try clock.set(&samples, notation, arrival: SensorTime(microseconds: arrival))
        var found: [Int64] = []
        samples.take { (_, times, _) in for index in times.indices { found.append(times[index]) } }
        return found
    }

    @Test func alignedTimesKeepTheirDistances() throws {
        var clock = SourceClock(.aligned)
        #expect(try Self.times(&clock, [5_000_000, 5_250_000], arrival: 100) == [100, 250_100])
        // Later pieces arrive late, and are where they were measured.
        #expect(try Self.times(&clock, [6_000_000], arrival: 9_000_000) == [1_000_100])
        // Half a second back is out of order; more is a recorder that began anew.
        #expect(try Self.times(&clock, [5_500_000], arrival: 9_000_000) == [500_100])
        #expect(try Self.times(&clock, [0, 1000], arrival: 20_000_000) == [20_000_000, 20_001_000])
        clock.restart()
        #expect(try Self.times(&clock, [9_000_000], arrival: 30_000_000) == [30_000_000])
    }

    @Test func otherClocks() throws {
        var arrival = SourceClock(.arrival)
        #expect(try Self.times(&arrival, [1, 2, 3], arrival: 77) == [77, 77, 77])
        var own = SourceClock(.own)
        #expect(try Self.times(&own, [1, 2, 3], arrival: 77, .date) == [1, 2, 3])
        #expect(throws: MediaError.self) { try Self.times(&own, [1], arrival: 77, .seconds) }
    }
}

/// A recording that is played to viewers.
@Suite struct RecordingPlaybackTests {
    private final class Viewer {
        let stream: LiveStream
        let id: Int
        var viewer = SignalViewer()
        var texts: [String] = []
        var samples = 0

        init(_ stream: LiveStream) {
            self.stream = stream
            id = stream.join {}
        }

        /// Takes what comes until `condition` is true, at most for ten seconds.
        func take(until condition: (Viewer) -> Bool) throws {
            let end = Clock.wall + 10
            while !condition(self), Clock.wall < end {
                for message in viewer.messages(stream.take(id), sent: 0) {
                    switch message {
                    case .text(let text): texts.append(text)
                    case .binary(let bytes):
                        try bytes.withBytes { (bytes) throws(MediaError) -> Void in
                            try SignalBatch.read(bytes) { (_, times, _) throws(MediaError) in samples += times.count }
                        }
                        let number = bytes[4...7].enumerated().reduce(UInt32(0)) { $0 | UInt32($1.1) << (8 * $1.0) }
                        stream.acknowledge(number, from: id)
                    }
                }
                usleep(1000)
            }
            #expect(condition(self))
        }
    }

    @Test func itIsPlayedAndPausedAndPlayedAgain() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.csv"
            let rows = (0..<20_000).map { "\(Double($0) / 100),a,\($0 % 7)" }
            try OutputFile.write(Array((["time,stream,b"] + rows + [""]).joined(separator: "\n").utf8), to: path)
            var head = SignalHead()
            head.isLive = false
            let stream = LiveStream(head, later: { _, _ in })
            let cancellation = Cancellation()
            let playback = RecordingPlayback(speed: .max, stream: stream, cancellation: cancellation, onDamage: nil)
            stream.use(playback)
            let viewer = Viewer(stream)
            let thread = try WorkThread("test") { try? playback.run(path) }
            defer {
                cancellation.cancel()
                thread.join()
            }
            // All of it is shown: it waits for the viewer.
            try viewer.take { $0.texts.contains(#"{"type":"end"}"#) }
            #expect(viewer.samples == 20_000 && !viewer.texts.contains { $0.contains("missed") })
            try playback.measure(path)
            try viewer.take { $0.texts.last?.contains(#""duration":199.99,"#) == true }
            // From 190 s on there are a thousand.
            viewer.samples = 0
            viewer.texts = []
            playback.play(from: 190, speed: nil)
            try viewer.take { $0.texts.contains(#"{"type":"end"}"#) }
            #expect(viewer.samples == 1000)
            let state = viewer.texts.first { $0.contains(#""type":"state""#) }
            #expect(state == #"{"type":"state","playing":true,"speed":"max","position":190.0}"#)
            // Paused, nothing comes; at its own speed, not all at once.
            viewer.samples = 0
            playback.pause()
            playback.play(from: 0, speed: .times(1))
            try viewer.take { $0.samples > 0 }
            playback.pause()
            try viewer.take { $0.texts.last?.contains(#""playing":false"#) == true }
            let before = viewer.samples
            let end = Clock.wall + 0.1
            try viewer.take { _ in Clock.wall > end }
            #expect(viewer.samples == before && before < 1000)
        }
    }

    @Test func aDamagedRecordingIsTold() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.csv"
            try OutputFile.write(Array("time,stream,b\n0,a,1\n1,a,x\n".utf8), to: path)
            let stream = LiveStream(SignalHead(), later: { _, _ in })
            let viewer = Viewer(stream)
            let playback = RecordingPlayback(
                speed: .max, stream: stream, cancellation: Cancellation(), onDamage: nil)
            #expect(throws: MediaError.self) { try playback.run(path) }
            try viewer.take { $0.texts.contains(#"{"type":"end"}"#) }
            #expect(viewer.texts.contains { $0.hasPrefix(#"{"type":"error","for":"source""#) && $0.contains("line 3") })
        }
    }
}
