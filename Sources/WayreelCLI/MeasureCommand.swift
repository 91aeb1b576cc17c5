internal import ArgumentParser
internal import Glibc
internal import Wayreel
internal import WayreelBench
internal import WayreelCore
internal import WayreelGauge

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

    /// As the shell has them for a program that cannot be started, and timeout(1) for one that took too long.
    private static let notStarted: Int32 = 127
    private static let tookTooLong: Int32 = 124

    func run() throws {
        try checkArguments()
        if let json, json != "-" { try OutputFile.checkPlace(json) }
        for folder in [svg, png] {
            if let folder { try BenchPictures.checkPlace(folder) }
        }
        let options = GaugeOptions(
            input: .inherited, timeoutSeconds: timeout ?? .infinity, graceSeconds: 0.3, intervalSeconds: interval / 1000
        )
        var measurements: [Measurement] = []
        var ending: WayreelGauge.Outcome?
        for run in 1...runs {
            let measured: Measurement
            do throws(MediaError) {
                measured = try Gauge.run(command, options: options, cancellation: Interrupt.cancellation)
            } catch {
                guard error.step == "start" else { throw error }
                Console.error("error: \(error)")
                throw Outcome.program(status: Self.notStarted)
            }
            ending = measured.outcome
            // What fails is no figure of the program's, unless there is no other.
            if ending?.isSuccess == true || measurements.isEmpty { measurements.append(measured) }
            guard ending?.isSuccess == true else {
                if runs > 1 { Console.error("run \(run) of \(runs) has failed; the figures are of those before it") }
                break
            }
        }
        if !quiet { Console.error(MeasureTable(measurements).text) }
        if let json { try write(measurements, to: json) }
        try draw(measurements)
        try leave(ending)
    }

    /// Throws a `parameter` error where a word is not UTF-8: it would not be handed on as it is.
    private func checkArguments() throws(MediaError) {
        for index in 0..<Int(CommandLine.argc) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
            throw MediaError(
                .parameter, step: "measure", subject: String(cString: word), reason: "is not UTF-8",
                advice: "call the program from a script, and measure that")
        }
    }

    private func write(_ measurements: [Measurement], to path: String) throws {
        let bytes = try JSON.encode(
            MeasureReport(wayreel: WayreelCommand.configuration.version, machine: .describe(), runs: measurements))
        try Console.deliver(bytes, to: path)
    }

    private func draw(_ measurements: [Measurement]) throws {
        guard svg != nil || png != nil, let typical = MeasureTable(measurements).typical else { return }
        let charts = try BenchCharts.charts(
            of: typical, name: command[0].split(separator: "/").last.map(String.init) ?? "")
        if let svg { try BenchPictures.write(charts, to: svg, as: .svg) }
        if let png { try BenchPictures.write(charts, to: png, as: .png) }
    }

    private func leave(_ outcome: WayreelGauge.Outcome?) throws {
        switch outcome {
        case .exited(let status) where status != 0: throw Outcome.program(status: status)
        case .signalled(let signal, _):
            Console.error("\(command[0]): \(outcome?.description ?? "")")
            throw Outcome.program(status: 128 + signal)
        case .timedOut:
            Console.error("\(command[0]): took longer than \((timeout ?? 0).formatted(1)) s and was ended")
            throw Outcome.program(status: Self.tookTooLong)
        default: break
        }
    }
}

/// The document that `--json` writes.
private struct MeasureReport: Encodable {
    var kind = "wayreel-measure"
    var version = 1
    var wayreel: String
    var machine: Machine
    var runs: [Measurement]
}
