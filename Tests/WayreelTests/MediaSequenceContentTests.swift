import TestSupport
import Testing
import Wayreel

/// Frames, levels and segments from sequences equal those of the finished outputs and of ffmpeg.
@Suite struct MediaSequenceContentTests {
    // MARK: Levels

    @Test(arguments: [
        ("radio/bunny-4s.wav", LevelGrid.rate(30), ChannelSelection.stereo),
        ("radio/bunny.mp3", .rate(Rational(7, 3)!), .mono), ("radio/bunny-4s.m4a", .samples(1000), .all),
    ])
    func levelsEqualThoseOfTheWhole(_ name: String, grid: LevelGrid, channels: ChannelSelection) async throws {
        let path = Fixture.media(name)
        let encoding = LevelsEncoding(.json, grid: grid, channels: channels, unit: .linear, meter: .ppm1)
        let pipeline = try LevelsPipeline(LevelsOptions([.data(encoding)], measuresLoudness: true))
        var readings: [LiveReading] = []
        for try await reading in pipeline.levels(of: path) { readings.append(reading) }
        #expect(pipeline.loudnessOfAll?.integrated ?? 0 < -5)

        let whole = try await pipeline.measure(path, on: .shared)
        let levels = whole.levels[0]
        #expect(readings.count == levels.bucketCount && readings.map(\.index) == Array(0..<levels.bucketCount))
        for channel in levels.format.channels.indices {
            let own = { (value: (LiveReading.Channel) -> Float) in readings.map { value($0.channels[channel]) } }
            #expect(try own(\.minimum) == levels.values(.minimum, channel: channel))
            #expect(try own(\.maximum) == levels.values(.maximum, channel: channel))
            #expect(try own(\.rms) == levels.values(.rms, channel: channel))
            #expect(try own(\.meter) == levels.values(.meter, channel: channel))
            #expect(try own(\.hold) == levels.values(.hold, channel: channel))
        }
        // The readings follow each other without gaps to the end of the audio.
        for (reading, next) in zip(readings, readings.dropFirst()) {
            #expect(abs(reading.time + reading.duration - next.time) < 1e-9 && !reading.isPartial)
        }
        let end = try #require(readings.last.map { $0.time + $0.duration })
        #expect(abs(end - whole.duration) < 1e-9)
    }

