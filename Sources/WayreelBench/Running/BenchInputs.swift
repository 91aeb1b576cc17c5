internal import Glibc
internal import WayreelCore
internal import WayreelGauge

/// Finds the inputs of suites, and makes those that have to be made.
struct BenchInputs {
    let options: BenchOptions
    let folder: TemporaryFolder
    let cancellation: Cancellation

    /// The path of a suite's input.
    ///
    /// Throws an `io` error where there is none, and what went wrong in making it.
    func path(of suite: BenchSuite, tell: (String) -> Void) throws(MediaError) -> String {
        if suite.preparation.isEmpty {
            for kind in suite.kinds {
                if let given = options.inputs[kind] { return given }
            }
            return try sample(suite.input)
        }
        return try prepared(suite, tell: tell)
    }

    private func sample(_ name: String) throws(MediaError) -> String {
        let path = "\(options.media)/\(name)"
        guard access(path, R_OK) == 0 else {
            throw MediaError(
                .io, step: "bench", subject: path, reason: systemReason(errno),
                advice: "run it in the project's folder, name that of the samples with --media, or give --input")
        }
        return path
    }

    private func prepared(_ suite: BenchSuite, tell: (String) -> Void) throws(MediaError) -> String {
        if let keep = options.keep, mkdir(keep, 0o777) != 0, errno != EEXIST {
            throw MediaError(.io, step: "bench", subject: keep, reason: systemReason(errno))
        }
        let place = options.keep ?? folder.path
        let path = "\(place)/\(suite.input)"
        if access(path, R_OK) == 0 { return path }
        tell("making \(suite.input)")
        // It has its name when it is complete.
        let made = "\(place)/part-\(getpid())-\(suite.input)"
        defer { OutputFolder.remove(made) }
        var places = Places(input: path, output: path, media: options.media, wayreel: "")
        places.made = made
        let run = try Gauge.run(
            places.fill(BenchSuite.shell(suite.preparation)),
            options: GaugeOptions(
                output: .none, errors: .tail(bytes: 2000), timeoutSeconds: max(600, options.timeoutSeconds)),
            cancellation: cancellation)
        var reason: String?
        if run.outcome?.isSuccess != true {
            reason = run.errorTail?.lastLine ?? run.outcome?.description ?? "it has not ended"
        } else if rename(made, path) != 0 {
            reason = systemReason(errno)
        }
        if let reason {
            throw MediaError(
                .io, step: "bench", subject: suite.input, reason: "cannot be made: \(reason)",
                advice: "it takes ffmpeg and its encoders")
        }
        return path
    }
}

extension String {
    /// The last line with something on it; nil where there is none.
    var lastLine: String? {
        split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
    }
}
