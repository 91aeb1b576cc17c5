internal import FoundationEssentials
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Plans read from a file.
@Suite struct PlanCheckTests {
    private static func plan(_ change: (inout TranscodePlan) -> Void = { _ in }) throws -> TranscodePlan {
        var plan = try TranscodePlan(
            of: PlannerTests.info(), TranscodeOptions(video: VideoSettings(alwaysEncodes: true)))
        change(&plan)
        return try JSONDecoder().decode(TranscodePlan.self, from: JSONEncoder().encode(plan))
    }

    @Test func aPlanThatWasMadePasses() throws { try Self.plan().check() }

    @Test(arguments: [
        Change<TranscodePlan>("stream 7") { $0.video?.stream = 7 },
        Change<TranscodePlan>("stream -1") { $0.video?.stream = -1 },
        Change<TranscodePlan>("stream 1") { $0.video?.stream = 1 },
        Change<TranscodePlan>("stream 9") { $0.audio[0].stream = 9 },
        Change<TranscodePlan>("twice") { $0.audio.append($0.audio[0]) },
        Change<TranscodePlan>("stream 3") { $0.subtitles = [SubtitlePlan(stream: 3)] },
        Change<TranscodePlan>("renditions") { $0.video?.renditions = [] },
        Change<TranscodePlan>("rendition of") { $0.video?.renditions[0].size = PixelSize(width: 0, height: 2) },
        Change<TranscodePlan>("rendition of") { $0.video?.renditions[0].size = PixelSize(width: .max, height: .max) },
        Change<TranscodePlan>("threads") { $0.video?.renditions[0].threads = 0 },
        Change<TranscodePlan>("GOPs") { $0.video?.renditions[0].parallelGOPs = 0 },
        Change<TranscodePlan>("encodes") { $0.video?.renditions[0].encoder = "libvpx" },
        Change<TranscodePlan>("bit rate") { $0.video?.renditions[0].rate.bitRate = .max },
        Change<TranscodePlan>("bit rate") { $0.video?.renditions[0].rate.crf = -1 },
        Change<TranscodePlan>("frame rate") { $0.video?.timing.grid = Rational(1, .max) },
        Change<TranscodePlan>("time base") { $0.video?.timing.timeBase = Rational(.max, 2) ?? 1 },
        Change<TranscodePlan>("timing") { $0.video?.timing.offset = -1 },
        Change<TranscodePlan>("timing") { $0.video?.timing.repeatInterval = 0 },
        Change<TranscodePlan>("chunks") { $0.video?.chunkSeconds = 0 },
        Change<TranscodePlan>("keyframe") { $0.video?.keyFrameInterval = 0 },
        Change<TranscodePlan>("settings") { $0.audio[0].sampleRate = 0 },
        Change<TranscodePlan>("settings") { $0.audio[0].track = 0 },
    ]) func aPlanThatCannotBeIsRefused(change: Change<TranscodePlan>) throws {
        let plan = try Self.plan(change.apply)
        #expect(!plan.description.isEmpty)
        let error = #expect(throws: MediaError.self) { try plan.check() }
        #expect(error?.kind == .parameter && error?.reason.contains(change.word) == true, "\(error?.reason ?? "")")
    }

    @Test(arguments: [(1, .max), (.max, .max - 1), (1, 101), (121, 1)])
    func frameRatesThatCannotBeAreRefused(numerator: Int, denominator: Int) {
        var options = TranscodeOptions()
        options.video.maxFrameRate = Rational(numerator, denominator)
        let error = #expect(throws: MediaError.self) { try TranscodePlan(of: PlannerTests.info(), options) }
        #expect(error?.kind == .parameter && error?.advice?.description == "use maxFrameRate 0.01 to 120")
    }
}
