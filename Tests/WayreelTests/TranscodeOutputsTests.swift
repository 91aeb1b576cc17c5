import Glibc
import TestSupport
import Testing
import Wayreel

/// A video and its poster appear together, and what they replace stays if one of them fails.
@Suite struct TranscodeOutputsTests {
    private let clip = Fixture.media("scrapbook/portrait.mp4")
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func options(isHLS: Bool) -> TranscodeOptions {
        TranscodeOptions(
            framing: Framing(screen: PixelSize(width: 160, height: 160), fit: .contain),
            video: VideoSettings(preset: "ultrafast"), delivery: isHLS ? .hls(HLSOptions()) : .mp4,
            poster: PosterOptions(encoding: Encoding(.jpeg)))
    }

    private func run(_ output: String, poster: String?, _ options: TranscodeOptions) throws -> TaskReport {
        try report(TranscodeTask(input: clip, output: path(output), poster: poster, options: options), options)
    }

    private func report(_ task: TranscodeTask, _ options: TranscodeOptions) throws -> TaskReport {
        try TranscodePipeline(options).run(task)
    }

    /// `/dev/full` accepts no bytes.
    @Test(arguments: [false, true]) func aPosterThatFailsKeepsTheOldVideo(isHLS: Bool) throws {
        let options = options(isHLS: isHLS)
        let name = isHLS ? "hls" : "out.mp4"
        #expect(try run(name, poster: path("out.jpg"), options).status == .done)
        let file = path(isHLS ? "hls/master.m3u8" : name)
        var before = stat()
        #expect(stat(file, &before) == 0)
        let failed = try run(name, poster: "/dev/full", options)
        #expect(failed.status == .failed && failed.error?.code == .diskFull, "\(String(describing: failed.error))")
        var after = stat()
        #expect(stat(file, &after) == 0 && after.st_ino == before.st_ino)
        #expect(Fixture.listing(folder.path) == [name, "out.jpg"].sorted())
        // Both are replaced.
        #expect(try run(name, poster: path("out.jpg"), options).status == .done)
        #expect(stat(file, &after) == 0 && after.st_ino != before.st_ino)
        #expect(Fixture.listing(folder.path) == [name, "out.jpg"].sorted())
    }

    /// A poster in the folder of HLS is a part of it. Its size is told once.
    @Test func aPosterInTheFolderIsPublishedWithIt() throws {
        let options = options(isHLS: true)
        for name in ["hls/./poster.jpg", "hls/poster.jpg", "hls/../hls//poster.jpg"] {
            let report = try run("hls", poster: path(name), options)
            #expect(report.status == .done, "\(String(describing: report.error))")
            #expect(Fixture.listing(folder.path) == ["hls"])
            let poster = try Fixture.bytes(path("hls/poster.jpg"))
            #expect(ImageFileHeader(poster)?.format == "jpeg" && report.furtherOutputs?.first?.bytes == poster.count)
            let total = try sizes(of: path("hls"))
            #expect(report.output.bytes == total - poster.count)
        }
    }

    private func sizes(of folder: String) throws -> Int {
        try Fixture.listing(folder).reduce(0) { sum, name in
            var status = stat()
            #expect(stat("\(folder)/\(name)", &status) == 0)
            return sum + (status.st_mode & S_IFMT == S_IFDIR ? try sizes(of: "\(folder)/\(name)") : Int(status.st_size))
        }
    }

    /// Every task is checked, not only the first with the same options.
    @Test func pathsAndOptionsOfAPosterBelongTogether() async throws {
        let with = options(isHLS: false)
        var without = with
        without.poster = nil
        let path = path("out.jpg")
        let pathless = TranscodeTask(input: clip, output: "/none/out.mp4", options: with)
        let unasked = TranscodeTask(input: clip, output: "/none/out.mp4", poster: path, options: without)
        for (task, other) in [(pathless, with), (unasked, without)] {
            let good = TranscodeTask(
                input: clip, output: "/none/good.mp4", poster: other.poster.map { _ in "/none/good.jpg" },
                options: other)
            let error = #expect(throws: MediaError.self) { try TranscodeBatch([good, task]) }
            #expect(error?.kind == .parameter, "\(String(describing: error))")
            #expect(try report(task, other).error == error)
        }
        let error = await #expect(throws: MediaError.self) {
            try await TranscodePipeline(without).transcode(clip, to: self.path("out.mp4"), poster: path)
        }
        #expect(error?.kind == .parameter && error?.subject == path)
        #expect(error?.reason == "the options request no poster")
        #expect(Fixture.listing(folder.path).isEmpty)
    }
}
