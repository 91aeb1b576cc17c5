internal import Glibc
internal import WayreelCore
internal import WayreelGauge

/// A program that is run again and again.
struct RunningContender {
    let name: String
    let command: [String]
    /// What has to be there after each run, and where.
    let output: (kind: BenchSuite.Output, path: String)
    private(set) var failure: String?
    private var runs: [(measurement: Measurement, yardstick: BenchRun.Yardstick)] = []
    private var outputBytes: Int?

    init(_ name: String, _ command: [String], output: BenchSuite.Output, at path: String) {
        self.name = name
        self.command = command
        self.output = (output, path)
    }

    /// Runs it once. One that fails, hangs or makes nothing has failed for good.
    ///
    /// Throws `cancelled`.
    mutating func run(
        _ options: BenchOptions, _ yardstick: BenchRun.Yardstick, isCounted: Bool, _ cancellation: Cancellation
    ) throws(MediaError) {
        OutputFolder.remove(output.path)
        defer { OutputFolder.remove(output.path) }
        let measured: Measurement
        do throws(MediaError) {
            measured = try Gauge.run(
                command,
                options: GaugeOptions(
                    output: .none, errors: .tail(bytes: 2000), timeoutSeconds: options.timeoutSeconds,
                    graceSeconds: BenchOptions.graceSeconds),
                cancellation: cancellation)
        } catch {
            if error.kind == .cancelled { throw error }
            failure = "\(error)"
            return
        }
        guard let outcome = measured.outcome, outcome.isSuccess else {
            let words = [measured.outcome?.description, measured.errorTail?.lastLine].compactMap(\.self)
            failure = words.joined(separator: ": ")
            return
        }
        if output.kind != .none {
            let bytes = OutputFolder.byteCount(of: output.path)
            guard bytes > 0 else {
                failure = "it says that all went well, but made nothing"
                return
            }
            outputBytes = bytes
        }
        if isCounted { runs.append((measured, yardstick)) }
    }

    /// In seconds; nil where no run has counted.
    var medianWall: Double? { Summary(runs.map(\.measurement.wallMilliseconds)).map { $0.median / 1000 } }

    var result: BenchContender {
        let median = medianWall ?? 0
        let measurements = runs.map(\.measurement)
        let typical = measurements.min {
            abs($0.wallMilliseconds / 1000 - median) < abs($1.wallMilliseconds / 1000 - median)
        }
        // What a run of a suite does not ask for is no news.
        let lacks = typical?.unavailable.filter { $0.figure != .callerMilliseconds } ?? []
        return BenchContender(
            name: name, command: command, runs: runs.map { BenchRun($0.measurement, yardstick: $0.yardstick) },
            failure: failure, outputBytes: outputBytes,
            samples: typical?.samples ?? [], unavailable: lacks)
    }
}
