internal import ArgumentParser
internal import Glibc
internal import WayreelBench
internal import WayreelCore
internal import WayreelMedia

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
            command: command, runs: runs, json: json, svg: svg, interval: interval, timeout: timeout, isQuiet: quiet
        ).run()
    }
}

/// Implements `wayreel measure`: runs a program and reports its cost.
struct MeasureRun {
    let command: [String]
    var runs = 1
    var json: String?
    var svg: String?
    var interval: Double = 50
    var timeout: Double?
    var isQuiet = false

    /// Exit statuses for a program that cannot be started, as in shells, and for a timeout, as in timeout(1).
    private static let notStarted: Int32 = 127
    private static let tookTooLong: Int32 = 124

    func run() throws {
        try checkArguments()
        if let json, json != "-" { try OutputFile.checkWritable(json) }
        if let svg { try ChartFiles.checkWritable(svg) }
        let options = GaugeOptions(
            input: .inherited, timeoutSeconds: timeout ?? .infinity, graceSeconds: 0.3, intervalSeconds: interval / 1000
        )
        var measurements: [Measurement] = []
        var ending: Outcome?
        for run in 1...runs {
            let measured: Measurement
            do throws(MediaError) {
                measured = try Gauge.run(command, options: options, cancellation: Interrupt.cancellation)
            } catch {
                guard error.step == .start else { throw error }
                Console.error("error: \(error.withFlags)")
                throw ExitReason.program(status: Self.notStarted)
            }
            ending = measured.outcome
            // A failed run is not a measurement, unless it is the only one.
            if ending?.isSuccess == true || measurements.isEmpty { measurements.append(measured) }
            guard ending?.isSuccess == true else {
                if runs > 1 { Console.error("run \(run) of \(runs) failed; the figures cover the runs before it") }
                break
            }
        }
        let table = MeasureTable(measurements)
        if !isQuiet { Console.error(table.text) }
        if let json {
            let report = MeasureReport(wayreel: WayreelVersion.text, machine: .describe(), runs: measurements)
            try Console.deliver(JSON.encode(report), to: json)
        }
        if let svg, let typical = table.typical {
            try ChartFiles.write(typical.charts(named: command[0].fileName ?? ""), to: svg)
        }
        try leave(ending)
    }

    /// Throws a `parameter` error if an argument is not UTF-8, because passing it on would change it.
    private func checkArguments() throws(MediaError) {
        for index in 0..<Int(CommandLine.argc) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
            throw ErrorSite(.parameter, step: .measure)(
                of: String(cString: word), "is not UTF-8", "call the program from a script and measure the script")
        }
    }

    private func leave(_ outcome: Outcome?) throws {
        switch outcome {
        case .exited(let status) where status != 0: throw ExitReason.program(status: status)
        case .signalled(let signal, _):
            Console.error("\(command[0]): \(outcome?.description ?? "")")
            throw ExitReason.program(status: 128 + signal)
        case .timedOut:
            Console.error("\(command[0]): took longer than \((timeout ?? 0).formatted(1)) s and was ended")
            throw ExitReason.program(status: Self.tookTooLong)
        default: break
        }
    }
}

/// The document of `--json`.
private struct MeasureReport: Encodable {
    var kind = "wayreel-measure"
    var version = 1
    var wayreel: String
    var machine: Machine
    var runs: [Measurement]
}

/// Formats the cost of several runs of a program.
struct MeasureTable {
    private let runs: [Measurement]

    init(_ runs: [Measurement]) { self.runs = runs }

    /// The run closest to the median wall time.
    var typical: Measurement? {
        guard let median = Summary(runs.map(\.wallMilliseconds))?.median else { return nil }
        return runs.min { abs($0.wallMilliseconds - median) < abs($1.wallMilliseconds - median) }
    }

    var text: String {
        guard let typical else { return "" }
        var rows = [
            row("wall time", \.wallMilliseconds, Self.time),
            row("CPU time", \.cpuMilliseconds, Self.time, split(typical)),
            row("peak memory", { $0.peakMemoryBytes.map(Double.init) }, Self.bytes),
        ]
        if typical.groupPeakBytes != nil {
            rows.append(row("with its children", { $0.groupPeakBytes.map(Double.init) }, Self.bytes))
        }
        rows.append(["page faults", "\(typical.minorFaults), \(typical.majorFaults) from disk"])
        rows.append(["switches", "\(typical.voluntarySwitches) voluntary, \(typical.involuntarySwitches) involuntary"])
        if let moved = typical.transfer {
            for (name, read, written) in [
                ("I/O", moved.bytesRead, moved.bytesWritten),
                ("disk I/O", moved.storageBytesRead, moved.storageBytesWritten),
            ] {
                rows.append([name, "\(Self.bytes(Double(read))) read, \(Self.bytes(Double(written))) written"])
            }
        }
        rows.append([
            "energy", typical.energyJoules.map { "\($0.formatted(2)) J" } ?? unavailable(.energyJoules, typical),
        ])
        rows.append(["samples", samples(typical)])
        if runs.count > 1 { rows.append(["runs", "\(runs.count); medians with confidence intervals" + confidence]) }
        return TextColumns.aligned(rows)
    }

    /// The confidence level depends on the number of runs.
    private var confidence: String {
        Summary(runs.map(\.wallMilliseconds))?.interval.map { " at \($0.confidenceText)" } ?? ""
    }

    private func row(
        _ name: String, _ value: (Measurement) -> Double?, _ format: (Double) -> String, _ note: String = ""
    ) -> [String] {
        guard let summary = Summary(runs.compactMap(value)) else { return [name, "not available"] }
        let interval = summary.interval.map { " (\(format($0.lower)) to \(format($0.upper)))" } ?? ""
        let outliers = summary.outliers.isEmpty ? "" : "; outliers: \(summary.outliers.count)"
        return [name, format(summary.median) + interval + note + outliers]
    }

    private func split(_ run: Measurement) -> String {
        let cores = run.coresUsed.map { ", \($0.formatted(2)) cores used" } ?? ""
        return " (\(Self.time(run.userMilliseconds)) user, \(Self.time(run.systemMilliseconds)) system\(cores))"
    }

    private func samples(_ run: Measurement) -> String {
        guard !run.samples.isEmpty else { return unavailable(.samples, run, else: "none: it ended before the first") }
        let cost = "\(run.sampling.cpuPercent.formatted(2)) % of a core"
        return "\(run.samples.count), sampling took \(cost)"
    }

    private func unavailable(_ figure: Unavailable.Figure, _ run: Measurement, else format: String = "not available")
        -> String
    {
        run.reason(for: figure).map { "not available: \($0)" } ?? format
    }

    private static func time(_ milliseconds: Double) -> String { BenchFigure.wall.text(milliseconds / 1000) }

    private static func bytes(_ count: Double) -> String { BenchFigure.memory.text(count) }
}
