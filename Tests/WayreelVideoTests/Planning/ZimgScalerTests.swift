import TestSupport
import Testing
import WayreelAV
import WayreelCore
import WayreelImage
import WayreelVideo

/// Compares scaled frames with those of FFmpeg's `zscale`.
@Suite struct ZimgScalerTests {
    private static let source = PixelSize(width: 1280, height: 720)

    /// FFmpeg's code of the chroma location, and sizes that make the chroma planes odd, shrink them to a few pixels and
    /// enlarge them.
    @Test(arguments: ["left", "center", "topleft"], ["960x540", "854x478", "50x28", "1600x902", "1280x500"])
    func framesEqualThoseOfZscale(chroma: String, size: String) throws {
        try Fixture.withFolder { folder in
            let (clip, reference) = ("\(folder)/in.mkv", "\(folder)/reference.yuv")
            try SampleVideo.make([
                "-ss", "3", "-i", Fixture.media("scrapbook/bunny-720p-vp8.webm"), "-an", "-frames:v", "2", "-c:v",
                "libx264", "-preset", "ultrafast", "-chroma_sample_location", chroma, clip,
            ])
            try SampleVideo.make([
                "-i", clip, "-vf",
                "zscale=\(size.split(separator: "x").joined(separator: ":")):filter=bicubic:param_a=0:param_b=0.6",
                "-f", "rawvideo", reference,
            ])
            let to = try #require(PixelSize(size))
            let scaler = try ZimgScaler(from: Self.source, to: to, b: 0, c: 0.6)
            let bytes = try Decoded.frames(clip).compactMap(scaler.scale).flatMap(PlannedFrames.bytes)
            #expect(bytes == (try Fixture.bytes(reference)))
        }
    }

    @Test func framesOfAnotherSizeOrFormatAreRejected() throws {
        try Fixture.withFolder { folder in
            for (name, options) in [
                ("size", ["-vf", "scale=640:360", "-c:v", "ffv1"]),
                ("format", ["-pix_fmt", "yuv422p", "-c:v", "ffv1"]),
                ("range", ["-pix_fmt", "yuvj420p", "-c:v", "mjpeg"]),
            ] {
                let clip = "\(folder)/\(name).mkv"
                try SampleVideo.make(
                    ["-i", Fixture.media("scrapbook/bunny-720p-vp8.webm"), "-an", "-frames:v", "1"] + options + [clip])
                let scaler = try ZimgScaler(from: Self.source, to: PixelSize(width: 960, height: 540), b: 0, c: 0.6)
                let frames = try Decoded.frames(clip)
                #expect(try frames.count == 1 && scaler.scale(frames[0]) == nil)
            }
        }
    }

    /// Frames that bypass FFmpeg's filters equal those that pass through them: of SDR, and of HDR after tone mapping.
    @Test(
        arguments: [
            ["-pix_fmt", "yuv420p", "-colorspace", "bt709"],
            [
                "-pix_fmt", "yuv420p10le", "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc",
                "smpte2084",
            ],
        ], ["322x182", "160x90", "98x56", "20x12"])
    func bothLoweringsGiveTheSameBytes(format: [String], screen: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try SampleVideo.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=322x182:r=25:d=0.12", "-c:v", "ffv1"] + format + [path])
            let box = try #require(PixelSize(screen))
            let framing = Framing(screen: box, fit: .contain)
            let plan = try TranscodePlan.plan(
                path: path, TranscodeOptions(framing: framing, video: VideoSettings(alwaysEncodes: true)))
            let video = try #require(plan.video)
            let scaling = try #require(video.filters(of: video.renditions[0]).scaling)
            let scaler = try ZimgScaler(from: scaling.from, to: scaling.to, b: 0, c: 0.6)
            let shared = try FilterGraph(video.sharedFilters, timeBase: 1)
            var frames: [[UInt8]] = []
            for frame in try Decoded.frames(path) {
                try shared.send(frame)
                while let converted = try shared.next() {
                    guard let scaled = try scaler.scale(converted) else { continue }
                    frames.append(try PlannedFrames.bytes(of: scaled))
                }
            }
            #expect(frames.count == 3)
            #expect(frames == (try PlannedFrames.make(path, plan).map(\.bytes)))
        }
    }

    /// The source size of files whose frames may bypass FFmpeg's filters; nil for others.
    @Test(arguments: [
        ("scrapbook/bunny-720p-vp8.webm", PixelSize(width: 1280, height: 720)),
        ("scrapbook/rotate-and-reflect.mp4", nil),
        ("scrapbook/portrait.mp4", PixelSize(width: 720, height: 1080)), ("scrapbook/portrait-4k60-vfr.mp4", nil),
    ])
    func onlyPlainUprightFramesBypassTheFilters(name: String, size: PixelSize?) throws {
        let plan = try TranscodePlan.plan(
            path: Fixture.media(name),
            TranscodeOptions(framing: Framing(screen: PixelSize(width: 320, height: 240), fit: .contain)))
        let video = try #require(plan.video)
        let scaling = video.filters(of: video.renditions[0]).scaling
        #expect(scaling?.from == size && scaling?.to == size.map { _ in video.renditions[0].size })
    }
}
