internal import ArgumentParser
internal import Glibc
internal import Wayreel
internal import WayreelBench
internal import WayreelCore
internal import WayreelGauge

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Wayreel's tasks on this machine, beside other programs, and against earlier versions.",
        discussion: """
            The standard suites on the samples of the project, in under three minutes:
              wayreel bench
            Some of them, on a file of one's own:
              wayreel bench capture levels --runs 15 --input my.jpg --json bench.json
            As a page with tables and charts; charts alone:
              wayreel bench --report bench.html
              wayreel bench --svg charts/ --png charts/
            Whether a change made it worse:
              wayreel bench --save baseline.json
              wayreel bench --against baseline.json --tolerance 0.05
            The same work by other programs, in turns:
              wayreel bench --peers
              wayreel bench capture --peer vipsthumbnail --peer ImageMagick
            How cost grows with megapixels, minutes, seconds of video:
              wayreel bench --scale capture
            What there is:
              wayreel bench --list

            Exit status: 0 done, 1 some failed or became worse, 2 wrong usage.
            """)

    @Argument(help: "Suites, or all. (default: the standard ones, see --list)")
    var suites: [String] = []

    @Flag(help: "Tell what suites and peers there are.")
    var list = false

    @Option(help: "Counted runs of each. (default: 15, or fewer of what takes long)")
    var runs: Int?

    @Option(help: "A file to measure on instead of a sample; once for each kind: a picture, a sound, a video.")
    var input: [String] = []

    @Option(help: "The folder of the samples. (default: Media)")
    var media: String?

    @Option(help: "Keep inputs that have to be made in this folder for the next time.")
    var keep: String?

    @Option(help: "Seconds after which a run is ended, and has failed. (default: 600)")
    var timeout: Double?

    @Flag(help: "Have other programs do the same, in turns: those that are installed.")
    var peers = false

    @Option(name: .customLong("peer"), help: "Only this one of the peers; as often as wanted.")
    var chosenPeers: [String] = []

    @Option(help: "Inputs of growing size: capture, levels or transcode.")
    var scale: String?

    @Option(help: "Compare with this report of --save or --json; worse ends with status 1.")
    var against: String?

    @Option(help: "The share by which a figure may grow and still count as no difference. (default: 0.1)")
    var tolerance: Double?

    @Option(help: "Write all figures to this JSON file, for --against.")
    var save: String?

    @Option(help: "Write all figures to this JSON file; - for standard output.")
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

    @Option(help: "Draw the charts into this folder, as SVG.")
    var svg: String?

    @Option(help: "Draw the charts into this folder, as PNG.")
    var png: String?

    @Flag(name: [.short, .long], help: "Print no progress.")
    var quiet = false

    func validate() throws {
        if scale != nil,
            markdown != nil || summary != nil || !suites.isEmpty || against != nil || peers || !chosenPeers.isEmpty
                || !input.isEmpty
        {
            throw ValidationError(
                "--scale makes inputs of its own, for Wayreel alone; leave suites and what is for them out")
        }
        if let runs, !(1...1000).contains(runs) { throw ValidationError("--runs takes a number from 1 to 1000") }
        if let timeout, !(timeout > 0 && timeout.isFinite) { throw ValidationError("--timeout takes a number above 0") }
        if let tolerance, !(0...100).contains(tolerance) {
            throw ValidationError("--tolerance takes a share: 0.05 for 5 %")
        }
        if tolerance != nil, against == nil { throw ValidationError("--tolerance is for --against") }
        if against != nil, let runs, runs < Self.fewestForVerdict {
            throw ValidationError("--against takes at least \(Self.fewestForVerdict) runs to tell anything")
        }
    }

    /// Fewer runs allow no verdict.
    private static let fewestForVerdict = 3
    /// As many allow an interval of 95 %.
    private static let fewestForBaseline = 6
    private static let standardTolerance = 0.1

    func run() throws {
        guard !list else { return try Console.output(BenchTexts.list) }
        let series = try scale.map { (name) throws in try ScaleSeries.named(name) }
        let chosen = try series?.suites ?? BenchSuite.chosen(suites)
        let options = try options(chosen)
        try checkPlaces()
        let baseline = try against.map { (path) throws in try Baseline(path) }
        try baseline?.check(for: .describe(), chosen)
        let runner = try BenchRunner(
            options, wayreel: Self.ownPath, version: WayreelCommand.configuration.version,
            libraries: LibraryVersions.all, cancellation: Interrupt.cancellation)
        var progress = BenchProgress(suites: chosen.map(\.name), isQuiet: quiet)
        let found = try runner.run(chosen) { progress.hear($0) }
        progress.end()
        let comparison = baseline.map {
            Regressions(found, against: $0.report, tolerance: tolerance ?? Self.standardTolerance)
        }
        if let series { return try finish(ScaleResult(series, found), found) }
        if json != "-" { try Console.output(BenchTexts.tables(found, comparison)) }
        try deliver(found, comparison)
        if comparison?.isEmpty == true {
            Console.error("error: compare: \(against ?? ""): nothing could be compared")
            throw Outcome.failed
        }
        let hasFailures = found.results.contains { $0.contenders.contains { $0.failure != nil } }
        if hasFailures || comparison?.hasWorse == true { throw Outcome.failed }
    }

    /// The command itself, which the runs are of.
    private static var ownPath: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return CommandLine.arguments[0] }
        return String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func options(_ suites: [BenchSuite]) throws -> BenchOptions {
        var options = BenchOptions()
        options.runs = runs
        options.hasPeers = peers || !chosenPeers.isEmpty
        options.peers = try chosenPeers.map { (name) throws in try BenchTexts.peer(named: name, of: suites) }
        if against != nil || save != nil { options.fewestRuns = Self.fewestForBaseline }
        if let timeout { options.timeoutSeconds = timeout }
        if let media { options.media = media }
        options.keep = keep
        for path in input {
            let kind = try Self.kind(of: path)
            guard options.inputs.updateValue(path, forKey: kind) == nil else {
                throw fault(path, "is a second \(kind.rawValue)", "give one of each kind")
            }
            guard suites.contains(where: { $0.preparation.isEmpty && $0.kinds.contains(kind) }) else {
                throw fault(path, "is a \(kind.rawValue), which none of the suites takes", "see wayreel bench --list")
            }
        }
        return options
    }

    private func fault(_ subject: String, _ reason: String, _ advice: String) -> MediaError {
        MediaError(.parameter, step: "bench", subject: subject, reason: reason, advice: advice)
    }

    private static func kind(of path: String) throws -> BenchSuite.Kind {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw MediaError(
                .parameter, step: "bench", subject: path, reason: "is no file that can be read again and again",
                advice: "name a file")
        }
        return switch try FileProbe.probe(path: path, cancellation: Interrupt.cancellation) {
        case .picture: .picture
        case .media(let probe): probe.media.video == nil ? .sound : .video
        }
    }

    /// Sees to it that there will be a place for everything before minutes are spent.
    private func checkPlaces() throws(MediaError) {
        let files = [("save", save), ("json", json), ("summary", summary), ("report", report), ("markdown", markdown)]
        var taken: [String: String] = [:]
        for case (let option, let path?) in files {
            guard path != "-" || option == "json" else {
                throw fault("-", "--\(option) takes a file", "use --json - for standard output")
            }
            if let other = taken.updateValue(option, forKey: path) {
                throw fault(path, "is where --\(other) writes already", "name another file with --\(option)")
            }
            if path != "-" { try OutputFile.checkPlace(path) }
        }
        for folder in [svg, png] {
            if let folder { try BenchPictures.checkPlace(folder) }
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
        try draw(BenchCharts.charts(of: found))
    }

    /// Of a file that may not be there yet.
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
        let charts = try BenchCharts.charts(of: result)
        if let report { try OutputFile.write(HTMLReport.page(result, of: found), to: report) }
        try draw(charts)
        if !result.failures.isEmpty { throw Outcome.failed }
    }

    private func draw(_ charts: [BenchCharts.Named]) throws(MediaError) {
        if let svg { try BenchPictures.write(charts, to: svg, as: .svg) }
        if let png { try BenchPictures.write(charts, to: png, as: .png) }
    }
}
