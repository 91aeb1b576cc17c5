internal import ArgumentParser
internal import Glibc
internal import Wayreel
internal import WayreelBench
internal import WayreelCLI
internal import WayreelCore
internal import WayreelGauge

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Wayreel's tasks on this machine, against other programs and earlier versions.",
        discussion: """
            Run the standard suites on the project's samples (under three minutes):
              wayreel bench
            Run some suites on your own file:
              wayreel bench capture levels --runs 15 --input my.jpg --json bench.json
            Write an HTML report with tables and charts, or the charts alone:
              wayreel bench --report bench.html
              wayreel bench --svg charts/ --png charts/
            Check for regressions:
              wayreel bench --save baseline.json
              wayreel bench --against baseline.json --tolerance 0.05
            Compare with other programs, in alternating runs:
              wayreel bench --peers
              wayreel bench capture --peer vipsthumbnail --peer ImageMagick
              wayreel bench story --peers ffmpeg
            Measure scaling with megapixels, minutes of audio or seconds of video:
              wayreel bench --scale capture
            Compare ways to keep a chapter's images: BLOBs in SQLite, base64 in JSON, files:
              wayreel bench storage
              wayreel bench storage --images 5,10,15,20 --json storage.json
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

    @Flag(
        help: """
            Also run the installed peers, in alternating runs. Of peers that are named beside the suites, it runs only \
            these.
            """)
    var peers = false

    @Option(name: .customLong("peer"), help: "Run only this peer. Repeatable.")
    var chosenPeers: [String] = []

    @Option(help: "Measure inputs of growing size: capture, levels or transcode.")
    var scale: String?

    @Option(help: "Compare with a report of --save or --json; a regression exits with status 1.")
    var against: String?

    @Option(help: "Relative change below which a figure counts as unchanged. (default: 0.1)")
    var tolerance: Double?

    @Option(help: "Write a JSON report for --against.")
    var save: String?

    @Option(help: "Write a JSON report; - for standard output.")
    var json: String?

    @Option(help: "Write the figures of each run alone, without samples over time, to this JSON file.")
    var summary: String?

    @Option(help: "Write a page with tables and charts to this HTML file.")
    var report: String?

    @Option(
        help: """
            Write the tables to this Markdown file, between the lines <!-- wayreel bench begin --> and \
            <!-- wayreel bench end --> where it has them.
            """)
    var markdown: String?

    @Option(help: "Write the charts to this folder as SVG.")
    var svg: String?

    @Option(help: "Write the charts to this folder as PNG.")
    var png: String?

    @Flag(name: [.short, .long], help: "Print no progress.")
    var quiet = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func validate() throws {
        if scale != nil,
            markdown != nil || summary != nil || !suites.isEmpty || against != nil || peers || !chosenPeers.isEmpty
                || !input.isEmpty
        {
            throw ValidationError(
                "--scale generates its inputs and runs only Wayreel; remove the suites and their options")
        }
        try validateStorage()
        if let runs, !(1...1000).contains(runs) { throw ValidationError("--runs takes a number from 1 to 1000") }
        if let timeout, !(timeout > 0 && timeout.isFinite) {
            throw ValidationError("--timeout takes a positive number")
        }
        if let tolerance, !(0...100).contains(tolerance) {
            throw ValidationError("--tolerance takes a fraction: 0.05 for 5 %")
        }
        if tolerance != nil, against == nil { throw ValidationError("--tolerance requires --against") }
        if against != nil, let runs, runs < Self.minRunsForVerdict {
            throw ValidationError("--against requires at least \(Self.minRunsForVerdict) runs")
        }
    }

    /// With --peers, the arguments may name peers too; no suite has the name of a program.
    private var namedPeers: [String] { peers ? suites.filter(BenchTexts.families.contains) : [] }

    private var measuresStorage: Bool { suites.contains(BenchSuite.storage) }

    private func validateStorage() throws {
        guard measuresStorage else {
            if !storage.isEmpty { throw ValidationError("--story, --chapter and --images need the suite storage") }
            return
        }
        let isAlone = suites == [BenchSuite.storage] && !list && scale == nil
        let others = [media, keep, against, save, summary, report, markdown, svg, png]
        guard isAlone, others.allSatisfy({ $0 == nil }), timeout == nil, input.isEmpty, !peers, chosenPeers.isEmpty
        else {
            throw ValidationError(
                "storage runs alone and takes --runs, --story, --chapter, --images, --json and --quiet; remove the others"
            )
        }
    }

    /// The minimum number of runs for a verdict.
    private static let minRunsForVerdict = 3
    /// The minimum number of runs for a 95 % confidence interval.
    private static let minRunsForBaseline = 6
    private static let standardTolerance = 0.1

    func run() throws {
        guard !list else { return try Console.output(BenchTexts.list) }
        if measuresStorage {
            try checkDestinations()
            return try BenchStorage(
                story: storage.story ?? "Media/story/story.xml", chapter: storage.chapter,
                counts: storage.images?.values, runs: runs ?? 15, json: json, isQuiet: quiet
            ).run()
        }
        let series = try scale.map { (name) throws in try ScaleSeries.named(name) }
        let chosen = try series?.suites ?? BenchSuite.chosen(suites.filter { !namedPeers.contains($0) })
        let options = try options(chosen)
        try checkDestinations()
        let baseline = try against.map { (path) throws in try Baseline(path) }
        try baseline?.check(for: .describe(), chosen)
        let runner = try BenchRunner(
            options, wayreel: LightProgram.path, version: WayreelVersion.text,
            libraries: LibraryVersions.all, cancellation: Interrupt.cancellation)
        var progress = BenchProgress(suites: chosen.map(\.name), isQuiet: quiet)
        let found = try runner.run(chosen) { progress.observe($0) }
        progress.end()
        let comparison = baseline.map {
            Regressions(found, against: $0.report, tolerance: tolerance ?? Self.standardTolerance)
        }
        if let series { return try finish(ScaleResult(series, found), found) }
        if json != "-" { try Console.output(BenchTexts.tables(found, comparison)) }
        try deliver(found, comparison)
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
        options.peers = try (chosenPeers + namedPeers).map { (name) throws in
            try BenchTexts.peer(named: name, of: suites)
        }
        if against != nil || save != nil { options.minRuns = Self.minRunsForBaseline }
        if let timeout { options.timeoutSeconds = timeout }
        if let media { options.media = media }
        options.keep = keep
        for path in input {
            let kind = try Self.kind(of: path)
            guard options.inputs.updateValue(path, forKey: kind) == nil else {
                throw fault(path, "is a second input of kind \(kind.rawValue)", "give one of each kind")
            }
            guard suites.contains(where: { $0.preparation.isEmpty && $0.kinds.contains(kind) }) else {
                throw fault(path, "no suite takes an input of kind \(kind.rawValue)", "see wayreel bench --list")
            }
        }
        return options
    }

    private func fault(_ subject: String, _ reason: String, _ advice: MediaError.Advice) -> MediaError {
        MediaError(.parameter, step: "bench", subject: subject, reason: reason, advice: advice)
    }

    private static func kind(of path: String) throws -> BenchSuite.Kind {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw MediaError(
                .parameter, step: "bench", subject: path, reason: "is not a regular file",
                advice: "choose a regular file")
        }
        return switch try FileProbe.probe(path: path, cancellation: Interrupt.cancellation) {
        case .image: .image
        case .media(let probe): probe.media.video == nil ? .audio : .video
        }
    }

    /// Checks that all outputs can be written before measuring for minutes.
    private func checkDestinations() throws(MediaError) {
        let files = [("save", save), ("json", json), ("summary", summary), ("report", report), ("markdown", markdown)]
        var taken: [String: String] = [:]
        for case (let option, let path?) in files {
            guard path != "-" || option == "json" else {
                throw fault("-", "--\(option) takes a file", "use --json - for standard output")
            }
            if let other = taken.updateValue(option, forKey: path) {
                throw fault(path, "is also written by --\(other)", "choose another file for --\(option)")
            }
            try OutputFile.check(path, isNoneOf: input)
            if path != "-" { try OutputFile.checkWritable(path) }
        }
        for folder in [svg, png] {
            if let folder { try ChartFiles.checkWritable(folder) }
        }
    }

    private func deliver(_ found: BenchReport, _ comparison: Regressions?) throws {
        let bytes = try JSON.encode(found)
        if let save { try OutputFile.write(bytes, to: save) }
        if let json { try Console.deliver(bytes, to: json) }
        if let summary { try OutputFile.write(JSON.encode(BenchSummary(found)), to: summary) }
        if let report { try OutputFile.write(HTMLReport.page(found, comparison: comparison?.rows ?? []), to: report) }
        if let markdown {
            try OutputFile.write(MarkdownTables.write(found, into: Self.text(of: markdown)), to: markdown)
        }
        try draw(found.charts())
    }

    /// Returns the content of a file, or an empty string if it does not exist.
    private static func text(of path: String) throws(MediaError) -> String {
        guard access(path, F_OK) == 0 else { return "" }
        let bytes = try MediaBytes.read(path: path, limit: 1 << 24)
        return withExtendedLifetime(bytes) { String(decoding: $0.buffer, as: UTF8.self) }
    }

    private func finish(_ result: ScaleResult, _ found: BenchReport) throws {
        let bytes = try JSON.encode(result)
        if let save { try OutputFile.write(bytes, to: save) }
        if json != "-" { try Console.output(BenchTexts.table(result)) }
        if let json { try Console.deliver(bytes, to: json) }
        let charts = try result.charts()
        if let report { try OutputFile.write(HTMLReport.page(result, of: found), to: report) }
        try draw(charts)
        if !result.failures.isEmpty { throw ExitReason.failed }
    }

    private func draw(_ charts: [ReportChart]) throws(MediaError) {
        if let svg { try ChartFiles.write(charts, to: svg, as: .svg) }
        if let png { try ChartFiles.write(charts, to: png, as: .png) }
    }
}
