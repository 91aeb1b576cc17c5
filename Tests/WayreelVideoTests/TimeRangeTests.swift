internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

/// Sections of a video whose frames encode their number as brightness, with a beep at a known time: ffmpeg shows which
/// frames are present and when the beep starts.
@Suite struct TimeRangeTests {
    /// The time of the source's beep in seconds.
    private static let beep = 2.5

    /// Makes 25 frames per second for 5 s; frame `n` has the brightness `16 + 7 (n mod 30)`.
    private static func makeSource(_ path: String, _ coding: [String]) throws {
        try SampleVideo.make(
            [
                "-f", "lavfi", "-i", "color=black:s=64x64:r=25:d=5,geq=lum='16+7*mod(N,30)':cb=128:cr=128", "-f",
                "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*1000*t)*between(t,\(beep),\(beep)+0.08)':s=48000:d=5:c=stereo",
            ] + coding + [path])
    }

    /// Returns the numbers, modulo 30, of the frames of a video.
    private static func numbers(in path: String) throws -> [Int] {
        try SampleVideo.ffmpeg(
            [
                "-i", path, "-map", "0:v:0", "-vsync", "passthrough", "-vf",
                "scale=1:1:flags=area,format=gray", "-f", "rawvideo", "-",
            ]
        ).output.map { Int(((luma($0) - 16) / 7).rounded()) }
    }

    /// `gray` has full range, the sources' luma limited range.
    private static func luma(_ gray: UInt8) -> Double { Double(gray) * 219 / 255 + 16 }

    private static let quick = TranscodeOptions(video: VideoSettings(preset: "ultrafast"))

    struct Part: Sendable, CustomTestStringConvertible {
        var ending: String
        var coding: [String]
        var start: Double
        var end: Double?
        /// The numbers of the first frame, and of the first frame that is left out.
        var frames: Range<Int>
        /// Max delay of the audio in seconds: a transport stream does not declare its encoder delay.
        var tolerance = 0.002

        var testDescription: String { "\(ending) from \(start) to \(end.map { "\($0)" } ?? "the end")" }
    }

    private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "4", "-bf", "2", "-g", "50"]
    private static let mp4 = h264 + ["-pix_fmt", "yuv420p", "-c:a", "aac"]

    static let parts: [Part] = [
        Part(ending: "mp4", coding: mp4, start: 2.04, end: 2.84, frames: 51..<71),
        // Between two frames: the section begins with the first frame after the start, and ends with the last frame
        // that begins before the end.
        Part(ending: "mp4", coding: mp4, start: 2.05, end: 2.85, frames: 52..<72),
        Part(ending: "mp4", coding: mp4, start: 2.04, frames: 51..<125),
        Part(ending: "mp4", coding: mp4, start: 0, end: 3, frames: 0..<75),
        Part(
            ending: "mkv", coding: h264 + ["-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"], start: 2.2, end: 3,
            frames: 55..<75),
        Part(ending: "ts", coding: mp4, start: 2.2, end: 3, frames: 55..<75, tolerance: 0.025),
        Part(
            ending: "webm",
            coding: ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "2M", "-c:a", "libopus"], start: 2.2, end: 3,
            frames: 55..<75,
            // The source's frames are 7 ms late, the rounded delay of Opus, but its audio is not.
            tolerance: 0.0075),
    ]

    @Test(arguments: parts) func framesAndAudioAreThoseOfThePart(_ part: Part) throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.\(part.ending)"
            try Self.makeSource(source, part.coding)
            var options = Self.quick
            options.range = TimeRange(start: part.start, end: part.end)
            let output = "\(folder)/out.mp4"
            let (video, warnings) = try TranscodeTests.transcode(source, to: output, options)
            #expect(warnings.isEmpty)
            #expect(video.frames == part.frames.count)
            #expect(try Self.numbers(in: output) == part.frames.map { $0 % 30 })
            // Video and audio are cut at the first frame.
            let first = Double(part.frames.lowerBound) / 25
            let beeps = try LipSyncTests.beeps(in: output)
            #expect(beeps.count == 1)
            for beep in beeps { #expect(abs(beep - (Self.beep - first)) < part.tolerance, "\(beep)") }
        }
    }

    @Test func partsOfHLSBeginTogetherAndResume() throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mp4"
            try Self.makeSource(source, Self.mp4)
            var options = Self.quick
            options.range = TimeRange(start: 1.24, end: 4.24)
            options.isResumable = true
            options.delivery = .hls(
                HLSOptions(ladder: LadderRung.ladder("64x64@300"), segmentSeconds: 2, keyFrameInterval: 1))
            try TranscodeTests.transcode(source, to: "\(folder)/hls", options)
            let result = try HLSValidator().validate("\(folder)/hls")
            #expect(result.isValid, "\(result.violations)")
            let master = "\(folder)/hls/master.m3u8"
            #expect(try Self.numbers(in: master) == (31..<106).map { $0 % 30 })
            let beeps = try LipSyncTests.beeps(in: master)
            #expect(beeps.count == 1)
            // ffmpeg's HLS reader ignores the edit that hides the 1024 samples of the encoder's delay.
            for beep in beeps { #expect(abs(beep - 1024.0 / 48_000 - (Self.beep - 1.24)) < 0.002, "\(beep)") }
        }
    }

    @Test func thePosterIsOfThePart() throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=6,colorchannelmixer=rr='0':gg='0',format=yuv420p",
                "-c:v", "libx264", "-g", "25", source,
            ])
            var options = Self.quick
            options.range = TimeRange(start: 4, end: 5)
            options.poster = PosterOptions()
            let (video, _) = try TranscodeTests.transcode(
                source, to: "\(folder)/out.mp4", poster: "\(folder)/out.jpg", options)
            let seconds = try #require(video.poster?.seconds)
            #expect((4.0..<5.0).contains(seconds), "\(seconds)")
        }
    }

    @Test(arguments: [TimeRange(start: 6), TimeRange(start: 2, end: 1), TimeRange(start: -1), TimeRange(start: .nan)])
    func whatIsNotInTheVideoIsRefused(_ range: TimeRange) throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mp4"
            try Self.makeSource(source, Self.mp4)
            var options = Self.quick
            options.range = range
            let error = #expect(throws: MediaError.self) {
                try TranscodeTests.transcode(source, to: "\(folder)/out.mp4", options)
            }
            #expect(error?.kind == .parameter)
        }
    }
}
