internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// HLS of sources whose audio and video end at different times, or with frames of long duration.
@Suite struct EndAlignmentTests {
    private static func makeSource(_ path: String, video: Int, audio: Int) throws {
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=\(video)", "-f", "lavfi", "-i", "sine=d=\(audio)",
            "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac", path,
        ])
    }

    private static func options(isResumable: Bool) -> TranscodeOptions {
        TranscodeOptions(
            video: VideoSettings(preset: "veryfast"), delivery: .hls(HLSOptions(previewInterval: nil)),
            isResumable: isResumable)
    }

    /// Returns the presentation times and durations of a playlist's packets, in seconds.
    private static func packets(_ playlist: String) throws -> [(time: Double, length: Double)] {
        try probed("packet=pts_time,duration_time", of: playlist).filter { $0.count == 2 }
            .map { ($0[0], $0[1]) }.sorted { $0.time < $1.time }
    }

    /// Returns the end time of the last packet of a playlist.
    private static func end(of playlist: String) throws -> Double {
        try packets(playlist).last.map { $0.time + $0.length } ?? -1
    }

    /// Returns the luma of the frame at `seconds`.
    private static func frame(of path: String, at seconds: Double) throws -> [UInt8] {
        try Fixture.withFolder { folder in
            try SampleVideo.ffmpeg(
                (path.hasSuffix(".m3u8") ? ["-allowed_extensions", "ALL"] : []) + [
                    "-i", path, "-vf", "trim=\(seconds),format=gray", "-frames:v", "1", "-f", "rawvideo",
                    "\(folder)/frame",
                ])
            return try Fixture.bytes("\(folder)/frame")
        }
    }

    private static func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
        guard a.count == b.count, !a.isEmpty else { return .infinity }
        return Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.count)
    }

    /// Returns the loudest sample from `seconds` on, in dB, as measured by FFmpeg's volumedetect.
    private static func peak(of playlist: String, from seconds: Double) throws -> Double {
        let text = try SampleVideo.run(
            "ffmpeg",
            [
                "-nostdin", "-allowed_extensions", "ALL", "-i", playlist, "-af", "atrim=\(seconds),volumedetect", "-f",
                "null", "-",
            ]
        ).errors
        let words = text.split(separator: " ").map(String.init)
        return words.firstIndex(of: "max_volume:").flatMap { Double(words[$0 + 1]) } ?? .nan
    }

    private final class Discard: PacketSink {
        func take(_ packet: Packet) {}
        func finish() {}
    }

    /// Days of silence may be missing; filling them ends at the time limit of the task.
    @Test func silenceEndsWithTheTask() throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.wav"
            try SampleVideo.make(["-f", "lavfi", "-i", "sine=d=1", source])
            let plan = AudioPlan(
                stream: 0, track: 1, action: .transcode, reasons: [], sampleRate: 48_000, channelCount: 1,
                bitRate: 64_000)
            let videoEnd = BoundedQueue<Double>(limit: 1)
            _ = videoEnd.put(1e6)
            let error = #expect(throws: MediaError.self) {
                try AudioTrackEncoder(.path(source), plan, limits: VideoLimits(), task: TaskContext(seconds: 1)).run(
                    into: Discard(), videoEnd: videoEnd)
            }
            #expect(error?.kind == .limit)
        }
    }

    /// Silence needs far less than the bit rate of the encoder.
    @Test func mostlySilentAudioIsValid() throws {
        try Fixture.withFolder { folder in
            let (source, package) = ("\(folder)/source.mp4", "\(folder)/hls")
            try Self.makeSource(source, video: 20, audio: 1)
            try transcode(source, to: package, Self.options(isResumable: false))
            #expect(try HLSValidator().validate(package).violations == [])
        }
    }

    @Test(arguments: [false, true]) func silenceFillsMissingAudio(_ isResumable: Bool) throws {
        try Fixture.withFolder { folder in
            let (source, package) = ("\(folder)/source.mp4", "\(folder)/hls")
            try Self.makeSource(source, video: 8, audio: 5)
            try transcode(source, to: package, Self.options(isResumable: isResumable))
            let audio = "\(package)/audio/playlist.m3u8"
            #expect(abs(try Self.end(of: audio) - 8) < 0.03)
            #expect(try Self.peak(of: audio, from: 4) > -30)
            #expect(try Self.peak(of: audio, from: 5.1) < -80)
            #expect(abs(try Self.end(of: "\(package)/1-160x96/playlist.m3u8") - 8) < 0.001)
            #expect(try HLSValidator().validate(package).isValid)
        }
    }

    @Test(arguments: [false, true]) func theLastFrameIsShownUntilTheAudioEnds(_ isResumable: Bool) throws {
        try Fixture.withFolder { folder in
            let (source, package) = ("\(folder)/source.mp4", "\(folder)/hls")
            try Self.makeSource(source, video: 5, audio: 8)
            let video = try transcode(source, to: package, Self.options(isResumable: isResumable)).video
            #expect(abs(video.seconds - 8) < 0.05)
            let playlist = "\(package)/1-160x96/playlist.m3u8"
            // The video ends with the audio, to the frame.
            #expect((7.99...8.05).contains(try Self.end(of: playlist)))
            let last = try Self.frame(of: playlist, at: 4.95)
            #expect(Self.difference(try Self.frame(of: playlist, at: 7.6), last) < 8)
            #expect(Self.difference(try Self.frame(of: playlist, at: 4.5), last) > 20)
            let validation = try HLSValidator().validate(package)
            #expect(validation.isValid, "\(validation.violations)")
            let complaints = try SampleVideo.run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "warning", "-xerror", "-allowed_extensions", "ALL", "-i",
                    "\(package)/master.m3u8", "-f", "null", "-",
                ]
            ).errors
            #expect(complaints.isEmpty)
        }
    }

    /// Holding the last frame does not hide missing frames.
    @Test(arguments: [false, true]) func missingFramesAreDetected(_ isResumable: Bool) throws {
        try Fixture.withFolder { folder in
            let (source, package) = ("\(folder)/source.mp4", "\(folder)/hls")
            try Self.makeSource(source, video: 8, audio: 8)
            var bytes = try Fixture.bytes(source)
            let packets = try probed("packet=pts_time,size,pos", of: source, streams: "v")
            for packet in packets where packet.count == 3 && packet[0] >= 4 {
                let start = Int(packet[2])
                for offset in start..<start + Int(packet[1]) { bytes[offset] = 0 }
            }
            try OutputFile.write(bytes, to: source)
            var options = Self.options(isResumable: isResumable)
            let error = #expect(throws: MediaError.self) {
                try transcode(source, to: package, options)
            }
            #expect(error?.reason.contains("of the video is missing") == true, "\(String(describing: error))")
            #expect(!Fixture.listing(folder).contains("hls"))
            options.tolerance = DamageTolerance.none
            let video = try transcode(source, to: package, options).video
            #expect(abs(video.seconds - 8) < 0.05)
            #expect(try HLSValidator().validate(package).isValid)
        }
    }

    /// Frames of long duration leave no times at which segments and keyframes can begin.
    @Test(arguments: [
        ("0.2", 25.0, "h264"), ("0.75", 16, "h264"), ("3", 11, "hevc"), ("1", 9, "av1"), ("25", 31, "h264"),
        ("60", 7, "h264"),
    ])
    func longFramesAreRepeated(_ rate: String, _ seconds: Double, _ codec: String) throws {
        try Fixture.withFolder { folder in
            let (source, package) = ("\(folder)/source.mkv", "\(folder)/hls")
            // At 25 fps, one frame in the first half and none after a third of the second; at 60 fps, some are missing.
            let gaps = ["25": ",select='not(n)+between(n,375,500)'", "60": ",select='gt(mod(n,7),1)'"][rate] ?? ""
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x96:r=\(rate):d=\(seconds)\(gaps)", "-f", "lavfi", "-i",
                "sine=d=\(seconds)", "-vsync", "vfr", "-c:v", "mpeg4", "-q:v", "4", "-c:a", "flac", source,
            ])
            var options = Self.options(isResumable: false)
            options.video.codec = try #require(VideoCodec(rawValue: codec))
            if codec == "av1" { options.video.preset = "12" }
            try transcode(source, to: package, options)
            let validation = try HLSValidator().validate(package)
            #expect(validation.violations.isEmpty, "\(validation.violations)")
            let packets = try Self.packets("\(package)/1-160x96/playlist.m3u8")
            // Intervals up to 1.5 times 0.25 s are not divided further.
            #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.time - $0.time < 0.376 })
            let end = packets.last.map { $0.time + $0.length } ?? 0
            #expect(abs(end - seconds) < 0.3, "\(end)")
        }
    }
}
