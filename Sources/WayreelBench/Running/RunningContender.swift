internal import Glibc
internal import WayreelCore
internal import WayreelGauge

/// A program that is run again and again.
struct RunningContender {
    let name: String
    let command: [String]
    /// The same as a report has it: with names in braces for what is of this machine.
    private let shown: [String]
    /// What has to be there after each run, and where.
    let output: (kind: BenchSuite.Output, path: String)
    /// A folder of its own for all that it leaves behind, the output among it.
    private let folder: String
    private let competitors: Int
    private(set) var failure: String?
    private var runs: [(measurement: Measurement, yardstick: BenchRun.Yardstick)] = []
    private var outputBytes: Int?

    init(
        _ name: String, _ command: [String], shown: [String], output: BenchSuite.Output, at path: String,
        in folder: String, competitors: Int
    ) {
        self.name = name
        self.command = command
        self.shown = shown
        self.output = (output, path)
        self.folder = folder
        self.competitors = competitors
    }

    /// Runs `body` with the folder new and empty, and nothing left of it afterwards.
    ///
    /// Throws an `io` error where there can be none.
    func withFolder<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        OutputFolder.remove(folder)
        guard mkdir(folder, 0o700) == 0 else {
            throw MediaError(.io, step: "bench", subject: folder, reason: systemReason(errno))
        }
        defer { OutputFolder.remove(folder) }
        return try body()
    }

    /// Runs it once. One that fails, hangs or makes nothing has failed for good.
    ///
    /// Throws `cancelled`.
    mutating func run(
        _ options: BenchOptions, _ yardstick: BenchRun.Yardstick, isCounted: Bool, _ cancellation: Cancellation
    ) throws(MediaError) {
        let measured: Measurement
        let bytes: Int
        do throws(MediaError) {
            (measured, bytes) = try withFolder { () throws(MediaError) in
                let measured = try Competition.run(threads: competitors) { () throws(MediaError) in
                    try Gauge.run(
                        command,
                        options: GaugeOptions(
                            output: .none, errors: .tail(bytes: 2000), timeoutSeconds: options.timeoutSeconds,
                            graceSeconds: BenchOptions.graceSeconds),
                        cancellation: cancellation)
                }
                return (measured, OutputFolder.byteCount(of: output.path))
            }
        } catch {
            if error.kind == .cancelled { throw error }
            failure = "\(error)"
            return
        }
        guard let outcome = measured.outcome, outcome.isSuccess else {
            let words = [measured.outcome?.description, measured.errorTail?.lastLine].compactMap(\.self)
            failure = String(words.joined(separator: ": ").onOneLine.prefix(Self.longestReason))
            return
        }
        if output.kind != .none {
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
            name: name, command: shown, runs: runs.map { BenchRun($0.measurement, yardstick: $0.yardstick) },
            failure: failure, outputBytes: outputBytes,
            samples: typical?.samples.thinned(to: Self.mostSamples) ?? [], unavailable: lacks)
    }

    /// Of what a program says.
    private static let longestReason = 160
    /// More cannot be told apart in a chart.
    private static let mostSamples = 160
}

extension [Sample] {
    /// Every n-th, so that at most `count` remain; the last one stays. Without the threads' times, which are in the steps.
    fileprivate func thinned(to count: Int) -> [Sample] {
        let step = Swift.max(1, (self.count + count - 1) / count)
        return indices.filter { (self.count - 1 - $0) % step == 0 }.map { index in
            var sample = self[index]
            sample.threadMilliseconds = nil
            return sample
        }
    }
}
