import FoundationEssentials
import TestSupport
import Testing
import Wayreel

/// An existing plan is executed unchanged, or refused.
@Suite struct PlanRunTests {
    private let clip = Fixture.media("scrapbook/portrait.mp4")

    private func options(_ delivery: TranscodeOptions.Delivery = .mp4) -> TranscodeOptions {
        TranscodeOptions(
            framing: Framing(screen: PixelSize(width: 160, height: 160), fit: .contain),
            video: VideoSettings(preset: "ultrafast"), delivery: delivery)
    }

    @Test(arguments: [false, true]) func theResultIsTheSame(isRead: Bool) async throws {
        let folder = TemporaryFolder()
        let pipeline = try TranscodePipeline(options())
        var plan = try await pipeline.plan(clip)
        // Like a plan that was stored in a file.
        if isRead { plan = try JSONDecoder().decode(TranscodePlan.self, from: JSONEncoder().encode(plan)) }
        try await pipeline.transcode(clip, to: "\(folder.path)/planned.mp4", plan: plan)
        try await pipeline.transcode(clip, to: "\(folder.path)/plain.mp4")
        #expect(try Fixture.bytes("\(folder.path)/planned.mp4") == Fixture.bytes("\(folder.path)/plain.mp4"))
    }

    @Test func aTaskCarriesItsPlanIntoAWorker() async throws {
        let folder = TemporaryFolder()
        let plan = try await TranscodePipeline(options()).plan(clip)
        let tasks = [clip, Fixture.media("scrapbook/rotate-and-reflect.mp4")].enumerated().map { index, input in
            TranscodeTask(input: input, output: "\(folder.path)/\(index).mp4", plan: plan, options: options())
        }
        var reports: [Int: TaskReport] = [:]
        for await (index, report) in try TranscodeBatch(tasks, isolation: Isolation(executable: Workbench.binary))
            .reports()
        {
            reports[index] = report
        }
        #expect(reports[0]?.status == .done, "\(String(describing: reports[0]?.error))")
        #expect(reports[1]?.error?.code == .planOutdated)
        #expect(Fixture.listing(folder.path) == ["0.mp4"])
    }

    private func refusal(of plan: TranscodePlan, for input: String) async throws -> MediaError {
        let folder = TemporaryFolder()
        let pipeline = try TranscodePipeline(options())
        let error = await #expect(throws: MediaError.self) {
            try await pipeline.transcode(input, to: "\(folder.path)/out.mp4", plan: plan)
        }
        #expect(Fixture.listing(folder.path).isEmpty)
        let refused = try #require(error)
        #expect(refused.kind == .parameter && refused.code == .planOutdated && refused.subject == input)
        #expect(refused.advice?.description == "make the plan again" && !refused.description.contains("\n"))
        return refused
    }

    @Test func aPlanForAnotherInputIsRefused() async throws {
        let plan = try await TranscodePipeline(options()).plan(clip)
        let other = try await refusal(of: plan, for: Fixture.media("scrapbook/rotate-and-reflect.mp4"))
        #expect(other.reason.contains("another file"))

        // The same file, truncated meanwhile.
        let folder = TemporaryFolder()
        let bytes = try Fixture.bytes(clip)
        let copy = "\(folder.path)/copy.mp4"
        try OutputFile.write(bytes, to: copy)
        let own = try await TranscodePipeline(options()).plan(copy)
        #expect(own == plan)
        try OutputFile.write(bytes + [0, 0, 0, 8] + Array("free".utf8), to: copy)
        let changed = try await refusal(of: own, for: copy)
        #expect(changed.reason.contains("has changed since"))
    }

    @Test func aPlanOfOtherOptionsIsRefused() async throws {
        let plan = try await TranscodePipeline(options(.hls(HLSOptions()))).plan(clip)
        let error = try await refusal(of: plan, for: clip)
        #expect(error.reason.contains("other options"))
    }

    /// Neither indices nor FFmpeg options can differ from those of a plan made by Wayreel.
    @Test(arguments: [
        (#""stream":0"#, #""stream":7"#), (#""stream":0"#, #""stream":-1"#), (#""threads":"#, #""threads":9"#),
        (#""deinterlacing":"none""#, #""deinterlacing":"all""#),
        (#""preset":"ultrafast""#, #""preset":"slow","stats":"x""#),
    ])
    func aPlanThatWasChangedIsRefused(_ text: String, by other: String) async throws {
        let plan = try await TranscodePipeline(options()).plan(clip)
        let json = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        let changed = json.replacing(text, with: other)
        try #require(changed != json)
        _ = try await refusal(of: JSONDecoder().decode(TranscodePlan.self, from: Data(changed.utf8)), for: clip)
    }
}
