import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Wayreel

/// Levels through the library only.
@Suite struct LevelsLibraryTests {
    private let flac = Fixture.media("radio/bunny-4s.flac")
    private let film = LevelsOptions([
        .data(LevelsEncoding(.json, grid: .rate(Rational(30)))),
        .plot(LevelsPlot(style: .bars, size: PixelSize(width: 300, height: 80)), .png),
    ])

    @Test func measuresInMemory() async throws {
        let audio = try await LevelsPipeline(film).measure(flac, on: .shared)
        #expect(audio.codec == "flac" && audio.container == "flac" && audio.loudness == nil)
        #expect(audio.format == AudioFormat(sampleRate: 44_100, channels: [.left, .right]))
        #expect(audio.sampleCount == 176_397 && abs(audio.duration - 3.99993) < 1e-5)
        // 119 buckets of 1470 samples and one of 1467.
        #expect(audio.levels[0].bucketCount == 120)
        #expect(String(decoding: try audio.encoded(0).prefix(30), as: UTF8.self).contains("wayreel.levels"))
        #expect(ImageFileHeader(try audio.encoded(1)) == ImageFileHeader("png", 300, 80))
        let error = #expect(throws: MediaError.self) { try audio.encoded(2) }
        #expect(error?.kind == .parameter)
    }

    @Test func writesFilesAtomically() throws {
        try Fixture.withFolder { folder in
            let pipeline = try LevelsPipeline(film)
            let paths = ["\(folder)/a.json", "\(folder)/a.png"]
            let report = pipeline.run(LevelsTask(input: flac, outputs: paths, options: film))
            #expect(report.status == .done && report.error == nil && report.warnings.isEmpty)
            #expect(report.output.format == "json" && report.furtherOutputs?.map(\.format) == ["png"])
            let audio = try pipeline.measure(flac)
            for (index, path) in paths.enumerated() {
                #expect(try Fixture.bytes(path) == audio.encoded(index))
            }
            let bad = pipeline.run(
                LevelsTask(input: flac, outputs: ["\(folder)/b.json", "\(folder)/none/b.png"], options: film))
            #expect(bad.status == .failed && bad.error?.kind == .io && bad.error?.subject == "\(folder)/none/b.png")
            let over = pipeline.run(LevelsTask(input: paths[0], outputs: [paths[0], paths[1]], options: film))
            #expect(over.status == .failed && over.error?.kind == .io)
            #expect(Fixture.listing(folder) == ["a.json", "a.png"])
        }
    }

    /// `/dev/full` accepts no bytes.
    @Test func keepsOldFilesIfOneCannotBeWritten() throws {
        try Fixture.withFolder { folder in
            let pipeline = try LevelsPipeline(film)
            let paths = ["\(folder)/a.json", "\(folder)/a.png"]
            try OutputFile.write([1, 2, 3], to: paths[0])
            #expect(symlink("/dev/full", paths[1]) == 0)
            let report = pipeline.run(LevelsTask(input: flac, outputs: paths, options: film))
            #expect(report.error?.code == .diskFull && report.error?.subject == paths[1])
            #expect(try Fixture.bytes(paths[0]) == [1, 2, 3])
            #expect(Fixture.listing(folder) == ["a.json", "a.png"])
        }
    }

    @Test func refusesTwoOutputsAtOnePath() throws {
        try Fixture.withFolder { folder in
            let report = try LevelsPipeline(film).run(
                LevelsTask(input: flac, outputs: ["\(folder)/a", "\(folder)/./a"], options: film))
            #expect(report.error?.kind == .parameter && report.error?.subject == "\(folder)/./a")
            #expect(Fixture.listing(folder).isEmpty)
        }
    }

    /// Every task is checked, not only the first with the same options.
    @Test func refusesPathsThatDoNotMatchTheOutputs() throws {
        let pipeline = try LevelsPipeline(film)
        for outputs in [["a.json"], ["a.json", "a.png", "b.png"], []] {
            let odd = LevelsTask(input: flac, outputs: outputs.map { "/none/\($0)" }, options: film)
            let even = LevelsTask(input: flac, outputs: ["/none/c.json", "/none/c.png"], options: film)
            let error = #expect(throws: MediaError.self) { try LevelsBatch([even, odd]) }
            #expect(error?.kind == .parameter && error?.reason == "there are \(outputs.count) paths for 2 outputs")
            #expect(pipeline.run(odd).error == error)
        }
        // The pipeline has one output, the task's options two.
        let single = try LevelsPipeline(LevelsOptions())
        let report = single.run(LevelsTask(input: flac, outputs: ["/none/a.json", "/none/a.png"], options: film))
        #expect(report.error?.kind == .parameter)
        #expect(report.error?.reason == "the task has other options than the pipeline")
    }

