import TestSupport
import Testing
import Wayreel

/// Examples of the documentation of the library that are not in Documentation/library.md.
private func answer(upload: [UInt8], with pipeline: CapturePipeline) async -> String {
    do {
        let prepared = try await pipeline.prepare(upload)
        return "200: \(prepared.bytes.count) bytes"
    } catch let error as MediaError {
        switch error.kind {
        case .parameter: return "400: \(error.reason)"
        case .decoding, .unsupported: return "422: \(error.reason)"
        case .limit: return "413: \(error.reason)"
        case .io, .encoding, .cancelled: return "500"
        }
    } catch {
        return "500"
    }
}

private func transcode(clip: String, upload: [UInt8], into folder: String) async throws -> [TaskReport] {
    let pipeline = try TranscodePipeline(TranscodeOptions())
    let first = try await pipeline.transcode(clip, to: "\(folder)/first.mp4")
    // An upload in memory.
    let second = try await pipeline.transcode(upload, to: "\(folder)/second.mp4")
    return [first, second]
}

private func prepare(document: String, into folder: String, source: String) async throws -> [String] {
    let options = PrepareOptions(screens: [try Screen(parsing: "iphone-4s")])
    let preparation = Preparation(document: document, bundle: folder, options: options)
    let report = try await preparation.run { event in
        if case .finished(let task, let result) = event { print(task.kind, result.status) }
    }
    #expect(report.isComplete)
    let bundle = try StoryBundle.open(folder)
    for summary in try bundle.chapters() {
        let chapter = try bundle.chapter(summary.id)
        for event in chapter.events { print(event.id, event.content.kind) }
    }
    let images = try bundle.media(for: source, role: .image, screen: "iphone-4s")
    let paths = images.map { bundle.path(of: $0.file) }
    return paths
}

private func chapters(of bundle: StoryBundle) throws -> [StoryBundle.ChapterSummary] {
    let wanted = try bundle.story().language(for: ["de-CH", "fr"])
    let translated = try bundle.chapters(language: wanted)
    return translated
}

/// The catalogue of the library's documentation.
@Suite struct LibraryDocumentationTests {
    private static let catalogue = "\(Fixture.root)/Sources/Wayreel/Wayreel.docc"
    private static let articles = Fixture.listing(catalogue).filter { $0.hasSuffix(".md") }

    @Test func hasArticles() { #expect(Self.articles.count >= 6) }

    /// Every example is in a test file, where it compiles and runs.
    @Test(arguments: articles) func showsExamplesThatRun(article: String) throws {
        let sources = try ["ReadmeExampleTests", "LibraryDocumentationTests"].map {
            try lines(of: "\(Fixture.root)/Tests/WayreelTests/\($0).swift").joined(separator: "\n")
        }
        var example: [String]?
        for line in try lines(of: "\(Self.catalogue)/\(article)") {
            if let lines = example, line == "```" {
                let text = lines.joined(separator: "\n")
                #expect(sources.contains { $0.contains(text) }, "no test has this example of \(article):\n\(text)")
                example = nil
            } else if line == "```swift" {
                example = []
            } else {
                example?.append(line)
            }
        }
    }

    /// Returns the lines without their indentation.
    private func lines(of path: String) throws -> [String] {
        try Fixture.text(path).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .map { String($0.drop(while: \.isWhitespace)) }
    }

    @Test func answersByTheKindOfError() async throws {
        let pipeline = try CapturePipeline(CaptureOptions(limits: Limits(pixels: 1000)))
        let photo = try Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg"))
        #expect(await answer(upload: photo, with: pipeline).hasPrefix("413"))
        #expect(await answer(upload: Array(photo.prefix(20)), with: pipeline).hasPrefix("422"))
    }

    @Test func preparesStories() async throws {
        let folder = TemporaryFolder()
        try OutputFile.write(
            Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg")), to: "\(folder.path)/photo.jpg")
        let event = Event(
            id: "e", name: "E", position: GeoPoint(latitude: 1, longitude: 2), activation: Activation(radius: 9),
            content: .scrapbook(ScrapbookContent(items: [.image(Asset(source: "photo.jpg", alt: "A street"))])))
        let story = Story(
            id: "s", language: "en", name: "S", chapters: [Chapter(id: "c", name: "C", events: [event])])
        let document = "\(folder.path)/story.yml"
        try OutputFile.write(Array(StoryDocument.text(of: story, as: .yaml).utf8), to: document)
        let paths = try await prepare(document: document, into: "\(folder.path)/bundle", source: "photo.jpg")
        // The width of the screen, from the header of a JPEG.
        #expect(try paths.map { ImageFileHeader(try Fixture.bytes($0))?.width } == [640])
    }

    @Test func transcodesFilesAndUploads() async throws {
        let folder = TemporaryFolder()
        let clip = Fixture.media("scrapbook/portrait.mp4")
        let reports = try await transcode(clip: clip, upload: Fixture.bytes(clip), into: folder.path)
        #expect(reports.allSatisfy { $0.status == .done } && reports[1].input.path == "-")
        #expect(try Fixture.bytes("\(folder.path)/first.mp4") == Fixture.bytes("\(folder.path)/second.mp4"))
    }
}
