internal import Glibc
internal import TestSupport
internal import Testing

/// Pipes, terminals and signals.
@Suite struct StreamTests {
    private let bench = Workbench()

    @Test func readsAndWritesPipes() throws {
        var command = bench.command(["capture", "-", "-o", "-", "--screen", "100x100", "--format", "webp"])
        command.input = try Fixture.bytes(Workbench.smallPhoto)
        let run = try expectDone(command.run())
        #expect(ImageFileHeader(run.output) == ImageFileHeader("webp", 100, 100))
        #expect(run.lines.count == 1)
    }

    @Test func sendsTheReportThroughAPipe() throws {
        let run = try expectDone(bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--report", "-", "--quiet"))
        #expect(try RunReport(run.output).tasks.first?.status == "done")
    }

    @Test func quietIsQuiet() throws {
        let one = try expectDone(bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--quiet"))
        #expect(one.errors.isEmpty && one.output.isEmpty)
        let mixed = try bench.wayreel("capture", "photo.jpg", "missing.jpg", "-o", "out", "-q")
        expectRefused(mixed, 1, "missing.jpg")
    }

    @Test func printsLinesWithoutATerminal() throws {
        let run = try expectDone(
            bench.wayreel(
                "capture", "photo.jpg", "Media/captures/still-photo.heic", "-o", "out", "--screen", "320x240"))
        #expect(run.lines.count == 3 && run.errors.contains("2 of 2 done"))
        #expect(!run.errors.contains("\r") && !run.errors.contains("\u{1B}"))
    }

    @Test func drawsABarOnATerminal() throws {
        var command = bench.command(
            ["capture", "photo.jpg", "Media/captures/still-photo.heic", "-o", "out", "--screen", "320x240"])
        command.terminalColumns = 60
        let run = try expectDone(command.run())
        #expect(run.errors.contains("0/2") && run.errors.contains("1/2") && run.errors.contains("ETA"))
        #expect(run.errors.contains("█") && run.errors.contains("2 of 2 done"))
        // Every state of the bar must fit on the line; otherwise it would scroll.
        for state in run.errors.split(whereSeparator: { $0 == "\r" || $0 == "\r\n" || $0 == "\n" }) {
            #expect(state.replacing("\u{1B}[K", with: "").count <= 60 || state.contains("done"), "\(state)")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func leavesNothingPartialWhenInterrupted(_ number: Int32) throws {
        let names = (0..<200).map { "in/\($0).jpg" }
        bench.makeFolder("in")
        for name in names { symlink(Fixture.media("captures/wisteria-iphone6-8mp.jpg"), bench.path(name)) }
        var command = bench.command(
            ["capture"] + names + ["-o", "out", "--screen", "iphone-15", "--report", "report.json"])
        command.signal = (number, "→")
        let run = try command.run()
        #expect(run.ending == .signalled(number))
        #expect((run.secondsAfterSignal ?? 99) < 10)
        #expect(!run.errors.contains("error:") && run.errors.contains("interrupted: "), "\(run.errors.suffix(300))")
        let outputs = bench.listing("out")
        #expect((1..<200).contains(outputs.count))
        for name in outputs {
            #expect(name.hasSuffix(".jpg") && !name.hasPrefix("."))
            #expect(try bench.bytes("out/\(name)").suffix(2) == [0xFF, 0xD9])
        }
        let report = try bench.report()
        #expect(report.tasks.count == 200 && report.tasks.count { $0.status == "done" } == outputs.count)
        #expect(report.tasks.filter { $0.status != "done" }.allSatisfy { $0.error?.kind == "cancelled" })
    }

    @Test func canBeInterruptedWhileItWaitsForInput() throws {
        var command = bench.command(["capture", "photo.jpg", "-", "-o", "out", "--screen", "64x64"])
        command.holdsInput = true
        command.signal = (SIGINT, "→")
        let run = try command.run()
        #expect(run.ending == .signalled(SIGINT) && (run.secondsAfterSignal ?? 99) < 10)
        #expect(bench.listing("out") == ["photo.jpg"])
    }

    @Test func endsIfItsReaderIsGone() throws {
        var command = bench.command(["capture", "photo.jpg", "-o", "-"])
        command.output = .brokenPipe
        expectRefused(try command.run(), 128 + SIGPIPE, "standard output: write: broken pipe")
        var list = bench.command(["filters"])
        list.output = .brokenPipe
        let run = try list.run()
        #expect(run.ending == .exited(128 + SIGPIPE) && run.errors.isEmpty)
    }

    @Test func reportsThatADiskIsFull() throws {
        for arguments in [
            ["capture", "photo.jpg", "-o", "-"], ["filters"], ["screens"], ["--help"], ["url", "photo.jpg"],
            ["serve", "--images", "Media/captures", "--check"],
        ] {
            var command = bench.command(arguments)
            command.output = .file("/dev/full")
            expectRefused(try command.run(), 1, "standard output: write: no space left on device")
        }
    }

    @Test func survivesAClosedOutput() throws {
        var command = bench.command(["capture", "photo.jpg", "-o", "-"])
        command.output = .closed
        expectRefused(try command.run(), 1, "standard output: write: bad file descriptor")
        command.arguments = ["capture", "photo.jpg", "-o", "out.jpg"]
        expectDone(try command.run())
        #expect(try bench.header("out.jpg")?.format == "jpeg")
        // Lines for a closed standard error must not end up in the image.
        expectDone(try bench.shell("wayreel capture photo.jpg -o out.jpg 2>&- 1>&- 0<&-"))
        #expect(try bench.bytes("out.jpg").suffix(2) == [0xFF, 0xD9])
        let orphan = try bench.shell("wayreel capture - -o out2.jpg <&-")
        expectRefused(orphan, 1, "standard input: read: ")
    }

    @Test func standardInputIsReadOnce() throws {
        expectRefused(try bench.wayreel("capture", "-", "-", "-o", "out/"), 2, "stdin.jpg")
    }
}
