internal import WayreelCore
internal import WayreelLevels

/// Checks what a story names: every path leads to a file of the story's folder, and treatments and meters exist.
struct MediaCheck {
    let folder: StoryFolder
    let locations: StoryLocations
    private(set) var issues: IssueLog

    init(_ folder: StoryFolder, _ locations: StoryLocations, _ issues: IssueLog) {
        self.folder = folder
        self.locations = locations
        self.issues = issues
    }

    mutating func check(_ story: Story) {
        check(story.cover)
        for chapter in story.chapters {
            check(chapter.image)
            for event in chapter.events {
                for content in event.contents {
                    for asset in content.assets { check(asset) }
                    check(content)
                }
            }
        }
    }

    /// How often something was checked already, so that the same words in another place have that place.
    private var checked: [String: Int] = [:]

    /// Where the next part of that kind with these words was written.
    private mutating func next(_ kind: StoryLocations.Kind, _ text: String) -> SourceLocation {
        let all = locations.locations(kind, text)
        let index = checked["\(kind.rawValue) \(text)", default: 0]
        checked["\(kind.rawValue) \(text)"] = index + 1
        return index < all.count ? all[index] : all.last ?? .none
    }

    private mutating func check(_ asset: Asset?) {
        guard let asset else { return }
        let location = next(.source, asset.source)
        attempt(at: location) { (folder) throws(MediaError) in _ = try folder.file(asset.source) }
        if asset.alt == nil { issues.warning(location, "'\(asset.source)' has no alt text") }
    }

    private mutating func check(_ content: EventContent) {
        switch content {
        case .camera(let camera): check(camera.treatment)
        case .radio(let radio):
            let names = MeterDefinition.all.map(\.ballistics.rawValue)
            guard let meter = radio.visualizer?.meter, !names.contains(meter) else { return }
            let near = nearestName(to: meter, in: names).map { "did you mean '\($0)'?" }
            issues.error(
                next(.meter, meter),
                "there is no meter '\(meter)'; \(near ?? "there are \(names.joined(separator: ", "))")")
        case .scrapbook, .goggles, .quiz: return
        }
    }

    private mutating func check(_ treatment: Treatment) {
        if let recipe = treatment.recipe {
            attempt(at: next(.recipe, recipe)) { (folder) throws(MediaError) in
                _ = try Treatment.recipe(recipe, in: folder)
            }
        }
        for filter in treatment.filters {
            attempt(at: next(.filter, filter)) { (folder) throws(MediaError) in
                _ = try Treatment.filter(filter, in: folder)
            }
        }
        for overlay in treatment.overlays {
            attempt(at: next(.overlay, overlay)) { (folder) throws(MediaError) in
                _ = try Treatment.overlay(overlay, in: folder)
            }
        }
        for text in treatment.texts {
            attempt(at: next(.style, text.style ?? "")) { (_) throws(MediaError) in _ = try Treatment.overlay(text) }
        }
    }

    private mutating func attempt(at location: SourceLocation, _ body: (StoryFolder) throws(MediaError) -> Void) {
        do throws(MediaError) { try body(folder) } catch {
            let subject = error.subject.map { "'\($0)': " } ?? ""
            // A document has no options.
            let advice = error.advice.flatMap { $0.options.isEmpty ? "; \($0)" : nil } ?? ""
            issues.error(location, subject + error.reason + advice)
        }
    }
}

extension Event {
    /// What it shows itself, and what its entry of the journal does.
    package var contents: [EventContent] { [content] + [journal?.content].compactMap(\.self) }
}

extension EventContent {
    /// All files that it shows or plays, in its order.
    package var assets: [Asset] {
        switch self {
        case .camera(let camera): [camera.sample].compactMap(\.self)
        case .radio(let radio): radio.tracks.map(\.audio)
        case .scrapbook(let scrapbook):
            scrapbook.items.compactMap { item in
                switch item {
                case .text: nil
                case .image(let asset), .video(let asset): asset
                }
            }
        case .goggles(let goggles): goggles.pins.map(\.image)
        case .quiz(let quiz): quiz.questions.compactMap(\.image)
        }
    }
}
