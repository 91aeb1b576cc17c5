internal import Glibc
internal import TestSupport
internal import Testing

/// A library that never returns fails only its own task, within the time limit and in one line: tested with replacement
/// libraries whose functions never return.
@Suite struct HangingLibraryTests {
    /// A library, given by the folder of Sources/System that lists its functions, and the command that calls it.
    struct Case: CustomTestStringConvertible, Sendable {
        var target: String
        var names: [String]
        var arguments: [String]
        /// The subject of the error.
        var subject: String

        var testDescription: String { "\(target): \(arguments.joined(separator: " "))" }
    }

    private static let heif = ["libheif.so.1"]
    private static let jxl = ["libjxl.so.0.7"]
    private static let tiff = ["libtiff.so.6"]
    private static let pango = ["libpangocairo-1.0.so.0"]
    private static let codecs = (56...63).map { "libavcodec.so.\($0)" }
    private static let formats = (56...63).map { "libavformat.so.\($0)" }
    private static let heic = "Media/captures/still-photo.heic"
    /// Forty-eight small tiles.
    private static let grid = "Media/story/captures/library-iphone11pro-12mp.heic"
    private static let clip = "Media/scrapbook/portrait.mp4"
    /// Images decoded by libjxl, libtiff and FFmpeg.
    private static let images = ["rgb.jxl", "rgb.tif", "rgb.jp2"]

    private static let cases = [
        Case(target: "CJXL", names: jxl, arguments: ["capture", "rgb.jxl", "-o", "out.jpg"], subject: "rgb.jxl"),
        Case(target: "CJXL", names: jxl, arguments: ["probe", "rgb.jxl"], subject: "rgb.jxl"),
        Case(
            target: "CJXL", names: jxl, arguments: ["capture", "photo.jpg", "-o", "out.jpg", "--overlay", "rgb.jxl"],
            subject: "rgb.jxl"),
        Case(
            target: "CJXL", names: jxl, arguments: ["capture", "photo.jpg", "-o", "out.jpg", "--recipe", "look.yml"],
            subject: "rgb.jxl"),
        Case(
            target: "CJXL", names: jxl, arguments: ["transcode", clip, "-o", "out.mp4", "--overlay", "rgb.jxl"],
            subject: "rgb.jxl"),
        Case(target: "CTIFF", names: tiff, arguments: ["capture", "rgb.tif", "-o", "out.jpg"], subject: "rgb.tif"),
        Case(
            target: "CHEIF", names: heif, arguments: ["capture", "photo.jpg", "-o", "out.avif"], subject: "photo.jpg"),
        Case(target: "CHEIF", names: heif, arguments: ["poster", clip, "-o", "out.avif"], subject: clip),
        Case(target: "CFFmpeg", names: codecs, arguments: ["capture", heic, "-o", "out.jpg"], subject: heic),
        Case(
            target: "CFFmpeg", names: codecs, arguments: ["capture", "rgb.jp2", "-o", "out.jpg"], subject: "rgb.jp2"),
        Case(target: "CFFmpeg", names: codecs, arguments: ["probe", "rgb.jp2"], subject: "rgb.jp2"),
        Case(target: "CFFmpeg", names: formats, arguments: ["probe", clip], subject: clip),
        Case(target: "CFFmpeg", names: formats, arguments: ["transcode", clip, "-o", "out.mp4"], subject: clip),
        Case(target: "CFFmpeg", names: formats, arguments: ["poster", clip, "-o", "out.jpg"], subject: clip),
        Case(
            target: "CFFmpeg", names: formats, arguments: ["levels", "Media/radio/bunny-4s.mp3", "-o", "out.json"],
            subject: "Media/radio/bunny-4s.mp3"),
        Case(
            target: "CPangoLibrary", names: pango,
            arguments: ["capture", "photo.jpg", "-o", "out.jpg", "--text", "Hello"], subject: "photo.jpg"),
        Case(
            target: "CPangoLibrary", names: pango, arguments: ["transcode", clip, "-o", "out.mp4", "--text", "Hello"],
            subject: clip),
    ]

    private func bench(_ names: [String], _ target: String) throws -> Workbench {
        let bench = Workbench()
        bench.makeFolder("lib")
        try StandInLibrary.make(names, for: target, in: bench.path("lib"))
        for name in Self.images { try bench.write(try Fixture.imageBytes(name), to: name) }
        try bench.write("overlays:\n  - image: rgb.jxl\n", to: "look.yml")
        return bench
    }

    @Test(arguments: cases) func obeysTheTimeLimit(_ example: Case) throws {
        let bench = try bench(example.names, example.target)
        var command = bench.command(example.arguments + ["--max-seconds", "1"])
        command.environment["LD_LIBRARY_PATH"] = bench.path("lib")
        command.maxSeconds = 60
        let clock = ContinuousClock()
        var run: Command.Outcome?
        let time = try clock.measure { run = try command.run() }
        expectRefused(try #require(run), 1, "error: \(example.subject): ", "took longer than 1 s", "--max-seconds")
        // It takes 1.4 s on an idle machine.
        #expect(time >= .seconds(1) && time < .seconds(20), "\(time)")
        #expect(bench.listing() == ["lib", "look.yml"] + Self.images.sorted())
    }

    @Test func otherTasksOfABatchComplete() throws {
        let bench = try bench(Self.jxl, "CJXL")
        var command = bench.command([
            "capture", Self.heic, "rgb.jxl", "photo.jpg", "-o", "out", "--jobs", "1", "--max-seconds", "1", "--report",
            "report.json",
        ])
        command.environment["LD_LIBRARY_PATH"] = bench.path("lib")
        let run = try command.run()
        #expect(run.ending == .exited(1))
        #expect(try bench.report().tasks.map(\.status) == ["done", "failed", "done"], "\(run.errors)")
        #expect(bench.listing("out") == ["photo.jpg", "still-photo.jpg"])
    }

    /// Calls of libheif cannot be interrupted. FFmpeg cannot be loaded beside the replacement for libjxl; `probe` does
    /// not need it.
    @Test func libheifDoesNotReplaceFFmpegForAGrid() throws {
        let bench = try bench(Self.jxl, "CJXL")
        try StandInLibrary.make(Self.heif, for: "CHEIF", in: bench.path("lib"))
        func run(_ arguments: [String]) throws -> Command.Outcome {
            var command = bench.command(arguments)
            command.environment["LD_LIBRARY_PATH"] = bench.path("lib")
            command.maxSeconds = 60
            return try command.run()
        }
        expectRefused(
            try run(["capture", Self.grid, "-o", "out.jpg"]), 1, "error: \(Self.grid): ", "FFmpeg cannot be loaded",
            "apt install libavcodec")
        #expect(bench.listing() == ["lib", "look.yml"] + Self.images.sorted())
        let probe = try expectDone(run(["probe", Self.grid]))
        #expect(probe.text.contains("3024×4032"))
    }

    @Test func withoutIsolationNothingIsStarted() throws {
        let bench = Workbench()
        let run = try bench.wayreel("capture", Self.heic, "-o", "out.jpg", "--screen", "64x64", "--no-isolate")
        expectDone(run)
        expectDone(try bench.wayreel("capture", Self.heic, "-o", "apart.jpg", "--screen", "64x64", "--isolate"))
        #expect(try bench.bytes("out.jpg") == bench.bytes("apart.jpg"))
    }
}
