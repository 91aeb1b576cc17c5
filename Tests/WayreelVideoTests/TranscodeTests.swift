internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

@Suite struct TranscodeTests {
    @discardableResult
    static func transcode(
        _ input: String, to output: String, poster: String? = nil, _ options: TranscodeOptions
    ) throws -> (video: TranscodedVideo, warnings: [MediaWarning]) {
        let task = TaskContext()
        let video = try TranscodePipeline(options).run(
            input, to: output, posterPath: poster, task: task, progress: { _ in })
        return (video, task.warnings)
    }

    @Test(arguments: [
        "bunny-720p-vp8.webm", "bunny-720p-h264-5.1.mp4", "hlg10-hevc.mp4", "portrait-4k60-vfr.mp4", "portrait.mp4",
        "rotate-and-reflect.mp4",
    ])
    func everySamplePlaysInAnotherProgram(_ name: String) throws {
        try Fixture.withFolder { folder in
            var options = TranscodeOptions()
            options.framing.screen = PixelSize(width: 480, height: 320)
            options.video.preset = "ultrafast"
            let output = "\(folder)/out.mp4"
            try Self.transcode(SampleVideo.path(name), to: output, options)
            try Played.expectNoMessages(of: output)
        }
    }

    /// An image is no video, not even with a thumbnail or a gain map, or truncated.
    @Test(arguments: [
        "captures/frame-1080p.png", "captures/rooftop-pixel8-gainmap.jpg", "captures/still-photo.heic",
        "captures/town-coolpix-gps.jpg", "captures/wisteria-iphone6-8mp.jpg", "png.ico", "palette.gif",
    ]) func imagesAreRefused(_ name: String) throws {
        let whole = try Fixture.bytes(name.contains("/") ? Fixture.media(name) : Fixture.image(name))
        try Fixture.withFolder { folder in
            // Nothing is found in a truncated icon.
            for length in [whole.count] + (name == "png.ico" ? [] : [whole.count / 2, whole.count / 5]) {
                let input = "\(folder)/image"
                try OutputFile.write(Array(whole.prefix(length)), to: input, ifExists: .replace)
                let error = try #require(throws: MediaError.self) {
                    try Self.transcode(input, to: "\(folder)/out.mp4", TranscodeOptions())
                }
                #expect(error.kind == .unsupported && error.reason.hasPrefix("is an image ("), "\(error)")
                #expect(Fixture.listing(folder) == ["image"])
            }
        }
    }

    /// A camera may send JPEG images after each other, without a container; animations have two images or more.
    @Test(arguments: [("mjpeg", "image2pipe", 25), ("png", "image2pipe", 25), ("gif", "gif", 2), ("apng", "apng", 2)])
    func imagesAfterEachOtherAreAVideo(codec: String, format: String, count: Int) throws {
        try Fixture.withFolder { folder in
            let (input, output) = ("\(folder)/images", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1", "-frames:v", "\(count)", "-c:v", codec, "-f",
                format, input,
            ])
            try Self.transcode(input, to: output, TranscodeOptions())
            #expect(try Decoded.frames(output).count == count)
        }
    }

    /// A frame rate limit of n keeps the first frame of each 1/n s. Each of the sixty frames is brighter by 3 than the
    /// previous one.
    @Test(arguments: [(24, 3), (30, 2), (13, 5), (60, 1)])
    func lowerRatesKeepTheFirstFrameOfEachInterval(limit: Int, every: Int) throws {
        try Fixture.withFolder { folder in
            let input = "\(folder)/in.mkv"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "color=black:s=64x48:r=60:d=1,format=yuv420p,geq=lum='30+3*N':cb=128:cr=128",
                "-c:v", "ffv1", input,
            ])
            var options = TranscodeOptions()
            options.video = VideoSettings(rate: .crf(1), alwaysEncodes: true)
            options.video.maxFrameRate = Rational(limit)
            let output = "\(folder)/out.mp4"
            let done = try Self.transcode(input, to: output, options)
            #expect(abs(done.video.seconds - 1) < 0.001)
            let played = try SampleVideo.ffmpeg([
                "-i", output, "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
            ]).output
            // The sample in the middle of each frame, in the luma plane, which is first.
            let lumas = stride(from: 24 * 64 + 32, to: played.count, by: 64 * 48 * 3 / 2).map { Int(played[$0]) }
            let expected = stride(from: 0, to: 60, by: every).map { 30 + 3 * $0 }
            #expect(lumas.count == expected.count)
            for (found, luma) in zip(lumas, expected) { #expect(abs(found - luma) <= 1, "\(lumas)") }
        }
    }

    /// At most ten frames per second of bursts at 50 fps with pauses in between: frames are kept that follow the
    /// previous one by 0.1 s, or by little more than half of that.
    @Test func theLimitHoldsAfterAPause() throws {
        try Fixture.withFolder { folder in
            let input = "\(folder)/in.mkv"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=50:d=12.02", "-vf",
                "select='eq(n,0)+between(n,150,154)+between(n,400,402)+eq(n,600)'", "-vsync", "vfr", "-c:v", "ffv1",
                input,
            ])
            let options = TranscodeOptions(video: VideoSettings(maxFrameRate: 10))
            let output = "\(folder)/out.mp4"
            try Self.transcode(input, to: output, options)
            let times = try Played.numbers("frame=pts_time", of: output, streams: "v")
            let expected = [0, 3, 3.06, 8, 12]
            #expect(
                times.count == expected.count && zip(times, expected).allSatisfy { abs($0 - $1) < 0.002 }, "\(times)")
        }
    }

    /// Audio whose decoder cannot be opened is dropped; the video is delivered, and the report matches the output.
    @Test(arguments: [nil, HLSOptions()]) func audioThatCannotBeOpenedIsDropped(_ hls: HLSOptions?) throws {
        try Fixture.withFolder { folder in
            let input = "\(folder)/in.mkv"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=3", "-f", "lavfi", "-i", "sine=d=3", "-c:v", "mpeg4",
                "-c:a", "libvorbis", input,
            ])
            // The setup header of the decoder.
            var bytes = try Fixture.bytes(input)
            let setup = try #require(bytes.firstRange(of: [5] + Array("vorbis".utf8)))
            bytes[setup.upperBound - 1] ^= 1
            try OutputFile.write(bytes, to: input)
            let options = TranscodeOptions(delivery: hls.map { .hls($0) } ?? .mp4)
            let output = hls == nil ? "\(folder)/out.mp4" : "\(folder)/hls"
            let done = try Self.transcode(input, to: output, options)
            #expect(done.video.plan.defaultAudio == nil && done.video.plan.dropped.map(\.stream) == [1])
            #expect(done.warnings.map(\.step) == [.audio])
            let made = hls == nil ? output : output + "/master.m3u8"
            #expect(try Played.lines("format=nb_streams", of: made).first?.hasPrefix("1") == true)
        }
    }
}

