import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// Invalid input ends in one clear error.
@Suite struct InvalidAudioTests {
    private func error(
        _ path: String, track: Int? = nil, limits: AudioLimits = .standard, workers: Int = 1
    ) -> MediaError? {
        #expect(throws: MediaError.self) {
            try DecodedAudio(.path(path), track: track, limits: limits, workers: workers)
        }
    }

    @Test func image() {
        let error = error(Fixture.media("captures/frame-1080p.png"))
        #expect(error?.kind == .unsupported && error?.reason == "has no audio; its streams are: video png")
    }

    @Test func missingFile() {
        let error = error("/nowhere/a.mp3")
        #expect(error?.description == "/nowhere/a.mp3: read: no such file or directory")
    }

    @Test func folder() { #expect(error(Fixture.root)?.reason == "is a directory") }

    @Test func emptyFile() { #expect(error("/dev/null")?.reason == "the file is empty") }

    @Test(arguments: [10, 1000, 50_000, 600_000]) func garbage(count: Int) throws {
        try Fixture.withFolder { folder in
            var random = SeededRandom(seed: UInt64(count))
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            try AudioFiles.write(bytes, to: "\(folder)/a.mp3")
            #expect(error("\(folder)/a.mp3")?.kind == .decoding)
        }
    }

    @Test func text() { #expect(error(#filePath)?.kind == .decoding) }

    @Test func videoWithoutAudio() throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg("-f lavfi -i testsrc=d=1:s=64x64 -c:v mpeg4 a.mp4", in: folder)
            #expect(error("\(folder)/a.mp4")?.reason == "has no audio; its streams are: video mpeg4")
        }
    }

    /// A cover is ignored.
    @Test func coverOnly() throws {
        try Fixture.withFolder { folder in
            let image = Fixture.media("captures/frame-1080p.png")
            let audio = Fixture.media("radio/bunny-4s.mp3")
            try AudioFiles.ffmpeg(
                "-i \(audio) -i \(image) -map 0 -map 1 -c:a copy -c:v mjpeg -disposition:v attached_pic a.mp3",
                in: folder)
            let covered = try DecodedAudio("\(folder)/a.mp3")
            #expect(covered.hash == (try DecodedAudio(audio).hash))
        }
    }

    @Test func playlistLeadsNowhere() throws {
        try Fixture.withFolder { folder in
            let audio = Fixture.media("radio/bunny-4s.mp3")
            let lists = [
                "a.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n\(audio)\n#EXT-X-ENDLIST\n",
                "a.ffconcat": "ffconcat version 1.0\nfile '\(audio)'\n",
                "a.sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=a\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n",
            ]
            for (name, text) in lists {
                try AudioFiles.write(Array(text.utf8), to: "\(folder)/\(name)")
                #expect(error("\(folder)/\(name)") != nil, "\(name)")
            }
        }
    }

    @Test func tracks() throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg(
                "-f lavfi -i sine=d=1 -f lavfi -i sine=d=2 -map 0 -map 1 -disposition:a:0 0 -disposition:a:1 default",
                "-c:a flac a.mka", in: folder)
            let path = "\(folder)/a.mka"
            #expect(try DecodedAudio(.path(path), track: 1).count == 44_100)
            #expect(try DecodedAudio(.path(path), track: 2).count == 88_200)
            #expect(try DecodedAudio(path).info.tracks == [2], "the one that the file prefers")
            for track in [0, -1, 3, .max] {
                let error = error(path, track: track)
                #expect(error?.kind == .parameter && error?.reason == "has no audio track \(track); it has 2")
            }
        }
    }

    /// In concatenated streams, later ones are converted to the channels of the first.
    @Test(arguments: ["mp3", "aac"]) func channelsChange(codec: String) throws {
        try Fixture.withFolder { folder in
            let audio = Fixture.media("radio/bunny-4s.wav")
            try AudioFiles.ffmpeg("-t 1 -i", audio, "-ac 1 mono.\(codec)", in: folder)
            try AudioFiles.ffmpeg("-t 1 -i", audio, "-ac 2 stereo.\(codec)", in: folder)
            for parts in [["mono", "stereo"], ["stereo", "mono"], ["mono", "stereo", "mono"]] {
                let bytes = try parts.flatMap { try Fixture.bytes("\(folder)/\($0).\(codec)") }
                try AudioFiles.write(bytes, to: "\(folder)/both.\(codec)")
                let found = try DecodedAudio("\(folder)/both.\(codec)", workers: 2, chunkLength: 5)
                #expect(found.channels.count == (parts[0] == "mono" ? 1 : 2) && found.isContiguous)
                #expect(abs(found.count - parts.count * 44_100) < 8000, "\(found.count)")
                #expect(found.channels.allSatisfy { $0.suffix(20_000).contains { abs($0) > 0.01 } })
            }
        }
    }

    @Test func limits() throws {
        let path = Fixture.media("radio/bunny-4s.mp3")
        #expect(error(path, limits: AudioLimits(channels: 1))?.kind == .limit)
        for workers in [1, 2] {
            #expect(error(path, limits: AudioLimits(audioSeconds: 2), workers: workers)?.kind == .limit)
        }
    }

    @Test func cancelled() throws {
        for bytes in [[], Array(try Fixture.bytes(Fixture.media("radio/bunny.mp3")).prefix(200_000))] {
            let cancellation = Cancellation()
            let pipe = try NamedPipe(feeding: bytes, hangs: true)
            let task = TaskContext(seconds: 0.3, cancellation: cancellation)
            let error = withExtendedLifetime(pipe) {
                #expect(throws: MediaError.self) { try DecodedAudio(.path(pipe.path), workers: 2, task: task) }
            }
            #expect(error?.kind == .limit && error?.reason == "took longer than 0.3 s")
        }
    }

    @Test func garbageBeforeMP3IsSkipped() throws {
        try Fixture.withFolder { folder in
            var random = SeededRandom(seed: 9)
            let garbage = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            let audio = try Fixture.bytes(Fixture.media("radio/bunny-4s.mp3"))
            let frames = Array(audio[(try #require(Self.firstFrame(audio)))...])
            try AudioFiles.write(frames, to: "\(folder)/a.mp3")
            try AudioFiles.write(garbage + frames, to: "\(folder)/b.mp3")
            let clean = try DecodedAudio("\(folder)/a.mp3")
            let dirty = try DecodedAudio("\(folder)/b.mp3")
            #expect(dirty.hash == clean.hash && dirty.count == clean.count)
            #expect(dirty.warnings.map(\.message) == ["the first 100000 bytes are not audio; they are skipped"])
        }
    }

    /// The first frame after an ID3 tag, whose size is a syncsafe integer.
    private static func firstFrame(_ bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: Array("ID3".utf8)) else { return 0 }
        return 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    }
}
