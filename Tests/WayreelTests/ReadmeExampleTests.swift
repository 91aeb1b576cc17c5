import TestSupport
import Testing

// The example of Documentation/library.md begins
import Wayreel

func preparePostcards(upload: [UInt8], photos: [String], into folder: String) async throws {
    let options = CaptureOptions(
        framing: Framing(screen: try Screen(parsing: "iphone-4s").size, fit: .cover),
        filters: [.sepiaTone(intensity: 0.8), .vignette()],
        overlays: [.text(TextOverlay("The Mission Bell", size: .percent(7), gravity: .south))],
        encoding: Encoding(.jpeg, quality: 85))

    // In memory, on a thread of Wayreel's own; cancelled with the surrounding task.
    let pipeline = try CapturePipeline(options)
    let postcard = try await pipeline.prepare(upload)
    print("\(postcard.sourceSize) \(postcard.sourceFormat) → \(postcard.size), \(postcard.bytes.count) bytes")

    // On files, on all cores; every output is written whole or not at all.
    let tasks = photos.enumerated().map { number, photo in
        CaptureTask(input: photo, output: "\(folder)/\(number).jpg", options: options)
    }
    for await (_, report) in try CaptureBatch(tasks).reports() {
        print(report.output.path, report.status, report.error?.description ?? "in \(report.wallMilliseconds) ms")
    }
}

func readLevels(radio: String, recordings: [String], into folder: String) async throws {
    // Data for a visualizer and a plot, in one pass.
    let options = LevelsOptions(
        [
            .data(LevelsEncoding(.json, grid: .rate(60), meter: .apple)),
            .plot(LevelsPlot(style: .bars, size: PixelSize(width: 800, height: 120), theme: .dark), .svg),
        ], measuresLoudness: true)
    let audio = try await LevelsPipeline(options).measure(radio, on: .shared)
    print("\(audio.duration) s of \(audio.codec), \(audio.loudness?.integrated ?? -.infinity) LUFS")
    print("left peaks at", try audio.levels[0].values(.maximum, channel: 0).max() ?? 0)

    // On files, on all cores.
    let tasks = recordings.enumerated().map { number, path in
        LevelsTask(input: path, outputs: ["\(folder)/\(number).json", "\(folder)/\(number).svg"], options: options)
    }
    for await (_, report) in try LevelsBatch(tasks).reports() {
        print(report.input.path, report.status, report.loudness?.integrated ?? -.infinity)
    }

    // Live: samples come in on any thread, levels go out on any other, and no peak is lost between two reads.
    let meter = try LevelMeter(format: AudioFormat(sampleRate: 44_100, channels: [.left, .right]), ballistics: .ppm1)
    try meter.add([0.5, -0.25, 0.125, 1.0] as [Float])
    print("right peaks at", meter.read()?.channels[1].peak ?? 0)
}

func prepareClips(clip: String, clips: [String], into folder: String, command: String) async throws {
    let options = TranscodeOptions(
        framing: Framing(screen: try Screen(parsing: "iphone-4s").size, fit: .contain),
        video: VideoSettings(rate: .crf(24), preset: "veryfast", overlays: [.text(TextOverlay("Day 2"))]),
        audio: AudioSettings(loudness: -16))
    let pipeline = try TranscodePipeline(options)

    // What would become of each stream, and why, before anything is encoded.
    let plan = try await pipeline.plan(clip)
    print(plan)

    // Carried out as it is, or refused: if the file has changed meanwhile, or damage is found in what it copies.
    try await pipeline.transcode(clip, to: "\(folder)/planned.mp4", plan: plan)

    // One, telling how far it is.
    for await event in pipeline.events(of: TranscodeTask(input: clip, output: "\(folder)/clip.mp4", options: options)) {
        switch event {
        case .started: print("started")
        case .progress(let state): print(state.fraction ?? 0, "at", state.speed, "×,", state.secondsLeft ?? 0, "s left")
        case .finished(let report): print(report.error?.description ?? "\(report.output.bytes ?? 0) bytes")
        }
    }

    // Many as HLS, each in a process of its own: one that crashes, hangs or takes too much memory fails alone.
    let streams = TranscodeOptions(delivery: .hls(HLSOptions()))
    let tasks = clips.enumerated().map { number, path in
        TranscodeTask(input: path, output: "\(folder)/\(number)", options: streams)
    }
    let isolation = Isolation(executable: command, memoryBytes: 2_000_000_000)
    for await (_, report) in try TranscodeBatch(tasks, isolation: isolation).reports() {
        print(report.input.path, report.status, "in", report.cpuMilliseconds, "ms of processor time")
    }

    let poster = try await PosterPipeline(PosterOptions(encoding: Encoding(.webp, quality: 80))).poster(of: clip)
    print("the frame at", poster.seconds, "s,", poster.bytes.count, "bytes")
}

