import TestSupport
import Testing
import Wayreel
import WayreelCLI
import WayreelService
import WayreelStoryCLI

/// Each module has its own options; every interface has decided how it calls each of them.
@Suite struct OptionNameTests {
    private static let modules: [[OptionName]] = [
        OptionName.ofCore, OptionName.ofDocument, OptionName.ofImage, OptionName.ofLevels, OptionName.ofTasks,
        OptionName.ofVideo, OptionName.ofStory, OptionName.ofBundle, OptionName.ofGoggles, OptionName.ofStreams,
    ]
    private static let all: [OptionName] = modules.flatMap(\.self)

    /// Options of tasks that a request cannot choose; the service calls them another option.
    private static let unknownToRequests: Set<OptionName> = [
        .toleranceNone, .toleranceStandard, .ifExistsReplace, .screenNames, .filterCatalog, .ladder, .parallelGOPs,
        .maxBundleBytes, .maxFileBytes, .screens, .prepare, .storyIssues, .position, .heading, .pitch, .roll,
        .fieldOfView, .declination, .skipDamaged,
    ]

    /// Options of other commands, whose advice `wayreel prepare` replaces.
    private static let unknownToPrepare: Set<OptionName> = [
        .maxChannels, .maxAudioSeconds, .maxVideoSeconds, .toleranceNone, .toleranceStandard, .ifExistsReplace, .page,
        .track, .codec, .recipe, .enlarges, .format, .sampleRate, .rateGrid, .samplesGrid, .heartbeatTimeout,
        .languages, .keepsAll, .rangeStart, .rangeEnd, .crf, .quality, .maxBytes, .maxFrameRate, .ladder,
        .parallelGOPs, .position, .heading, .pitch, .roll, .fieldOfView, .declination, .skipDamaged,
    ]

    @Test func eachOptionHasOneName() {
        #expect(Set(Self.all).count == Self.all.count)
    }

    /// The lists of the modules lack none of their options.
    @Test func theListsAreComplete() throws {
        let definition = try Regex(
            #"static let \w+ = OptionName\(rawValue: "([^"]+)"\)"#, as: (Substring, Substring).self)
        let list = try Command("/usr/bin/find", ["\(Fixture.root)/Sources", "-name", "*.swift"]).run()
        var names: [String] = []
        for path in list.text.split(separator: "\n") {
            let text = try Fixture.text(String(path))
            names += text.matches(of: definition).map { String($0.output.1) }
        }
        #expect(names.sorted() == Self.all.map(\.rawValue).sorted())
    }

    @Test func theCommandHasAFlagForEach() {
        #expect(Set(OptionName.flags.keys) == Set(Self.all))
        for (option, flag) in OptionName.flags {
            #expect(flag.hasPrefix("--") || flag.hasPrefix("'wayreel "), "\(option.rawValue): \(flag)")
        }
    }

    @Test func theServiceKnowsEach() {
        let known = Set(OptionName.requestNames.keys)
        #expect(known.isDisjoint(with: Self.unknownToRequests))
        #expect(known.union(Self.unknownToRequests) == Set(Self.all))
    }

    @Test func prepareKnowsEach() {
        #expect(OptionName.ofPrepare.isDisjoint(with: Self.unknownToPrepare))
        #expect(OptionName.ofPrepare.union(Self.unknownToPrepare) == Set(Self.all))
    }

    /// The Swift names are those of JSON, between processes and in reports.
    @Test func jsonHasTheSwiftNames() {
        let names = Self.all.map(\.rawValue).sorted().joined(separator: ", ")
        #expect(
            names
                == "FilterCatalog, HLSOptions.ladder, HLSOptions.parallelGOPs, Isolation.heartbeatTimeout, "
                + "Isolation.memoryBytes, PreparePlan, Screen.all, SensorReader.onDamage, StoryDocument.issues, "
                + "a Recipe, a smaller WorkPool, codec, encoding.format, framing.enlarges, grid .rate, grid .samples, "
                + "ifExists .replace, keepsAll, languages, limits.audioSeconds, limits.channels, limits.frames, "
                + "limits.inputBytes, limits.pixels, limits.seconds, limits.videoSeconds, maxBundleBytes, maxBytes, "
                + "maxFileBytes, maxFrameRate, page, pose.declination, pose.fieldOfView, pose.heading, pose.pitch, "
                + "pose.position, pose.roll, range.end, range.start, rate .crf, rate .quality, sampleRate, screens, "
                + "tolerance .none, tolerance .standard, track")
    }
}
