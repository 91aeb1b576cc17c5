import Glibc
import TestSupport
import Testing
import Wayreel

/// The library in memory and on files.
@Suite struct LibraryTests {
    private let photo = Fixture.media("captures/town-coolpix-gps.jpg")
    private let small = CaptureOptions(
        framing: Framing(screen: PixelSize(width: 200, height: 300)), encoding: Encoding(.png))

    @Test func preparesInMemory() async throws {
        let prepared = try await CapturePipeline(small).prepare(Fixture.bytes(photo))
        #expect(prepared.format == .png && prepared.sourceFormat == "jpeg")
        #expect(prepared.sourceSize == PixelSize(width: 640, height: 480))
        // The portrait screen is turned to the landscape capture.
        #expect(prepared.size == PixelSize(width: 300, height: 200))
        #expect(ImageFileHeader(prepared.bytes) == ImageFileHeader("png", 300, 200))
        #expect(prepared.steps.map(\.name) == ["open", "decode and resample", "filter", "overlay", "encode"])
    }

    @Test(arguments: [(0, 0), (10, -1), (Int.max, 1), (1, 1_000_001)])
    func rejectsAnInvalidScreen(width: Int, height: Int) {
        let screen = PixelSize(width: width, height: height)
        let error = #expect(throws: MediaError.self) {
            try CapturePipeline(CaptureOptions(framing: Framing(screen: screen, fit: .width, enlarges: true)))
        }
        #expect(error?.kind == .parameter && error?.step == .screen)
    }

    @Test func preparesFiles() throws {
        try Fixture.withFolder { folder in
            let pipeline = try CapturePipeline(small)
            let task = CaptureTask(input: photo, output: "\(folder)/out.png", options: small)
            let report = pipeline.run(task)
            #expect(report.status == .done && report.error == nil)
            let file = try Fixture.bytes("\(folder)/out.png")
            #expect(report.output.bytes == file.count && report.output.format == "png")
            #expect(ImageFileHeader(file) == ImageFileHeader("png", 300, 200))
            let again = pipeline.run(task, ifExists: .skip)
            #expect(again.status == .skipped)
            let refused = pipeline.run(task, ifExists: .fail)
            #expect(refused.status == .failed && refused.error?.kind == .io)
            let itself = pipeline.run(
                CaptureTask(input: "\(folder)/out.png", output: "\(folder)/./out.png", options: small))
            #expect(itself.status == .failed && itself.error?.kind == .io)
            #expect(try Fixture.bytes("\(folder)/out.png") == file)
            #expect(Fixture.listing(folder) == ["out.png"])
        }
    }

    /// A pipeline treats its tasks by its own options.
    @Test func aPipelineRefusesTasksWithOtherOptions() throws {
        func refusal<Work: MediaTask>(_ task: Work, _ change: (inout Work) -> Void) throws -> MediaError? {
            var other = task
            change(&other)
            let pipeline = try task.makePipeline()
            return pipeline.run(other, ifExists: .replace, threads: 1, cancellation: Cancellation()).error
        }
        try Fixture.withFolder { folder in
            let output = "\(folder)/out"
            let errors = [
                try refusal(CaptureTask(input: photo, output: output)) { $0.options.encoding.quality -= 1 },
                try refusal(PosterTask(input: photo, output: output)) { $0.options.time = 1 },
                try refusal(CaptionsTask(input: photo, output: output)) { $0.options.language = "de" },
                try refusal(TranscodeTask(input: photo, output: output)) { $0.options.video.alwaysEncodes = true },
                try refusal(LevelsTask(input: photo, outputs: [output])) { $0.options.measuresLoudness.toggle() },
                try refusal(QualityTask(input: photo, output: output, options: .image(small))) {
                    $0.options = .poster(PosterOptions())
                },
            ]
            for error in errors {
                #expect(error?.kind == .parameter && error?.reason == "the task has other options than the pipeline")
                #expect(error?.subject == photo)
            }
            #expect(Fixture.listing(folder).isEmpty)
        }
    }

    /// Another process creates the output after the task has started.
    @Test(arguments: [
        (ExistingOutput.replace, TaskReport.Status.done), (.skip, .skipped), (.fail, .failed),
    ]) func decidesAboutAnOutputThatIsMadeMeanwhile(_ ifExists: ExistingOutput, _ status: TaskReport.Status) throws {
        try Fixture.withFolder { folder in
            let (input, output) = ("\(folder)/in.jpg", "\(folder)/out.png")
            let other = feed(try Fixture.bytes(photo), to: input, making: output)
            let report = try CapturePipeline(small).run(
                CaptureTask(input: input, output: output, options: small), ifExists: ifExists)
            other.join()
            #expect(report.status == status, "\(String(describing: report.error))")
            #expect(report.error?.reason == (status == .failed ? "already exists" : nil))
            #expect((try Fixture.bytes(output) == [1, 2, 3]) == (status != .done))
            #expect(Fixture.listing(folder) == ["in.jpg", "out.png"])
        }
    }

    /// Another process creates the last output after the task has started.
    @Test(arguments: [ExistingOutput.skip, .fail], [true, false])
    func publishesAllOutputsOrNone(_ ifExists: ExistingOutput, isHLS: Bool) throws {
        try Fixture.withFolder { folder in
            let (input, clip) = ("\(folder)/in", try Fixture.bytes(Fixture.media("scrapbook/portrait.mp4")))
            let poster = "\(folder)/out.jpg"
            let other = feed(clip, to: input, making: poster)
            let options = TranscodeOptions(
                delivery: isHLS ? .hls(HLSOptions()) : .mp4, poster: PosterOptions(encoding: Encoding(.jpeg)))
            let report = try TranscodePipeline(options).run(
                TranscodeTask(
                    input: input, output: "\(folder)/\(isHLS ? "hls" : "out.mp4")", poster: poster, options: options),
                ifExists: ifExists)
            other.join()
            #expect(report.status == .failed && report.error?.reason == "already exists", "\(report)")
            #expect(Fixture.listing(folder) == ["in", "out.jpg"])
            #expect(try Fixture.bytes(poster) == [1, 2, 3])
        }
        try Fixture.withFolder { folder in
            let input = "\(folder)/in"
            let outputs = ["\(folder)/a.json", "\(folder)/b.csv"]
            let other = feed(try Fixture.bytes(Fixture.media("radio/bunny-4s.wav")), to: input, making: outputs[1])
            let options = LevelsOptions([.data(LevelsEncoding(.json)), .data(LevelsEncoding(.csv))])
            let report = try LevelsPipeline(options).run(
                LevelsTask(input: input, outputs: outputs, options: options), ifExists: ifExists)
            other.join()
            #expect(report.status == .failed && report.error?.reason == "already exists", "\(report)")
            #expect(Fixture.listing(folder) == ["b.csv", "in"])
        }
    }

    /// Writes `bytes` to a pipe at `path` and, when its reader has opened it, another file to `output`.
    private func feed(_ bytes: [UInt8], to path: String, making output: String) -> Worker {
        mkfifo(path, 0o600)
        return Worker {
            let pipe = open(path, O_WRONLY | O_CLOEXEC)
            try? OutputFile.write([1, 2, 3], to: output)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            close(pipe)
        }
    }

    @Test func memoryAndFilesGiveTheSameBytes() async throws {
        let pipeline = try CapturePipeline(small)
        let prepared = try await pipeline.prepare(Fixture.bytes(photo))
        let folder = TemporaryFolder()
        try await pipeline.perform(CaptureTask(input: photo, output: "\(folder.path)/out.png", options: small))
        #expect(try Fixture.bytes("\(folder.path)/out.png") == prepared.bytes)
    }

    @Test func onePipelineServesManyThreads() async throws {
        let pipeline = try CapturePipeline(
            CaptureOptions(
                framing: Framing(screen: PixelSize(width: 120, height: 90)),
                filters: [.sepiaTone(intensity: 0.6), .gaussianBlur(radius: .percent(2))],
                overlays: [.text(TextOverlay("Mission Bell"))]))
        let bytes = try Fixture.bytes(photo)
        let expected = try await pipeline.prepare(bytes).bytes
        let pool = WorkPool(workers: 4)
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 { group.addTask { try await pipeline.prepare(bytes, on: pool).bytes } }
            for try await result in group { #expect(result == expected) }
        }
    }

    @Test(arguments: [
        ([], MediaError.Kind.decoding), (Array("not an image".utf8), .unsupported), ([0xFF, 0xD8, 0xFF], .decoding),
    ]) func throwsForFilesThatAreNotImages(_ bytes: [UInt8], _ kind: MediaError.Kind) async throws {
        let pipeline = try CapturePipeline(small)
        let error = await #expect(throws: MediaError.self) { try await pipeline.prepare(bytes) }
        #expect(error?.kind == kind, "\(String(describing: error))")
    }

    @Test func checksItsOptionsBeforeAnyImage() {
        var options = CaptureOptions()
        options.encoding.quality = 0
        #expect(throws: MediaError.self) { try CapturePipeline(options) }
        let unknown = #expect(throws: MediaError.self) {
            try CapturePipeline(CaptureOptions(filters: [Filter("nior")]))
        }
        #expect(unknown?.kind == .parameter && unknown?.advice?.description.contains("noir") == true)
    }
}
