internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

/// What containers state about frames: the shown part, rotation, colours.
@Suite struct ContainerGeometryTests {
    private static func scan(_ path: String) throws -> VideoProperties {
        try #require(try MediaScan.info(of: .path(path), task: TaskContext()).video?.videoProperties)
    }

    /// Makes a video of 320 × 240 in `folder`, and changes its bytes.
    private static func make(
        _ name: String, in folder: String, _ arguments: [String], change: (inout [UInt8]) throws -> Void = { _ in }
    ) throws -> String {
        let path = "\(folder)/\(name)"
        try SampleVideo.make(["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=1"] + arguments + [path])
        var bytes = try Fixture.bytes(path)
        try change(&bytes)
        try OutputFile.write(bytes, to: path, ifExists: .replace)
        return path
    }

    private static func replace(_ old: [UInt8], by new: [UInt8], in bytes: inout [UInt8]) throws {
        let at = try #require((0..<bytes.count - old.count).first { bytes[$0...].starts(with: old) })
        bytes.replaceSubrange(at..<at + old.count, with: new)
    }

    /// Changes the elements of the aspect ratio (8:3, by DisplayWidth, DisplayHeight and DisplayUnit) to PixelCropLeft
    /// 40, PixelCropTop 20 and PixelCropBottom 6.
    private static func cropped(in folder: String) throws -> String {
        try make("in.mkv", in: folder, ["-vf", "setsar=2", "-pix_fmt", "yuv420p", "-c:v", "ffv1"]) { bytes in
            try replace([0x54, 0xB0, 0x81, 8], by: [0x54, 0xCC, 0x81, 40], in: &bytes)
            try replace([0x54, 0xBA, 0x81, 3], by: [0x54, 0xBB, 0x81, 20], in: &bytes)
            try replace([0x54, 0xB2, 0x81, 3], by: [0x54, 0xAA, 0x81, 6], in: &bytes)
        }
    }

    /// Adds a clean aperture of 280 × 214, whose middle is 20 columns to the right of the frame's and 7 rows below, to
    /// the sample entry, and its size to the boxes around it. FFmpeg writes them after the media.
    private static func withAperture(in folder: String) throws -> String {
        try make("in.mp4", in: folder, ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast"]) { bytes in
            let aperture = [40, 0x636C_6170, 280, 1, 214, 1, 20, 1, 7, 1].flatMap { number in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            }
            var (start, end) = (0, bytes.count)
            var headers: [Int] = []
            for (type, skipped) in [
                ("moov", 8), ("trak", 8), ("mdia", 8), ("minf", 8), ("stbl", 8), ("stsd", 16), ("avc1", 86),
            ] {
                while !bytes[(start + 4)...].starts(with: type.utf8) {
                    start += bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
                    try #require(start < end)
                }
                headers.append(start)
                end = start + bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
                start += skipped
            }
            bytes.insert(contentsOf: aperture, at: end)
            for header in headers {
                let size = bytes[header..<header + 4].reduce(0) { $0 << 8 | Int($1) } + aperture.count
                bytes.replaceSubrange(header..<header + 4, with: [24, 16, 8, 0].map { UInt8(size >> $0 & 255) })
            }
        }
    }

    /// Returns the first frame as red, green and blue, by its matrix.
    private static func pixels(of path: String, _ filter: String) throws -> [UInt8] {
        try SampleVideo.ffmpeg([
            "-i", path, "-vf", "\(filter),format=rgb24", "-frames:v", "1", "-f", "rawvideo", "-",
        ]).output
    }

