internal import Glibc
internal import TestSupport
internal import Testing

/// The files left by a killed run (SIGKILL), and their treatment by the next run.
@Suite struct TranscodeKilledTests {
    private let bench = Workbench()
    private let long = "Media/scrapbook/bunny-720p-vp8.webm"
    private let ladder = ["--hls", "--ladder", "640x360@365,416x234@145", "--poster"]

    private static func hidden(_ listing: [String]) -> [String] {
        listing.filter { $0.hasPrefix(".") && $0.hasSuffix(".wayreel-part") }
    }

    /// Runs the command, and kills it when `isTime` returns true.
    private func kill(_ arguments: [String], when isTime: @escaping @Sendable (_ folder: String) -> Bool) throws {
        let folder = bench.folder
        let killer = Worker {
            for _ in 0..<12_000 {
                // The process number is in the file name.
                let owner = Self.hidden(Fixture.listing(folder)).first?.split(separator: ".").suffix(3).first
                if let process = owner.flatMap({ pid_t($0.prefix { $0 != "-" }) }), isTime(folder) {
                    Glibc.kill(process, SIGKILL)
                    return
                }
                usleep(5000)
            }
        }
        let run = try bench.command(arguments).run()
        killer.join()
        #expect(run.ending == .signalled(SIGKILL), "\(run.errors)")
    }

    @Test func theNextRunRemovesLeftovers() throws {
        try kill(["transcode", long, "-o", "h/", "--resume", "--preset", "veryfast"] + ladder) {
            Fixture.listing("\($0)/h.parts").contains("parts.json")
        }
        let left = bench.listing()
        #expect(Self.hidden(left).count == 1 && left.contains("h.parts") && !left.contains("h"), "\(left)")
        expectDone(
            try bench.command(
                ["transcode", "Media/scrapbook/portrait.mp4", "-o", "h/", "--no-resume", "--preset", "ultrafast"]
                    + ladder
            ).run())
        #expect(bench.listing() == ["h"])
    }

    @Test func theNextRunResumesAndRemovesLeftovers() throws {
        let arguments = ["transcode", long, "-o", "h/", "--resume", "--preset", "veryfast"] + ladder
        try kill(arguments) { Fixture.listing("\($0)/h.parts").contains("parts.json") }
        expectDone(try bench.command(arguments).run())
        #expect(bench.listing() == ["h"])
    }
}
