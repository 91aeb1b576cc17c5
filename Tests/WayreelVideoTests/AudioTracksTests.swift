internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Videos with audio in several languages.
@Suite struct AudioTracksTests {
    /// The frequency in hertz of the tone in each track.
    private static let tones = [440, 880, 1320]

    /// Makes seven seconds of video with tones in English, German and English again; the second track is not AAC.
    private static func source(_ folder: String) throws -> String {
        let path = "\(folder)/source.mkv"
        let inputs = tones.flatMap { ["-f", "lavfi", "-i", "sine=\($0):r=48000:d=7"] }
        try SampleVideo.make(
            ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=7"] + inputs
                + ["-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
                + ["-g", "50", "-c:a", "aac", "-c:a:1", "pcm_s16le", "-metadata:s:a:0", "language=eng"]
                + ["-metadata:s:a:1", "language=deu", "-metadata:s:a:2", "language=eng"]
                + ["-metadata:s:a:2", "title=Commentary", "-disposition:a:2", "0", path])
        return path
    }

    private static func tone(_ stream: String, of path: String) throws -> Double {
        try Played.tone(of: path, ["-map", stream, "-ac", "1"], seconds: 1..<5)
    }

    private static func ffprobe(_ path: String, _ entries: String) throws -> [String] {
        try Played.lines(entries, of: path, streams: "a")
    }

    /// The default track is first; compliant tracks are copied.
    @Test(arguments: [
        (AudioSettings(keepsAll: true), [0, 1, 2], ["copy", "transcode", "copy"]),
        (AudioSettings(languages: ["deu", "eng"]), [1, 0], ["transcode", "copy"]),
        (AudioSettings(languages: ["eng"], keepsAll: true), [0, 2], ["copy", "copy"]),
        (AudioSettings(), [0], ["copy"]),
    ])
    func tracksAreKeptInMP4(_ settings: AudioSettings, _ tracks: [Int], _ actions: [String]) throws {
        try Fixture.withFolder { folder in
            let output = "\(folder)/out.mp4"
            let options = TranscodeOptions(audio: settings)
            let done = try TranscodeTests.transcode(try Self.source(folder), to: output, options)
            let plan = done.video.plan
            #expect(plan.audio.map(\.action.rawValue) == actions)
            #expect(done.warnings.isEmpty)
            let languages = tracks.map { ["eng", "deu", "eng"][$0] }
            let expected = languages.enumerated().map { "aac,\($0 == 0 ? 1 : 0),\($1)" }
            let reported = try Self.ffprobe(output, "stream=codec_name:disposition=default:stream_tags=language")
            #expect(reported == expected)
            for (index, track) in tracks.enumerated() {
                let found = try Self.tone("0:a:\(index)", of: output)
                #expect(abs(found - Double(Self.tones[track])) < 3, "\(found)")
            }
            let titles = try Self.ffprobe(output, "stream_tags=handler_name")
            #expect(titles.map { $0 == "Commentary" } == tracks.map { $0 == 2 })
            // One alternate group, of which players play one track (ISO/IEC 14496-12, section 8.3).
            #expect(try Self.alternateGroups(output) == tracks.map { _ in 1 })
        }
    }

    /// Returns the alternate groups of the audio tracks, which are those with a volume.
    private static func alternateGroups(_ path: String) throws -> [Int] {
        let bytes = try Fixture.bytes(path)
        let headers = (4..<bytes.count - 92).filter { bytes[$0..<$0 + 4].elementsEqual("tkhd".utf8) }
        return headers.compactMap { offset in
            let body = offset + 4
            return bytes[body + 36] == 1 ? Int(bytes[body + 34]) << 8 | Int(bytes[body + 35]) : nil
        }
    }

    /// This also holds for encoded tracks, with a loudness, in chunks and with a section of the video.
    @Test func allTracksAreTreatedAlike() throws {
        try Fixture.withFolder { folder in
            let output = "\(folder)/out.mp4"
            var options = TranscodeOptions()
            options.audio = AudioSettings(loudness: -20, keepsAll: true)
            (options.isResumable, options.range) = (true, TimeRange(start: 0.5, end: 6.5))
            let done = try TranscodeTests.transcode(try Self.source(folder), to: output, options)
            #expect(done.video.plan.audio.dropFirst().count == 2)
            for (index, tone) in Self.tones.enumerated() {
                #expect(abs(try Self.tone("0:a:\(index)", of: output) - Double(tone)) < 3)
                let measured = try SampleVideo.ffmpeg([
                    "-v", "info", "-i", output, "-map", "0:a:\(index)", "-af", "ebur128=framelog=verbose", "-f", "null",
                    "-",
                ]).errors
                let last = measured.split(separator: "I:").last ?? ""
                let words = last.split(separator: " ").map(String.init)
                let loudness = try #require(Double(words.first ?? ""))
                #expect(abs(loudness + 20) < 0.3, "\(loudness)")
            }
        }
    }

    @Test func aTrackThatCannotBeDecodedIsNoReasonToLoseTheOthers() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/broken.mkv", "\(folder)/out.mp4")
            // A code for which FFmpeg has no codec.
            var bytes = try Fixture.bytes(try Self.source(folder))
            let offset = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("_PCM".utf8) })
            bytes.replaceSubrange(offset..<offset + 4, with: Array("_ZZZ".utf8))
            try OutputFile.write(bytes, to: source)
            let options = TranscodeOptions(audio: AudioSettings(keepsAll: true))
            let done = try TranscodeTests.transcode(source, to: output, options)
            #expect(done.warnings.count == 1)
            #expect(try Self.ffprobe(output, "stream_tags=language") == ["eng", "eng"])
        }
    }

    @Test func languagesAreRenditionsInHLS() throws {
        try Fixture.withFolder { folder in
            let output = "\(folder)/hls"
            let options = TranscodeOptions(
                audio: AudioSettings(keepsAll: true), delivery: .hls(HLSOptions(previewInterval: nil)))
            try TranscodeTests.transcode(try Self.source(folder), to: output, options)
            let master = String(decoding: try Fixture.bytes("\(output)/master.m3u8"), as: UTF8.self)
            let media = master.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-MEDIA:") }
            // As required by RFC 8216, section 4.3.4.1: one default, and one automatically selected track per language.
            let expected = [
                "NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,CHANNELS=\"1\",URI=\"audio-1-en/",
                "NAME=\"German\",LANGUAGE=\"de\",AUTOSELECT=YES,CHANNELS=\"1\",URI=\"audio-2-de/",
                "NAME=\"Commentary\",LANGUAGE=\"en\",CHANNELS=\"1\",URI=\"audio-3-en/",
            ].map { "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",\($0)playlist.m3u8\"" }
            #expect(media.map(String.init) == expected)
            #expect(
                master.split(separator: "\n").filter { $0.contains("mp4a") }.allSatisfy { line in
                    line.split(separator: "mp4a.40.2").count == 2 && line.contains("AUDIO=\"audio\"")
                })
            let found = try HLSValidator(isDeep: true).validate(output).violations
            #expect(found.isEmpty, "\(found)")
            // Another program plays each of the tracks.
            #expect(try Self.ffprobe("\(output)/master.m3u8", "stream_tags=language").filter { $0 == "de" }.count >= 1)
            for (index, tone) in Self.tones.enumerated() {
                let name = ["1-en", "2-de", "3-en"][index]
                #expect(abs(try Self.tone("0:a:0", of: "\(output)/audio-\(name)/playlist.m3u8") - Double(tone)) < 3)
            }
            #expect(abs(try Self.tone("0:a:m:language:de", of: "\(output)/master.m3u8") - 880) < 3)
            try Self.expectFaults(in: master, at: output)
        }
    }

    /// Checks faults that manual editing may introduce into a master playlist.
    private static func expectFaults(in master: String, at output: String) throws {
        for (old, new) in [
            ("NAME=\"German\"", "NAME=\"English\""), ("LANGUAGE=\"de\",", "LANGUAGE=\"de\",DEFAULT=YES,"),
        ] {
            let changed = master.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
            #expect(changed != master)
            try OutputFile.write(Array(changed.utf8), to: "\(output)/master.m3u8")
            #expect(try HLSValidator().validate(output).violations.map(\.rule) == [.renditionGroup])
        }
    }

    /// Audio tracks of different lengths end with the frames, in all renditions.
    @Test func tracksOfDifferentLengthsEndTogetherInHLS() throws {
        try Fixture.withFolder { folder in
            let (source, output) = ("\(folder)/source.mkv", "\(folder)/hls")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=7", "-f", "lavfi", "-i", "sine=440:r=48000:d=3", "-f",
                "lavfi", "-i", "sine=880:r=48000:d=9", "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1",
                "language=deu", source,
            ])
            var options = TranscodeOptions()
            options.audio.keepsAll = true
            options.delivery = .hls(HLSOptions(isEncrypted: true, previewInterval: nil))
            let done = try TranscodeTests.transcode(source, to: output, options)
            #expect(abs(done.video.seconds - 9) < 0.3)
            #expect(try HLSValidator().validate(output).violations.map(\.rule) == [.exposedKey])
        }
    }
}
