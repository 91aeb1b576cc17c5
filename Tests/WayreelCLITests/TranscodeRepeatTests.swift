internal import TestSupport
internal import Testing

/// The same input, options and version give the same bytes.
@Suite struct TranscodeRepeatTests {
    private let bench = Workbench()

    /// Three concurrent runs that compete for the processor, each with different values in uninitialised memory.
    @Test(arguments: [
        ["--hls", "--ladder", "640x360@500,320x180@200", "--preset", "veryfast"],
        ["--hls", "--ladder", "320x180@200,160x90@100", "--preset", "12", "--codec", "av1"],
        ["--no-copy", "--filter", "sepia-tone", "--preset", "superfast"],
        ["--screen", "320x180", "--preset", "fast"],
        ["--screen", "320x180", "--preset", "fast", "--max-bytes", "200kB"],
        ["--screen", "320x180", "--preset", "superfast", "--codec", "hevc", "--max-bytes", "200kB"],
        ["--screen", "320x180", "--preset", "10", "--codec", "av1", "--max-bytes", "200kB"],
    ]) func givesTheSameBytesEveryTime(_ options: [String]) throws {
        let output = options.contains("--hls") ? "out$n/" : "out$n.mp4"
        let words = ["wayreel", "transcode", "Media/scrapbook/bunny-720p-h264-5.1.mp4", "-o", output] + options
        let line = words.joined(separator: " ")
        expectDone(try bench.shell("for n in 1 2 3; do MALLOC_PERTURB_=$((n * 80)) \(line) & done; wait"))
        let outputs = bench.listing()
        #expect(outputs.count == 3)
        let first = try contents(bench.path(outputs[0]))
        #expect(!first.isEmpty)
        for output in outputs.dropFirst() {
            let other = try contents(bench.path(output))
            #expect(other.keys.sorted() == first.keys.sorted())
            for (name, bytes) in first { #expect(other[name] == bytes, "\(output) \(name)") }
        }
    }

    /// Returns the content of a file, or of all files in a folder by name.
    private func contents(_ path: String) throws -> [String: [UInt8]] {
        let names = Fixture.listing(path)
        guard !names.isEmpty else { return ["": try Fixture.bytes(path)] }
        var all: [String: [UInt8]] = [:]
        for name in names {
            for (inner, bytes) in try contents("\(path)/\(name)") { all["\(name)/\(inner)"] = bytes }
        }
        return all
    }
}
