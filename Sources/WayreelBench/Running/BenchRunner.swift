internal import FoundationEssentials
package import WayreelCore

/// Runs suites: each run is a separate process, and compared programs run alternately.
package struct BenchRunner {
    /// Progress events.
    package enum Event: Sendable {
        case making(String)
        /// Start of a round; the first is a warm-up.
        case round(suite: String, number: Int)
        case failed(suite: String, candidate: String, reason: String)
    }

    private let options: BenchOptions
    private let wayreel: String
    private let version: String
    private let machine: Machine
    private let cancellation: Cancellation
    private let folder: TemporaryFolder

    /// `wayreel`: path of the command. Throws an `io` error if outputs cannot be stored.
    package init(
        _ options: BenchOptions, wayreel: String, version: String, libraries: [String: String],
        cancellation: Cancellation
    ) throws(MediaError) {
        self.options = options
        self.wayreel = wayreel
        self.version = version
        self.cancellation = cancellation
        machine = Machine.describe(libraries: libraries)
        folder = try TemporaryFolder(for: "outputs", step: .bench)
    }

    /// Throws errors that affect all programs; a failing program only fails itself.
    package func run(_ suites: [BenchSuite], observe: (Event) -> Void) throws(MediaError) -> BenchReport {
        let inputs = BenchInputs(options: options, folder: folder, cancellation: cancellation)
        // All inputs are located before the first run.
        var paths: [String] = []
        for suite in suites { paths.append(try inputs.path(of: suite) { observe(.making($0)) }) }
        let peers = suites.map { InstalledPeers(of: options.hasPeers ? $0.peers.filter(options.takes) : []) }
        let versions = options.hasPeers ? try versions(of: peers) : nil
        var results: [BenchResult] = []
        for index in suites.indices {
            results.append(try measure(suites[index], paths[index], beside: peers[index], observe))
        }
        return BenchReport(
            wayreel: version, date: Date.now.formatted(.iso8601), machine: machine, programs: versions, results: results
        )
    }

    private func measure(
        _ suite: BenchSuite, _ input: String, beside peers: InstalledPeers, _ observe: (Event) -> Void
    ) throws(MediaError) -> BenchResult {
        var candidates = [own(suite, input)] + peerCandidates(of: suite, input, peers)
        let begin = Clock.wall
        var round = 0
        while !isEnough(round, since: begin), candidates.contains(where: { $0.failure == nil }) {
            observe(.round(suite: suite.name, number: round))
            let calibration = Calibration.measure()
            for index in candidates.indices where candidates[index].failure == nil {
                try candidates[index].run(options, calibration, isCounted: round > 0, cancellation)
                if let failure = candidates[index].failure {
                    observe(.failed(suite: suite.name, candidate: candidates[index].name, reason: failure))
                }
            }
            round += 1
        }
        return BenchResult(
            suite: suite.name, about: about(suite, input),
            input: BenchInput(name: input.fileName ?? input, bytes: Directory.byteCount(of: input)),
            candidates: candidates.map(\.result), absent: peers.absent)
    }

    /// The description, with the name of an input that replaces the sample.
    private func about(_ suite: BenchSuite, _ input: String) -> String {
        options.inputs.values.contains(input) ? "\(input.fileName ?? input) instead of: \(suite.about)" : suite.about
    }

    private func isEnough(_ rounds: Int, since begin: Double) -> Bool {
        if let runs = options.runs { return rounds > runs }
        guard rounds > options.minRuns else { return false }
        return rounds > BenchOptions.maxRuns || Clock.wall - begin > options.seconds
    }

    // MARK: Candidates

    private func folder(_ number: Int) -> String { "\(folder.path)/\(number)" }

    private func placeholders(_ input: String, _ output: BenchSuite.Output, _ number: Int) -> Placeholders {
        let name = "\(folder(number))/out"
        let path =
            switch output {
            case .file(let ending): "\(name).\(ending)"
            case .folder, .none: name
            }
        return Placeholders(input: input, output: path, media: options.media, wayreel: wayreel)
    }

    private func own(_ suite: BenchSuite, _ input: String) -> RunningCandidate {
        let placeholders = placeholders(input, suite.output, 0)
        return RunningCandidate(
            "wayreel", [wayreel] + placeholders.fill(suite.arguments), shown: ["wayreel"] + suite.arguments,
            output: suite.output, at: placeholders.output, in: folder(0), competitors: suite.competitors)
    }

    private func peerCandidates(of suite: BenchSuite, _ input: String, _ peers: InstalledPeers) -> [RunningCandidate] {
        peers.installed.enumerated().map { index, installed in
            let peer = installed.peer
            var placeholders = placeholders(input, peer.output ?? suite.output, index + 1)
            placeholders.program = installed.programs.first ?? ""
            return RunningCandidate(
                peer.name, placeholders.fill(peer.arguments), shown: peer.arguments,
                output: peer.output ?? suite.output,
                at: placeholders.output, in: folder(index + 1), competitors: suite.competitors)
        }
    }

    /// Versions of the peers as they report them.
    private func versions(of peers: [InstalledPeers]) throws(MediaError) -> [String: String] {
        var versions = ProgramVersions()
        for path in peers.flatMap(\.installed).flatMap(\.programs) {
            try versions.ask(path, cancellation: cancellation)
        }
        return versions.found
    }
}

/// Threads that keep cores busy, like other programs on a loaded machine.
enum BackgroundLoad {
    /// Runs `body` beside this number of busy threads, which end with it. Throws a `limit` error if they cannot be
    /// started.
    static func run<Result>(threads: Int, _ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        let end = Cancellation()
        var started: [WorkThread] = []
        defer {
            end.cancel()
            for thread in started { thread.join() }
        }
        for _ in 0..<threads {
            started.append(try WorkThread("compete") { while !end.isCancelled {} })
        }
        return try body()
    }
}

/// Options of a benchmark.
package struct BenchOptions: Sendable {
    /// Number of measured runs, 1 or more; nil: as many as fit into ``seconds``, at most ``maxRuns``.
    package var runs: Int?
    /// Time per suite if ``runs`` is nil.
    package var seconds = 14.0
    /// Min number of measured runs if ``runs`` is nil.
    package var minRuns = 3
    /// Whether to run installed peers.
    package var hasPeers = false
    /// Only these peers; empty for all.
    package var peers: [String] = []
    /// Max seconds of one run, above 0.
    package var timeoutSeconds = 600.0
    /// Inputs that replace samples, by kind.
    package var inputs: [BenchSuite.Kind: String] = [:]
    /// Folder of the samples.
    package var media = "Media"
    /// Folder that keeps generated inputs; a temporary folder if nil.
    package var keep: String?

    package init() {}

    /// Grace period of an ended run; a user's second signal comes soon after the first.
    static let graceSeconds = 0.3
    static let maxRuns = 15

    func takes(_ peer: BenchSuite.Peer) -> Bool { peers.isEmpty || !peer.families.isDisjoint(with: peers) }
}

extension BenchSuite.Peer {
    /// The programs that a peer is selected by: `ffmpeg` for `ffmpeg, decode only`, each of those that a script runs.
    package var families: Set<String> {
        let packages = ["ffprobe": "ffmpeg", "vipsheader": "vipsthumbnail"]
        let tools: Set = ["xargs", "sync"]
        let programs = needs.compactMap(\.first).filter { !tools.contains($0) }
        // One that needs no other program is Wayreel with other options.
        guard !programs.isEmpty else { return ["wayreel"] }
        return Set(programs.map { name.hasPrefix("ImageMagick") ? "ImageMagick" : packages[$0] ?? $0 })
    }
}
