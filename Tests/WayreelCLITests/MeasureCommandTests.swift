import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `wayreel measure`: the program runs as it would without it, and its figures are the kernel's.
@Suite(.serialized) struct MeasureCommandTests {
    private let bench = Workbench()

    private struct Report: Decodable {
        struct Run: Decodable {
            struct Transfer: Decodable {
                var bytesRead: Int
                var bytesWritten: Int
            }

            var wallMilliseconds: Double
            var userMilliseconds: Double
            var systemMilliseconds: Double
            var peakMemoryBytes: Int
            var transfer: Transfer?
        }

        var runs: [Run]
    }

    private func runs(_ name: String = "m.json") throws -> [Report.Run] {
        try JSONDecoder().decode(Report.self, from: Data(bench.bytes(name))).runs
    }

    @Test func passesStreamsAndStatus() throws {
        var command = bench.command(["measure", "--", "sh", "-c", "cat; echo oops >&2; exit 7"])
        command.input = Array("as it was".utf8)
        let run = try command.run()
        #expect(run.ending == .exited(7) && run.text == "as it was")
        #expect(
            run.errors.hasPrefix("oops\n") && run.errors.contains("wall time") && run.errors.contains("peak memory"))
    }

    /// Options after `--` belong to the program.
    @Test func passesArguments() throws {
        let run = try bench.wayreel("measure", "--quiet", "--", "printf", "%s|", "--help", "--json", "a b", "")
        expectDone(run)
        #expect(run.text == "--help|--json|a b||" && run.errors.isEmpty)
    }

    @Test(arguments: [
        (["--", "no-such-program"], 127 as Int32, "no-such-program"), (["--", "/etc/passwd"], 127, "not executable"),
        (["--timeout", "0.2", "--", "sleep", "60"], 124, "took longer than 0.2 s"),
        (["--", "sh", "-c", "kill -SEGV $$"], 139, "signal 11"),
    ]) func endingsHaveTheirStatus(arguments: [String], status: Int32, words: String) throws {
        let run = try bench.command(["measure", "--quiet"] + arguments).run()
        #expect(run.ending == .exited(status), "\(run.errors)")
        #expect(run.lines.count == 1 && run.errors.contains(words), "\(run.errors)")
    }

    @Test(arguments: [[], ["--"], ["true"], ["--runs", "0", "--", "true"], ["--interval", "1", "--", "true"]])
    func wrongUsageIsRejected(arguments: [String]) throws {
        let run = try bench.command(["measure"] + arguments).run()
        #expect(run.ending == .exited(2) && run.output.isEmpty, "\(run.errors)")
    }

    /// The program has known costs: 64 MiB of touched memory, 300 ms of sleep, a megabyte through a pipe.
    @Test func measuresKnownFigures() throws {
        let script = "import time; block = bytearray(b'x') * (64 << 20); time.sleep(0.3)"
        expectDone(
            try bench.wayreel("measure", "--quiet", "--json", "m.json", "--", "python3", "-c", script))
        let python = try #require(try runs().first)
        #expect(python.wallMilliseconds >= 300 && python.peakMemoryBytes >= 64 << 20)
        #expect(python.userMilliseconds + python.systemMilliseconds < python.wallMilliseconds)
        expectDone(
            try bench.wayreel(
                "measure", "--quiet", "--json", "m.json", "--runs", "3", "--", "dd", "if=/dev/zero", "of=/dev/null",
                "bs=1000000", "count=5", "status=none"))
        let copies = try runs()
        #expect(copies.count == 3)
        for copy in copies {
            let moved = try #require(copy.transfer)
            #expect(moved.bytesRead >= 5_000_000 && moved.bytesRead < 5_100_000)
            #expect(moved.bytesWritten >= 5_000_000 && moved.bytesWritten < 5_100_000)
        }
    }

    @Test func drawsTheMeasurement() throws {
        expectDone(
            try bench.wayreel(
                "measure", "--quiet", "--interval", "20", "--svg", "svg", "--", "sh", "-c",
                "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"))
        #expect(bench.listing("svg") == ["cpu-over-time.svg", "memory-over-time.svg"])
    }
}
