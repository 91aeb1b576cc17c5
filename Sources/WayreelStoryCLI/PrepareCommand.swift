internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
package import WayreelCore

struct PrepareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare",
        abstract: "Prepares a story with all of its media for the players' devices, once, and again only what changed.",
        discussion: """
            For two devices:
              wayreel prepare Media/story/story.xml -o bundle/ --screen iphone-4s --screen iphone-15
            See first what would be done, with sizes and times predicted:
              wayreel prepare story.xml -o bundle/ --screen iphone-15 --plan
            Within 100 MB, losing as little as possible:
              wayreel prepare story.xml -o bundle/ --screen iphone-15 --max-bundle-bytes 100MB
            In German and French beside the story's own language:
              wayreel prepare story.xml -o bundle/ --screen iphone-15 --language de --language fr
            Two tasks at once, within 2 GB of memory, with a report:
              wayreel prepare story.xml -o bundle/ --screen iphone-15 --jobs 2 --memory 2GB --report report.json

            Images are made at the width of each screen, videos become MP4, or HLS where they are long, with posters, audio AAC, with \
            levels and a plot for a visualizer. A run that was interrupted goes on where it was. The bundle changes when everything is \
            done, by one rename; readers of the old one are not disturbed.

            A story's base map becomes tiles of the surroundings of its events, which players see without a network.

            Languages share all media that a translation does not replace. Credits are made of what the story says of its \
            media, and of their own metadata.

            Exit status: 0 the bundle is complete, 1 something failed and it was not changed, 2 wrong usage.
            """)

    @Argument(help: "The story: .xml, .yml or .yaml. Its media are in the same folder.", completion: .file())
    var document: String

    @Option(
        name: [.short, .long], help: "The bundle's folder; it is made where there is none, as are those that it is in.")
    var output: String

    @Option(
        help: "A device's screen: a name (wayreel screens) or WIDTHxHEIGHT. Repeatable.",
        completion: .custom { _, _, _ in Screen.all.map(\.name) })
    var screen: [String] = []

    @Option(
        help: """
            A language of the story that the bundle should have, beside the story's own; qps is a pseudo-language that \
            shows what translations do to a page. Repeatable. (default: all of the story's)
            """)
    var language: [String] = []

    @Flag(help: "Print what would be done, with sizes and times predicted, and do nothing.")
    var plan = false

    @Flag(help: "With --plan: print JSON.")
    var json = false

    @OptionGroup(title: "Media") var media: PreparedMediaOptions

    @Option(name: [.short, .long], help: "Tasks at once. (default: the number of cores)")
    var jobs: Int?

    @Option(help: "Limit the predicted memory of concurrent tasks: 2GB. (default: unlimited)")
    var memory: ByteCount?

    @Flag(help: "Complete the bundle although media failed; its manifest lists them as missing.")
    var allowMissing = false

    @Option(
        help: "Write what was done and what it cost to this file: a page where it ends in .html, else JSON.",
        completion: .file())
    var report: String?

    @Flag(name: [.short, .long], help: "Print failures only.")
    var quiet = false

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
        if screen.isEmpty { throw ValidationError("--screen is missing; give it once for each device") }
        if json, !plan { throw ValidationError("--json goes with --plan") }
        if let memory, memory.value < 100_000_000 { throw ValidationError("--memory takes at least 100MB") }
    }

    func run() async throws {
        let screens = try screen.map { (name) throws(MediaError) in try Screen(parsing: name) }
        var options = try media.options(for: screens)
        if !language.isEmpty { options.languages = language }
        let preparation = Preparation(
            document: document, bundle: output, options: options, jobs: jobs ?? WorkPool.availableCores,
            memoryBytes: memory?.value, allowsMissing: allowMissing,
            isolation: Isolation(executable: FastProgram.worker, scope: .whereNeeded))
        do { try await run(preparation) } catch let error as MediaError {
            // For a document with errors, report all of them.
            if error.step == .story, error.subject == document { try StoryDocument.reportErrors(in: document) }
            throw error
        }
    }

    private func run(_ preparation: Preparation) async throws {
        if plan { return try await printPlan(preparation) }
        if let report, report != "-" {
            try OutputFile.checkWritable(report)
            try checkReport(report)
        }
        let progress = PrepareProgress(isQuiet: quiet)
        let done = try await preparation.run(cancellation: Interrupt.cancellation) { progress.observe($0) }
        progress.end(done)
        if let report { try PrepareReportFile.write(done, to: report) }
        guard done.isComplete else { throw ExitReason.failed }
    }

    /// Throws if the report would replace the story, a file that it names, or the bundle's own.
    private func checkReport(_ report: String) throws {
        let bundle = StoryBundle.fileNames.map { "\(output)/\($0)" }
        guard FileIdentity(of: report) != nil else { return }
        let isOfBundle = bundle.contains { OutputFile.isSame($0, report) }
        guard try isOfBundle || StoryDocument.read(path: document).uses(report, in: document.folder) else { return }
        throw ErrorSite(.parameter, step: .report)(
            of: report, "is a file of the story or of the bundle", "choose another file with --report")
    }

    private func printPlan(_ preparation: Preparation) async throws {
        let progress = PrepareProgress(isQuiet: quiet)
        let plan = try await preparation.plan(cancellation: Interrupt.cancellation) { progress.observe($0) }
        try Console.output(json ? JSON.text(plan) : PlanTable.text(plan, jobs: preparation.jobs))
        if !plan.failures.isEmpty { throw ExitReason.failed }
    }
}

