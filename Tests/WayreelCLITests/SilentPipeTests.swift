internal import Glibc
internal import TestSupport
internal import Testing

/// Waiting for a pipe is bounded by the time limit, whether it is an input or named by an option.
@Suite struct SilentPipeTests {
    private let bench = Workbench()

    /// `pipe` is a named pipe without a writer.
    private static let arguments: [[String]] = [
        ["capture", "pipe", "-o", "out.jpg"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--overlay", "pipe"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--filter", "color-cube:file=pipe"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--recipe", "pipe.yml"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--recipe", "cube.yml"],
        ["levels", "pipe", "-o", "out.json"],
        ["transcode", "pipe", "-o", "out.mp4"],
        ["transcode", "Media/scrapbook/portrait.mp4", "-o", "out.mp4", "--overlay", "pipe"],
        ["poster", "pipe", "-o", "out.jpg"],
        ["probe", "pipe"],
    ]

    @Test(arguments: arguments) func aNamedPipe(_ arguments: [String]) throws {
        for name in ["pipe", "pipe.yml"] { mkfifo(bench.path(name), 0o600) }
        try bench.write("filters:\n  - color-cube: {file: pipe}\n", to: "cube.yml")
        let files = bench.listing()
        var command = bench.command(arguments + ["--max-seconds", "0.5"])
        command.maxSeconds = 60
        expectRefused(try command.run(), 1, "pipe", "took longer than 0.5 s", "--max-seconds")
        #expect(bench.listing() == files)
    }

    /// A recipe may only use regular files, so that a document from others cannot block.
    @Test func aRecipeUsesNoPipe() throws {
        mkfifo(bench.path("pipe.yml"), 0o600)
        try bench.write("use: pipe.yml\n", to: "uses.yml")
        try bench.write(
            """
            <story id="s" language="en"><name>S</name><chapter id="c"><name>C</name><event id="a"><name>A</name>
            <position latitude="1" longitude="2"/><activation radius="9"/><camera recipe="uses.yml"><clue>T</clue></camera>
            </event></chapter></story>
            """, to: "story.xml")
        var capture = bench.command(["capture", "photo.jpg", "-o", "out.jpg", "--recipe", "uses.yml"])
        capture.maxSeconds = 20
        expectRefused(try capture.run(), 1, "uses.yml:1: recipe: pipe.yml: is a named pipe")
        var check = bench.command(["story", "check", "story.xml"])
        check.maxSeconds = 20
        let run = try check.run()
        #expect(run.ending == .exited(1) && run.text.contains("pipe.yml: is not a file"), "\(run.errors)\(run.text)")
        #expect(!bench.exists("out.jpg"))
    }

    @Test(arguments: [
        ["capture", "-", "-o", "out.jpg"], ["capture", "photo.jpg", "-o", "out.jpg", "--recipe", "-"],
        ["levels", "-", "-o", "out.json"], ["transcode", "-", "-o", "out.mp4"], ["poster", "-", "-o", "out.jpg"],
        ["probe", "-"],
    ]) func standardInput(_ arguments: [String]) throws {
        var command = bench.command(arguments + ["--max-seconds", "0.5"])
        command.holdsInput = true
        command.maxSeconds = 60
        expectRefused(try command.run(), 1, "standard input: ", "took longer than 0.5 s", "--max-seconds")
        #expect(bench.listing().isEmpty)
    }

    @Test(arguments: ["pipe", "photo.jpg --recipe pipe.yml", "photo.jpg --overlay pipe"])
    func waitingIsInterrupted(_ arguments: String) throws {
        for name in ["pipe", "pipe.yml"] { mkfifo(bench.path(name), 0o600) }
        var time = Duration.zero
        var run: Command.Outcome?
        time = try ContinuousClock().measure {
            run = try bench.shell("timeout --preserve-status -s TERM 0.5 wayreel capture \(arguments) -o out.jpg")
        }
        #expect(try #require(run).ending == .exited(128 + SIGTERM))
        // The default time limit is a minute.
        #expect(time < .seconds(30), "\(time)")
        #expect(bench.listing() == ["pipe", "pipe.yml"])
    }

    @Test func pipesAreStillAccepted() throws {
        let line =
            "mkfifo in.pipe over.pipe; cat photo.jpg > in.pipe & cat '\(Fixture.image("rgb-8.png"))' > over.pipe & "
            + "wayreel capture in.pipe -o out.png --screen 64x64 --overlay over.pipe; "
            + "wayreel capture photo.jpg -o same.png --screen 64x64 --overlay '\(Fixture.image("rgb-8.png"))' && "
            // This also holds if the work would be sent to another process, for which the pipe would be empty.
            + "(cat '\(Fixture.image("rgb-8.png"))' > over.pipe & "
            + "wayreel capture photo.jpg -o sent.png --screen 64x64 --isolate --overlay over.pipe)"
        expectDone(try bench.shell(line))
        #expect(try bench.bytes("out.png") == bench.bytes("same.png"))
        #expect(try bench.bytes("sent.png") == bench.bytes("same.png"))
    }
}
