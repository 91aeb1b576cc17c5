internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

@Suite struct PosterTests {
    private static func poster(
        _ path: String, _ options: PosterOptions = PosterOptions()
    ) throws -> (poster: Poster, image: Image, warnings: [MediaWarning]) {
        let task = TaskContext()
        var options = options
        options.encoding = Encoding(.png)
        let poster = try PosterPipeline(options).make(.path(path), task: task)
        let image = try Fixture.withFolder { folder in
            try OutputFile.write(poster.bytes, to: "\(folder)/poster.png")
            return try Image.load(path: "\(folder)/poster.png", limits: .standard)
        }
        return (poster, image, task.warnings)
    }

    /// Returns red, green and blue of a pixel as codes.
    private static func color(_ image: Image, _ x: Int, _ y: Int) -> [Int] {
        image.withPlanes { planes in (0..<3).map { Int((planes.row(y, plane: $0)[x] * 255).rounded()) } }
    }

    private static func make(_ source: String, _ arguments: [String] = [], at path: String) throws {
        try SampleVideo.make(
            ["-f", "lavfi", "-i", source]
                + (arguments.contains("-c:v") ? [] : ["-c:v", "libx264", "-preset", "ultrafast"])
                + arguments + [path])
    }

    /// Makes frames of uniform grey, 16 + 2·n, so that each can be identified.
    private static func greys(_ folder: String, _ arguments: [String] = []) throws -> String {
        let path = "\(folder)/greys.mp4"
        try make(
            "color=black:s=64x48:r=10:d=10,format=yuv420p,geq=lum='16+2*N':cb=128:cr=128",
            ["-crf", "1", "-g", "30", "-bf", "2"] + arguments, at: path)
        return path
    }

    @Test(arguments: [0, 0.05, 0.1, 0.99, 1.0, 3.14, 5.999, 9.95]) func aTimeSelectsTheFrameShownThen(
        seconds: Double
    ) throws {
        try Fixture.withFolder { folder in
            let made = try Self.poster(try Self.greys(folder), PosterOptions(time: seconds))
            let number = ((seconds + 1e-9) * 10).rounded(.down)
            #expect(abs(made.poster.seconds - number / 10) < 1e-3)
            let expected = Int((2 * number / 219 * 255).rounded())
            #expect(abs(Self.color(made.image, 30, 20)[1] - expected) <= 1)
            #expect(made.warnings.isEmpty)
        }
    }

    @Test func aTimePastTheEndSelectsTheLastFrame() throws {
        try Fixture.withFolder { folder in
            let made = try Self.poster(try Self.greys(folder), PosterOptions(time: 60))
            #expect(abs(made.poster.seconds - 9.9) < 1e-3)
            #expect(made.warnings.count == 1)
        }
    }

