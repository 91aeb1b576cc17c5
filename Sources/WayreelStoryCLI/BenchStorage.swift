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
