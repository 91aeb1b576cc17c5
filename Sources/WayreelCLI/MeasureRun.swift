internal import ArgumentParser
internal import Glibc
internal import WayreelMedia
internal import WayreelBench
internal import WayreelCore
internal import WayreelGauge

/// Implements `wayreel measure`: runs a program and reports its cost.
struct MeasureRun {
    let command: [String]
    var runs = 1
    var json: String?
    var svg: String?
    var png: String?
    var interval: Double = 50
    var timeout: Double?
    var isQuiet = false

    /// Exit statuses for a program that cannot be started, as in shells, and for a timeout, as in timeout(1).
    private static let notStarted: Int32 = 127
    private static let tookTooLong: Int32 = 124

    func run() throws {
        try checkArguments()
        if let json, json != "-" { try OutputFile.checkWritable(json) }
        for folder in [svg, png] {
            if let folder { try ChartFiles.checkWritable(folder) }
        }
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
                guard error.step == "start" else { throw error }
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
        if !isQuiet { Console.error(MeasureTable(measurements).text) }
        if let json { try write(measurements, to: json) }
        try draw(measurements)
        try leave(ending)
    }

    /// Throws a `parameter` error if an argument is not UTF-8, because passing it on would change it.
    private func checkArguments() throws(MediaError) {
        for index in 0..<Int(CommandLine.argc) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
            throw MediaError(
                .parameter, step: "measure", subject: String(cString: word), reason: "is not UTF-8",
                advice: "call the program from a script and measure the script")
        }
    }

    private func write(_ measurements: [Measurement], to path: String) throws {
        let bytes = try JSON.encode(
            MeasureReport(wayreel: WayreelVersion.text, machine: .describe(), runs: measurements))
        try Console.deliver(bytes, to: path)
    }

    private func draw(_ measurements: [Measurement]) throws {
        guard svg != nil || png != nil, let typical = MeasureTable(measurements).typical else { return }
        let charts = try typical.charts(named: command[0].fileName ?? "")
        if let svg { try ChartFiles.write(charts, to: svg, as: .svg) }
        if let png { try ChartFiles.write(charts, to: png, as: .png) }
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

extension MeasureRun {
    /// Parses `measure -- program …` without options; nil for anything else. The option parser takes longer than the
    /// rest of a measurement, and its cost would be measured.
    init?(plain arguments: [String]) {
        guard arguments.count > 3, arguments[1...2] == ["measure", "--"] else { return nil }
        self.init(command: Array(arguments[3...]))
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