    /// Neither the black before nor the white after is chosen, with few or many keyframes.
    @Test(arguments: ["250", "12"]) func blackAndWhiteArePassedOver(keyInterval: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "color=black:s=160x90:r=12:d=6", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=12:d=1",
                "-f", "lavfi", "-i", "color=white:s=160x90:r=12:d=5", "-filter_complex", "[0][1][2]concat=n=3", "-c:v",
                "libx264", "-preset", "ultrafast", "-g", keyInterval, "-sc_threshold", "0", path,
            ])
            #expect((6.0..<7.0).contains(try Self.poster(path).poster.seconds))
        }
    }

    @Test func aFadeAndABlurArePassedOver() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mp4"
            // Dark or pale at both ends, blurred in the first half of the middle.
            try Self.make(
                "testsrc2=s=320x180:r=10:d=8,fade=in:d=2,fade=out:st=6:d=2,gblur=sigma=6:enable='lt(t,4)'",
                ["-g", "10"],
                at: path)
            let seconds = try Self.poster(path).poster.seconds
            #expect((4.0...6.4).contains(seconds), "\(seconds)")
        }
    }

    @Test func whatIsBlurredForTheMostPartHasASharpPoster() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mp4"
            try Self.make(
                "testsrc2=s=320x180:r=10:d=8,gblur=sigma=6:enable='lt(mod(t,2),1.3)'", ["-g", "5"], at: path)
            let seconds = try Self.poster(path).poster.seconds
            #expect(seconds.truncatingRemainder(dividingBy: 2) >= 1.25, "\(seconds)")
        }
    }

    /// Two scenes of a second, with a dissolve of four seconds between them, whose middle resembles the whole more than
    /// the scenes do: with many keyframes, and with few.
    @Test(arguments: ["5", "250"]) func aDissolveIsPassedOver(_ keyInterval: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=5", "-f", "lavfi", "-i",
                "mandelbrot=s=320x180:r=25:start_scale=0.3,trim=duration=5,setpts=PTS-STARTPTS", "-filter_complex",
                "[0]format=yuv420p,settb=1/25[a];[1]format=yuv420p,settb=1/25[b];"
                    + "[a][b]xfade=transition=fade:duration=4:offset=1", "-c:v", "libx264", "-preset",
                "ultrafast", "-g", keyInterval, "-sc_threshold", "0", path,
            ])
            let seconds = try Self.poster(path).poster.seconds
            #expect(!(1.08..<4.92).contains(seconds), "\(seconds)")
        }
    }

    @Test func aSingleFrameAndAUniformOneAreAccepted() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/one.mp4"
            try Self.make("testsrc2=s=64x48:r=1:d=1", at: path)
            #expect(try Self.poster(path).poster.seconds == 0)
            let black = "\(folder)/black.mp4"
            try Self.make("color=black:s=64x48:r=5:d=2", at: black)
            let made = try Self.poster(black)
            #expect(made.poster.size == PixelSize(width: 64, height: 48))
            #expect(Self.color(made.image, 5, 5) == [0, 0, 0])
        }
    }

    @Test func audioAloneHasNoPoster() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/audio.m4a"
            try SampleVideo.make(["-f", "lavfi", "-i", "sine=d=1", path])
            let error = try #require(throws: MediaError.self) { _ = try Self.poster(path) }
            #expect(error.description.contains("audio only"))
        }
    }

    @Test func aCoverIsTakenWhereThereIsNothingElse() throws {
        try Fixture.withFolder { folder in
            let (cover, path) = ("\(folder)/cover.png", "\(folder)/song.mp3")
            try Self.make("color=0x0000ff:s=40x30,format=rgb24", ["-frames:v", "1", "-c:v", "png"], at: cover)
            try SampleVideo.make([
                "-f", "lavfi", "-i", "sine=d=1", "-i", cover, "-map", "0", "-map", "1", "-c:v", "copy",
                "-disposition:v", "attached_pic", path,
            ])
            let made = try Self.poster(path)
            #expect(made.poster.size == PixelSize(width: 40, height: 30))
            #expect(Self.color(made.image, 3, 3) == [0, 0, 255])
        }
    }

    /// The colours of BT.709 and BT.601 by their tags, limited and full range, and of RGB, each in its own pixel
    /// format.
    @Test(arguments: [
        ["-pix_fmt", "yuv444p", "-colorspace", "bt709", "-vf", "scale=out_color_matrix=bt709"],
        ["-pix_fmt", "yuv444p", "-colorspace", "smpte170m", "-vf", "scale=out_color_matrix=smpte170m"],
        ["-pix_fmt", "yuvj444p", "-colorspace", "bt709", "-vf", "scale=out_color_matrix=bt709:out_range=full"],
        ["-pix_fmt", "yuv422p10", "-colorspace", "bt709", "-vf", "scale=out_color_matrix=bt709"],
        ["-pix_fmt", "yuv420p", "-colorspace", "bt709", "-vf", "scale=out_color_matrix=bt709"],
        ["-pix_fmt", "bgr0"], ["-pix_fmt", "gbrp"],
    ])
    func coloursAreThoseOfTheSource(_ arguments: [String]) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try Self.make("color=0xc86432:s=40x30:r=2:d=1,format=gbrp", arguments + ["-c:v", "ffv1"], at: path)
            let made = try Self.poster(path)
            for (own, expected) in zip(Self.color(made.image, 20, 15), [200, 100, 50]) {
                #expect(abs(own - expected) <= 2, "\(own) for \(expected)")
            }
        }
    }

    /// Makes two seconds of Motion JPEG, 1280 × 720 at 25 frames a second.
    private static func makeMotionJPEG(_ pixelFormat: String, at path: String) throws {
        try make(
            "mandelbrot=s=1280x720:r=25,trim=duration=2", ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", pixelFormat],
            at: path)
    }

    /// Expects the pixels of FFmpeg's frame, converted by the same library, with a peak signal-to-noise ratio of 50 dB.
    private static func expect(_ image: Image, isFrame number: Int, of path: String) throws {
        try Fixture.withFolder { folder in
            try SampleVideo.make([
                "-i", path, "-vf",
                "select=eq(n\\,\(number)),zscale=min=470bg:rin=full:m=gbr:r=full:filter=bicubic,format=gbrp",
                "-frames:v", "1", "\(folder)/expected.png",
            ])
            let expected = try Image.load(path: "\(folder)/expected.png", limits: .standard)
            try #require(image.size == expected.size)
            let values = { (image: Image) in
                image.withPlanes { planes in
                    (0..<3).flatMap { plane in
                        (0..<image.size.height).flatMap { y in
                            (0..<image.size.width).map { planes.row(y, plane: plane)[$0] }
                        }
                    }
                }
            }
            let squares = zip(values(image), values(expected)).map { Double(($0 - $1) * ($0 - $1)) }
            let mean = squares.reduce(0, +) / Double(squares.count)
            #expect(mean < 1e-5, "\(mean)")
        }
    }

    @Test(arguments: [("in.avi", "yuvj420p"), ("in.mov", "yuvj422p"), ("in.mkv", "yuvj444p")])
    func aPosterOfMotionJPEGIsFFmpegsFrame(_ name: String, pixelFormat: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/\(name)"
            try Self.makeMotionJPEG(pixelFormat, at: path)
            try Self.expect(try Self.poster(path, PosterOptions(time: 1)).image, isFrame: 25, of: path)
            #expect((0.0..<2).contains(try Self.poster(path).poster.seconds))
        }
    }

    /// FFmpeg decodes those without an EOI marker, which are left to it: at the time of the poster, and among the frames
    /// that it is chosen from.
    @Test func motionJPEGOfWhichFramesAreLeftToFFmpegHasAPoster() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.avi"
            try Self.makeMotionJPEG("yuvj420p", at: path)
            var bytes = try Fixture.bytes(path)
            let ends = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 }
            try #require(ends.count == 50)
            for (number, end) in ends.enumerated() where number % 3 == 1 { (bytes[end], bytes[end + 1]) = (0, 0) }
            try OutputFile.write(bytes, to: path)
            for number in [24, 25] {
                let made = try Self.poster(path, PosterOptions(time: Double(number) / 25))
                #expect(made.warnings.isEmpty)
                try Self.expect(made.image, isFrame: number, of: path)
            }
            let made = try Self.poster(path)
            #expect(made.warnings.isEmpty)
            let number = Int((made.poster.seconds * 25).rounded())
            try Self.expect(made.image, isFrame: number, of: path)
        }
    }

    @Test func transparencyShowsTheBackground() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try Self.make(
                "color=0xff0000:s=40x30:r=2:d=1,format=rgba,colorchannelmixer=aa=0.5",
                ["-c:v", "ffv1", "-pix_fmt", "bgra"], at: path)
            let made = try Self.poster(path, PosterOptions(background: RGBColor(red: 0, green: 0, blue: 1)))
            for (own, expected) in zip(Self.color(made.image, 20, 15), [127, 0, 128]) {
                #expect(abs(own - expected) <= 2)
            }
        }
    }

    /// Upright at the size of the screen: rotated, with non-square pixels, odd, interlaced.
    @Test func sizesAreThoseThatAreShown() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mp4"
            try Self.make("testsrc2=s=160x90:r=5:d=1", at: path)
            let turned = "\(folder)/turned.mp4"
            try SampleVideo.make(["-i", path, "-c", "copy", "-metadata:s:v", "rotate=90", turned])
            #expect(try Self.poster(turned).poster.size == PixelSize(width: 90, height: 160))
            var options = PosterOptions()
            options.framing.screen = PixelSize(width: 80, height: 60)
            #expect(try Self.poster(turned, options).poster.size == PixelSize(width: 45, height: 80))
            let wide = "\(folder)/wide.mp4"
            try Self.make("testsrc2=s=72x58:r=5:d=1,setsar=16/11", at: wide)
            #expect(try Self.poster(wide).poster.size == PixelSize(width: 105, height: 58))
            options.framing = Framing(screen: PixelSize(width: 40, height: 40), fit: .cover)
            #expect(try Self.poster(wide, options).poster.size == PixelSize(width: 40, height: 40))
            let odd = "\(folder)/odd.mkv"
            try Self.make(
                "testsrc2=s=64x48:r=5:d=1,format=yuv444p,crop=61:41,format=yuv420p", ["-c:v", "ffv1"], at: odd)
            #expect(try Self.poster(odd).poster.size == PixelSize(width: 61, height: 41))
            let fields = "\(folder)/fields.mpg"
            try Self.make(
                "testsrc2=s=96x64:r=50:d=1,interlace", ["-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-r", "25"],
                at: fields)
            #expect(try Self.poster(fields).poster.size == PixelSize(width: 96, height: 64))
        }
    }

    @Test(arguments: [
        ("hlg10-hevc.mp4", PixelSize(width: 480, height: 270)), ("portrait.mp4", PixelSize(width: 320, height: 480)),
        ("portrait-4k60-vfr.mp4", PixelSize(width: 270, height: 480)),
        ("rotate-and-reflect.mp4", PixelSize(width: 320, height: 480)),
        ("bunny-720p-vp8.webm", PixelSize(width: 480, height: 270)),
    ])
    func postersOfSamplesAreUprightAndClear(_ name: String, size: PixelSize) throws {
        var options = PosterOptions()
        options.framing.screen = PixelSize(width: 480, height: 320)
        let made = try Self.poster(SampleVideo.path(name), options)
        #expect(made.poster.size == size)
        let values = made.image.withPlanes { planes in
            (0..<size.height).flatMap { y in (0..<size.width).map { planes.row(y, plane: 1)[$0] } }
        }
        let mean = values.reduce(0, +) / Float(values.count)
        let spread = values.reduce(0) { $0 + abs($1 - mean) } / Float(values.count)
        #expect((0.12...0.9).contains(mean) && spread > 0.04, "mean \(mean), spread \(spread)")
    }

    @Test func filtersAndOverlaysAreApplied() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mp4"
            try Self.make("testsrc2=s=160x90:r=5:d=1", at: path)
            let made = try Self.poster(
                path, PosterOptions(filters: [Filter("photo-effect-mono")], overlays: [.text(TextOverlay("Day 2"))]))
            let pixel = Self.color(made.image, 3, 3)
            #expect(Set(pixel).count == 1)
        }
    }

    @Test func damagedFilesGiveAPosterOrOneLine() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try Self.make("testsrc2=s=160x90:r=10:d=6", ["-g", "10"], at: path)
            let whole = try Fixture.bytes(path)
            for share in [0.02, 0.3, 0.7] {
                let cut = "\(folder)/cut.mkv"
                try OutputFile.write(Array(whole.prefix(Int(Double(whole.count) * share))), to: cut)
                do {
                    #expect(try Self.poster(cut).poster.size == PixelSize(width: 160, height: 90))
                } catch let error as MediaError {
                    #expect(!error.reason.isEmpty)
                }
            }
        }
    }

    @Test func whatCannotBeIsRefused() {
        #expect(throws: MediaError.self) { try PosterPipeline(PosterOptions(time: -1)) }
        #expect(throws: MediaError.self) { try PosterPipeline(PosterOptions(time: .nan)) }
        #expect(throws: MediaError.self) { try PosterPipeline(PosterOptions(encoding: Encoding(metadata: .all))) }
        #expect(throws: MediaError.self) { try PosterPipeline(PosterOptions(encoding: Encoding(quality: 0))) }
        #expect(throws: MediaError.self) { try PosterPipeline(PosterOptions(filters: [Filter("nothing")])) }
    }

    @Test func theSameVideoGivesTheSameBytes() throws {
        let first = try PosterPipeline(PosterOptions()).make(
            .path(SampleVideo.path("portrait.mp4")), threads: 1, task: TaskContext())
        let second = try PosterPipeline(PosterOptions()).make(
            .path(SampleVideo.path("portrait.mp4")), threads: 2, task: TaskContext())
        #expect(first.bytes == second.bytes)
    }
}
