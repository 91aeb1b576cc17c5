import TestSupport
import Testing
import WayreelAV
import WayreelCore
import WayreelImage
import WayreelVideo

/// The output of a plan's filters for frames of known colours.
@Suite struct FilterChainTests {
    static let sources: [(name: String, video: FlatVideo)] = [
        ("untagged SD is BT.601", FlatVideo(weights: FlatVideo.bt601)),
        ("untagged HD is BT.709", FlatVideo(size: PixelSize(width: 1280, height: 64))),
        ("BT.709 as tagged", FlatVideo(tags: ["-colorspace", "bt709"])),
        (
            "BT.601 as tagged, HD",
            FlatVideo(
                size: PixelSize(width: 1280, height: 64), weights: FlatVideo.bt601, tags: ["-colorspace", "smpte170m"])
        ),
        (
            "full range",
            FlatVideo(isFullRange: true, tags: ["-colorspace", "bt709", "-color_range", "pc"])
        ),
        (
            "full range of BT.601",
            FlatVideo(
                pixelFormat: "yuvj420p", weights: FlatVideo.bt601, isFullRange: true, tags: ["-colorspace", "bt470bg"])
        ),
        ("10 bits of 4:2:2", FlatVideo(pixelFormat: "yuv422p10le", tags: ["-colorspace", "bt709"])),
        (
            "10 bits in full range of BT.601",
            FlatVideo(
                pixelFormat: "yuv420p10le", weights: FlatVideo.bt601, isFullRange: true,
                tags: ["-colorspace", "smpte170m", "-color_range", "pc"])
        ),
        (
            "12 bits of BT.2020's matrix",
            FlatVideo(pixelFormat: "yuv444p12le", weights: FlatVideo.bt2020, tags: ["-colorspace", "bt2020nc"])
        ),
        ("SMPTE 240M", FlatVideo(weights: FlatVideo.smpte240, tags: ["-colorspace", "smpte240m"])),
    ]

