internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Frames of files whose packets have decoding timestamps only.
@Suite struct DecodingOrderTests {
    /// The commands that make a source of 20 frames of raw MPEG video, and its frames per second.
    @Test(arguments: [
        ("-r 1 -i raw.m1v -c copy source.avi", 1.0), ("-r 7.5 -i raw.m1v -c copy source.avi", 7.5),
        ("-r 5 -i raw.m4v -c copy source.avi", 5), ("-r 25 -i raw.m4v -c copy source.avi", 25),
        ("-i copied.avi -c copy source.m4v", 25),
    ]) func eachFrameHasItsPlace(arguments: String, rate: Double) throws {
        try Fixture.withFolder { folder in
            let encode = { (codec: String, name: String) throws -> Void in
                try SampleVideo.make([
                    "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=0.8", "-q:v", "3", "-bf",
                    codec == "mpeg4" ? "2" : "0", "-c:v", codec, "\(folder)/\(name)",
                ])
            }
            try encode("mpeg1video", "raw.m1v")
            try encode("mpeg4", "raw.m4v")
            try encode("mpeg4", "copied.avi")
            let words = arguments.split(separator: " ").map {
                $0.contains(".") && Double($0) == nil ? "\(folder)/\($0)" : "\($0)"
            }
            try SampleVideo.make(words)
            let source = try #require(words.last)
            let output = "\(folder)/out.mp4"
            let done = try TranscodeTests.transcode(source, to: output, TranscodeOptions())
            #expect(done.warnings.isEmpty, "\(done.warnings)")
            let times = try Played.numbers("frame=pts_time", of: output, streams: "v")
            let expected = (0..<20).map { Double($0) / rate }
            #expect(times.count == 20 && zip(times, expected).allSatisfy { abs($0 - $1) < 0.01 }, "\(times)")
        }
    }
}