    /// The output shows the same part as FFmpeg's crop filter, and is not copied.
    @Test(arguments: ["mkv", "mp4"])
    func showsThePartThatTheContainerStates(container: String) throws {
        try Fixture.withFolder { folder in
            let input = container == "mkv" ? try Self.cropped(in: folder) : try Self.withAperture(in: folder)
            let properties = try Self.scan(input)
            #expect(properties.size == PixelSize(width: 280, height: 214) && properties.pixelAspect == 1)
            #expect(properties.crop == FrameCrop(left: 40, top: 20, right: 0, bottom: 6))
            #expect(properties.codedSize == PixelSize(width: 320, height: 240))
            let options = TranscodeOptions(video: VideoSettings(rate: .crf(8), preset: "ultrafast"))
            let plan = try TranscodePlan(of: MediaScan.info(of: .path(input), task: TaskContext()), options)
            #expect(plan.video?.action == .transcode)
            #expect(container == "mkv" || plan.video?.reasons == ["its container crops it to 280×214"])
            try TranscodeTests.transcode(input, to: "\(folder)/out.mp4", options)
            let made = try Self.pixels(of: "\(folder)/out.mp4", "null")
            let wanted = try Self.pixels(of: input, "crop=280:214:40:20")
            try #require(made.count == 280 * 214 * 3 && wanted.count == made.count)
            let total = zip(made, wanted).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(total) / Double(made.count) < 3)
            // A poster too.
            let poster = try PosterPipeline(PosterOptions(time: 0)).make(.path(input), task: TaskContext())
            #expect(poster.size == PixelSize(width: 280, height: 214))
        }
    }

    /// The container's range and primaries take precedence over those of the coded data, which are full and unknown.
    @Test func coloursOfTheContainerComeFirst() throws {
        try Fixture.withFolder { folder in
            let coded = try Self.make(
                "coded.mkv", in: folder,
                ["-pix_fmt", "yuv420p", "-c:v", "libx265", "-x265-params", "log-level=none", "-color_range", "pc"])
            #expect(try Self.scan(coded).color.isFullRange)
            for name in ["out.mkv", "out.mp4"] {
                try SampleVideo.make([
                    "-i", coded, "-c", "copy", "-color_range", "tv", "-color_primaries", "bt2020", "-color_trc",
                    "bt709", "-colorspace", "bt709", "\(folder)/\(name)",
                ])
                let color = try Self.scan("\(folder)/\(name)").color
                #expect(color == VideoColor(primaries: "bt2020", transfer: "bt709", matrix: "bt709"), "\(name)")
            }
        }
    }

    /// Elements of a Projection: a yaw of 180° mirrors, and a roll turns counterclockwise (RFC 9559, section
    /// 5.1.4.1.28.46).
    @Test(
        arguments: [
            (0, 90, Orientation.quarterTurnCounterclockwise), (0, -90, .quarterTurnClockwise), (0, 180, .halfTurn),
            (180, 0, .mirrored), (0, 0, .upright),
        ] as [(Float, Float, Orientation)])
    func turnsByTheRollOfMatroska(yaw: Float, roll: Float, orientation: Orientation) throws {
        try Fixture.withFolder { folder in
            func float(_ value: Float) -> [UInt8] {
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value.bitPattern >> $0) }
            }
            // The title of the track, 26 bytes with its header, takes the place of the projection.
            let path = try Self.make(
                "in.mkv", in: folder,
                [
                    "-pix_fmt", "yuv420p", "-vf", "setsar=2", "-c:v", "ffv1", "-metadata:s:v",
                    "title=\(String(repeating: "x", count: 23))",
                ]
            ) { bytes in
                let projection =
                    [0x76, 0x70, 0x80 | 18, 0x76, 0x71, 0x81, 0] + [0x76, 0x73, 0x84] + float(yaw)
                    + [0x76, 0x75, 0x84] + float(roll)
                let title = [0x53, 0x6E, 0x80 | 23] + [UInt8](repeating: 0x78, count: 23)
                // It is moved into the Video element, whose size grows by that of the title.
                let at = try #require((0..<bytes.count).first { bytes[$0...].starts(with: title) })
                bytes.removeSubrange(at..<at + title.count)
                let video = try #require((0..<bytes.count).first { bytes[$0] == 0xE0 && bytes[$0 + 2] == 0xB0 })
                let size = Int(bytes[video + 1] & 0x7F)
                let padding =
                    [0xEC, 0x80 | UInt8(title.count - projection.count - 2)]
                    + [UInt8](repeating: 0, count: title.count - projection.count - 2)
                bytes.insert(contentsOf: projection + padding, at: video + 2 + size)
                bytes[video + 1] = 0x80 | UInt8(size + title.count)
            }
            #expect(try Self.scan(path).orientation == orientation)
        }
    }

    /// The coded data crop 40 columns at the left. FFmpeg would keep them, to keep the address of rows aligned.
    @Test func codedDataCropTheFrame() throws {
        try Fixture.withFolder { folder in
            let path = try Self.make(
                "in.mp4", in: folder,
                ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-bsf:v", "h264_metadata=crop_left=40:crop_right=40"])
            #expect(try Self.scan(path).size == PixelSize(width: 240, height: 240))
            let poster = try PosterPipeline(PosterOptions(time: 0)).make(.path(path), task: TaskContext())
            #expect(poster.size == PixelSize(width: 240, height: 240))
            var options = TranscodeOptions()
            options.video.preset = "ultrafast"
            (options.video.rate, options.video.alwaysEncodes) = (.crf(8), true)
            try TranscodeTests.transcode(path, to: "\(folder)/out.mp4", options)
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=1", "-pix_fmt", "yuv420p", "\(folder)/whole.mp4",
            ])
            let made = try Self.pixels(of: "\(folder)/out.mp4", "null")
            let wanted = try Self.pixels(of: "\(folder)/whole.mp4", "crop=240:240:40:0")
            try #require(made.count == 240 * 240 * 3 && wanted.count == made.count)
            let total = zip(made, wanted).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            // Both were encoded; 40 columns beside it, the difference is about 100.
            #expect(Double(total) / Double(made.count) < 6)
        }
    }
}
