internal import ArgumentParser
internal import Glibc
internal import Wayreel
internal import WayreelBench
internal import WayreelCLI
internal import WayreelCore

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Wayreel's tasks on this machine, against other programs and earlier versions.",
        discussion: """
            Run the standard suites on the project's samples (under three minutes):
              wayreel bench
            Run some suites on your own file:
              wayreel bench capture levels --runs 15 --input my.jpg --json bench.json
            Write the tables as Markdown, and the charts:
              wayreel bench --markdown bench.md --svg charts/
            Check for regressions:
              wayreel bench --save baseline.json
              wayreel bench --against baseline.json --tolerance 0.05
            Compare with other programs, in alternating runs:
              wayreel bench --peers
              wayreel bench capture --peer vipsthumbnail --peer ImageMagick
            List suites and peers:
              wayreel bench --list

            Exit status: 0 done, 1 failures or regressions, 2 wrong usage.
            """)

    @Argument(help: "Suites to run, or all. (default: the standard ones, see --list)")
    var suites: [String] = []

    @Flag(help: "List suites and peers.")
    var list = false

    @Option(help: "Measured runs of each task. (default: 15, fewer for long tasks)")
    var runs: Int?

    @Option(help: "Measure this file instead of a sample; once for each kind: image, audio, video.")
    var input: [String] = []

    @Option(help: "Folder of the samples. (default: Media)")
    var media: String?

    @Option(help: "Cache generated inputs in this folder.")
    var keep: String?

    @Option(help: "Max seconds per run; a longer run fails. (default: 600)")
    var timeout: Double?

    @Flag(help: "Also run the installed peers, in alternating runs.")
    var peers = false

    @Option(name: .customLong("peer"), help: "Run only this peer. Repeatable.")
    var chosenPeers: [String] = []

    @Option(help: "Compare with a report of --save or --json; a regression exits with status 1.")
    var against: String?

    @Option(help: "Relative change below which a figure counts as unchanged. (default: 0.1)")
    var tolerance: Double?

    @Option(help: "Write a JSON report for --against.")
    var save: String?

    @Option(help: "Write a JSON report; - for standard output.")
    var json: String?

    @Option(
        help: """
            Write the tables to this Markdown file, between the lines <!-- wayreel bench begin --> and \
            <!-- wayreel bench end --> where it has them.
            """)
    var markdown: String?

    @Option(help: "Write charts of peak memory, and of ratios to the peers, to this folder as SVG.")
    var svg: String?

    @Flag(name: [.short, .long], help: "Print no progress.")
    var quiet = false

    func validate() throws {
        if let runs, !(1...1000).contains(runs) { throw ValidationError("--runs takes a number from 1 to 1000") }
        try requirePositive("--timeout", timeout)
        if let tolerance, !(0...100).contains(tolerance) {
            throw ValidationError("--tolerance takes a fraction: 0.05 for 5 %")
        }
        if tolerance != nil, against == nil { throw ValidationError("--tolerance requires --against") }
        if against != nil, let runs, runs < Self.minRunsForVerdict {
            throw ValidationError("--against requires at least \(Self.minRunsForVerdict) runs")
        }
    }

    private var fault: ErrorSite { BenchTexts.fault }

    /// The minimum number of runs for a verdict.
    private static let minRunsForVerdict = 3
    /// The minimum number of runs for a 95 % confidence interval.
    private static let minRunsForBaseline = 6
    private static let standardTolerance = 0.1

    func run() throws {
        guard !list else { return try Console.output(BenchTexts.list) }
        let chosen = try BenchSuite.chosen(suites)
        let options = try options(chosen)
        try checkDestinations()
        let baseline = try against.map { (path) throws in try Baseline(path) }
        try baseline?.check(for: .describe(), chosen)
        let runner = try BenchRunner(
            options, wayreel: FastProgram.path, version: WayreelVersion.text,
            libraries: LibraryVersions.all, cancellation: Interrupt.cancellation)
        var progress = BenchProgress(suites: chosen.map(\.name), isQuiet: quiet)
        let found = try runner.run(chosen) { progress.observe($0) }
        progress.end()
        let comparison = baseline.map {
            Regressions(found, against: $0.report, tolerance: tolerance ?? Self.standardTolerance)
        }
        if json != "-" { try Console.output(BenchTexts.tables(found, comparison)) }
        try deliver(found)
        if comparison?.isEmpty == true {
            Console.error("error: compare: \(against ?? ""): no figures in common")
            throw ExitReason.failed
        }
        let hasFailures = found.results.contains { $0.candidates.contains { $0.failure != nil } }
        if hasFailures || comparison?.hasWorse == true { throw ExitReason.failed }
    }

    private func options(_ suites: [BenchSuite]) throws -> BenchOptions {
        var options = BenchOptions()
        options.runs = runs
        options.hasPeers = peers || !chosenPeers.isEmpty
        options.peers = try chosenPeers.map { (name) throws in
            try BenchTexts.peer(named: name, of: suites)
        }
        if against != nil || save != nil { options.minRuns = Self.minRunsForBaseline }
        if let timeout { options.timeoutSeconds = timeout }
        if let media { options.media = media }
        options.keep = keep
        for path in input {
            let kind = try kind(of: path)
            guard options.inputs.updateValue(path, forKey: kind) == nil else {
                throw fault(of: path, "is a second input of kind \(kind.rawValue)", "give one of each kind")
            }
            guard suites.contains(where: { $0.preparation.isEmpty && $0.kinds.contains(kind) }) else {
                throw fault(of: path, "no suite takes an input of kind \(kind.rawValue)", "see wayreel bench --list")
            }
        }
        return options
    }

    private func kind(of path: String) throws -> BenchSuite.Kind {
        if let status = try? FileStatus(path), status.kind != .file {
            throw fault(of: path, "is not a regular file", "choose a regular file")
        }
        return switch try FileProbe.probe(path: path, cancellation: Interrupt.cancellation) {
        case .image: .image
        case .media(let probe): probe.media.video == nil ? .audio : .video
        }
    }

    /// Checks that all outputs can be written before measuring for minutes.
    private func checkDestinations() throws(MediaError) {
        let files = [("save", save), ("json", json), ("markdown", markdown)]
        var taken: [String: String] = [:]
        for case (let option, let path?) in files {
            guard path != "-" || option == "json" else {
                throw fault(of: "-", "--\(option) takes a file", "use --json - for standard output")
            }
            if let other = taken.updateValue(option, forKey: path) {
                throw fault(of: path, "is also written by --\(other)", "choose another file for --\(option)")
            }
            try OutputFile.check(path, isNoneOf: input)
            if path != "-" { try OutputFile.checkWritable(path) }
        }
        if let svg { try ChartFiles.checkWritable(svg) }
    }

    private func deliver(_ found: BenchReport) throws {
        let bytes = try JSON.encode(found)
        if let save { try OutputFile.write(bytes, to: save) }
        if let json { try Console.deliver(bytes, to: json) }
        if let markdown {
            try OutputFile.write(BenchTables(found).markdown(into: Self.text(of: markdown)), to: markdown)
        }
        if let svg { try ChartFiles.write(found.charts(), to: svg) }
    }

    /// Returns the content of a file, or an empty string if it does not exist.
    private static func text(of path: String) throws(MediaError) -> String {
        guard access(path, F_OK) == 0 else { return "" }
        let bytes = try MediaBytes.read(path: path, limit: 1 << 24)
        return withExtendedLifetime(bytes) { String(decoding: $0.buffer, as: UTF8.self) }
    }
}
