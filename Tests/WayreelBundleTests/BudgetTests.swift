internal import FoundationEssentials
internal import Synchronization
internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore

/// A story of four images and a clip, prepared into a maximum size.
@Suite(.serialized) struct BudgetTests {
    private static let screen = "320x480"
    private let folder = TemporaryFolder()
    private var path: String { folder.path }

    /// Writes images that lose quality in different ways: flat, fine, noisy, a photograph.
    private static func makeStory(in folder: String) throws {
        let sources = [
            "flat.png": "gradients=s=640x480:seed=1:d=0.04", "fine.png": "mandelbrot=s=640x480:end_pts=1",
            "noise.png": "nullsrc=s=640x480,geq=random(1)*255:128:128",
        ]
        for (name, source) in sources {
            try SampleVideo.make(["-f", "lavfi", "-i", source, "-frames:v", "1", "\(folder)/\(name)"])
        }
        try SampleVideo.make([
            "-i", Fixture.media("captures/town-coolpix-gps.jpg"), "-vf", "scale=800:-2", "\(folder)/town.png",
        ])
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=2", "-c:v", "mpeg4", "-q:v", "3", "\(folder)/clip.mp4",
        ])
        try write(
            """
            story:
              id: budget
              language: en
              name: Budget
              cover: {source: town.png, alt: A town}
              chapters:
                - id: one
                  name: One
                  events:
                    - id: pages
                      name: Pages
                      position: {latitude: 35.28, longitude: -120.66}
                      activation: {radius: 20}
                      scrapbook:
                        - image: {source: flat.png, alt: Colours}
                        - image: {source: fine.png, alt: A fractal}
                        - image: {source: noise.png, alt: Noise}
                        - video: {source: clip.mp4, alt: A test}
            """, to: "\(folder)/story.yml")
    }

    /// Writes a story of a clip alone.
    private static func writeClipStory(in folder: String) throws {
        try write(
            """
            story:
              id: clip
              language: en
              name: A clip
              chapters:
                - id: one
                  name: One
                  events:
                    - id: pages
                      name: Pages
                      position: {latitude: 35.28, longitude: -120.66}
                      activation: {radius: 20}
                      scrapbook:
                        - video: {source: clip.mp4, alt: A test}
            """, to: "\(folder)/story.yml")
    }

    private static func write(_ text: String, to path: String) throws {
        try OutputFile.write(Array(text.utf8), to: path)
    }

    private static func preparation(
        _ folder: String, _ bundle: String, limit: Int? = nil, fileLimit: Int? = nil, quality: Int = 82
    ) throws -> Preparation {
        var options = PrepareOptions(
            screens: [try Screen(parsing: screen)], imageQuality: quality, videoPreset: "veryfast")
        options.maxBundleBytes = limit
        options.maxFileBytes = fileLimit
        return Preparation(document: "\(folder)/story.yml", bundle: "\(folder)/\(bundle)", options: options, jobs: 2)
    }

    private static func mediaBytes(_ bundle: String) throws -> Int {
        let json = try Fixture.bytes("\(bundle)/manifest.json")
        return try JSONDecoder().decode(BundleManifest.self, from: Data(json)).files.reduce(0) { $0 + $1.totalBytes }
    }

    @Test func spreadsTheLoss() async throws {
        try Self.makeStory(in: path)
        let natural = try await Self.preparation(path, "natural").run()
        #expect(natural.isComplete)
        #expect(natural.budget == nil)

        let limit = natural.bytesOut * 6 / 10
        let made = try await Self.preparation(path, "bundle", limit: limit).run()
        let budget = try #require(made.budget)
        #expect(made.isComplete)
        #expect(made.bytesOut <= limit)
        #expect(try Self.mediaBytes("\(path)/bundle") == made.bytesOut)
        #expect(budget.bytesAfter == made.bytesOut)
        #expect(budget.limitBytes == limit)
        #expect(!budget.items.isEmpty)
        // The budget is used: at most one step of an item is left.
        #expect(Double(made.bytesOut) > Double(limit) * 0.9)

        // A second run makes nothing.
        let again = try await Self.preparation(path, "bundle", limit: limit).run { event in
            if case .measured = event { Issue.record("measured again") }
        }
        #expect(again.count(.made) == 0)
        #expect(!again.isSwitched)
        #expect(again.budget == budget)

        // A run from scratch produces the same bundle.
        _ = try await Self.preparation(path, "other", limit: limit).run()
        #expect(try Fixture.bytes("\(path)/other/manifest.json") == Fixture.bytes("\(path)/bundle/manifest.json"))

        // With another size, only changed files are made.
        let tighter = try await Self.preparation(path, "bundle", limit: limit * 9 / 10).run()
        #expect(tighter.bytesOut <= limit * 9 / 10)
        #expect(tighter.count(.made) > 0)
        #expect(tighter.count(.reused) > 0)

        // The plan agrees.
        let plan = try await Self.preparation(path, "bundle", limit: limit * 9 / 10).plan()
        #expect(plan.pending.isEmpty)
        #expect(plan.budget?.limitBytes == limit * 9 / 10)
    }

    /// A bundle of images only, judged by the ffmpeg program: better than one quality for all images with the same
    /// total size.
    @Test func isBetterThanOneQuality() async throws {
        try Self.makeStory(in: path)
        var text = String(decoding: try Fixture.bytes("\(path)/story.yml"), as: UTF8.self)
        text = text.split(separator: "\n").filter { !$0.contains("clip") }.joined(separator: "\n")
        try Self.write(text, to: "\(path)/story.yml")
        let uniform = try await Self.preparation(path, "uniform", quality: 40).run()
        let budget = try await Self.preparation(path, "budget", limit: uniform.bytesOut).run()
        #expect(budget.bytesOut <= uniform.bytesOut)
        let (one, other) = (
            try Self.similarities("\(path)/uniform", path), try Self.similarities("\(path)/budget", path)
        )
        #expect(one.count == 4)
        #expect(other.count == 4)
        #expect(other.values.reduce(0, +) > one.values.reduce(0, +))

        // The report contains the values that ffmpeg measures for images that were not resampled by another program.
        for item in budget.budget?.items ?? [] {
            let measured = try #require(other[item.source])
            let said = try #require(item.similarityAfter)
            #expect(abs(measured - said) < 0.02, "\(item.source)")
        }
    }

    /// Returns SSIM of the luma of all images of a bundle, compared with the same images without loss, by source.
    private static func similarities(_ bundle: String, _ folder: String) throws -> [String: Double] {
        let json = try Fixture.bytes("\(bundle)/manifest.json")
        let manifest = try JSONDecoder().decode(BundleManifest.self, from: Data(json))
        var found: [String: Double] = [:]
        for entry in manifest.media where entry.role == .image {
            let original = "\(folder)/\(entry.source).reference.png"
            let options = "scale=320:-1:flags=lanczos,format=rgb24"
            try SampleVideo.make(["-i", "\(folder)/\(entry.source)", "-vf", options, original])
            let outcome = try SampleVideo.run(
                "ffmpeg",
                [
                    "-nostdin", "-i", "\(bundle)/\(entry.path)", "-i", original, "-lavfi",
                    "[0]format=gray[a];[1]format=gray[b];[a][b]ssim", "-f", "null", "-",
                ])
            let luma = try #require(outcome.errors.split(separator: "Y:").last).prefix(8)
            let similarity = try #require(Double(String(luma)))
            found[entry.source] = similarity
        }
        return found
    }

    @Test func refusesTheImpossible() async throws {
        try Self.makeStory(in: path)
        let refused = await #expect(throws: MediaError.self) {
            try await Self.preparation(path, "bundle", limit: 10_000).run { event in
                if case .started = event { Issue.record("encoded something") }
            }
        }
        let error = try #require(refused)
        #expect(error.kind == .limit)
        // The smallest size is achievable.
        let words = error.reason.split(separator: " ")
        let smallest = try #require(words.compactMap { Int($0) }.first)
        let made = try await Self.preparation(path, "bundle", limit: smallest * 21 / 20).run()
        #expect(made.isComplete)
        #expect(made.bytesOut <= smallest * 21 / 20)
    }

    /// Writes a story of a sound with levels, and of a clip with captions.
    private static func makeSounds(in folder: String) throws {
        try SampleVideo.make([
            "-f", "lavfi", "-i", "anoisesrc=d=5:a=0.3", "-ac", "2", "-c:a", "aac", "-b:a", "64k",
            "\(folder)/radio.m4a",
        ])
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1", "-c:v", "mpeg4", "-q:v", "3", "\(folder)/clip.mp4",
        ])
        try write("1\n00:00:00,000 --> 00:00:01,000\nBars\n", to: "\(folder)/clip.srt")
        try write(
            """
            story:
              id: sounds
              language: en
              name: Sounds
              chapters:
                - id: one
                  name: One
                  events:
                    - id: listen
                      name: Listen
                      position: {latitude: 35.28, longitude: -120.66}
                      activation: {radius: 20}
                      radio:
                        visualizer: {style: bars, meter: peak, rate: 20}
                        tracks:
                          - {source: radio.m4a, alt: Noise}
                    - id: pages
                      name: Pages
                      position: {latitude: 35.29, longitude: -120.66}
                      activation: {radius: 20}
                      scrapbook:
                        - video: {source: clip.mp4, alt: A test, captions: [{source: clip.srt}]}
            """, to: "\(folder)/story.yml")
    }

    /// What is made whatever the limit, as levels, counts in what a plan expects.
    @Test func aPlanThatDoesNotFitIsRefused() async throws {
        try Self.makeSounds(in: path)
        let refused = await #expect(throws: MediaError.self) {
            try await Self.preparation(path, "bundle", limit: 1000).plan()
        }
        let least = try #require(refused?.reason.split(separator: " ").compactMap { Int($0) }.first)
        await #expect(throws: MediaError.self) { try await Self.preparation(path, "bundle", limit: least - 1).plan() }
        let plan = try await Self.preparation(path, "bundle", limit: least).plan()
        #expect(plan.budget?.bytesAfter == least)
        // The real one is not far from it.
        let made = try await Self.preparation(path, "bundle", limit: least * 11 / 10).run()
        #expect(made.isComplete)
    }

    /// A copy has the size of its source, and captions that of theirs, before anything was learned.
    @Test func copiesAreExpectedAtTheirSize() async throws {
        try Self.makeSounds(in: path)
        let plan = try await Self.preparation(path, "bundle").plan()
        for (kind, source) in [(PlannedTask.Kind.audio, "radio.m4a"), (.captions, "clip.srt")] {
            let expected = try #require(plan.tasks.first { $0.kind == kind }).predicted.bytes
            let bytes = try Fixture.bytes("\(path)/\(source)").count
            #expect(abs(Double(expected) / Double(bytes) - 1) < 0.1, "\(source): \(expected) of \(bytes)")
        }
    }

    /// With a limit per file, no file exceeds it, and none becomes larger than without.
    @Test func keepsToTheSizeOfFiles() async throws {
        try Self.makeStory(in: path)
        let natural = try await Self.preparation(path, "natural").run()
        let generous = try await Self.preparation(path, "generous", fileLimit: 5_000_000).run()
        #expect(generous.bytesOut <= natural.bytesOut)
        let limit = natural.bytesOut / 4
        let limited = try await Self.preparation(
            path, "limited", limit: natural.bytesOut * 7 / 10, fileLimit: limit
        ).run()
        #expect(limited.isComplete)
        #expect(limited.tasks.allSatisfy { $0.bytesOut <= limit })
        #expect(limited.bytesOut <= natural.bytesOut * 7 / 10)
    }

    /// HLS reduces bit rates and remains a playable ladder.
    @Test func lowersTheLaddersOfStreams() async throws {
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=12,noise=alls=30:allf=t", "-f", "lavfi", "-i", "sine=d=12",
            "-c:v", "mpeg4", "-q:v", "3", "-c:a", "aac", "\(path)/clip.mp4",
        ])
        try Self.writeClipStory(in: path)
        var natural = try Self.preparation(path, "natural")
        natural.options.streamingSeconds = 5
        let whole = try await natural.run()
        let limit = whole.bytesOut * 7 / 10
        var limited = try Self.preparation(path, "bundle", limit: limit)
        limited.options.streamingSeconds = 5
        let made = try await limited.run()
        #expect(made.isComplete)
        #expect(made.bytesOut <= limit)
        let item = try #require(made.budget?.items.first { $0.kind == .stream })
        #expect(item.from == "Apple's ladder")
        #expect(item.to.hasPrefix("up to "))
        #expect(try #require(item.similarityAfter) < #require(item.similarityBefore))
        #expect(item.bytesAfter < item.bytesBefore)
        let verification = try await StoryBundle.verify("\(path)/bundle")
        #expect(verification.issues.isEmpty, "\(verification.issues)")
        // There are as many renditions as without a limit, each with the same size in pixels.
        #expect(try Self.resolutions("\(path)/bundle") == Self.resolutions("\(path)/natural"))

        let again = try await limited.run()
        #expect(again.count(.made) == 0)
        // An unreachable size is refused before anything is encoded.
        var impossible = limited
        impossible.options.maxBundleBytes = limit / 10
        await #expect(throws: MediaError.self) {
            try await impossible.run { event in if case .started = event { Issue.record("encoded something") } }
        }
    }

    /// Returns the resolutions in the master playlist of a bundle's only stream.
    private static func resolutions(_ bundle: String) throws -> [String] {
        let manifest = try StoryBundle.open(bundle).manifest()
        let stream = try #require(manifest.files.first { $0.path.hasSuffix(".m3u8") })
        return String(decoding: try Fixture.bytes("\(bundle)/\(stream.path)"), as: UTF8.self)
            .split(separator: "\n").compactMap { $0.split(separator: "RESOLUTION=").dropFirst().first }
            .map { String($0.prefix { $0 != "," }) }.sorted()
    }

    /// A clip that is hardest to encode between the excerpts from which its size is estimated.
    @Test func correctsWhatWasExpected() async throws {
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=12,noise=alls=90:allf=t:enable='lt(mod(t,3),0.6)'",
            "-c:v", "mpeg4", "-q:v", "2", "\(path)/clip.mp4",
        ])
        try Self.writeClipStory(in: path)
        let natural = try await Self.preparation(path, "natural").run()
        let limit = natural.bytesOut * 6 / 10
        let videos = Mutex(0)
        let made = try await Self.preparation(path, "bundle", limit: limit).run { event in
            if case .finished(let task, _) = event, task.kind == .video { videos.withLock { $0 += 1 } }
        }
        #expect(made.isComplete)
        #expect(made.bytesOut <= limit)
        #expect(videos.withLock(\.self) > 1, "the first size was expected too well for this test")
        // The sizes of discarded attempts are remembered.
        let again = try await Self.preparation(path, "bundle", limit: limit).run()
        #expect(again.count(.made) == 0)
        #expect(again.budget == made.budget)
    }
}
