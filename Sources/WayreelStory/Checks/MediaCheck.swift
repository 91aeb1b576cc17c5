internal import WayreelCore
internal import WayreelImage
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
        checkRest()
    }

    /// Checks what stands where the schema allows no element, such as in one whose name is misspelt.
    private mutating func checkRest() {
        for part in locations.parts
        where !part.text.isEmpty && checked[part, default: 0] < locations.locations(part).count {
            switch part.kind {
            case .source: checkSource(part.text)
            case .recipe: checkRecipe(part.text)
            case .filter: checkFilter(part.text)
            case .overlay: checkOverlay(part.text)
            case .chapter, .event, .lockbox, .style, .meter: continue
            }
        }
    }

    /// How often something was checked already, so that the same words in another place have that place.
    private var checked: [StoryLocations.Part: Int] = [:]
    /// Why images of treatments cannot be opened, by their paths; nil for those that can.
    private var opened: [String: MediaError?] = [:]

    /// Where the next part of that kind with these words was written.
    private mutating func next(_ kind: StoryLocations.Kind, _ text: String) -> SourceLocation {
        let part = StoryLocations.Part(kind: kind, text: text)
        let all = locations.locations(part)
        let index = checked[part, default: 0]
        checked[part] = index + 1
        return index < all.count ? all[index] : all.last ?? .none
    }

    private mutating func check(_ asset: Asset?) {
        // The schema has told what has no source.
        guard let asset, !asset.source.isEmpty else { return }
        let location = checkSource(asset.source)
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
        if let recipe = treatment.recipe { checkRecipe(recipe) }
        for filter in treatment.filters { checkFilter(filter) }
        for overlay in treatment.overlays { checkOverlay(overlay) }
        for text in treatment.texts {
            attempt(at: next(.style, text.style ?? "")) { (_) throws(MediaError) in _ = try Treatment.overlay(text) }
        }
    }

    @discardableResult private mutating func checkSource(_ source: String) -> SourceLocation {
        let location = next(.source, source)
        attempt(at: location) { (check) throws(MediaError) in _ = try check.folder.file(source) }
        return location
    }

    private mutating func checkRecipe(_ recipe: String) {
        attempt(at: next(.recipe, recipe)) { (check) throws(MediaError) in
            for path in try Treatment.recipe(recipe, in: check.folder).overlays.imagePaths { try check.open(path) }
        }
    }

    private mutating func checkFilter(_ filter: String) {
        attempt(at: next(.filter, filter)) { (check) throws(MediaError) in
            _ = try Treatment.filter(filter, in: check.folder)
        }
    }

    private mutating func checkOverlay(_ overlay: String) {
        attempt(at: next(.overlay, overlay)) { (check) throws(MediaError) in
            try check.open(Treatment.overlay(overlay, in: check.folder).path)
        }
    }

    /// Opens an image of a treatment as preparing does, once. How large it may be is up to the options of preparing.
    private mutating func open(_ path: String) throws(MediaError) {
        if opened[path] == nil {
            do throws(MediaError) {
                _ = try ImageProbe.probe(path: path)
                opened[path] = .some(nil)
            } catch {
                var error = error
                error.subject = folder.source(of: path) ?? path
                opened[path] = .some(error.kind == .limit ? nil : error)
            }
        }
        if case .some(.some(let error)) = opened[path] { throw error }
    }

    private mutating func attempt(
        at location: SourceLocation, _ body: (inout MediaCheck) throws(MediaError) -> Void
    ) {
        do throws(MediaError) { try body(&self) } catch {
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