/// Options for preparing the media of a story.
struct PreparedMediaOptions: ParsableArguments {
    @Option(help: "Format of images: jpeg, png, webp or avif. (default: jpeg, and png for those with transparency)")
    var format: String?

    @Option(help: "Quality of images, 1 to 100. (default: 82)")
    var quality: Int?

    @Option(help: "Video codec: h264, hevc or av1. (default: h264)")
    var codec: VideoCodec?

    @Option(help: "Preset of the video encoder: veryfast, medium, slow, … (default: medium)")
    var preset: String?

    @Option(help: "Videos from this length on become HLS, shorter ones MP4: seconds or M:SS. (default: 1:00)")
    var hlsFrom: Moment?

    @Option(help: "Bit rate of stereo audio: 128k. (default: 128k)")
    var audioBitrate: BitRate?

    @Option(help: "How far base maps reach beyond events and starts of chapters, at most 20km. (default: 500m)")
    var mapMargin: Metres?

    @Option(help: "Max size of all media together: 100MB. What is lost is spread by measured quality per byte.")
    var maxBundleBytes: ByteCount?

    @Option(help: "Max size of each file: 5MB.")
    var maxFileBytes: ByteCount?

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func options(for screens: [Screen]) throws(MediaError) -> PrepareOptions {
        var options = PrepareOptions(screens: screens)
        if let format { options.imageFormat = try Encoding.Format(named: format) }
        options.imageQuality = quality ?? options.imageQuality
        options.videoCodec = codec ?? options.videoCodec
        options.videoPreset = preset
        options.streamingSeconds = hlsFrom?.seconds ?? options.streamingSeconds
        options.audioBitRate = audioBitrate?.value ?? options.audioBitRate
        options.mapMargin = mapMargin?.value ?? options.mapMargin
        options.maxBundleBytes = maxBundleBytes?.value
        options.maxFileBytes = maxFileBytes?.value
        options.limits = limits.limits()
        if let seconds = limits.maxSeconds {
            options.videoLimits.seconds = seconds
            options.audioLimits.seconds = seconds
        }
        if let pixels = limits.maxPixels { options.videoLimits.pixels = pixels.value }
        return options
    }
}

