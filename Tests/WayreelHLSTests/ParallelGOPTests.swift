internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// GOPs that are encoded at the same time, as other programs read them.
@Suite struct ParallelGOPTests {
    private struct Source: Sendable {
        /// The codec of the renditions.
        var codec = VideoCodec.h264
        var rate = 25
        var seconds = 13
        /// The kept frames of a variable frame rate, as an expression of FFmpeg and as a function.
        var selection = "1"
        var isKept: @Sendable (Int) -> Bool = { _ in true }

        /// Every third frame is left out.
        static let gaps = Source(selection: "mod(n,3)") { !$0.isMultiple(of: 3) }
        /// GOPs at 60 and 5 frames per second, so that each encoder changes from one rate to the other, and each rate
        /// follows the other.
        static let changing = Source(rate: 60, seconds: 12, selection: "if(mod(floor(n/120),3),1,not(mod(n,12)))") {
            !($0 / 120).isMultiple(of: 3) || $0.isMultiple(of: 12)
        }

        var frames: [Int] { (0..<(seconds * rate)).filter(isKept) }

        /// A brightness that identifies a frame among its neighbours.
        static func brightness(_ frame: Int) -> Int { 20 + frame * 37 % 200 }

        func write(to path: String) throws {
            let picture = "color=black:s=160x90:r=\(rate):d=\(seconds),format=gray,geq=lum='20+mod(N*37,200)'"
            try SampleVideo.make(
                ["-f", "lavfi", "-i", picture + ",select='\(selection)'", "-vsync", "passthrough"]
                    + ["-c:v", "ffv1", "-pix_fmt", "yuv420p", path])
        }
    }

    private static func package(
        _ source: String, _ folder: String, _ codec: VideoCodec = .h264, gops: Int?, bitRate: Int = 300_000
    ) throws {
        let size = PixelSize(width: 160, height: 90)
        var options = TranscodeOptions(
            delivery: .hls(
                HLSOptions(
                    ladder: [LadderRung(box: size, bitRate: bitRate)], parallelGOPs: gops, previewInterval: nil)))
        // With B-frames that are references, the DTS are furthest before the PTS.
        options.video.preset = "medium"
        options.video.codec = codec
        try transcode(source, to: folder, options)
    }

    private static func playlist(_ folder: String) -> String { folder + "/1-160x90/playlist.m3u8" }

    /// Returns a value of each packet in decoding order.
    private static func packets(_ folder: String, _ entry: String) throws -> [Double] {
        Array(try probed("packet=\(entry)", of: playlist(folder)).joined())
    }

    @Test(arguments: [
        (Source(), 1), (Source(), 2), (Source(), 3), (Source(), 4), (Source.gaps, 2), (Source.changing, 1),
        (Source.changing, 2), (Source(codec: .hevc), 2), (Source(codec: .hevc, seconds: 1), 2), (Source(seconds: 1), 4),
    ])
    private func allFramesAreInOrder(_ source: Source, _ gops: Int) throws {
        try Fixture.withFolder { folder in
            let (file, hls) = (folder + "/source.mkv", folder + "/hls")
            try source.write(to: file)
            try Self.package(file, hls, source.codec, gops: gops)
            try SampleVideo.ffmpeg(
                ["-allowed_extensions", "ALL", "-i", Self.playlist(hls), "-vf", "scale=1:1:flags=area,format=gray"]
                    + ["-vsync", "passthrough", "-f", "rawvideo", folder + "/frames.gray"])
            let found = try Fixture.bytes(folder + "/frames.gray").map(Int.init)
            let expected = source.frames.map(Source.brightness)
            #expect(found.count == expected.count)
            let wrong = zip(found, expected).filter { abs($0 - $1) > 8 }.prefix(5)
            #expect(wrong.isEmpty)

            let decoding = try Self.packets(hls, "dts_time")
            #expect(zip(decoding, decoding.dropFirst()).allSatisfy { $0 < $1 })
            let times = try Self.packets(hls, "pts_time")
            #expect(zip(decoding, times).allSatisfy { $0 <= $1 + 1e-6 })
            let shown = times.sorted()
            #expect(shown.count == source.frames.count)
            // The file begins with its first frame; Matroska rounds to milliseconds.
            let first = try #require(source.frames.first)
            #expect(zip(shown, source.frames).allSatisfy { abs($0 - Double($1 - first) / Double(source.rate)) < 0.002 })
            let result = try HLSValidator(isDeep: true).validate(hls)
            #expect(result.violations == [], "\(result.violations)")
        }
    }

    /// A decoder with the rate buffer of the whole rendition never runs out of data: after each frame, the buffer of
    /// ISO/IEC 14496-10, annex C, which fills at the highest rate, is not below zero.
    @Test(arguments: [1, 2, 4]) func theRateBufferIsThatOfOneEncoder(_ gops: Int) throws {
        try Fixture.withFolder { folder in
            let file = folder + "/source.mkv"
            // Calm and busy seconds.
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=30", "-vf",
                "noise=alls=60:allf=t:enable='lt(mod(t,7),3)'", "-c:v", "ffv1", file,
            ])
            let bitRate = 300_000
            try Self.package(file, folder + "/hls", gops: gops, bitRate: bitRate)
            let sizes = try Self.packets(folder + "/hls", "size")
            let (rate, capacity) = (Double(bitRate) * 1.5, Double(bitRate) * 1.5)
            var (level, lowest) = (capacity, capacity)
            for size in sizes {
                level -= size * 8
                lowest = min(lowest, level)
                level = min(capacity, level + rate / 25)
            }
            #expect(sizes.count == 750)
            #expect(lowest >= 0, "\(lowest)")
        }
    }

    /// The bytes do not depend on the progress of the threads.
    @Test func theBytesAreTheSame() throws {
        try Fixture.withFolder { folder in
            let file = folder + "/source.mkv"
            try SampleVideo.make(["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=20", "-c:v", "ffv1", file])
            for run in 0..<3 { try Self.package(file, "\(folder)/\(run)", gops: 3) }
            for run in 1..<3 { try SampleVideo.run("diff", ["-r", folder + "/0", "\(folder)/\(run)"]) }
        }
    }

    @Test func aCancelledEncodingEnds() throws {
        try Fixture.withFolder { folder in
            let file = folder + "/source.mkv"
            try SampleVideo.make(["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=60", "-c:v", "mpeg4", file])
            let cancellation = Cancellation()
            let options = TranscodeOptions(
                video: VideoSettings(preset: "slow"), delivery: .hls(HLSOptions(parallelGOPs: 4)))
            let error = #expect(throws: MediaError.self) {
                try TranscodePipeline(options).run(
                    file, to: folder + "/hls", task: TaskContext(cancellation: cancellation)
                ) { if $0.seconds > 5 { cancellation.cancel() } }
            }
            #expect(error?.kind == .cancelled)
            #expect(Fixture.listing(folder) == ["source.mkv"])
        }
    }
}
