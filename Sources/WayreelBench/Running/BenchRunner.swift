internal import Glibc
package import WayreelCore
internal import WayreelGauge

/// Measures suites: each run is a process of its own, and the runs of those that are compared take turns.
package struct BenchRunner {
    /// What is told meanwhile.
    package enum Event: Sendable {
        case making(String)
        /// A round of a suite begins; the first is not counted.
        case round(suite: String, number: Int)
        case failed(suite: String, contender: String, reason: String)
    }

    private let options: BenchOptions
    private let wayreel: String
    private let version: String
    private let machine: Machine
    private let cancellation: Cancellation
    private let folder: TemporaryFolder

    /// `wayreel`: the command itself. Throws a `parameter` error for options that make no sense, and an `io` one where there is
    /// no place for outputs.
    package init(
        _ options: BenchOptions, wayreel: String, version: String, libraries: [String: String],
        cancellation: Cancellation
    ) throws(MediaError) {
        try options.check()
        self.options = options
        self.wayreel = wayreel
        self.version = version
        self.cancellation = cancellation
        machine = Machine.describe(libraries: libraries)
        folder = try TemporaryFolder(for: "outputs", step: "bench")
    }

    /// Throws what came in the way of all; a program that fails only fails itself.
    package func run(_ suites: [BenchSuite], hear: (Event) -> Void) throws(MediaError) -> BenchReport {
        let inputs = BenchInputs(options: options, folder: folder, cancellation: cancellation)
        // Everything is found before the first run, which may be the first of many.
        var paths: [String] = []
        for suite in suites { paths.append(try inputs.path(of: suite) { hear(.making($0)) }) }
        let rosters = suites.map { PeerRoster(of: options.hasPeers ? $0.peers.filter(options.takes) : []) }
        let versions = options.hasPeers ? try versions(of: rosters) : nil
        var results: [BenchResult] = []
        for index in suites.indices {
            results.append(try measure(suites[index], paths[index], beside: rosters[index], hear))
        }
        return BenchReport(
            wayreel: version, date: Timestamp.now, machine: machine, programs: versions, results: results)
    }

    private func measure(
        _ suite: BenchSuite, _ input: String, beside roster: PeerRoster, _ hear: (Event) -> Void
    ) throws(MediaError) -> BenchResult {
        var contenders = [own(suite, input)] + peers(of: suite, input, roster)
        let begin = Clock.wall
        var round = 0
        while !isEnough(round, since: begin), contenders.contains(where: { $0.failure == nil }) {
            hear(.round(suite: suite.name, number: round))
            let yardstick = Yardstick.measure()
            for index in contenders.indices where contenders[index].failure == nil {
                try contenders[index].run(options, yardstick, isCounted: round > 0, cancellation)
                if let failure = contenders[index].failure {
                    hear(.failed(suite: suite.name, contender: contenders[index].name, reason: failure))
                }
            }
            round += 1
        }
        let costs = contenders[0].failure == nil ? try steps(suite, input, contenders[0]) : nil
        return BenchResult(
            suite: suite.name, about: about(suite, input),
            input: BenchInput(name: baseName(input), bytes: byteCount(input)),
            contenders: contenders.map(\.result), absent: roster.absent, steps: costs)
    }

    /// What is measured, with the name of an input that stands in for the sample.
    private func about(_ suite: BenchSuite, _ input: String) -> String {
        options.inputs.values.contains(input) ? "\(baseName(input)) in place of: \(suite.about)" : suite.about
    }

    private func isEnough(_ rounds: Int, since begin: Double) -> Bool {
        if let runs = options.runs { return rounds > runs }
        guard rounds > options.fewestRuns else { return false }
        return rounds > BenchOptions.mostRuns || Clock.wall - begin > options.seconds
    }

    // MARK: Contenders

    /// Of the contender of that number.
    private func folder(_ number: Int) -> String { "\(folder.path)/\(number)" }

    private func places(_ input: String, _ output: BenchSuite.Output, _ number: Int) -> Places {
        let name = "\(folder(number))/out"
        let path =
            switch output {
            case .file(let ending): "\(name).\(ending)"
            case .folder, .none: name
            }
        return Places(input: input, output: path, media: options.media, wayreel: wayreel)
    }

    private func own(_ suite: BenchSuite, _ input: String) -> RunningContender {
        let places = places(input, suite.output, 0)
        return RunningContender(
            "wayreel", [wayreel] + places.fill(suite.arguments), shown: ["wayreel"] + suite.arguments,
            output: suite.output, at: places.output, in: folder(0), competitors: suite.competitors)
    }

    private func peers(of suite: BenchSuite, _ input: String, _ roster: PeerRoster) -> [RunningContender] {
        roster.installed.enumerated().map { index, installed in
            let peer = installed.peer
            var places = places(input, peer.output ?? suite.output, index + 1)
            places.program = installed.programs.first ?? ""
            return RunningContender(
                peer.name, places.fill(peer.words), shown: peer.words, output: peer.output ?? suite.output,
                at: places.output, in: folder(index + 1), competitors: suite.competitors)
        }
    }

    /// As the programs beside which was measured tell them.
    private func versions(of rosters: [PeerRoster]) throws(MediaError) -> [String: String] {
        var versions = ProgramVersions()
        for path in rosters.flatMap(\.installed).flatMap(\.programs) {
            try versions.ask(path, cancellation: cancellation)
        }
        return versions.found
    }

    // MARK: Inside

    /// One more run, which tells what its threads do.
    private func steps(
        _ suite: BenchSuite, _ input: String, _ own: RunningContender
    ) throws(MediaError) -> StepCosts? {
        guard suite.isTraceable, let wall = own.medianWall else { return nil }
        let trace = "\(folder.path)/trace.json"
        defer { unlink(trace) }
        let measured: Measurement
        do throws(MediaError) {
            measured = try own.withFolder { () throws(MediaError) in
                try Gauge.run(
                    own.command + ["--trace", trace],
                    options: GaugeOptions(
                        output: .none, errors: .none, timeoutSeconds: options.timeoutSeconds,
                        // Some dozens of samples of short runs too.
                        intervalSeconds: min(max(wall / 60, 0.005), 0.05)),
                    cancellation: cancellation)
            }
        } catch {
            if error.kind == .cancelled { throw error }
            return nil
        }
        // What was measured before counts all the same where there is no trace of this.
        guard measured.outcome?.isSuccess == true, let spans = try? TraceFile.read(trace) else { return nil }
        return StepCosts(of: measured, trace: spans)
    }

    private func baseName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private func byteCount(_ path: String) -> Int { OutputFolder.byteCount(of: path) }
}

extension BenchSuite {
    /// Whether its command takes `--trace`.
    var isTraceable: Bool { ["capture", "levels", "transcode", "poster"].contains(arguments[0]) }
}