/// Formats the plan of a preparation as a table.
enum PlanTable {
    static func text(_ plan: PreparePlan, jobs: Int) -> String {
        var rows = [["what", "from", "for", "predicted size", "time"]]
        for task in plan.tasks {
            let screens = task.uses.compactMap(\.screen)
            var names: [String] = []
            for screen in screens where !names.contains(screen) { names.append(screen) }
            rows.append([
                task.kind.rawValue, task.uses.first?.source ?? "",
                names.isEmpty ? "all" : names.joined(separator: ", "),
                task.predicted.bytes.asSize,
                task.isReused ? "there already" : "\(task.predicted.seconds.formatted(2)) s",
            ])
        }
        let pending = plan.pending
        let seconds = plan.predictedSeconds / Double(jobs)
        return TextColumns.aligned(rows) + "\n"
            + plan.failures.map { "cannot be prepared: \($0.error.withPrepareFlags)\n" }.joined()
            + (plan.budget.map { BudgetTable.text($0, isPredicted: true) + "\n" } ?? "")
            + plan.warnings.map { "warning: \($0)\n" }.joined()
            + "\(plan.tasks.count) tasks, \(pending.count) to do in about \(seconds.formatted(1)) s by \(jobs) at once; "
            + "\(plan.predictedBytes.asSize) of media from \(plan.inputs.reduce(0) { $0 + $1.bytes }.asSize)"
    }
}

/// Formats the quality reductions for a maximum size as a table.
enum BudgetTable {
    /// The number of rows with the largest savings that are shown; the report has all.
    private static let maxRows = 20

    static func text(_ budget: BudgetReport, isPredicted: Bool = false) -> String {
        var rows = [["given up", "from", "for", "setting", "size", "similarity"]]
        let saved = budget.items.enumerated().sorted { one, other in
            let savings = (one.element.bytesSaved, other.element.bytesSaved)
            return (savings.0, other.offset) > (savings.1, one.offset)
        }.map(\.element)
        for item in saved.prefix(maxRows) {
            rows.append([
                item.kind.rawValue, item.source, item.screen ?? "all", "\(item.from) → \(item.to)",
                "\(item.bytesBefore.asSize) → \(item.bytesAfter.asSize)",
                similarity(item.similarityBefore, item.similarityAfter) ?? "not measured",
            ])
        }
        let further = saved.count > maxRows ? "and \(saved.count - maxRows) more\n" : ""
        let mean = similarity(budget.similarityBefore, budget.similarityAfter).map { ", mean similarity \($0)" } ?? ""
        return (saved.isEmpty ? "" : TextColumns.aligned(rows) + "\n") + further
            + "\(budget.bytesBefore.asSize) → \(budget.bytesAfter.asSize) of media\(isPredicted ? " expected" : ""), "
            + "at most \(budget.limitBytes.asSize); \(saved.count) reduced\(mean)"
    }

    private static func similarity(_ before: Double?, _ after: Double?) -> String? {
        guard let before, let after else { return nil }
        return "\(before.formatted(4)) → \(after.formatted(4))"
    }
}

extension BudgetReport.Item {
    fileprivate var bytesSaved: Int { bytesBefore - bytesAfter }
}

extension OptionName {
    /// The flag of `wayreel prepare`; nil for what only other commands have.
    fileprivate var prepareFlag: String? {
        guard Self.ofPrepare.contains(self) else { return nil }
        return self == .maxMemory ? "--memory" : flag
    }

    /// The options that `wayreel prepare` has.
    package static let ofPrepare: Set<OptionName> = [
        .maxMemory, .maxPixels, .maxInputBytes, .maxSeconds, .maxFrames, .workers, .maxBundleBytes, .maxFileBytes,
        .screens, .prepare, .storyIssues, .filterCatalog, .screenNames,
    ]
}

extension MediaError.Advice {
    fileprivate var withPrepareFlags: MediaError.Advice? {
        guard options.allSatisfy({ $0.prepareFlag != nil }) else { return nil }
        return MediaError.Advice(text { $0.prepareFlag ?? $0.rawValue })
    }
}

extension MediaError {
    /// The same error with the flags of `wayreel prepare` in its advice. Advice that names other options is replaced.
    var withPrepareFlags: MediaError {
        guard let advice else { return self }
        var named = self
        named.advice = advice.withPrepareFlags ?? "replace the file, or go on without it by --allow-missing"
        return named
    }
}

extension MediaWarning {
    /// The same warning with the flags of `wayreel prepare` in its advice, or without advice that names other options.
    var withPrepareFlags: MediaWarning { MediaWarning(step: step, message, advice: advice?.withPrepareFlags) }
}
