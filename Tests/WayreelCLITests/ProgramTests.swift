internal import Glibc
internal import TestSupport
internal import Testing

/// The command consists of two programs that behave like one.
@Suite struct ProgramTests {
    private let bench = Workbench()

    /// Installed programs: hard links, since a program resolves symbolic links to its own file.
    private final class Installation {
        let folder: String

        init(_ programs: (name: String, place: String)...) throws {
            let built = String(Workbench.binary.dropLast("/wayreel".count))
            var template = Array("\(built)/installed-XXXXXX".utf8CString)
            folder = String(cString: try #require(mkdtemp(&template)))
            for name in ["bin", "libexec", "libexec/wayreel"] { mkdir("\(folder)/\(name)", 0o755) }
            for (name, place) in programs {
                #expect(link("\(built)/\(name)", "\(folder)/\(place)") == 0)
            }
        }

        deinit {
            for name in ["bin/wayreel", "libexec/wayreel/wayreel-full"] { unlink("\(folder)/\(name)") }
            for name in ["bin", "libexec/wayreel", "libexec", ""] { rmdir("\(folder)/\(name)") }
        }

        func run(_ arguments: [String], in bench: Workbench, by program: String = "bin/wayreel") throws
            -> Command.Outcome
        {
            var command = Command("\(folder)/\(program)", arguments)
            command.folder = bench.folder
            return try command.run()
        }
    }

    private static let asInstalled = (name: "wayreel-full", place: "libexec/wayreel/wayreel-full")
    private static let light = (name: "wayreel", place: "bin/wayreel")

    /// The fast program does not link the libraries of the full one.
    @Test(arguments: [("wayreel", false), ("wayreel-full", true)])
    func onlyTheFullProgramHasADatabase(name: String, hasDatabase: Bool) throws {
        let program = String(Workbench.binary.dropLast("wayreel".count)) + name
        for text in ["sqlite3_prepare_v", "GRDB"] {
            let found = try bench.shell("grep -qF \(text) \(program)")
            #expect((found.ending == .exited(0)) == hasDatabase, "\(text)")
        }
    }

    @Test(arguments: [["help"], ["prepare", "--help"], ["help", "capture"], ["bench", "--list"]])
    func findsTheFullProgramWhereItIsInstalled(arguments: [String]) throws {
        let installation = try Installation(Self.light, Self.asInstalled)
        let run = try expectDone(installation.run(arguments, in: bench))
        #expect(run.output == (try bench.command(arguments).run()).output)
        #expect(!run.text.contains("wayreel-full"))
        // The programs also find each other through a symbolic link.
        symlink("\(installation.folder)/bin/wayreel", bench.path("linked"))
        expectDone(try bench.shell("./linked \(arguments.joined(separator: " "))"))
    }

    @Test(arguments: [[], ["help"], ["--help"], ["-h"], ["prepare", "story.xml"], ["unknown"], ["--unknown"]])
    func saysWhatIsMissingInOneLine(arguments: [String]) throws {
        let run = try Installation(Self.light).run(arguments, in: bench)
        expectRefused(run, 1, "start", "wayreel-full", "is not installed", "install wayreel again")
    }

    @Test(arguments: [
        ["--version"], ["filters"], ["capture", "--help"], ["probe", "photo.jpg"], ["measure", "--", "true"],
    ])
    func worksWithoutTheFullProgram(arguments: [String]) throws {
        expectDone(try Installation(Self.light).run(arguments, in: bench))
    }

    /// Help, errors and completions are the same for both programs.
    @Test(arguments: [
        ["capture", "--help"], ["transcode", "--sreen", "1x1"], ["--version"], ["filters", "noir"],
        ["capture", "--experimental-dump-help"], ["capture", "--generate-completion-script", "bash"],
        ["capture", "--generate-completion-script=zsh"],
    ]) func bothProgramsSayTheSame(arguments: [String]) throws {
        let light = try bench.command(arguments).run()
        var command = bench.command(arguments)
        command.executable += "-full"
        let full = try command.run()
        #expect(light.ending == full.ending)
        #expect(light.output == full.output)
        #expect(light.errors == full.errors)
    }

    /// Arguments, streams, the working folder and the signal that ends it are passed on by the first program.
    @Test func handsEverythingOver() throws {
        let story = try StoryBench()
        var command = story.command("--report", "-", "-q")
        command.signal = nil
        let run = try expectDone(command.run())
        #expect(run.text.hasPrefix("{"))
        command = story.command(output: "interrupted")
        command.signal = (SIGINT, onceErrorsContain: "1/")
        #expect(try command.run().ending == .signalled(SIGINT))
        command = story.command("--report", "-")
        command.output = .closed
        #expect(try command.run().ending != .exited(0))
    }

    /// The fast program runs worker processes.
    @Test func workersAreTheLightProgram() throws {
        let installation = try Installation(Self.asInstalled)
        let worker = "\(installation.folder)/bin/wayreel"
        try bench.write(
            "#!/bin/sh\necho \"$1\" >>\(bench.path("calls"))\nexec \(Workbench.binary) \"$@\"\n", to: "light")
        #expect(chmod(bench.path("light"), 0o755) == 0)
        #expect(link(bench.path("light"), worker) == 0 || symlink(bench.path("light"), worker) == 0)
        let story = try StoryBench()
        try expectDone(
            installation.run(
                ["prepare", "story/story.xml", "-o", "bundle", "--screen", "320x480"], in: story.bench,
                by: "libexec/wayreel/wayreel-full"))
        let calls = try bench.text("calls").split(separator: "\n")
        #expect(!calls.isEmpty && calls.allSatisfy { $0 == "worker" })
    }
}
