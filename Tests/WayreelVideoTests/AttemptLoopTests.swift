internal import FoundationEssentials
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// The plans of synthetic files after attempts that have shown something about them.
@Suite struct AttemptLoopTests {
    typealias Findings = AttemptFindings

    /// A file, what the attempts show, and what is tried after each.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var source: @Sendable (inout MediaInfo) -> Void = { _ in }
        var options = TranscodeOptions()
        let findings: [Findings]
        let attempts: [Attempt.Name?]
        let video: StreamAction
        let audio: StreamAction

        var testDescription: String { name }
    }

    private static let damaged = Findings(damagedAudio: [1: "packets that cannot be decoded: 3"])
    private static let varying = Findings(framesVary: true)
    private static let larger = Findings(isLarger: true)
    private static let both = Findings(damagedAudio: [1: "nothing can be decoded as aac"], framesVary: true)
    /// More bits per second than copied video may have, but nothing else that speaks against copying.
    private static let wasteful: @Sendable (inout MediaInfo) -> Void = { $0.streams[0].bitRate = 30_000_000 }

    private static let cases: [Case] = [
        Case(name: "all well", findings: [Findings()], attempts: [nil], video: .copy, audio: .copy),
        Case(
            name: "damaged audio", findings: [damaged, Findings()], attempts: [.encodeDamagedAudio, nil], video: .copy,
            audio: .transcode),
        Case(
            name: "damaged audio is encoded once", findings: [damaged, damaged], attempts: [.encodeDamagedAudio, nil],
            video: .copy, audio: .transcode),
        Case(
            name: "varying frames", findings: [varying, Findings()], attempts: [.encodeVaryingFrames, nil],
            video: .transcode, audio: .copy),
        Case(
            name: "first the audio, then the frames", findings: [both, varying, Findings()],
            attempts: [.encodeDamagedAudio, .encodeVaryingFrames, nil], video: .transcode, audio: .transcode),
        Case(
            name: "varying frames are not copied, however large they become", findings: [varying, larger],
            attempts: [.encodeVaryingFrames, nil], video: .transcode, audio: .copy),
        Case(
            name: "a smaller encoding", source: wasteful, findings: [Findings()], attempts: [nil], video: .transcode,
            audio: .copy),
        Case(
            name: "a larger encoding", source: wasteful, findings: [larger, Findings()], attempts: [.copyInstead, nil],
            video: .copy, audio: .copy),
        Case(
            name: "a copy is the last attempt", source: wasteful, findings: [larger, varying],
            attempts: [.copyInstead, nil], video: .copy, audio: .copy),
        Case(
            name: "a copy of the video beside damaged audio", source: wasteful,
            findings: [damaged, larger, Findings()],
            attempts: [.encodeDamagedAudio, .copyInstead, nil], video: .copy, audio: .transcode),
        Case(
            name: "what phones do not play is not copied", source: { $0.streams[0].codec = "vp9" }, findings: [larger],
            attempts: [nil], video: .transcode, audio: .copy),
        Case(
            name: "what is to be encoded is not copied", source: wasteful,
            options: TranscodeOptions(video: VideoSettings(alwaysEncodes: true)), findings: [larger], attempts: [nil],
            video: .transcode, audio: .transcode),
        Case(
            name: "a copy that does not fit", source: wasteful,
            options: TranscodeOptions(video: VideoSettings(rate: .maxBytes(2_000_000))), findings: [larger],
            attempts: [nil], video: .transcode, audio: .copy),
    ]

    @Test(arguments: cases) func eachFindingHasItsPlan(_ test: Case) throws {
        let info = PlannerTests.info(test.source)
        var loop = AttemptLoop(try TranscodePlan(of: info, test.options), isGiven: false, test.options)
        let task = TaskContext()
        for (findings, attempt) in zip(test.findings, test.attempts) {
            let before = loop.plan
            let next = try loop.next(after: findings, task)
            #expect(next == nil ? attempt == nil : loop.name == attempt)
            #expect(loop.plan == next ?? before)
        }
        #expect(loop.plan.video?.action == test.video && loop.plan.defaultAudio?.action == test.audio)
        // Nothing is invented about the source, and the plan can be made again from what it contains.
        #expect(loop.plan.source == info)
        #expect(try TranscodePlan(of: info, test.options, loop.plan.constraints) == loop.plan)
        #expect(task.warnings.count { $0.step == .audio } == (test.attempts.contains(.encodeDamagedAudio) ? 1 : 0))
    }

    @Test func thePlanSaysWhy() throws {
        let info = PlannerTests.info()
        let constraints = PlanConstraints(damagedAudio: [1: "packets that cannot be decoded: 3"], framesVary: true)
        let plan = try TranscodePlan(of: info, TranscodeOptions(), constraints)
        #expect(plan.video?.reasons == ["its size or scan changes within the stream"])
        #expect(plan.defaultAudio?.reasons == ["packets that cannot be decoded: 3"])
        #expect(plan.video?.conversion?.deinterlacing == .marked)
        #expect(try TranscodePlan(of: info, TranscodeOptions()).video?.conversion == nil)
        // Damage of another stream has no effect.
        let other = try TranscodePlan(of: info, TranscodeOptions(), PlanConstraints(damagedAudio: [7: "damaged"]))
        #expect(other.defaultAudio?.action == .copy)
    }

    @Test(arguments: [damaged, varying, both]) func aGivenPlanIsRefusedRatherThanReplaced(_ findings: Findings) throws {
        let plan = try TranscodePlan(of: PlannerTests.info(), TranscodeOptions())
        var loop = AttemptLoop(plan, isGiven: true, TranscodeOptions())
        let task = TaskContext()
        let error = try #require(throws: MediaError.self) { _ = try loop.next(after: findings, task) }
        #expect(error.code == .planOutdated && error.reason.hasPrefix("the plan copies"))
        #expect(!error.description.contains("\n") && task.warnings.isEmpty && loop.plan == plan)
    }

    @Test(arguments: [Findings(), larger]) func aGivenPlanIsCarriedOutAsItIs(_ findings: Findings) throws {
        let plan = try TranscodePlan(of: PlannerTests.info(Self.wasteful), TranscodeOptions())
        var loop = AttemptLoop(plan, isGiven: true, TranscodeOptions())
        #expect(try loop.next(after: findings, TaskContext()) == nil && loop.plan == plan)
    }

    /// What a copy does not need is checked when an attempt encodes.
    @Test func thePlanOfAnAttemptIsChecked() throws {
        let options = TranscodeOptions(video: VideoSettings(rate: .maxBytes(1 << 41)))
        let plan = try TranscodePlan(of: PlannerTests.info(), options)
        #expect(plan.video?.action == .copy)
        var loop = AttemptLoop(plan, isGiven: false, options)
        let error = try #require(throws: MediaError.self) { _ = try loop.next(after: Self.varying, TaskContext()) }
        #expect(error.kind == .parameter && error.reason == "the plan has an invalid bit rate" && loop.plan == plan)
    }

    /// A plan without constraints reads as before there were any.
    @Test func constraintsAreStoredWithThePlan() throws {
        let plain = try TranscodePlan(of: PlannerTests.info(), TranscodeOptions())
        let known = PlanConstraints(damagedAudio: [1: "damaged"], framesVary: true, ignoresBitRate: true)
        let constrained = try TranscodePlan(of: PlannerTests.info(), TranscodeOptions(), known)
        for plan in [plain, constrained] {
            let json = try JSONEncoder().encode(plan)
            #expect(try JSONDecoder().decode(TranscodePlan.self, from: json) == plan)
            #expect(String(decoding: json, as: UTF8.self).contains("constraints") == (plan == constrained))
        }
    }
}
