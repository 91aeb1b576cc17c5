import TestSupport
import Testing
import Wayreel

/// Encoded audio and video in memory give the same results as the same files.
@Suite struct MemoryInputTests {
    private let clip = Fixture.media("scrapbook/portrait.mp4")
    private let audio = Fixture.media("radio/bunny-4s.m4a")

    @Test func measuresAudio() async throws {
        let pipeline = try LevelsPipeline(LevelsOptions([.data(LevelsEncoding(.json, grid: .rate(30)))]))
        let fromMemory = try await pipeline.measure(Fixture.bytes(audio))
        let fromFile = try await pipeline.measure(audio, on: .shared)
        // The name of the file is unknown.
        let expected = try text(fromFile).replacing(#""file":"bunny-4s.m4a""#, with: #""file":null"#)
        #expect(try text(fromMemory) == expected)
    }

    private func text(_ audio: MeasuredAudio) throws -> String {
        String(decoding: try audio.encoded(), as: UTF8.self)
    }

    @Test func findsAPoster() async throws {
        let pipeline = try PosterPipeline(PosterOptions())
        #expect(try await pipeline.poster(of: Fixture.bytes(clip)).bytes == pipeline.poster(of: clip).bytes)
    }

    @Test func probes() async throws {
        guard case .media(let video) = try await FileProbe.probe(Fixture.bytes(clip)),
            case .image = try await FileProbe.probe(
                Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg")))
        else {
            Issue.record("a video and an image are taken for something else")
            return
        }
        guard case .media(let file) = try await FileProbe.probe(path: clip) else {
            Issue.record("a video is taken for an image")
            return
        }
        #expect("\(video)" == "\(file)")
    }

    /// Bytes have no name that an error could contain.
    @Test func throwsErrorsWithoutAPath() async throws {
        let garbage = [UInt8](repeating: 7, count: 5000)
        let pipeline = try TranscodePipeline(TranscodeOptions())
        let folder = TemporaryFolder()
        let error = await #expect(throws: MediaError.self) {
            try await pipeline.transcode(garbage, to: "\(folder.path)/out.mp4")
        }
        #expect(error?.kind == .decoding && error?.subject == nil, "\(String(describing: error))")
        #expect(Fixture.listing(folder.path) == [])
    }

    @Test func throwsTheErrorOfATask() async throws {
        let folder = TemporaryFolder()
        let pipeline = try TranscodePipeline(TranscodeOptions())
        let error = await #expect(throws: MediaError.self) {
            try await pipeline.transcode("\(folder.path)/none.mp4", to: "\(folder.path)/out.mp4")
        }
        #expect(error?.kind == .io && error?.subject == "\(folder.path)/none.mp4")
    }
}