    @Test(arguments: sources.indices)
    func coloursBecomeThoseOfBT709(index: Int) throws {
        let video = Self.sources[index].video
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            let isJPEG = video.pixelFormat.hasPrefix("yuvj")
            try video.write(path, codec: isJPEG ? ["-c:v", "mjpeg", "-q:v", "1"] : ["-c:v", "ffv1"])
            for screen in [nil, PixelSize(width: video.size.width / 2, height: video.size.height / 2)] {
                let plan = try TranscodePlan.plan(
                    path: path, TranscodeOptions(framing: Framing(screen: screen, fit: .contain)))
                let frame = try #require(PlannedFrames.make(path, plan).first)
                #expect(frame.size == plan.video?.renditions.first?.size)
                expect(frame.quarters, near: FlatVideo.quarters, within: 3.5 / 255, Self.sources[index].name)
            }
        }
    }

    private func expect(_ found: [Color], near wanted: [Color], within tolerance: Double, _ name: String) {
        for (found, wanted) in zip(found, wanted) {
            let error = max(
                abs(found.red - wanted.red), abs(found.green - wanted.green), abs(found.blue - wanted.blue))
            #expect(error <= tolerance, "\(name): \(found) instead of \(wanted)")
        }
    }

    /// Returns the matrix from RGB of chromaticities x, y (BT.2020, SMPTE 170M, BT.709; D65) to XYZ, by the definition:
    /// SMPTE RP 177.
    private static func toXYZ(_ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double))
        -> [[Double]]
    {
        let column = { (c: (Double, Double)) in [c.0 / c.1, 1, (1 - c.0 - c.1) / c.1] }
        let m = [column(red), column(green), column(blue)]
        let white = column((0.3127, 0.3290))
        // Scales of the columns that make 1, 1, 1 white.
        let matrix = (0..<3).map { row in (0..<3).map { m[$0][row] } }
        let s = multiply(inverse(matrix), white)
        return (0..<3).map { row in (0..<3).map { matrix[row][$0] * s[$0] } }
    }

    private static func multiply(_ m: [[Double]], _ v: [Double]) -> [Double] {
        m.map { row in zip(row, v).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private static func inverse(_ m: [[Double]]) -> [[Double]] {
        let minor = { (r: Int, c: Int) in
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3)
            return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
        return (0..<3).map { r in (0..<3).map { minor($0, r) / determinant } }
    }

    private static let bt709 = toXYZ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))

    @Test(arguments: [
        ("bt2020", (0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
        ("smpte170m", (0.630, 0.340), (0.310, 0.595), (0.155, 0.070)),
    ])
    func primariesBecomeThoseOfBT709(
        name: String, red: (Double, Double), green: (Double, Double), blue: (Double, Double)
    ) throws {
        // Display light (BT.1886).
        let light = { (signal: Double) in power(signal, 2.4) }
        let signal = { (light: Double) in power(light, 1 / 2.4) }
        let colors: [Color] = [(0.6, 0.5, 0.5), (0.5, 0.6, 0.45), (0.4, 0.4, 0.6), (0.7, 0.7, 0.6)]
        let wanted = colors.map { color -> Color in
            let xyz = Self.multiply(
                Self.toXYZ(red, green, blue), [light(color.red), light(color.green), light(color.blue)])
            let rgb = Self.multiply(Self.inverse(Self.bt709), xyz).map(signal)
            return (rgb[0], rgb[1], rgb[2])
        }
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try FlatVideo(
                tags: ["-colorspace", "bt709", "-color_primaries", name, "-color_trc", "bt709"], colors: colors
            ).write(path)
            let plan = try TranscodePlan.plan(path: path)
            let frame = try #require(PlannedFrames.make(path, plan).first)
            expect(frame.quarters, near: wanted, within: 3.0 / 255, name)
        }
    }

    /// The displayed position of each quarter of the stored frame, by the definitions of EXIF 2.32 for row 0 and column
    /// 0.
    @Test(arguments: [
        (Orientation.upright, [0, 1, 2, 3]), (.mirrored, [1, 0, 3, 2]), (.halfTurn, [3, 2, 1, 0]),
        (.flipped, [2, 3, 0, 1]), (.transposed, [0, 2, 1, 3]), (.quarterTurnClockwise, [2, 0, 3, 1]),
        (.transversed, [3, 1, 2, 0]), (.quarterTurnCounterclockwise, [1, 3, 0, 2]),
    ])
    func framesAreTurnedUpright(orientation: Orientation, shown: [Int]) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try FlatVideo(tags: ["-colorspace", "bt709"]).write(path)
            var info = try MediaScan.info(of: .path(path), task: TaskContext())
            info.streams[0].videoProperties?.orientation = orientation
            let plan = try TranscodePlan(of: info, TranscodeOptions())
            let frame = try #require(PlannedFrames.make(path, plan).first)
            #expect(frame.size == orientation.upright(PixelSize(width: 64, height: 48)))
            expect(frame.quarters, near: shown.map { FlatVideo.quarters[$0] }, within: 2.5 / 255, "\(orientation)")
        }
    }

    @Test(arguments: [
        (PixelSize(width: 161, height: 121), 1 as Rational, PixelSize(width: 160, height: 120)),
        (PixelSize(width: 160, height: 121), 1 as Rational, PixelSize(width: 160, height: 120)),
        (PixelSize(width: 3, height: 3), 1 as Rational, PixelSize(width: 2, height: 2)),
        (PixelSize(width: 1, height: 1), 1 as Rational, PixelSize(width: 2, height: 2)),
        // PAL widescreen: 720 × 16 / 15 × 4 / 3.
        (PixelSize(width: 72, height: 58), Rational(64, 45)!, PixelSize(width: 102, height: 58)),
    ])
    func oddSizesAndPixelsThatAreNotSquare(size: PixelSize, aspect: Rational, wanted: PixelSize) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try FlatVideo(size: size, tags: ["-colorspace", "bt709"]).write(path)
            var info = try MediaScan.info(of: .path(path), task: TaskContext())
            info.streams[0].videoProperties?.pixelAspect = aspect
            let plan = try TranscodePlan(of: info, TranscodeOptions())
            #expect(plan.video?.renditions.first?.size == wanted)
            let frame = try #require(PlannedFrames.make(path, plan).first)
            #expect(frame.size == wanted)
            guard size.width > 8 else { return }
            expect(frame.quarters, near: FlatVideo.quarters, within: 2.5 / 255, "\(size)")
        }
    }

    /// The left half of a frame that is stored upright and of one that is stored sideways.
    @Test(arguments: [(Orientation.upright, [0, 2]), (.quarterTurnClockwise, [2, 0])])
    func cropKeepsTheSideOfItsGravity(orientation: Orientation, shown: [Int]) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            let size = orientation.upright(PixelSize(width: 96, height: 64))
            try FlatVideo(size: size, tags: ["-colorspace", "bt709"]).write(path)
            var info = try MediaScan.info(of: .path(path), task: TaskContext())
            info.streams[0].videoProperties?.orientation = orientation
            let framing = Framing(
                screen: PixelSize(width: 48, height: 64), fit: .cover, gravity: .west, turnsScreen: false)
            let plan = try TranscodePlan(of: info, TranscodeOptions(framing: framing))
            let frame = try #require(PlannedFrames.make(path, plan).first)
            #expect(frame.size == PixelSize(width: 48, height: 64))
            let found = [0.25, 0.75].flatMap { y in [0.3, 0.9].map { frame.color($0, y) } }
            let upright = orientation == .upright ? [0, 0, 2, 2] : [2, 2, 3, 3]
            expect(found, near: upright.map { FlatVideo.quarters[$0] }, within: 2.5 / 255, "\(orientation)")
        }
    }

    /// Frames of another size or shape are fitted into the same output.
    @Test func aSizeThatChangesLeavesTheOutputAsItIs() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try FlatVideo(size: PixelSize(width: 256, height: 192), tags: ["-colorspace", "bt709"]).write(path)
            let plan = try TranscodePlan.plan(
                path: path, TranscodeOptions(framing: Framing(screen: PixelSize(width: 128, height: 96), fit: .contain))
            )
            let others = [
                (PixelSize(width: 512, height: 384), 0.0, 0.0), (PixelSize(width: 384, height: 96), 0.0, 0.33),
                (PixelSize(width: 120, height: 240), 0.31, 0.0), (PixelSize(width: 203, height: 151), 0.0, 0.0),
            ]
            for (size, insideX, insideY) in others {
                let other = "\(folder)/\(size.width).mkv"
                try FlatVideo(size: size, tags: ["-colorspace", "bt709"]).write(other)
                let frame = try #require(PlannedFrames.make(other, plan).first)
                #expect(frame.size == PixelSize(width: 128, height: 96))
                let inner = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)].map { x, y in
                    frame.color(x + (0.5 - x) * insideX * 2, y + (0.5 - y) * insideY * 2)
                }
                expect(inner, near: FlatVideo.quarters, within: 2.5 / 255, "\(size)")
                guard insideX + insideY > 0 else { continue }
                expect([frame.color(0.02, 0.02)], near: [(0, 0, 0)], within: 2.5 / 255, "\(size)")
            }
        }
    }

    /// Straight alpha over a background, also if invisible pixels have a colour.
    @Test(arguments: ["png", "qtrle"])
    func transparencyShowsTheBackground(codec: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mov"
            // The left half is opaque; the upper part of the right half is half transparent, and the lower part is an
            // invisible green.
            try FlatVideo.write(
                Self.transparent((255, 128, 0), (0, 0, 255, 128), (0, 255, 0, 0)), "rgba",
                PixelSize(width: 64, height: 48),
                ["-c:v", codec, "-pix_fmt", codec == "png" ? "rgba" : "argb"], path)
            var options = TranscodeOptions(framing: Framing(screen: PixelSize(width: 32, height: 24), fit: .contain))
            options.video.background = RGBColor(red: 1, green: 0.2, blue: 0.6)
            let plan = try TranscodePlan.plan(path: path, options)
            let frame = try #require(PlannedFrames.make(path, plan).first)
            expect(
                [frame.color(0.25, 0.5), frame.color(0.75, 0.2), frame.color(0.75, 0.8)],
                near: [(1, 0.5, 0), (0.5, 0.1, 0.8), (1, 0.2, 0.6)], within: 3.0 / 255, codec)
            // Between opaque and invisible pixels, no green of the invisible ones shows.
            for x in stride(from: 0.4, through: 0.6, by: 0.03) { #expect(frame.color(x, 0.8).green < 0.53) }
        }
    }

    private static func transparent(
        _ left: (UInt8, UInt8, UInt8), _ upper: (UInt8, UInt8, UInt8, UInt8), _ lower: (UInt8, UInt8, UInt8, UInt8)
    ) -> [UInt8] {
        (0..<48).flatMap { y in
            (0..<64).flatMap { x in
                let right = y < 24 ? upper : lower
                return x < 32 ? [left.0, left.1, left.2, 255] : [right.0, right.1, right.2, right.3]
            }
        }
    }

    /// VP9 stores alpha in a separate stream, which only libvpx decodes.
    @Test func transparencyOfVP9() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.webm"
            try FlatVideo.write(
                Self.transparent((128, 128, 128), (128, 128, 128, 0), (128, 128, 128, 0)), "rgba",
                PixelSize(width: 64, height: 48),
                ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-cpu-used", "8", "-crf", "10", "-b:v", "0"], path)
            let options = TranscodeOptions(video: VideoSettings(background: .white))
            let plan = try TranscodePlan.plan(path: path, options)
            let frame = try #require(PlannedFrames.make(path, plan).first)
            let grey = 128.0 / 255
            expect(
                [frame.color(0.2, 0.5), frame.color(0.8, 0.5)], near: [(grey, grey, grey), (1, 1, 1)],
                within: 4.0 / 255, "vp9")
        }
    }

    /// HDR grey: light by SMPTE ST 2084 (equation 4.1), 203 cd/m² as 1 (BT.2408), Mobius' curve, BT.1886.
    @Test func hdrOfPQBecomesSDR() throws {
        let signal = { (nits: Double) in
            let y = power(nits / 10_000, 0.1593017578125)
            return power((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
        }
        let nits = [20.0, 100, 203, 900]
        let video = FlatVideo(
            pixelFormat: "yuv420p10le", weights: FlatVideo.bt2020,
            tags: ["-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084"],
            colors: nits.map { (signal($0), signal($0), signal($0)) })
        try expectToneMapped(video, light: nits.map { $0 / 203 })
    }

    /// Light by ARIB STD-B67 with the OOTF of a display of 1000 cd/m² (BT.2100, tables 5).
    @Test func hdrOfHLGBecomesSDR() throws {
        let signals = [0.25, 0.5, 0.75, 0.95]
        let video = FlatVideo(
            pixelFormat: "yuv420p10le", weights: FlatVideo.bt2020,
            tags: ["-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67"],
            colors: signals.map { ($0, $0, $0) })
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        let light = signals.map { signal in
            let scene = signal <= 0.5 ? signal * signal / 3 : (power(2.718281828459045, (signal - c) / a) + b) / 12
            return 1000 * power(scene, 1.2) / 203
        }
        try expectToneMapped(video, light: light)
    }

    private func expectToneMapped(_ video: FlatVideo, light: [Double]) throws {
        let (peak, j) = (1000.0 / 203, 0.15)
        let a = -j * j * (peak - 1) / (j * j - 2 * j + peak)
        let b = (j * j - 2 * j * peak + peak) / (peak - 1)
        let wanted = light.map { light -> Color in
            let mapped = light <= j ? light : (b * b + 2 * b * j + j * j) / (b - a) * (light + a) / (light + b)
            let signal = power(mapped, 1 / 2.4)
            return (signal, signal, signal)
        }
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try video.write(path)
            let plan = try TranscodePlan.plan(
                path: path, TranscodeOptions(framing: Framing(screen: PixelSize(width: 32, height: 24), fit: .contain)))
            let frame = try #require(PlannedFrames.make(path, plan).first)
            #expect(frame.size == PixelSize(width: 32, height: 24))
            expect(frame.quarters, near: wanted, within: 3.0 / 255, "HDR")
        }
    }

    /// Lines of one field only, as seen by a camera of 50 fields per second: the other field's lines are interpolated.
    @Test func interlacedFramesAreDeinterlaced() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mpg"
            // A bar moves by four columns per field.
            try SampleVideo.make([
                "-f", "lavfi", "-i",
                "color=gray:s=64x48:r=50:d=0.4,geq=lum='if(between(X,N*2,N*2+12),200,60)':cb=128:cr=128,interlace=lowpass=0",
                "-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-q:v", "2", path,
            ])
            let plan = try TranscodePlan.plan(path: path)
            #expect(plan.source.video?.videoProperties?.scan == .interlaced)
            let frames = try PlannedFrames.make(path, plan)
            #expect(frames.count == 10)
            // Differences between neighbouring lines of 64, of which the bar itself has none.
            let combing = { (frame: CodedFrame) in
                zip(frame.bytes[256..<2752], frame.bytes[320..<2816]).map { abs(Int($0) - Int($1)) }.reduce(0, +)
            }
            var never = TranscodeOptions()
            never.video.deinterlacing = .never
            let combed = try PlannedFrames.make(path, try TranscodePlan.plan(path: path, never))
            for index in 2..<8 { #expect(combing(frames[index]) * 5 < combing(combed[index])) }
        }
    }
}
