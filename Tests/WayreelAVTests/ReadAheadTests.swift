import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// One thread decodes tracks that cannot be cut, and reads PCM, ahead of the caller. The result equals that of one
/// thread.
@Suite struct ReadAheadTests {
    /// Encodings, including decoders with delay (Opus, WMA), packets of 2.5 ms to more than a second, and PCM.
    static let encodings = [
        ("a.opus", "-c:a libopus -b:a 96k"), ("short.opus", "-c:a libopus -b:a 64k -frame_duration 2.5"),
        ("speech.opus", "-ac 1 -c:a libopus -b:a 16k -application voip -frame_duration 60"),
        ("wide.opus", "-ac 6 -c:a libopus -b:a 256k"), ("a.wma", "-c:a wmav2 -b:a 96k"), ("a.ac3", "-c:a ac3"),
        ("a.mp2", "-c:a mp2"), ("a.tta", "-c:a tta"), ("adpcm.wav", "-c:a adpcm_ima_wav"),
        ("words.wav", "-c:a pcm_s16le"), ("packed.wav", "-c:a pcm_s24le -ac 3"), ("floats.wav", "-c:a pcm_f32le"),
    ]

    private func withEncoding(
        _ encoding: (name: String, arguments: String), _ body: (_ path: String) throws -> Void
    ) throws {
        try Fixture.withFolder { folder in
            let source = Fixture.media("radio/bunny.mp3")
            try AudioFiles.ffmpeg("-i \(source) -t 12", encoding.arguments, encoding.name, in: folder)
            try body("\(folder)/\(encoding.name)")
        }
    }

    /// A `nil` length is the one used outside of tests.
    @Test(arguments: encodings) func samplesEqualThoseOfOneThread(encoding: (name: String, arguments: String)) throws {
        try withEncoding(encoding) { path in
            let serial = try DecodedAudio(path)
            for length in [nil, 1, 2, 3, 50] {
                let ahead = try DecodedAudio(path, workers: 2, chunkLength: length)
                #expect(
                    ahead.hash == serial.hash && ahead.count == serial.count && ahead.isContiguous, "\(length ?? 0)")
                #expect(ahead.outcome == serial.outcome && ahead.warnings == serial.warnings)
            }
        }
    }

    /// Damaged files give the same samples and warnings, or the same error.
    @Test(arguments: encodings) func damageEqualsThatOfOneThread(encoding: (name: String, arguments: String)) throws {
        try withEncoding(encoding) { path in
            let whole = try Fixture.bytes(path)
            for seed in 0..<4 {
                var random = SeededRandom(seed: UInt64(seed))
                var bytes = whole
                for _ in 0..<30 {
                    let offset = Int.random(in: bytes.count / 10..<bytes.count, using: &random)
                    bytes[offset] = UInt8.random(in: 0...255, using: &random)
                }
                if seed % 2 == 1 { bytes.removeLast(Int.random(in: 1..<bytes.count / 2, using: &random)) }
                try AudioFiles.write(bytes, to: path)
                let outcomes = [1, 2].map { workers in
                    Result { () throws(MediaError) in try DecodedAudio(path, workers: workers, chunkLength: seed + 1) }
                }
                switch (outcomes[0], outcomes[1]) {
                case (.success(let serial), .success(let ahead)):
                    #expect(ahead.hash == serial.hash && ahead.outcome == serial.outcome)
                    #expect(ahead.warnings == serial.warnings)
                case (.failure(let serial), .failure(let ahead)): #expect(ahead == serial)
                default: Issue.record("\(outcomes[0]) by one thread, \(outcomes[1]) ahead")
                }
            }
        }
    }

    private static let opus = Fixture.media("radio/bunny-4s.opus")
    private static let wave = Fixture.media("radio/bunny-4s.wav")
    /// Decoded in chunks by several threads.
    private static let music = Fixture.media("radio/bunny.mp3")

    /// An error of the consumer cancels decoding of the rest.
    @Test(arguments: [opus, wave, music], [1, 2]) func consumerThrows(path: String, workers: Int) throws {
        let reader = try AudioReader(.path(path), workers: workers, chunkLength: 5, task: TaskContext())
        let error = #expect(throws: MediaError.self) {
            while let block = try reader.next() {
                if block.start > 5000 { throw MediaError(.io, step: .write, reason: "disk full") }
            }
        }
        #expect(error?.reason == "disk full")
    }

    @Test(arguments: [1, 2]) func cancelled(workers: Int) throws {
        let cancellation = Cancellation()
        let reader = try AudioReader(
            .path(Self.opus), workers: workers, chunkLength: 5, task: TaskContext(cancellation: cancellation))
        var presented = 0
        let error = #expect(throws: MediaError.self) {
            while let block = try reader.next() {
                cancellation.cancel()
                presented += block.count
            }
        }
        // At most the current chunk: 5 packets of 20 ms.
        #expect(error?.kind == .cancelled && presented <= 5 * 960)
    }

    @Test(arguments: [1, 2]) func deadline(workers: Int) throws {
        let pipe = try NamedPipe(feeding: Array(Fixture.bytes(Self.opus).prefix(40_000)), hangs: true)
        let error = withExtendedLifetime(pipe) {
            #expect(throws: MediaError.self) {
                try DecodedAudio(.path(pipe.path), workers: workers, task: TaskContext(seconds: 0.3))
            }
        }
        #expect(error?.kind == .limit && error?.reason == "took longer than 0.3 s")
    }

    @Test(arguments: [1, 2]) func longerThanTheLimit(workers: Int) {
        let error = #expect(throws: MediaError.self) {
            try DecodedAudio(.path(Self.opus), limits: AudioLimits(audioSeconds: 2), workers: workers)
        }
        #expect(error?.kind == .limit)
    }
}
