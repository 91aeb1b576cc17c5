internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Subtitles and chapters in outputs, read back by ffmpeg and ffprobe.
@Suite struct SubtitleTests {
    private static let subRip = """
        1
        00:00:01,000 --> 00:00:02,000
        <i>One</i> & only

        2
        00:00:03,500 --> 00:00:05,000
        Two
        lines

        """

    private static let chapters = """
        ;FFMETADATA1
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=3000
        title=Begin "here"
        [CHAPTER]
        TIMEBASE=1/1000
        START=3000
        END=8000
        title=Ende

        """

    /// Makes 8 s with subtitles of the codec `codec` in German, and chapters. Also returns the path of the SubRip file
    /// beside it.
    private static func makeSource(in folder: String, _ ending: String, codec: String) throws -> (String, String) {
        let (text, names, path) = ("\(folder)/a.srt", "\(folder)/names", "\(folder)/source.\(ending)")
        try OutputFile.write(Array(subRip.utf8), to: text)
        try OutputFile.write(Array(chapters.utf8), to: names)
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=8", "-f", "lavfi", "-i", "sine=440:r=48000:d=8", "-i", text,
            "-i", names, "-map", "0", "-map", "1", "-map", "2", "-map_chapters", "3", "-c:v", "libx264", "-preset",
            "ultrafast", "-pix_fmt", "yuv420p", "-c:a",
            ending == "mkv" ? "flac" : "aac", "-c:s", codec, "-metadata:s:a:0", "language=fre", "-metadata:s:a:0",
            "title=Version originale", "-metadata:s:s:0", "language=ger", path,
        ])
        return (path, text)
    }

    /// Returns the cues of a track as written by ffmpeg in SubRip: times and texts without empty lines.
    private static func cues(of path: String, track: Int = 0) throws -> [String] {
        let text = try SampleVideo.ffmpeg(["-i", path, "-map", "0:s:\(track)", "-f", "srt", "-"]).text
        // ffmpeg includes the font of each cue.
        let plain = text.split(separator: "<font").enumerated().map { (index, part) in
            index == 0 ? part : part.drop { $0 != ">" }.dropFirst()
        }.joined().split(separator: "</font>").joined()
        return plain.split(whereSeparator: \.isNewline).map(String.init).filter { Int($0) == nil }
    }

    @Test(arguments: [("mkv", "subrip"), ("mkv", "ass"), ("mp4", "mov_text"), ("mkv", "webvtt")])
    func subtitlesOfTheSourceBecomeTimedText(_ ending: String, _ codec: String) throws {
        try Fixture.withFolder { folder in
            let (source, file) = try Self.makeSource(in: folder, ending, codec: codec)
            let options = TranscodeOptions(subtitles: SubtitleSettings(files: [.init(path: file, language: "en")]))
            let output = "\(folder)/out.mp4"
            let (_, warnings) = try TranscodeTests.transcode(source, to: output, options)
            #expect(warnings.isEmpty)
            let expected = [
                "00:00:01,000 --> 00:00:02,000", "One & only", "00:00:03,500 --> 00:00:05,000", "Two", "lines",
            ]
            #expect(try Self.cues(of: output) == expected)
            #expect(try Self.cues(of: output, track: 1) == expected)
            let streams = try Played.lines("stream=codec_name:stream_tags=language", of: output, streams: "s")
            #expect(streams == ["mov_text,deu", "mov_text,eng"])
            let audio = try Played.lines("stream_tags=language,handler_name", of: output, streams: "a")
            // ffmpeg writes no track title into an MP4 source.
            #expect(audio == [ending == "mkv" ? "fra,Version originale" : "fra,SoundHandler"])
            let marks = try Played.lines("chapter=start_time,end_time:chapter_tags=title", of: output)
            #expect(marks == ["0.000000,3.000000,\"Begin \"\"here\"\"\"", "3.000000,8.000000,Ende"])
            let again = "\(folder)/again.mp4"
            try TranscodeTests.transcode(source, to: again, options)
            #expect(try Fixture.bytes(again) == Fixture.bytes(output))
        }
    }

    @Test func subtitlesAndChaptersAreCutWithTheVideo() throws {
        try Fixture.withFolder { folder in
            let (source, _) = try Self.makeSource(in: folder, "mkv", codec: "subrip")
            let options = TranscodeOptions(
                video: VideoSettings(preset: "ultrafast"), range: TimeRange(start: 1.4, end: 4))
            let output = "\(folder)/out.mp4"
            try TranscodeTests.transcode(source, to: output, options)
            #expect(
                try Self.cues(of: output) == [
                    "00:00:00,000 --> 00:00:00,600", "One & only", "00:00:02,100 --> 00:00:02,600", "Two", "lines",
                ])
            let marks = try Played.lines("chapter=start_time,end_time", of: output)
            #expect(marks.count == 2 && marks.first == "0.000000,1.600000")
        }
    }

    /// A file whose duration is the end of its last cue: the output is as long as its video.
    @Test(arguments: [("mkv", "subrip"), ("mp4", "mov_text")])
    func cuesEndWithTheVideo(_ ending: String, _ codec: String) throws {
        try Fixture.withFolder { folder in
            let (text, source, output) = ("\(folder)/a.srt", "\(folder)/a.\(ending)", "\(folder)/out.mp4")
            try OutputFile.write(Array("1\n00:00:01,000 --> 00:00:07,000\nLate\n".utf8), to: text)
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-i", text, "-c:v", "libx264", "-preset",
                "ultrafast", "-pix_fmt", "yuv420p", "-c:s", codec, source,
            ])
            try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(try Self.cues(of: output) == ["00:00:01,000 --> 00:00:04,000", "Late"])
            let seconds = try Played.numbers("format=duration", of: output).first
            #expect(abs(try #require(seconds) - 4) < 0.05)
        }
    }

    /// The order of packets in the file does not depend on the threads that write them, one for copied video and one
    /// for encoded audio, though there are cues until the end.
    @Test func videoAndAudioAreInterleavedBesideSubtitles() throws {
        try Fixture.withFolder { folder in
            let (text, source, output) = ("\(folder)/a.srt", "\(folder)/a.mkv", "\(folder)/out.mp4")
            let cues = (0..<60).map { second in
                let time = "00:00:\(String(second + 100).dropFirst())"
                return "\(second + 1)\n\(time),100 --> \(time),900\nCue \(second)\n"
            }
            try OutputFile.write(Array(cues.joined(separator: "\n").utf8), to: text)
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=60", "-f", "lavfi", "-i", "sine=440:r=48000:d=60", "-i",
                text, "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
                "yuv420p", "-c:a", "flac", "-c:s", "subrip", source,
            ])
            try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            let packets = try Played.lines("packet=codec_type,dts_time,pos", of: output)
                .map { $0.split(separator: ",") }.filter { $0.count == 3 }
            let places = try packets.filter { $0[0] != "subtitle" }.map { packet in
                (position: try #require(Int(packet[2])), time: try #require(Double(packet[1])))
            }
            #expect(places.count > 4000)
            let times = places.sorted { $0.position < $1.position }.map(\.time)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 + 0.001 })
        }
    }

    /// Captions begin with the video, which begins 2 s after the file's timeline.
    @Test func captionsBeginWithTheVideo() throws {
        try Fixture.withFolder { folder in
            let (text, source) = ("\(folder)/a.srt", "\(folder)/a.mkv")
            let cues = "1\n00:00:00,500 --> 00:00:01,500\nEarly\n\n2\n00:00:01,800 --> 00:00:03,000\nBell\n"
            try OutputFile.write(Array(cues.utf8), to: text)
            try SampleVideo.make([
                "-itsoffset", "2", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-i", text, "-map", "0", "-map",
                "1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:s", "subrip", source,
            ])
            let read = try CaptionCues.read(source, language: nil, limits: VideoLimits(), task: TaskContext())
            #expect(read.map(\.start) == [0] && read.map(\.end) == [1000])
        }
    }

    /// 20 000 cues that are all shown until the end would be repeated 200 million times.
    @Test func cuesThatOverlapWithoutMeasureAreLeftOut() throws {
        try Fixture.withFolder { folder in
            let (source, _) = try Self.makeSource(in: folder, "mkv", codec: "subrip")
            let cues = (0..<20_000).map { number in
                let milliseconds = String(number % 1000 + 1000).dropFirst()
                return "\(number + 1)\n00:00:00,\(milliseconds) --> 00:00:08,000\nx\n"
            }
            let file = "\(folder)/many.srt"
            try OutputFile.write(Array(cues.joined(separator: "\n").utf8), to: file)
            var options = TranscodeOptions()
            options.subtitles = SubtitleSettings(files: [.init(path: file, language: "en")], dropsSource: true)
            let output = "\(folder)/out.mp4"
            let (_, warnings) = try TranscodeTests.transcode(source, to: output, options)
            #expect(warnings.contains { $0.message.contains("many.srt") && $0.message.contains("left out") })
            #expect(try Played.lines("stream=index", of: output, streams: "s").isEmpty)
        }
    }

    /// Players choose by language among autoselected renditions.
    @Test func oneSubtitleRenditionPerLanguageIsAutoselected() throws {
        try Fixture.withFolder { folder in
            let (source, file) = try Self.makeSource(in: folder, "mkv", codec: "subrip")
            var options = TranscodeOptions()
            options.video.preset = "ultrafast"
            options.subtitles = SubtitleSettings(
                files: ["en", "de"].map { .init(path: file, language: $0) })
            options.delivery = .hls(HLSOptions(ladder: LadderRung.ladder("160x120@200"), segmentSeconds: 4))
            try TranscodeTests.transcode(source, to: "\(folder)/hls", options)
            let master = String(decoding: try Fixture.bytes("\(folder)/hls/master.m3u8"), as: UTF8.self)
            let renditions = master.split(separator: "\n").filter { $0.contains("TYPE=SUBTITLES") }
            #expect(renditions.map { $0.contains("LANGUAGE=\"de\"") } == [true, false, true])
            #expect(renditions.map { $0.contains("AUTOSELECT=YES") } == [true, true, false])
            #expect(try HLSValidator().validate("\(folder)/hls").isValid)
        }
    }

    @Test(arguments: [false, true]) func packagesHaveWebVTT(_ isEncrypted: Bool) throws {
        try Fixture.withFolder { folder in
            let (source, file) = try Self.makeSource(in: folder, "mkv", codec: "ass")
            var options = TranscodeOptions()
            options.video.preset = "ultrafast"
            options.subtitles = SubtitleSettings(files: [.init(path: file, language: "en")])
            options.delivery = .hls(
                HLSOptions(ladder: LadderRung.ladder("160x120@200"), segmentSeconds: 4, isEncrypted: isEncrypted))
            let hls = "\(folder)/hls"
            try TranscodeTests.transcode(source, to: hls, options)
            let result = try HLSValidator().validate(hls)
            #expect(result.isValid, "\(result.violations)")
            let master = String(decoding: try Fixture.bytes("\(hls)/master.m3u8"), as: UTF8.self)
            #expect(
                master.contains(
                    "TYPE=SUBTITLES,GROUP-ID=\"subtitles\",NAME=\"German\",LANGUAGE=\"de\",AUTOSELECT=YES,"
                        + "URI=\"subtitles-1-de/playlist.m3u8\""))
            #expect(master.contains("NAME=\"Version originale\",LANGUAGE=\"fr\",DEFAULT=YES"))
            #expect(master.contains("SUBTITLES=\"subtitles\""))
            #expect(master.contains("#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.chapters\",URI=\"chapters.json\""))
            let chapters = String(decoding: try Fixture.bytes("\(hls)/chapters.json"), as: UTF8.self)
            #expect(chapters.contains("\"title\": \"Begin \\\"here\\\"\""))
            let first = try Fixture.bytes("\(hls)/subtitles-2-en/segment-00001.vtt")
            let isText = first.starts(with: Array("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n".utf8))
            #expect(isText == !isEncrypted)
            // ffmpeg joins the segments; a cue that continues in the second is in both.
            let playlist = "\(hls)/subtitles-2-en/playlist.m3u8"
            let text = try SampleVideo.ffmpeg(["-allowed_extensions", "ALL", "-i", playlist, "-f", "webvtt", "-"]).text
            #expect(text.contains("00:01.000 --> 00:02.000\n<i>One</i> &amp; only") || text.contains("One"))
            #expect(text.contains("00:03.500 --> 00:05.000\nTwo\nlines"))
        }
    }
}
