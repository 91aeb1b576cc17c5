import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// The samples do not depend on the number of threads or on the cuts, bit for bit.
@Suite struct ParallelDecodingTests {
    static let samples = [
        "bunny-4s.flac", "bunny-4s.m4a", "bunny-4s.mp3", "bunny-4s.ogg", "bunny-4s.opus", "bunny-4s.wav", "bunny.mp3",
    ]

    /// One thread cuts AAC at the same packets, and other codecs not at all.
    @Test(arguments: samples) func threadsAndCuts(name: String) throws {
        let path = Fixture.media("radio/\(name)")
        var random = SeededRandom(seed: 11)
        for workers in [2, 3] {
            let length = Int.random(in: 3...40, using: &random)
            let serial = try DecodedAudio(path, chunkLength: length)
            let parallel = try DecodedAudio(path, workers: workers, chunkLength: length)
            #expect(serial.hash == parallel.hash, "\(workers) threads, \(length) packets")
            #expect(parallel.isContiguous && parallel.count == serial.count)
            #expect(parallel.outcome.repeatedChunks == 0, "a chunk was decoded twice")
        }
        #expect(try DecodedAudio(path).hash == DecodedAudio(path, workers: 2).hash)
    }

    /// Codecs and layouts that the samples do not have. `-aac_pns 0` disables the noise that depends on the cuts.
    static let encodings = [
        ("a.wv", "-c:a wavpack"), ("a.m4a", "-c:a alac"),
        ("mono.mp3", "-ac 1 -c:a libmp3lame -b:a 32k"), ("low.mp3", "-ar 22050 -c:a libmp3lame -b:a 16k"),
        ("vbr.mp3", "-c:a libmp3lame -q:a 0"), ("reservoir.mp3", "-c:a libmp3lame -b:a 320k"),
        ("pns.aac", "-c:a aac -b:a 48k -aac_pns 1"), ("mono.ogg", "-ac 1 -c:a libvorbis -q:a 0"),
        ("a.flac", "-c:a flac -sample_fmt s32"), ("wide.flac", "-ac 6 -c:a flac -frame_size 512"),
    ]

    @Test(arguments: encodings) func otherCodecs(encoding: (name: String, arguments: String)) throws {
        try Fixture.withFolder { folder in
            let source = Fixture.media("radio/bunny.mp3")
            try AudioFiles.ffmpeg("-i \(source) -t 12", encoding.arguments, encoding.name, in: folder)
            let path = "\(folder)/\(encoding.name)"
            for length in [2, 7, 31] {
                let serial = try DecodedAudio(path, chunkLength: length)
                let parallel = try DecodedAudio(path, workers: 2, chunkLength: length)
                #expect(serial.hash == parallel.hash && serial.count == parallel.count, "\(length) packets")
                #expect(parallel.outcome.repeatedChunks == 0, "\(length) packets")
            }
        }
    }

    /// AAC without noise substitution does not depend on the cuts.
    @Test func aacWithoutNoiseIgnoresCuts() throws {
        try Fixture.withFolder { folder in
            let source = Fixture.media("radio/bunny.mp3")
            try AudioFiles.ffmpeg("-i \(source) -t 8 -c:a aac -aac_pns 0 -b:a 96k a.m4a", in: folder)
            let whole = try DecodedAudio("\(folder)/a.m4a", chunkLength: 1 << 30)
            for length in [1, 2, 16, 77] {
                #expect(try DecodedAudio("\(folder)/a.m4a", chunkLength: length).hash == whole.hash, "\(length)")
            }
        }
    }

    /// With noise substitution, the cuts change only the noise: the difference is no louder than the encoder's error.
    @Test func aacCutsChangeNoiseOnly() throws {
        try Fixture.withFolder { folder in
            let source = Fixture.media("radio/bunny.mp3")
            try AudioFiles.ffmpeg("-i \(source) -t 8 -c:a aac -aac_pns 1 -b:a 96k a.m4a", in: folder)
            let whole = try DecodedAudio("\(folder)/a.m4a", chunkLength: 1 << 30)
            let cut = try DecodedAudio("\(folder)/a.m4a")
            try #require(whole.count == cut.count)
            let differences = zip(whole.channels[0], cut.channels[0]).map { abs(Double($0) - Double($1)) }
            let original = try DecodedAudio(source)
            let errors = zip(whole.channels[0], original.channels[0]).map { abs(Double($0) - Double($1)) }
            let energy = { (values: [Double]) in values.reduce(0) { $0 + $1 * $1 } }
            // The difference of two independent noises is as loud as that of one noise and the original.
            #expect(energy(differences) > 0 && energy(differences) < 1.5 * energy(errors))
        }
    }

    static let damages = ["flac", "mp3", "ogg", "m4a", "opus"].flatMap { kind in (0..<5).map { (kind, UInt64($0)) } }

    /// Bytes after the header are overwritten or removed.
    @Test(arguments: damages) func damagedFiles(damage: (kind: String, seed: UInt64)) throws {
        try Fixture.withFolder { folder in
            var random = SeededRandom(seed: damage.seed)
            var bytes = try Fixture.bytes(Fixture.media("radio/bunny-4s.\(damage.kind)"))
            let header = damage.kind == "m4a" ? 1024 : 6000
            let end = damage.kind == "m4a" ? bytes.count * 9 / 10 : bytes.count
            // A damaged byte loses a page of Ogg, a sixth of the file.
            let isOgg = damage.kind == "ogg" || damage.kind == "opus"
            for _ in 0..<Int.random(in: 1...(isOgg ? 2 : 40), using: &random) {
                bytes[Int.random(in: header..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if damage.kind != "m4a", damage.seed % 2 == 1 {
                let start = Int.random(in: header..<bytes.count - 5000, using: &random)
                bytes.removeSubrange(start..<start + Int.random(in: 1...5000, using: &random))
            }
            let path = "\(folder)/damaged.\(damage.kind)"
            try AudioFiles.write(bytes, to: path)
            for _ in 0..<3 {
                let length = Int.random(in: 1...30, using: &random)
                let serial = try DecodedAudio(path, chunkLength: length)
                let parallel = try DecodedAudio(path, workers: 3, chunkLength: length)
                #expect(serial.hash == parallel.hash, "\(length) packets")
                #expect(serial.outcome.lostPackets == parallel.outcome.lostPackets)
                #expect(serial.isContiguous && parallel.isContiguous)
            }
        }
    }

    @Test(arguments: samples) func pipeEqualsFile(name: String) throws {
        let path = Fixture.media("radio/\(name)")
        let file = try DecodedAudio(path)
        let pipe = try NamedPipe(feeding: Fixture.bytes(path))
        let piped = try withExtendedLifetime(pipe) { try DecodedAudio(.path(pipe.path), workers: 2) }
        #expect(piped.hash == file.hash && piped.count == file.count && piped.padding == file.padding)
    }
}
