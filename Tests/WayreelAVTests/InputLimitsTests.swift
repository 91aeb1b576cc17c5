import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// Files and pipes beyond the limits are refused, and impossible numbers do not trap.
@Suite struct InputLimitsTests {
    private static let bytes = [UInt8](repeating: 7, count: 100_000)

    @Test func longPipeIsRefused() throws {
        let pipe = try NamedPipe(feeding: Self.bytes)
        let error = withExtendedLifetime(pipe) {
            #expect(throws: MediaError.self) {
                try SpooledInput(of: .path(pipe.path), maxBytes: Self.bytes.count - 1, task: TaskContext())
            }
        }
        #expect(error?.kind == .limit && error?.subject == pipe.path)
    }

    @Test func pipeOfTheLargestSizeIsCopied() throws {
        let pipe = try NamedPipe(feeding: Self.bytes)
        let copy = try withExtendedLifetime(pipe) {
            try #require(try SpooledInput(of: .path(pipe.path), maxBytes: Self.bytes.count, task: TaskContext()))
        }
        #expect(try Fixture.bytes(copy.path) == Self.bytes)
    }

    @Test(arguments: ["mkv", "mp4", "ts"]) func moreStreamsThanAllowed(kind: String) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg("-f lavfi -i sine=d=1", "-map 0 -map 0 -map 0 -map 0 -c:a aac a.\(kind)", in: folder)
            let open = { (streams: Int) throws(MediaError) in
                try Demuxer(.path("\(folder)/a.\(kind)"), limits: VideoLimits(streams: streams), task: TaskContext())
            }
            #expect(try open(4).info.streams.count == 4)
            for limit in [1, 3] {
                let error = #expect(throws: MediaError.self) { try open(limit) }
                #expect(error?.kind == .limit && error?.reason.contains("the limit is \(limit)") == true)
            }
        }
    }

    /// The size is in the header of MP4, but only in the frames of an elementary stream.
    @Test(arguments: ["a.mp4", "a.m2v"]) func largerFramesThanAllowed(name: String) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg("-f lavfi -i testsrc=d=1:s=640x480 -c:v mpeg2video", name, in: folder)
            let open = { (pixels: Int) throws(MediaError) in
                try Demuxer(.path("\(folder)/\(name)"), limits: VideoLimits(pixels: pixels), task: TaskContext())
            }
            #expect(try open(640 * 480).info.video?.videoProperties?.size == PixelSize(width: 640, height: 480))
            let error = #expect(throws: MediaError.self) { try open(640 * 480 - 1) }
            #expect(error?.kind == .limit && error?.reason.contains("640×480") == true)
        }
    }

    @Test func durationsAreNotNegative() throws {
        let packet = try Packet()
        packet.duration = -7
        #expect(packet.duration == 0)
        let frame = try FramePool("yuv420p", size: PixelSize(width: 16, height: 16)).makeFrame()
        frame.duration = -7
        #expect(frame.duration == 0)
    }

    @Test(arguments: [(Int.max, 1), (1, Int.max), (Int.max, Int.max - 1)])
    func extremeRates(numerator: Int, denominator: Int) throws {
        try Fixture.withFolder { folder in
            let extreme = try #require(Rational(numerator, denominator))
            try AudioFiles.ffmpeg("-f lavfi -i testsrc=d=1:s=64x64 -c:v mpeg4 a.mkv", in: folder)
            let file = try Demuxer(.path("\(folder)/a.mkv"), task: TaskContext())
            file.alignTimestamps(of: 0, rate: extreme, offset: 1e300)
            #expect(file.timeBase(of: 0) == Rational(1, 1000))
            #expect(try file.next()?.presentationTime == 0)
            let size = PixelSize(width: 64, height: 64)
            let settings = VideoEncoder.Settings(
                encoder: "mpeg4", size: size, timeBase: extreme, frameRate: extreme, threads: 1)
            // Whether it is refused or not, it does not end the process.
            _ = try? VideoEncoder(settings)
            let graph = try FilterGraph("null", timeBase: extreme, frameRate: extreme)
            try? graph.send(FramePool("yuv420p", size: size).makeFrame())
            _ = try? graph.next()
        }
    }
}