    @Test func levelsOfPointsAreRefused() async throws {
        let pipeline = try LevelsPipeline(LevelsOptions([.data(LevelsEncoding(.json, grid: .points(10)))]))
        do {
            for try await _ in pipeline.levels(of: Fixture.media("radio/bunny-4s.wav")) { Issue.record("a reading") }
            Issue.record("no error")
        } catch { #expect(error.kind == .parameter && error.reason.contains("known at the end")) }
    }

    // MARK: Frames

    /// Returns ffmpeg's output for a video: its frames as RGBA, and their times.
    private func reference(
        _ path: String, matrix: String, size: PixelSize, from start: Double = 0
    ) throws -> (pixels: [UInt8], times: [Double]) {
        let filters =
            "scale=\(size.width):\(size.height):in_color_matrix=\(matrix)"
            + ":flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=rgba"
        let pixels = try SampleVideo.ffmpeg(
            ["-i", path, "-vf", filters, "-fps_mode", "passthrough", "-f", "rawvideo", "-"]
        ).output
        let times = try SampleVideo.run(
            "ffprobe",
            ["-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path]
        ).text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
        return (pixels, times)
    }

    @Test(arguments: ["portrait.mp4", "rotate-and-reflect.mp4", "bunny-720p-h264-5.1.mp4"])
    func framesAreThoseOfFFmpeg(_ name: String) async throws {
        let path = SampleVideo.path(name)
        guard case .media(let probe) = try await FileProbe.probe(Fixture.bytes(path)),
            let video = probe.media.streams.first(where: { $0.kind == .video })?.videoProperties
        else { throw MediaError(.decoding, step: .decode, reason: "no video") }
        let size = video.displayedSize
        let matrix = video.color.matrix == "smpte170m" ? "bt601" : "bt709"
        let (pixels, times) = try reference(path, matrix: matrix, size: size)
        let byteCount = 4 * size.pixels
        try #require(pixels.count == byteCount * times.count && times.count > 10)
        let pipeline = try FramePipeline(FrameOptions(range: TimeRange(start: 0, end: 1)))
        var index = 0
        for try await frame in pipeline.frames(of: path, threads: 2) {
            #expect(frame.size == size && frame.rowStride == 4 * size.width && frame.pixels.count == byteCount)
            guard times.indices.contains(index) else { break }
            #expect(abs(frame.seconds - (times[index] - times[0])) < 0.001)
            if index + 1 < times.count { #expect(abs(frame.duration - (times[index + 1] - times[index])) < 0.001) }
            let expected = pixels[index * byteCount..<(index + 1) * byteCount]
            // Every thirteenth byte, which covers all channels at all positions.
            let differences = stride(from: 0, to: byteCount, by: 13).map {
                abs(Int(frame.pixels[$0]) - Int(expected[expected.startIndex + $0]))
            }
            // ffmpeg interpolates chroma with other filters: colour edges differ by some levels.
            let mean = Double(differences.reduce(0, +)) / Double(differences.count)
            let far = differences.count { $0 > 24 }
            #expect(mean < 1.2 && far < differences.count / 1000, "frame \(index): \(mean), \(far) far off")
            index += 1
        }
        #expect(index == times.filter { $0 - times[0] < 0.9999 }.count)
    }

    @Test func aRangeHasTheFramesThatBeginInIt() async throws {
        let path = SampleVideo.path("bunny-720p-h264-5.1.mp4")
        let all = try await seconds(FrameOptions(framing: small), path)
        let part = try await seconds(FrameOptions(range: TimeRange(start: 1.5, end: 2.25), framing: small), path)
        #expect(part == all.filter { (1.5..<2.25).contains($0) } && part.count > 10)
        do {
            _ = try await seconds(FrameOptions(range: TimeRange(start: 100), framing: small), path)
            Issue.record("no error")
        } catch let error as MediaError { #expect(error.kind == .parameter && error.subject == path) }
    }

    private let small = Framing(screen: PixelSize(width: 64, height: 64), fit: .contain)

    private func seconds(_ options: FrameOptions, _ path: String) async throws -> [Double] {
        var seconds: [Double] = []
        for try await frame in try FramePipeline(options).frames(of: path) { seconds.append(frame.seconds) }
        return seconds
    }

    /// A frame equals the poster of its time.
    @Test func aFrameIsFramedAsAPosterIs() async throws {
        let path = SampleVideo.path("portrait.mp4")
        let framing = Framing(screen: PixelSize(width: 90, height: 90), fit: .cover)
        let overlays = [Overlay.text(TextOverlay("Day 2"))]
        let poster = try await PosterPipeline(
            PosterOptions(
                time: 0, framing: framing, encoding: Encoding(.png), filters: [.sepiaTone()], overlays: overlays)
        ).poster(of: path)
        let folder = TemporaryFolder()
        try OutputFile.write(poster.bytes, to: "\(folder.path)/poster.png")
        let expected = try SampleVideo.ffmpeg(
            ["-i", "\(folder.path)/poster.png", "-f", "rawvideo", "-pix_fmt", "rgba", "-"]
        ).output
        var frames = try FramePipeline(
            FrameOptions(framing: framing, filters: [.sepiaTone()], overlays: overlays)
        ).frames(of: path).makeAsyncIterator()
        let frame = try #require(try await frames.next())
        #expect(frame.size == PixelSize(width: 90, height: 90) && frame.pixels == expected)
    }

    // MARK: Segments

    private let hls = TranscodeOptions(
        framing: Framing(screen: PixelSize(width: 160, height: 160), fit: .contain),
        video: VideoSettings(preset: "ultrafast"),
        delivery: .hls(
            HLSOptions(
                ladder: [
                    LadderRung(box: PixelSize(width: 160, height: 90), bitRate: 200_000),
                    LadderRung(box: PixelSize(width: 128, height: 72), bitRate: 100_000),
                ], segmentSeconds: 2)))

    @Test func segmentsEqualTheFilesOfTheFolder() async throws {
        let path = SampleVideo.path("bunny-720p-h264-5.1.mp4")
        let pipeline = try TranscodePipeline(hls)
        let folder = TemporaryFolder()
        let output = "\(folder.path)/hls"
        try await pipeline.transcode(path, to: output)

        var names: [String] = []
        var seconds: [String: Double] = [:]
        for try await file in pipeline.hlsFiles(of: path, bufferLimit: 1) {
            names.append(file.name)
            #expect(try file.bytes == Fixture.bytes("\(output)/\(file.name)"), "\(file.name)")
            guard let length = file.seconds, let start = file.start else { continue }
            let track = String(file.name.split(separator: "/")[0])
            #expect(abs(start - seconds[track, default: 0]) < 0.1)
            seconds[track, default: 0] += length
        }
        let listed = try Command("/usr/bin/find", [output, "-type", "f", "-printf", "%P\n"]).run().text
            .split(separator: "\n").map(String.init)
        // The list of the folder's own files is only for replacing it.
        #expect(Set(listed.filter { !$0.hasPrefix(".") }) == Set(names) && Set(names).count == names.count)
        #expect(names.contains("master.m3u8") && seconds.count == 3)
        for length in seconds.values { #expect(abs(length - 5.28) < 0.2) }
        let firstPlaylist = try #require(names.firstIndex { $0.hasSuffix(".m3u8") })
        #expect(names[firstPlaylist...].allSatisfy { !$0.hasSuffix(".m4s") })
    }

    @Test func leavingTheSegmentsEndsTheTranscode() async throws {
        var slow = hls
        slow.video.preset = "placebo"
        slow.framing.screen = nil
        let start = ContinuousClock.now
        for try await file in try TranscodePipeline(slow).hlsFiles(of: SampleVideo.path("bunny-720p-vp8.webm")) {
            if file.seconds != nil { break }
        }
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func optionsWithoutHLSAreRefused() async throws {
        do {
            for try await _ in try TranscodePipeline(TranscodeOptions()).hlsFiles(of: SampleVideo.path("portrait.mp4"))
            {}
            Issue.record("no error")
        } catch { #expect(error.kind == .parameter) }
    }
}
