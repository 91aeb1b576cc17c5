import TestSupport
import Testing

// README example begins
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
// README example ends

/// The README's example compiles, works, and is the one in the README.
@Suite struct ReadmeExampleTests {
    @Test func works() async throws {
        let captures = ["town-coolpix-gps.jpg", "still-photo.heic"].map { Fixture.media("captures/\($0)") }
        let folder = TemporaryFolder()
        try await preparePostcards(upload: Fixture.bytes(captures[0]), photos: captures, into: folder.path)
        #expect(Fixture.listing(folder.path) == ["0.jpg", "1.jpg"])
        #expect(PictureFileHeader(try Fixture.bytes("\(folder.path)/1.jpg")) == PictureFileHeader("jpeg", 640, 960))
    }

    @Test func isTheOneInTheReadme() throws {
        let source = String(decoding: try Fixture.bytes(#filePath), as: UTF8.self)
        let example = try #require(
            source.split(separator: "// README example begins\n").last?.split(separator: "// README example ends").first
        )
        let readme = String(decoding: try Fixture.bytes("\(Fixture.root)/README.md"), as: UTF8.self)
        #expect(
            readme.contains("```swift\n\(example)```"), "copy the example of ReadmeExampleTests.swift into README.md")
    }
}
