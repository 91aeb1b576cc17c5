internal import Glibc
internal import WayreelCore
internal import WayreelGauge

/// Locates the inputs of suites and generates missing ones.
struct BenchInputs {
    let options: BenchOptions
    let folder: TemporaryFolder
    let cancellation: Cancellation

    /// The path of a suite's input.
    ///
    /// Throws an `io` error if it is missing or cannot be generated.
    func path(of suite: BenchSuite, report: (String) -> Void) throws(MediaError) -> String {
        if suite.preparation.isEmpty {
            for kind in suite.kinds {
                if let given = options.inputs[kind] { return given }
            }
            return try sample(suite.input)
        }
        return try prepared(suite, report: report)
    }

    private func sample(_ name: String) throws(MediaError) -> String {
        let path = "\(options.media)/\(name)"
        guard access(path, R_OK) == 0 else {
            throw MediaError(
                .io, step: "bench", subject: path, reason: systemReason(errno),
                advice: "run it in the project folder, or use --media or --input")
        }
        return path
    }

    private func prepared(_ suite: BenchSuite, report: (String) -> Void) throws(MediaError) -> String {
        if let keep = options.keep, mkdir(keep, 0o777) != 0, errno != EEXIST {
            throw MediaError(.io, step: "bench", subject: keep, reason: systemReason(errno))
        }
        let directory = options.keep ?? folder.path
        let path = "\(directory)/\(suite.input)"
        if access(path, R_OK) == 0 { return path }
        report("generating \(suite.input)")
        // Renamed when complete.
        let made = "\(directory)/part-\(getpid())-\(suite.input)"
        defer { Directory.remove(made) }
        var placeholders = Placeholders(input: path, output: path, media: options.media, wayreel: "")
        placeholders.made = made
        let run = try Gauge.run(
            placeholders.fill(BenchSuite.shell(suite.preparation)),
            options: GaugeOptions(
                output: .none, errors: .tail(bytes: 2000), timeoutSeconds: max(600, options.timeoutSeconds)),
            cancellation: cancellation)
        var reason: String?
        if run.outcome?.isSuccess != true {
            reason = run.errorTail?.lastLine ?? run.outcome?.description ?? "it did not end"
        } else if rename(made, path) != 0 {
            reason = systemReason(errno)
        }
        if let reason {
            throw MediaError(
                .io, step: "bench", subject: suite.input, reason: "cannot be generated: \(reason)",
                advice: "install ffmpeg with its encoders")
        }
        return path
    }
}

extension String {
    /// The last non-empty line; nil if there is none.
    var lastLine: String? {
        split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
    }
}