/// Files as the programs of FFmpeg read them.
enum Played {
    /// Expects that ffmpeg decodes a file without a message.
    static func expectNoMessages(
        of path: String, _ options: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let played = try SampleVideo.ffmpeg(
            ["-v", "warning", "-xerror", "-i", path] + options + ["-f", "null", "-"])
        #expect(played.errors.isEmpty, "\(played.errors.prefix(300))", sourceLocation: sourceLocation)
    }

    /// Returns the lines of ffprobe with the values of `entries`, of the streams `streams`; nil: of all.
    static func lines(
        _ entries: String, of path: String, streams: String? = nil, _ options: [String] = []
    ) throws -> [String] {
        let chosen = streams.map { ["-select_streams", $0] } ?? []
        return try SampleVideo.run(
            "ffprobe", ["-v", "error"] + chosen + options + ["-show_entries", entries, "-of", "csv=p=0", path]
        ).text.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// Returns the frequency in hertz of the tone in the audio that `options` choose, from its sign changes.
    static func tone(of path: String, _ options: [String], seconds: Range<Double>) throws -> Double {
        let samples = try SampleVideo.ffmpeg(["-i", path] + options + ["-ar", "16000", "-f", "s16le", "-"]).output
        let end = min(samples.count - 1, Int(seconds.upperBound * 32_000))
        let values = stride(from: Int(seconds.lowerBound * 32_000), to: end, by: 2).map {
            Int16(truncatingIfNeeded: Int(samples[$0]) | Int(samples[$0 + 1]) << 8)
        }
        let length = seconds.upperBound - seconds.lowerBound
        #expect(values.count == Int(length * 16_000))
        return Double(zip(values, values.dropFirst()).count { ($0 < 0) != ($1 < 0) }) / 2 / length
    }

    /// Returns the numbers at the beginnings of the lines of ffprobe.
    static func numbers(
        _ entries: String, of path: String, streams: String? = nil, _ options: [String] = []
    ) throws -> [Double] {
        try lines(entries, of: path, streams: streams, options).compactMap { Double($0.prefix { $0 != "," }) }
    }
}
