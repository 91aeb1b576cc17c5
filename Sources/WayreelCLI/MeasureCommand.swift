internal import ArgumentParser

struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Runs a program and reports its time, CPU, memory, I/O and energy.",
        discussion: """
            Measure a command; figures are printed to standard error:
              wayreel measure -- convert photo.jpg -resize 50% out.jpg
            Write all figures and samples over time as JSON:
              wayreel measure --json cost.json -- make build
            Measure several runs with confidence intervals:
              wayreel measure --runs 10 -- wayreel capture photo.jpg -o out.jpg --screen iphone-4s
            Draw memory and CPU over time:
              wayreel measure --svg charts/ -- ffmpeg -i in.mov out.mp4

            Exit status: that of the program; 124 after --timeout, 127 if it cannot be started, 2 wrong usage.
            """)

    @Option(help: "Number of runs; figures are medians.")
    var runs = 1

    @Option(help: "Write a JSON report; - for standard output.")
    var json: String?

    @Option(help: "Write charts of CPU and memory over time to this folder as SVG.")
    var svg: String?

    @Option(help: "Write charts of CPU and memory over time to this folder as PNG.")
    var png: String?

    @Option(help: "Sampling interval in milliseconds, 5 to 60000.")
    var interval: Double = 50

    @Option(help: "Max seconds per run. (default: none)")
    var timeout: Double?

    @Flag(name: [.short, .long], help: "Print no figures.")
    var quiet = false

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("a program is required after --") }
        guard (1...10_000).contains(runs) else { throw ValidationError("--runs takes a number from 1 to 10000") }
        guard (5...60_000).contains(interval) else { throw ValidationError("--interval takes 5 to 60000 milliseconds") }
        if let timeout, !(timeout > 0) { throw ValidationError("--timeout takes a positive number") }
    }

    func run() throws {
        try MeasureRun(
            command: command, runs: runs, json: json, svg: svg, png: png, interval: interval, timeout: timeout,
            isQuiet: quiet
        ).run()
    }
}
