internal import ArgumentParser

struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Runs any program and tells what it took: time, CPU, memory, bytes, energy.",
        discussion: """
            What a command costs; the figures go to standard error:
              wayreel measure -- convert photo.jpg -resize 50% out.jpg
            With all figures, and samples over time, for a program:
              wayreel measure --json cost.json -- make build
            Several runs, as they scatter:
              wayreel measure --runs 10 -- wayreel capture photo.jpg -o out.jpg --screen iphone-4s
            Its memory and CPU over time as pictures:
              wayreel measure --svg charts/ -- ffmpeg -i in.mov out.mp4

            Exit status: that of the program; 124 after --timeout, 127 where it cannot be started, 2 wrong usage.
            """)

    @Option(help: "Runs. Their figures are summed up as medians.")
    var runs = 1

    @Option(help: "Writes all figures to this JSON file; - for standard output.")
    var json: String?

    @Option(help: "Draws CPU and memory over time into this folder, as SVG.")
    var svg: String?

    @Option(help: "Draws CPU and memory over time into this folder, as PNG.")
    var png: String?

    @Option(help: "Milliseconds from one look at it to the next, 5 to 60000.")
    var interval: Double = 50

    @Option(help: "Seconds after which a run is ended. (default: none)")
    var timeout: Double?

    @Flag(name: [.short, .long], help: "Print no figures.")
    var quiet = false

    @Argument(parsing: .postTerminator, help: "After --: the program and its arguments.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("name a program after --") }
        guard (1...10_000).contains(runs) else { throw ValidationError("--runs takes a number from 1 to 10000") }
        guard (5...60_000).contains(interval) else { throw ValidationError("--interval takes 5 to 60000 milliseconds") }
        if let timeout, !(timeout > 0) { throw ValidationError("--timeout takes a number above 0") }
    }

    func run() throws {
        try MeasureRun(
            command: command, runs: runs, json: json, svg: svg, png: png, interval: interval, timeout: timeout,
            isQuiet: quiet
        ).run()
    }
}
