internal import ArgumentParser
internal import Glibc
internal import WayreelCore

/// The `wayreel` command.
@main
struct WayreelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wayreel",
        abstract: "Prepares the media of location-based stories.",
        discussion: """
            wayreel capture photo.jpg -o out.jpg --screen iphone-4s
            wayreel capture *.jpg -o prepared/ --screen iphone-15 --recipe old-postcard --format webp
            wayreel levels radio.mp3 -o levels.json --rate 30
            wayreel levels radio.mp3 -o waveform.png --size 1200x300
            wayreel transcode in.mov -o out.mp4 --screen iphone-4s
            wayreel transcode in.mov -o hls/ --hls
            wayreel poster in.mov -o poster.jpg
            wayreel play story.xml --track walk.gpx
            wayreel walk story.xml -o walk.gpx
            wayreel filters noir
            wayreel probe photo.heic in.mov
            wayreel bench --report bench.html
            wayreel measure -- make
            """,
        version: WayreelVersion.text,
        subcommands: [
            CaptureCommand.self, LevelsCommand.self, TranscodeCommand.self, PosterCommand.self, ValidateCommand.self,
            StoryCommand.self, PrepareCommand.self, VerifyCommand.self, PlayCommand.self, WalkCommand.self,
            RouteCommand.self, JournalCommand.self, StreamsCommand.self,
            FiltersCommand.self, MetersCommand.self, ScreensCommand.self, ProbeCommand.self, BenchCommand.self,
            MeasureCommand.self, WorkerCommand.self,
        ])

    static func main() async {
        Console.occupyClosedStreams()
        // Swift reads the arguments from /proc; without them the command would do nothing and succeed.
        guard CommandLine.argc > 0 else {
            Console.error("error: start: the arguments cannot be read; mount /proc")
            Glibc.exit(Outcome.failed.status)
        }
        // SVT-AV1 logs to standard error, and only its environment turns that off. No other thread reads that yet.
        setenv("SVT_LOG", "0", 0)
        Interrupt.install()
        do {
            if let measure = MeasureRun(plain: CommandLine.arguments) { return try measure.run() }
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            leave(with: error)
        }
    }

    /// Ends the process: 0 for help and version, 1 for failed tasks, 2 for wrong usage, 130 after Ctrl-C.
    private static func leave(with error: any Error) -> Never {
        MadeFolders.removeEmpty()
        let outcome = Outcome(error, message: fullMessage(for: error), code: exitCode(for: error))
        if outcome == .interrupted {
            Interrupt.endProcess()
        }
        Glibc.exit(outcome.status)
    }
}
