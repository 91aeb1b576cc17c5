internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// Compared with the ffmpeg program's filter `ssim`.
@Suite struct SimilarityTests {
    @Test(arguments: ["160x90", "67x45", "38x22"]) func isThatOfFFmpeg(size: String) throws {
        try Fixture.withFolder { folder in
            let (clean, coarse) = ("\(folder)/clean.mkv", "\(folder)/coarse.mkv")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=\(size):r=5:d=1,noise=alls=12:all_seed=3,format=yuv420p", "-c:v",
                "ffv1", clean,
            ])
            try SampleVideo.make(["-i", clean, "-vf", "gblur=1.2,eq=contrast=0.9", "-c:v", "ffv1", coarse])
            let log = "\(folder)/ssim.log"
            try SampleVideo.ffmpeg(["-i", coarse, "-i", clean, "-lavfi", "ssim=stats_file=\(log)", "-f", "null", "-"])
            let expected = String(decoding: try Fixture.bytes(log), as: UTF8.self).split(separator: "\n").compactMap {
                line in
                line.split(separator: " ").first { $0.hasPrefix("Y:") }.flatMap { Double($0.dropFirst(2)) }
            }
            let frames = try [clean, coarse].map(Decoded.frames)
            #expect(expected.count == 5 && frames[0].count == 5 && frames[1].count == 5)
            var similarity = try #require(Similarity(size: frames[0][0].size))
            for (index, value) in expected.enumerated() {
                let own = try similarity.compare(frames[1][index], frames[0][index])
                #expect(abs(own - value) < 2e-6, "frame \(index)")
                #expect(try similarity.compare(frames[0][index], frames[0][index]) == 1)
            }
        }
    }

    /// A single window, by the paper's formula with means, variances and covariance.
    @Test func oneWindowIsThatOfTheFormula() throws {
        let size = PixelSize(width: 8, height: 8)
        let frames = try (0..<2).map { _ in try FramePool("yuv420p", size: size).makeFrame() }
        var random = SeededRandom(seed: 5)
        var values: [[Double]] = [[], []]
        for (index, frame) in frames.enumerated() {
            try frame.withPlanes { planes in
                for pixel in 0..<64 {
                    let code = UInt8.random(in: 0...255, using: &random)
                    planes[0].row(pixel / 8)[pixel % 8] = code
                    values[index].append(Double(code))
                }
            }
        }
        let mean = values.map { $0.reduce(0, +) / 64 }
        let deviations = zip(values, mean).map { values, mean in values.map { $0 - mean } }
        let moment = { (a: Int, b: Int) in zip(deviations[a], deviations[b]).reduce(0) { $0 + $1.0 * $1.1 } / 63 }
        // FFmpeg's constant for the means: a 64th.
        let (c1, c2) = (0.01 * 0.01 * 255 * 255 / 64, 0.03 * 0.03 * 255 * 255)
        let expected =
            (2 * mean[0] * mean[1] + c1) * (2 * moment(0, 1) + c2)
            / ((mean[0] * mean[0] + mean[1] * mean[1] + c1) * (moment(0, 0) + moment(1, 1) + c2))
        var similarity = try #require(Similarity(size: size))
        #expect(abs(try similarity.compare(frames[0], frames[1]) - expected) < 1e-4)
    }

    @Test func whatIsSmallerThanAWindowHasNone() {
        #expect(Similarity(size: PixelSize(width: 7, height: 100)) == nil)
        #expect(Similarity(size: PixelSize(width: 100, height: 7)) == nil)
    }
}

/// All frames of a small file.
enum Decoded {
    static func frames(_ path: String) throws -> [Frame] {
        let file = try Demuxer(.path(path), task: TaskContext())
        let stream = try #require(file.info.video)
        let decoder = try VideoDecoder(file, stream: stream.index, threads: 1, limits: .standard)
        var frames: [Frame] = []
        file.select([stream.index])
        while let frame = try decoder.next(from: file.next) { frames.append(frame) }
        return frames
    }
}