func readWhileItIsMade(radio: String, clip: String, store: (String, [UInt8]) async throws -> Void) async throws {
    // Levels, each as soon as its last sample is decoded. The decoder waits while the loop is busy, and stops with it.
    let levels = try LevelsPipeline(LevelsOptions([.data(LevelsEncoding(grid: .rate(60), meter: .apple))]))
    var highest: Float = 0
    for try await reading in levels.levels(of: radio) { highest = max(highest, reading.channels[0].meter) }
    print("the left meter rises to", highest)

    // Frames as RGBA, at the size of a display.
    let framing = Framing(screen: PixelSize(width: 320, height: 320), fit: .contain)
    for try await frame in try FramePipeline(FrameOptions(framing: framing)).frames(of: clip) {
        print("\(frame.width) × \(frame.height) at \(frame.seconds) s:", frame.pixels[..<4])
        if frame.seconds > 0.5 { break }
    }

    // HLS without a folder: each file as soon as it is complete, the playlists last.
    let pipeline = try TranscodePipeline(TranscodeOptions(delivery: .hls(HLSOptions())))
    for try await file in pipeline.hlsFiles(of: clip) { try await store(file.name, file.bytes) }
}
// The example of Documentation/library.md ends

/// The example of the README: the body of this function.
private func prepareAsInTheReadme(upload: [UInt8], photos: [String], clip: String) async throws -> PreparedCapture {
    let options = CaptureOptions(
        framing: Framing(screen: try Screen(parsing: "iphone-4s").size, fit: .cover),
        filters: [.sepiaTone(intensity: 0.8), .vignette()],
        overlays: [.text(TextOverlay("The Mission Bell", gravity: .south))],
        encoding: Encoding(.jpeg, quality: 85))

    // In memory, on a thread of Wayreel's own; cancelled with the surrounding task.
    let postcard = try await CapturePipeline(options).prepare(upload)

    // On files, on all cores.
    let tasks = photos.map { CaptureTask(input: $0, output: "\($0)-postcard.jpg", options: options) }
    for await (_, report) in try CaptureBatch(tasks).reports() {
        print(report.output.path, report.status, report.error?.description ?? "in \(report.wallMilliseconds) ms")
    }

    // Frames while they are decoded; so are levels, and the files of HLS. The decoder waits for the loop, and stops with it.
    for try await frame in try FramePipeline().frames(of: clip) {
        print("\(frame.width) × \(frame.height) at \(frame.seconds) s: \(frame.pixels.count) bytes of RGBA")
    }
    return postcard
}

/// The documentation's examples compile, run, and equal those in the documents.
@Suite struct ReadmeExampleTests {
    @Test func works() async throws {
        let captures = ["town-coolpix-gps.jpg", "still-photo.heic"].map { Fixture.media("captures/\($0)") }
        let folder = TemporaryFolder()
        try await preparePostcards(upload: Fixture.bytes(captures[0]), photos: captures, into: folder.path)
        #expect(Fixture.listing(folder.path) == ["0.jpg", "1.jpg"])
        #expect(ImageFileHeader(try Fixture.bytes("\(folder.path)/1.jpg")) == ImageFileHeader("jpeg", 640, 960))
    }

    @Test func readsLevels() async throws {
        let recordings = ["bunny-4s.mp3", "bunny-4s.opus"].map { Fixture.media("radio/\($0)") }
        let folder = TemporaryFolder()
        try await readLevels(radio: recordings[0], recordings: recordings, into: folder.path)
        #expect(Fixture.listing(folder.path) == ["0.json", "0.svg", "1.json", "1.svg"])
    }

    @Test func preparesClips() async throws {
        let clip = Fixture.media("scrapbook/portrait.mp4")
        let folder = TemporaryFolder()
        try await prepareClips(clip: clip, clips: [clip], into: folder.path, command: Workbench.binary)
        #expect(Fixture.listing(folder.path) == ["0", "clip.mp4", "planned.mp4"])
        #expect(Fixture.listing("\(folder.path)/0").contains("master.m3u8"))
    }

    @Test func readsWhileItIsMade() async throws {
        var names: [String] = []
        try await readWhileItIsMade(
            radio: Fixture.media("radio/bunny-4s.mp3"), clip: Fixture.media("scrapbook/portrait.mp4")
        ) { name, bytes in
            #expect(!bytes.isEmpty)
            names.append(name)
        }
        #expect(names.contains("master.m3u8") && names.contains { $0.hasSuffix("/segment-00001.m4s") })
    }

    @Test func preparesAsInTheReadme() async throws {
        let folder = TemporaryFolder()
        let photo = Fixture.media("captures/town-coolpix-gps.jpg")
        let copy = "\(folder.path)/photo.jpg"
        try OutputFile.write(Fixture.bytes(photo), to: copy)
        let postcard = try await prepareAsInTheReadme(
            upload: Fixture.bytes(photo), photos: [copy], clip: Fixture.media("scrapbook/hlg10-hevc.mp4"))
        #expect(try Fixture.bytes("\(copy)-postcard.jpg") == postcard.bytes)
    }

    @Test func areTheOnesInTheDocumentation() throws {
        let source = try Fixture.text(#filePath)
        func part(after begin: String, before end: String) throws -> String {
            let rest = try #require(source.split(separator: begin, maxSplits: 1).last)
            return String(try #require(rest.split(separator: end, maxSplits: 1).first))
        }
        let mark = "// The example of Documentation/library.md "
        try expect("Documentation/library.md", holds: part(after: mark + "begins\n", before: mark + "ends"))
        let body = try part(after: "async throws -> PreparedCapture {\n", before: "    return postcard\n")
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map { $0.dropFirst(4) }
        try expect("README.md", holds: "import Wayreel\n\n" + lines.joined(separator: "\n"))
    }

    private func expect(_ document: String, holds example: String) throws {
        let text = try Fixture.text("\(Fixture.root)/\(document)")
        #expect(
            text.contains("```swift\n\(example)```"), "copy the example of ReadmeExampleTests.swift into \(document)")
    }
}
