internal import ArgumentParser
internal import FoundationEssentials
internal import Wayreel
internal import WayreelBench
internal import WayreelCLI
internal import WayreelCore
internal import WayreelGauge
internal import WayreelStorageBench

/// `wayreel bench storage`: measures the cost of storing and reading a chapter's images.
struct BenchStorage {
    let story: String
    let chapter: String?
    let counts: [Int]?
    let runs: Int
    let json: String?
    let isQuiet: Bool

    func run() throws {
        let chosen = try chosenChapter()
        let images = try chosen.images.map { (source) throws(MediaError) in try Self.image(source, in: story.folder) }
        let counts = counts ?? Set([1, 2, 3, 4].filter { $0 < images.count } + [images.count]).sorted()
        let report = try StorageBench(counts: counts, rounds: runs).run(
            images, cancellation: Interrupt.cancellation
        ) { round in
            if !isQuiet { Console.error(round == 0 ? "storage  warming up" : "storage  round \(round)") }
        }
        if json != "-" {
            try Console.output(
                "\(report.machine)\n\nThe images of the chapter '\(chosen.name)' of \(story):\n\n"
                    + StorageTexts.page(report))
        }
        if let json { try Console.deliver(JSON.encode(report), to: json) }
    }

    private func chosenChapter() throws -> (name: String, images: [String]) {
        let document = try StoryDocument.read(path: story).checked(in: story.folder)
        guard let read = document.story else {
            for issue in document.issues { Console.error(issue.description) }
            throw ExitReason.failed
        }
        let chapters = read.chapters.filter { chapter == nil || $0.id == chapter }
        guard let most = chapters.map({ ($0.name, $0.images) }).max(by: { $0.1.count < $1.1.count }) else {
            throw fault(chapter ?? "", "there is no such chapter", read.chapters.map(\.id).joined(separator: ", "))
        }
        guard !most.1.isEmpty else { throw fault(most.0, "has no images", nil) }
        return most
    }

    private func fault(_ subject: String, _ reason: String, _ names: String?) -> MediaError {
        MediaError(
            .parameter, step: "storage", subject: subject, reason: reason, advice: names.map { "there are \($0)" })
    }

    private static func image(_ source: String, in folder: String) throws(MediaError) -> StoredImage {
        let file = try MediaBytes.read(path: "\(folder)/\(source)", limit: Limits.standard.inputBytes)
        return withExtendedLifetime(file) { StoredImage(name: source, bytes: Data($0.buffer)) }
    }
}

extension Chapter {
    /// The paths of the chapter's images without duplicates, in the order in which they are shown.
    fileprivate var images: [String] {
        let contents = events.flatMap { [$0.content] + [$0.journal?.content].compactMap(\.self) }
        var seen: Set<String> = []
        return ([image] + contents.flatMap(\.images)).compactMap { $0?.source }.filter { seen.insert($0).inserted }
    }
}

extension EventContent {
    fileprivate var images: [Asset?] {
        switch self {
        case .camera(let camera): [camera.sample]
        case .radio: []
        case .scrapbook(let scrapbook):
            scrapbook.items.map { if case .image(let asset) = $0 { asset } else { nil } }
        case .goggles(let goggles): goggles.pins.map(\.image)
        case .quiz(let quiz): quiz.questions.map(\.image)
        }
    }
}

/// The options of the suite `storage` of `wayreel bench`.
struct StorageOptions: ParsableArguments {
    @Option(
        help: "Take the images of this story, .xml, .yml or .yaml. (default: the sample story)",
        completion: .file(extensions: ["xml", "yml", "yaml"]))
    var story: String?

    @Option(help: "The id of a chapter. (default: the one with the most images)")
    var chapter: String?

    @Option(
        help: """
            Numbers of images to store together, as in 5,10,15,20; what is more than the chapter has repeats them. (default: 1,2,3,4 and \
            all)
            """)
    var images: ImageCounts?

    var isEmpty: Bool { story == nil && chapter == nil && images == nil }
}

/// Numbers of images: `5,10,15,20`.
struct ImageCounts: ExpressibleByArgument {
    let values: [Int]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        values = parts.compactMap { Int($0) }
        guard values.count == parts.count, values.allSatisfy((1...1000).contains) else { return nil }
    }
}

/// Formats the cost of storing images as text.
enum StorageTexts {
    static func page(_ report: StorageReport) -> String {
        let rounds = report.rows.first?.runs.count ?? 0
        return """
            \(TextColumns.aligned([header] + report.rows.map(row)))

            Medians of \(rounds) rounds; times with their \(confidence(report)) intervals.

            Seconds to load images over 3G, as a thesis measured them (C.-H. Shih, Augmented-Life Phone Organizer, table 1):

            \(TextColumns.aligned(thesis))

            \(conclusion)
            """
    }

    private static let header = [
        "images", "", "kept as", "store", "", "cold read", "", "warm read", "", "on disk", "memory to store", "to read",
    ]

    private static func row(_ row: StorageRow) -> [String] {
        ["\(row.images)", bytes(Double(row.bytes)), row.kind.name]
            + time(row, \.storeMilliseconds) + time(row, \.coldReadMilliseconds) + time(row, \.warmReadMilliseconds)
            + [
                memory(row) { Double($0.diskBytes) }, memory(row) { $0.storeMemoryBytes.map(Double.init) },
                memory(row) { $0.readMemoryBytes.map(Double.init) },
            ]
    }

    private static func time(_ row: StorageRow, _ figure: (StorageRow.Run) -> Double) -> [String] {
        guard let summary = row.summary({ figure($0) / 1000 }) else { return ["–", ""] }
        let text = BenchFigure.wall.text
        return [text(summary.median), summary.interval.map { "(\(text($0.lower)) to \(text($0.upper)))" } ?? ""]
    }

    private static func memory(_ row: StorageRow, _ figure: (StorageRow.Run) -> Double?) -> String {
        row.summary(figure).map { bytes($0.median) } ?? "–"
    }

    private static func bytes(_ value: Double) -> String { BenchFigure.memory.text(value) }

    private static func confidence(_ report: StorageReport) -> String {
        let interval = report.rows.first?.summary(\.storeMilliseconds)?.interval
        return interval.map { "\(($0.confidence * 100).formatted(0)) %" } ?? "missing"
    }

    private static var thesis: [[String]] {
        [["images"] + ThesisStorage.images.map(String.init)]
            + ThesisStorage.seconds.map { [$0.name] + $0.values.map { $0.formatted(2) } }
    }

    private static let conclusion = """
        A bundle keeps images as files, named by their content, and story.sqlite says where they are: a file is read without a second
        copy in memory, can be sent whole or in parts, is kept once however often it is used, and leaves the database small.
        """
}
