internal import Glibc
internal import WayreelCore

/// A program during a benchmark.
struct RunningCandidate {
    let name: String
    private let command: [String]
    /// The command for the report, with placeholders for machine-specific parts.
    private let shown: [String]
    /// The expected output after each run, and its path.
    let output: (kind: BenchSuite.Output, path: String)
    /// A folder for all of its files, including the output.
    private let folder: String
    private let competitors: Int
    private(set) var failure: String?
    private var runs: [(measurement: Measurement, calibration: BenchRun.Calibration)] = []
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

    /// Runs `body` with a new, empty folder, which is removed afterwards.
    ///
    /// Throws an `io` error if it cannot be created.
    private func withFolder<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        Directory.remove(folder)
        guard mkdir(folder, 0o700) == 0 else {
            throw MediaError(.io, step: .bench, subject: folder, reason: systemReason(errno))
        }
        defer { Directory.remove(folder) }
        return try body()
    }

    /// Runs it once. A program that fails, times out or produces no output has failed for good.
    ///
    /// Throws `cancelled`.
    mutating func run(
        _ options: BenchOptions, _ calibration: BenchRun.Calibration, isCounted: Bool, _ cancellation: Cancellation
    ) throws(MediaError) {
        let measured: Measurement
        let bytes: Int
        do throws(MediaError) {
            (measured, bytes) = try withFolder { () throws(MediaError) in
                let measured = try BackgroundLoad.run(threads: competitors) { () throws(MediaError) in
                    try Gauge.run(
                        command,
                        options: GaugeOptions(
                            output: .none, errors: .tail(bytes: 2000), timeoutSeconds: options.timeoutSeconds,
                            graceSeconds: BenchOptions.graceSeconds),
                        cancellation: cancellation)
                }
                return (measured, Directory.byteCount(of: output.path))
            }
        } catch {
            if error.kind == .cancelled { throw error }
            failure = "\(error)"
            return
        }
        guard let outcome = measured.outcome, outcome.isSuccess else {
            let messages = [measured.outcome?.description, measured.errorTail?.lastLine].compactMap(\.self)
            failure = String(messages.joined(separator: ": ").onOneLine.prefix(Self.maxReasonLength))
            return
        }
        if output.kind != .none {
            guard bytes > 0 else {
                failure = "it reported success but produced no output"
                return
            }
            outputBytes = bytes
        }
        if isCounted { runs.append((measured, calibration)) }
    }

    var result: BenchCandidate {
        let measurements = runs.map(\.measurement)
        let median = Summary(measurements.map(\.wallMilliseconds))?.median ?? 0
        let typical = measurements.min { abs($0.wallMilliseconds - median) < abs($1.wallMilliseconds - median) }
        // Figures that suites do not measure are not reported as unavailable.
        let unavailable = typical?.unavailable.filter { $0.figure != .callerMilliseconds } ?? []
        return BenchCandidate(
            name: name, command: shown, runs: runs.map { BenchRun($0.measurement, calibration: $0.calibration) },
            failure: failure, outputBytes: outputBytes,
            samples: typical?.samples.thinned(to: Self.maxSamples) ?? [], unavailable: unavailable)
    }

    /// Max length of a program's error message.
    private static let maxReasonLength = 160
    /// Max number of samples that a chart can show.
    private static let maxSamples = 160
}

extension [Sample] {
    /// Every n-th sample, so that at most `count` remain, including the last one. Drops thread times, which
    /// no chart of a report shows.
    fileprivate func thinned(to count: Int) -> [Sample] {
        let step = Swift.max(1, (self.count + count - 1) / count)
        return indices.filter { (self.count - 1 - $0) % step == 0 }.map { index in
            var sample = self[index]
            sample.threadMilliseconds = nil
            return sample
        }
    }
}
