internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// One encoder of several fails while the threads of the others wait.
@Suite struct FailingEncoderTests {
    private static let fault = MediaError(.io, step: .write, reason: "not in this test")

    /// Sinks of which all but one wait until the destination is stopped; that one fails as soon as another waits. An encoder
    /// that has not been sent enough frames yet, because the decoder waits for the others, takes nothing.
    private final class Destination: TrackDestination {
        struct State {
            var sinks = 0
            var waiting = 0
            var released = 0
            var isReached = false
            var isStopped = false
        }

        private final class Sink: PacketSink {
            private let state: Monitor<State>
            private let fails: Bool

            init(_ state: Monitor<State>, fails: Bool) {
                (self.state, self.fails) = (state, fails)
                state.update { $0.sinks += 1 }
            }

            func take(_ packet: Packet) throws(MediaError) {
                // Not even a fault of the program makes the test wait forever.
                let deadline = Clock.wall + 60
                if fails {
                    state.update { $0.isReached = true }
                    state.withLock(when: { $0.waiting > 0 }, until: deadline) { _ in }
                    throw FailingEncoderTests.fault
                }
                // An encoder that waited earlier could keep all frames from the one that fails.
                guard state.withLock(\.isReached) else { return }
                state.update { $0.waiting += 1 }
                state.withLock(when: \.isStopped, until: deadline) { if $0.isStopped { $0.released += 1 } }
                throw .cancelled(step: .write)
            }

            func finish() {}
        }

        let state = Monitor(State())
        /// The number of the rendition whose sink fails; nil: that of the audio track.
        private let failing: Int?

        init(failing: Int?) { self.failing = failing }

        func sink(forRendition index: Int, encoder: VideoEncoder) -> any PacketSink {
            Sink(state, fails: index == failing)
        }

        func audioSink(of stream: Int, encoder: AudioEncoder) -> any PacketSink { Sink(state, fails: failing == nil) }

        func sink(forRendition index: Int, copyOf stream: Int, of file: Demuxer) -> any PacketSink {
            Sink(state, fails: false)
        }

        func audioSink(copyOf stream: Int, of file: Demuxer) -> any PacketSink { Sink(state, fails: false) }
        func begin() {}
        func stop() { state.update { $0.isStopped = true } }
    }

    /// The error is that of the encoder that has failed, and not that of a thread which was stopped for it. The decoder
    /// waits too: its queues are full.
    @Test(arguments: [0, 1, 2, nil]) func itsErrorEndsTheOthers(failing: Int?) throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mkv"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=8", "-f", "lavfi", "-i", "sine=d=8", "-c:v", "mpeg4",
                "-c:a", "flac", source,
            ])
            let ladder = LadderRung.ladder("320x180@200,160x90@200,96x54@200")
            let options = TranscodeOptions(
                video: VideoSettings(preset: "ultrafast"),
                delivery: .hls(HLSOptions(ladder: ladder, previewInterval: nil)))
            let task = TaskContext()
            let plan = try TranscodePlan(of: MediaScan.info(of: .path(source), task: task), options)
            let session = TranscodeSession(
                plan, of: .path(source), nil, effects: try Effects(filters: [], overlays: []), limits: .standard,
                threads: 1)
            let destination = Destination(failing: failing)
            let error = #expect(throws: MediaError.self) { try session.run(into: destination, task: task) { _ in } }
            #expect(error == Self.fault)
            let state = destination.state.withLock(\.self)
            #expect(state.sinks == 4 && state.waiting > 0 && state.released == state.waiting, "\(state)")
        }
    }
}
