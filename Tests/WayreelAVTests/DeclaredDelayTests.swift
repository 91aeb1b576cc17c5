import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// Delays and lengths that a file declares beside its packets: by iTunes, by edit lists, by tags of MP3.
@Suite struct DeclaredDelayTests {
    /// Adds a tag of iTunes to MP4, whose movie header is its last box.
    private static func tagged(_ file: [UInt8], delay: Int, padding: Int, count: Int) throws -> [UInt8] {
        let box = MovieFile.box
        let number = { (value: Int, digits: Int) in
            let text = String(value, radix: 16, uppercase: true)
            return String(repeating: "0", count: digits - text.count) + text
        }
        let text = " 00000000 \(number(delay, 8)) \(number(padding, 8)) \(number(count, 16)) 00000000 00000000"
        let zero = [UInt8](repeating: 0, count: 4)
        let tag = box(
            "----",
            box("mean", zero + Array("com.apple.iTunes".utf8)) + box("name", zero + Array("iTunSMPB".utf8))
                + box("data", [0, 0, 0, 1] + zero + Array(text.utf8)))
        let handler = box("hdlr", zero + zero + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9))
        let data = box("udta", box("meta", zero + handler + box("ilst", tag)))
        let start = try #require((4..<file.count - 4).last { file[$0..<$0 + 4].elementsEqual("moov".utf8) }) - 4
        var bytes = file + data
        bytes.replaceSubrange(start..<start + 4, with: MovieFile.big(bytes.count - start))
        return bytes
    }

    /// Without an edit list, the tag of iTunes alone tells which samples are presented.
    @Test(arguments: [1, 2]) func iTunesTagWithoutEdits(workers: Int) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(
                AudioFiles.clicks(at: TimelineTests.positions, count: TimelineTests.count), to: "\(folder)/source.wav")
            try AudioFiles.ffmpeg("-i source.wav -c:a aac -b:a 128k -use_editlist 0 plain.m4a", in: folder)
            // FFmpeg's encoder has a delay of 1024 samples, and fills the last packet.
            let packets = (TimelineTests.count + 1024 + 1023) / 1024
            let bytes = try Self.tagged(
                Fixture.bytes("\(folder)/plain.m4a"), delay: 1024,
                padding: packets * 1024 - 1024 - TimelineTests.count, count: TimelineTests.count)
            try AudioFiles.write(bytes, to: "\(folder)/a.m4a")
            let audio = try DecodedAudio("\(folder)/a.m4a", workers: workers, chunkLength: 5)
            #expect(audio.count == TimelineTests.count)
            #expect(audio.warnings.isEmpty && audio.outcome.gaps == 0)
            #expect(audio.info.expectedSampleCount == TimelineTests.count)
            for position in TimelineTests.positions {
                let found = audio.peak(near: position) ?? -1
                #expect(abs(found - position) <= 2, "found at \(found) instead of \(position)")
            }
        }
    }

    /// With an edit list, which says the same, the tag changes nothing.
    @Test func iTunesTagWithEdits() throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(
                AudioFiles.clicks(at: TimelineTests.positions, count: TimelineTests.count), to: "\(folder)/source.wav")
            try AudioFiles.ffmpeg("-i source.wav -c:a aac -b:a 128k plain.m4a", in: folder)
            let plain = try Fixture.bytes("\(folder)/plain.m4a")
            try AudioFiles.write(
                Self.tagged(plain, delay: 1024, padding: 256, count: TimelineTests.count), to: "\(folder)/a.m4a")
            let (tagged, own) = (try DecodedAudio("\(folder)/a.m4a"), try DecodedAudio("\(folder)/plain.m4a"))
            #expect(tagged.hash == own.hash && tagged.count == TimelineTests.count)
        }
    }

    /// Encoder delay and padding are a large part of a short file with a low rate. They are not missing.
    @Test(arguments: [("a.mp3", "-ar 8000"), ("a.mp3", "-ar 11025"), ("a.m4a", "-ar 8000 -c:a aac"), ("a.opus", "")])
    func paddingIsNotMissing(name: String, arguments: String) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg("-f lavfi -i sine=d=1 \(arguments) \(name)", in: folder)
            let audio = try DecodedAudio("\(folder)/\(name)")
            #expect(audio.outcome.absentSamples == 0 && audio.warnings.isEmpty, "\(audio.warnings)")
            #expect(audio.count == audio.info.format.sampleRate)
        }
    }

    /// A length of all ones is unknown (ISO/IEC 14496-12, section 8.4.2).
    @Test(arguments: ["mdhd", "mvhd"]) func unknownLength(box: String) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg(
                "-f lavfi -i sine=d=2 -c:a aac -movflags frag_keyframe+empty_moov a.mp4", in: folder)
            var bytes = try Fixture.bytes("\(folder)/a.mp4")
            let start = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(box.utf8) })
            // Version and flags, two times, the units per second.
            bytes.replaceSubrange(start + 20..<start + 24, with: [0xFF, 0xFF, 0xFF, 0xFF])
            try AudioFiles.write(bytes, to: "\(folder)/a.mp4")
            let audio = try DecodedAudio("\(folder)/a.mp4")
            #expect(audio.warnings.isEmpty && audio.outcome.absentSamples == 0, "\(audio.warnings)")
            #expect(abs(audio.count - 88_200) <= 2048)
        }
    }

    /// An empty edit of a second, and one of the first two of three seconds.
    @Test func emptyAndPartialEdits() throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg(
                "-f lavfi -i sine=d=3 -af asetpts=PTS+1/TB -c:a alac late.mp4", in: folder)
            var bytes = try Fixture.bytes("\(folder)/late.mp4")
            let start = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("elst".utf8) })
            // Version and flags, the number of edits, the first edit of 12 bytes; the unit is a millisecond.
            bytes.replaceSubrange(start + 24..<start + 28, with: MovieFile.big(2000))
            try AudioFiles.write(bytes, to: "\(folder)/a.mp4")
            let audio = try DecodedAudio("\(folder)/a.mp4")
            #expect(audio.warnings.isEmpty && audio.outcome.absentSamples == 0, "\(audio.warnings)")
            #expect(abs(audio.count - 3 * 44_100) <= 4096)
            #expect(audio.channels[0][..<44_000].allSatisfy { $0 == 0 })
        }
    }

    // MARK: Other places

    private static func expectClicks(_ audio: DecodedAudio, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(audio.count == TimelineTests.count, sourceLocation: sourceLocation)
        #expect(audio.warnings.isEmpty && audio.outcome.gaps == 0, sourceLocation: sourceLocation)
        for position in TimelineTests.positions {
            let found = audio.peak(near: position) ?? -1
            #expect(abs(found - position) <= 2, "\(found) instead of \(position)", sourceLocation: sourceLocation)
        }
    }

    private static func encode(_ arguments: String, in folder: String) throws {
        try AudioFiles.write(
            AudioFiles.clicks(at: TimelineTests.positions, count: TimelineTests.count), to: "\(folder)/source.wav")
        try AudioFiles.ffmpeg("-i source.wav \(arguments)", in: folder)
    }

    private static func text(delay: Int, padding: Int, count: Int) -> String {
        let number = { (value: Int, digits: Int) in
            let text = String(value, radix: 16, uppercase: true)
            return String(repeating: "0", count: digits - text.count) + text
        }
        return " 00000000 \(number(delay, 8)) \(number(padding, 8)) \(number(count, 16)) 00000000 00000000"
    }

    /// Without an edit list, the header of Opus tells its delay, which is no gap.
    @Test(arguments: ["-use_editlist 0", "-movflags frag_keyframe+empty_moov"]) func opusInMP4(arguments: String) throws
    {
        try Fixture.withFolder { folder in
            try Self.encode("-c:a libopus -strict -2 \(arguments) a.mp4", in: folder)
            let audio = try DecodedAudio("\(folder)/a.mp4")
            #expect(audio.warnings.isEmpty && audio.outcome.gaps == 0)
            for position in TimelineTests.positions {
                let found = audio.peak(near: position) ?? -1
                #expect(abs(found - position) <= 2, "\(found) instead of \(position)")
            }
        }
    }

    /// An ID3 tag of iTunes before MPEG audio without a LAME tag. A tag of another file cuts nothing off.
    @Test func iTunesTagOfMP3() throws {
        try Fixture.withFolder { folder in
            try Self.encode("-ar 48000 -c:a libmp3lame -write_xing 0 -id3v2_version 0 plain.mp3", in: folder)
            let plain = try Fixture.bytes("\(folder)/plain.mp3")
            let whole = try DecodedAudio("\(folder)/plain.mp3").count
            func tagged(_ count: Int) throws -> DecodedAudio {
                // The delay of LAME and of every decoder.
                let text = Self.text(delay: 1105, padding: whole - 1105 - TimelineTests.count, count: count)
                let content = [UInt8]("\u{0}engiTunSMPB\u{0}\(text)".utf8)
                let frame = [[UInt8]("COMM".utf8), MovieFile.big(content.count), [0, 0], content].flatMap(\.self)
                let size = [UInt8(frame.count >> 7), UInt8(frame.count & 127)]
                let file: [[UInt8]] = [Array("ID3".utf8), [3, 0, 0, 0, 0], size, frame, plain]
                try AudioFiles.write(Array(file.joined()), to: "\(folder)/a.mp3")
                return try DecodedAudio("\(folder)/a.mp3")
            }
            Self.expectClicks(try tagged(TimelineTests.count))
            let stale = try tagged(TimelineTests.count / 2)
            #expect(stale.count == whole - 1105)
        }
    }

    /// The packet table of CAF tells how many samples precede and follow the audio.
    @Test func packetTableOfCAF() throws {
        try Fixture.withFolder { folder in
            try Self.encode("-c:a libopus -frame_duration 20 a.caf", in: folder)
            var bytes = try Fixture.bytes("\(folder)/a.caf")
            let whole = try DecodedAudio("\(folder)/a.caf").count
            let table = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("pakt".utf8) })
            let count = TimelineTests.count
            bytes.replaceSubrange(table + 20..<table + 28, with: MovieFile.big(0) + MovieFile.big(count))
            bytes.replaceSubrange(
                table + 28..<table + 36, with: MovieFile.big(312) + MovieFile.big(max(0, whole - 312 - count)))
            try AudioFiles.write(bytes, to: "\(folder)/a.caf")
            Self.expectClicks(try DecodedAudio("\(folder)/a.caf"))
            let pipe = try NamedPipe(feeding: bytes)
            Self.expectClicks(try withExtendedLifetime(pipe) { try DecodedAudio(pipe.path) })
        }
    }

    /// An edit list from the first sample on declares no delay, so that the tag of iTunes does; one that begins later
    /// takes precedence over a tag that says something else.
    @Test func iTunesTagBesideEdits() throws {
        try Fixture.withFolder { folder in
            try Self.encode("-c:a aac -b:a 128k plain.m4a", in: folder)
            var bytes = try Fixture.bytes("\(folder)/plain.m4a")
            let padding = (TimelineTests.count + 2047) / 1024 * 1024 - 1024 - TimelineTests.count
            let other = try Self.tagged(bytes, delay: 2112, padding: 0, count: TimelineTests.count - 1088)
            try AudioFiles.write(other, to: "\(folder)/other.m4a")
            Self.expectClicks(try DecodedAudio("\(folder)/other.m4a"))
            let edit = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("elst".utf8) })
            bytes.replaceSubrange(edit + 12..<edit + 20, with: MovieFile.big(0x7FFF_FFFF) + MovieFile.big(0))
            try AudioFiles.write(
                Self.tagged(bytes, delay: 1024, padding: padding, count: TimelineTests.count), to: "\(folder)/a.m4a")
            let audio = try DecodedAudio("\(folder)/a.m4a")
            for position in TimelineTests.positions {
                let found = audio.peak(near: position) ?? -1
                #expect(abs(found - position) <= 2, "\(found) instead of \(position)")
            }
        }
    }

    /// A media header that declares more than there are samples for.
    @Test func lengthBeyondTheSamples() throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg("-f lavfi -i sine=d=2 -c:a pcm_s16le a.mov", in: folder)
            var bytes = try Fixture.bytes("\(folder)/a.mov")
            let header = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("mdhd".utf8) })
            bytes.replaceSubrange(header + 20..<header + 24, with: MovieFile.big(10 * 88_200))
            try AudioFiles.write(bytes, to: "\(folder)/a.mov")
            let audio = try DecodedAudio("\(folder)/a.mov")
            #expect(audio.count == 88_200 && audio.warnings.isEmpty, "\(audio.warnings)")
        }
    }
}
