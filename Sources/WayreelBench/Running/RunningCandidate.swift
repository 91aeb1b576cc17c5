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
    private var runs: [BenchRun] = []
    private var unavailable: [Unavailable] = []
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
                            graceSeconds: BenchOptions.graceSeconds, intervalSeconds: Self.intervalSeconds),
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
        unavailable = measured.unavailable
        if isCounted { runs.append(BenchRun(measured, calibration: calibration)) }
    }

    var result: BenchCandidate {
        // What the sampling would have found is not reported, and so is not missing.
        let reported: Set<Unavailable.Figure> = [.peakMemoryBytes, .groupPeakBytes, .transfer, .energyJoules]
        return BenchCandidate(
            name: name, command: shown, runs: runs, failure: failure, outputBytes: outputBytes,
            unavailable: unavailable.filter { reported.contains($0.figure) })
    }

    /// Rare, because only the energy is read meanwhile that a report contains.
    private static let intervalSeconds = 10.0
    /// Max length of a program's error message.
    private static let maxReasonLength = 160
}
