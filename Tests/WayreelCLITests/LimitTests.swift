internal import TestSupport
internal import Testing

/// Every limit works, names the option that raises it, and can be raised.
@Suite struct LimitTests {
    private let bench = Workbench()

    private func failure(_ arguments: [String]) throws -> (Command.Outcome, RunReport.Failure?) {
        let run = try bench.command(["capture"] + arguments + ["-o", "out.png", "--report", "report.json"]).run()
        return (run, try bench.report().tasks.first?.error)
    }

    @Test func pixels() throws {
        let (run, error) = try failure(["photo.jpg", "--max-pixels", "0.3MP"])
        expectRefused(run, 1, "photo.jpg: decode: ", "640×480", "--max-pixels")
        #expect(error?.kind == "limit")
        expectDone(try failure(["photo.jpg", "--max-pixels", "307200"]).0)
        // The output's size is limited too.
        let (large, _) = try failure(["photo.jpg", "--screen", "40000x40000", "--enlarge"])
        expectRefused(large, 1, "photo.jpg: resample: ", "40000×40000", "--max-pixels")
    }

    /// Sizes that a format does not support, or that take too much memory to encode, are refused before resampling.
    @Test(arguments: [
        ("webp", "17000x20", "17000×20", "16383"), ("jpg", "66000x20", "66000×20", "65500"),
        ("avif", "8000x8000", "8000×8000", "36 megapixels"),
    ]) func outputSizes(_ format: String, _ screen: String, _ size: String, _ limit: String) throws {
        let run = try bench.wayreel(
            "capture", "photo.jpg", "-o", "out.\(format)", "--screen", screen, "--enlarge", "--no-turn", "--fit",
            "cover", "--report", "report.json")
        expectRefused(run, 1, "photo.jpg: encode: ", size, limit, "smaller screen")
        let task = try #require(try bench.report().tasks.first)
        #expect(task.error?.kind == "limit" && task.peakMemoryBytes < 100 << 20 && !bench.exists("out.\(format)"))
    }

    @Test func inputBytes() throws {
        let (run, error) = try failure(["photo.jpg", "--max-input-bytes", "100kB"])
        expectRefused(run, 1, "photo.jpg: read: ", "161713", "--max-input-bytes")
        #expect(error?.kind == "limit")
        var piped = bench.command(["capture", "-", "-o", "out.png", "--max-input-bytes", "100kB"])
        piped.input = try Fixture.bytes(Workbench.smallPhoto)
        expectRefused(try piped.run(), 1, "standard input: read: ", "--max-input-bytes")
        expectDone(try failure(["photo.jpg", "--max-input-bytes", "161713"]).0)
    }

    @Test func seconds() throws {
        let (run, error) = try failure(["Media/captures/rooftop-pixel8-gainmap.jpg", "--max-seconds", "0.05"])
        expectRefused(run, 1, "rooftop-pixel8-gainmap.jpg: ", "longer than 0.05 s", "--max-seconds")
        #expect(error?.kind == "limit")
    }

    @Test func frames() throws {
        try bench.write(try Fixture.imageBytes("animated.webp"), to: "moving.webp")
        let (run, error) = try failure(["moving.webp", "--max-frames", "1"])
        expectRefused(run, 1, "moving.webp: decode: ", "frames", "--max-frames")
        #expect(error?.kind == "limit")
        expectDone(try failure(["moving.webp"]).0)
    }

    @Test func damage() throws {
        let photo = try Fixture.bytes(Workbench.smallPhoto)
        try bench.write(Array(photo.prefix(photo.count * 9 / 10)), to: "short.jpg")
        try bench.write(Array(photo.prefix(photo.count / 3)), to: "shorter.jpg")
        let accepted = try failure(["short.jpg"])
        expectDone(accepted.0)
        #expect(accepted.0.errors.contains("short.jpg: decode: ") && accepted.0.errors.contains("missing"))
        #expect(try bench.report().tasks.first?.warnings.count == 1)
        expectRefused(try failure(["short.jpg", "--fail-on", "warning"]).0, 1, "short.jpg: decode: ", "--fail-on")
        expectRefused(try failure(["shorter.jpg"]).0, 1, "shorter.jpg: decode: ", "missing")
        expectDone(try failure(["shorter.jpg", "--fail-on", "none"]).0)
    }

    @Test func quietRunsPrintWarnings() throws {
        let photo = try Fixture.bytes(Workbench.smallPhoto)
        try bench.write(Array(photo.prefix(photo.count * 9 / 10)), to: "short.jpg")
        let run = try bench.wayreel("capture", "short.jpg", "-o", "out.png", "-q", "--report", "report.json")
        expectDone(run)
        #expect(run.errors.isEmpty)
        #expect(try bench.report().tasks.first?.warnings.count == 1)
    }
}