    /// FFmpeg's ebur128 filter measures -20.7 LUFS; the whole recording, whose task fails, -23.7.
    @Test func loudnessOfAllCountsDoneTasksOnly() throws {
        try Fixture.withFolder { folder in
            let options = LevelsOptions([.data(LevelsEncoding(.json))], measuresLoudness: true)
            let pipeline = try LevelsPipeline(options)
            let failed = pipeline.run(
                LevelsTask(
                    input: Fixture.media("radio/bunny.mp3"), outputs: ["\(folder)/none/a.json"], options: options))
            #expect(failed.status == .failed && failed.loudness == nil && pipeline.loudnessOfAll == nil)
            let done = pipeline.run(LevelsTask(input: flac, outputs: ["\(folder)/a.json"], options: options))
            #expect(done.status == .done && done.loudness != nil)
            #expect(abs(try #require(pipeline.loudnessOfAll?.integrated) - -20.7) <= 0.1)
        }
    }

    @Test func threadsDoNotChangeLevels() throws {
        let pipeline = try LevelsPipeline(film)
        for name in ["bunny.mp3", "bunny-4s.m4a", "bunny-4s.ogg", "bunny-4s.opus", "bunny-4s.flac", "bunny-4s.wav"] {
            let path = Fixture.media("radio/\(name)")
            let alone = try pipeline.measure(path, threads: 1).encoded()
            for threads in [2, 3, 8] {
                #expect(try pipeline.measure(path, threads: threads).encoded() == alone, "\(name), \(threads) threads")
            }
        }
    }

    @Test func onePipelineServesManyThreads() async throws {
        let pipeline = try LevelsPipeline(LevelsOptions([], measuresLoudness: true))
        #expect(pipeline.loudnessOfAll == nil)
        let pool = WorkPool(workers: 4)
        try await withThrowingTaskGroup(of: Double?.self) { group in
            for _ in 0..<8 { group.addTask { try await pipeline.measure(flac, on: pool).loudness?.integrated } }
            // The loudness that FFmpeg's ebur128 filter measures.
            for try await loudness in group { #expect(abs(try #require(loudness) - -20.7) <= 0.1) }
        }
        // Eight identical files are as loud as one.
        #expect(abs(try #require(pipeline.loudnessOfAll?.integrated) - -20.7) <= 0.1)
    }

    @Test func runsABatch() async throws {
        let folder = TemporaryFolder()
        let options = LevelsOptions([.data(LevelsEncoding(.dat))])
        let inputs = [flac, "\(folder.path)/missing.mp3", Fixture.media("captures/frame-1080p.png")]
        let batch = try LevelsBatch(
            inputs.indices.map {
                LevelsTask(input: inputs[$0], outputs: ["\(folder.path)/\($0).dat"], options: options)
            })
        var reports: [Int: TaskReport] = [:]
        for await (index, report) in batch.reports() { reports[index] = report }
        #expect(reports.count == 3 && reports[0]?.status == .done)
        #expect(reports[1]?.error?.kind == .io && reports[2]?.error?.kind == .unsupported)
        #expect(Fixture.listing(folder.path) == ["0.dat"])
        // audiowaveform's default: 256 samples per pixel, mono, 16 bits.
        #expect(try Fixture.bytes("\(folder.path)/0.dat").count == 20 + (176_397 + 255) / 256 * 2)
    }

    @Test func rejectsTwoTasksForOneFile() {
        let options = LevelsOptions([.data(LevelsEncoding()), .data(LevelsEncoding(.csv))])
        for (outputs, words) in [(["a.json", "./a.json"], "twice"), ([flac, "a.csv"], "input itself")] {
            let error = #expect(throws: MediaError.self) {
                try LevelsBatch([LevelsTask(input: flac, outputs: outputs, options: options)])
            }
            #expect(error?.kind == .parameter && error?.reason.contains(words) == true)
        }
        let short = #expect(throws: MediaError.self) {
            try LevelsTask(input: flac, outputs: ["a.json"], options: options).makePipeline()
        }
        #expect(short?.kind == .parameter)
    }

    @Test func checksItsOptionsBeforeAnyAudio() {
        for output in [
            LevelsOutput.data(LevelsEncoding(.json, decimals: 99)), .data(LevelsEncoding(.dat, bits: 12)),
            .data(LevelsEncoding(.dat, unit: .linear)),
            .plot(LevelsPlot(style: .bars, size: PixelSize(width: 0, height: 9)), .png),
        ] {
            let error = #expect(throws: MediaError.self) { try LevelsPipeline(LevelsOptions([output])) }
            #expect(error?.kind == .parameter || error?.kind == .limit, "\(output)")
        }
    }

    @Test func canBeCancelled() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = #expect(throws: MediaError.self) {
            try LevelsPipeline(film).measure(flac, cancellation: cancellation)
        }
        #expect(error?.kind == .cancelled)
    }

    @Test func optionsRoundTripThroughJSON() throws {
        var options = film
        options.raw = RawAudioFormat(.s16le, sampleRate: 8000, channelCount: 1)
        options.measuresLoudness = true
        let task = LevelsTask(input: "a.raw", outputs: ["a.json", "a.png"], options: options)
        #expect(try JSONDecoder().decode(LevelsTask.self, from: JSONEncoder().encode(task)) == task)
    }
}
