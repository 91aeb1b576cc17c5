public import WayreelCore
internal import WayreelFace
internal import WayreelImage
internal import WayreelLevels
internal import WayreelMapFiles
public import WayreelStory

extension StoryDocument {
    /// Returns the same document with additional issues: its references to files in `folder`, treatments and meters,
    /// and warnings for its author before walking. If the document has errors, only the references are checked.
    ///
    /// Files are opened: the first bytes of each have to be those of an image, audio or video as the story names it.
    ///
    /// Throws an `io` error if there is no such folder.
    public func checked(in folder: String) throws(MediaError) -> StoryDocument {
        try checked(in: folder, on: .today)
    }

    /// Checks the document as on a date. `opensMedia`: whether the kinds of files are checked, which a preparation finds
    /// by itself.
    package func checked(
        in folder: String, on date: CalendarDate, opensMedia: Bool = true
    ) throws(MediaError) -> StoryDocument {
        try checked(on: date) { (draft, issues) throws(MediaError) in
            var check = MediaFileCheck(try StoryFolder(folder), locations, issues, opensMedia)
            check.check(draft)
            issues = check.issues
        }
    }

    /// Whether a path leads to the document or to a file in `folder` that it names: media, recipes and overlays.
    package func uses(_ path: String, in folder: String) throws(MediaError) -> Bool {
        let folder = try StoryFolder(folder)
        return OutputFile.isSame(name, path)
            || locations.parts.contains { part in
                part.files(in: folder).contains { OutputFile.isSame($0, path) }
            }
    }
}

/// Checks the references of a story: every path leads to a file in the story's folder that is of the kind that the
/// story names, by its first bytes, and treatments and meters exist.
private struct MediaFileCheck {
    let folder: StoryFolder
    let locations: StoryLocations
    var issues: IssueLog
    private let opensMedia: Bool

    init(_ folder: StoryFolder, _ locations: StoryLocations, _ issues: IssueLog, _ opensMedia: Bool) {
        self.folder = folder
        self.locations = locations
        self.issues = issues
        self.opensMedia = opensMedia
    }

    mutating func check(_ story: Story) {
        for (asset, kind) in story.filesBeforeChapters { check(asset, as: kind) }
        if let font = story.face?.font, !font.isEmpty { checkSource(font, as: .font) }
        let uses = story.baseMapUses
        if let map = story.map { check(map, uses.first { $0.chapter == nil }) }
        for audio in story.sections.flatMap(\.items).compactMap(\.audio) {
            for captions in audio.captions ?? [] { checkCaptions(captions) }
        }
        for chapter in story.chapters {
            check(chapter.image, as: .image)
            if let map = chapter.map { check(map, uses.first { $0.chapter == chapter.id }) }
            for event in chapter.events {
                for content in event.contents {
                    for (asset, kind) in content.files { check(asset, as: kind) }
                    for captions in content.captioned.flatMap(\.captions) { checkCaptions(captions) }
                    check(content)
                }
                check(event.arrival?.sound, as: .audio)
            }
        }
        checkFloors(of: story)
        for (source, kind) in story.translatedFiles where !source.isEmpty { checkSource(source, as: kind) }
        checkRest()
    }

    /// Checks references in positions where the schema allows no element, for example inside a misspelt element.
    private mutating func checkRest() {
        for part in locations.parts
        where !part.text.isEmpty && checked[part, default: 0] < locations.locations(part).count {
            switch part.kind {
            case .source: checkSource(part.text, as: nil)
            case .recipe: checkRecipe(part.text)
            case .filter: checkFilter(part.text)
            case .overlay: checkOverlay(part.text)
            case .chapter, .event, .lockbox, .section, .item, .news, .plan, .translation, .translated, .style, .meter,
                .zone, .face:
                continue
            }
        }
    }

    /// The number of times that each part was checked, so that repeated text is reported at its own location.
    private var checked: [StoryLocations.Part: Int] = [:]
    /// The errors of opening treatment images, by path; nil for images that can be opened.
    private var opened: [String: MediaError?] = [:]

    /// Returns the location of the next part of a kind with the given text.
    private mutating func next(_ kind: StoryLocations.Kind, _ text: String) -> DocumentPosition {
        let part = StoryLocations.Part(kind, text)
        let all = locations.locations(part)
        let index = checked[part, default: 0]
        checked[part] = index + 1
        return index < all.count ? all[index] : all.last ?? .none
    }

    private mutating func check(_ asset: Asset?, as kind: MediaFileKind) {
        // A missing source was already reported by the schema check.
        guard let asset, !asset.source.isEmpty else { return }
        let location = checkSource(asset.source, as: kind)
        // For players who cannot see or hear it.
        if asset.alt == nil { issues.warning(location, "'\(asset.source)' has no alt text") }
    }

    /// Checks a base map: whether it is one, and shows where the story is. `use` is nil if no place is shown on it.
    private mutating func check(_ map: BaseMap, _ use: BaseMapUse?) {
        guard !map.source.isEmpty else { return }
        let location = checkSource(map.source, as: .map)
        guard opensMedia, let path = try? folder.file(map.source), let file = try? MapFile(path: path) else { return }
        if let fault = map.licenseFault(file) {
            issues.error(location, "'\(map.source)': \(fault.reason); \(fault.advice)")
        }
        guard let use, let box = file.box else { return }
        switch use.standing(in: box) {
        case .within: return
        case .outside(let reason): issues.error(location, "'\(map.source)': \(reason)")
        case .partly(let reason): issues.warning(location, "'\(map.source)': \(reason)")
        }
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
        case .scrapbook, .goggles, .quiz, .exhibit: return
        }
    }

    private mutating func checkCaptions(_ captions: ScrapbookContent.Captions) {
        if !captions.source.isEmpty { checkSource(captions.source, as: .captions) }
    }

    private mutating func check(_ treatment: Treatment) {
        if let recipe = treatment.recipe { checkRecipe(recipe) }
        for filter in treatment.filters { checkFilter(filter) }
        for overlay in treatment.overlays { checkOverlay(overlay) }
        for text in treatment.texts {
            attempt(at: next(.style, text.style ?? "")) { (_) throws(MediaError) in _ = try Treatment.overlay(text) }
        }
    }

    /// Checks a file. `kind`: what the story names it as; nil if that is unknown.
    @discardableResult private mutating func checkSource(_ source: String, as kind: MediaFileKind?) -> DocumentPosition
    {
        let location = next(.source, source)
        attempt(at: location) { (check) throws(MediaError) in
            let path = try check.folder.file(source)
            guard let kind, check.opensMedia else { return }
            if case .unknown = MediaSignature(ofFile: path), kind == .image { return try check.open(path) }
            if kind == .map {
                do throws(MediaError) { _ = try MapFile(path: path) } catch {
                    throw error.forgetting(path).naming(source)
                }
                return
            }
            if let fault = kind.fault(ofFile: path) {
                throw MediaError(.parameter, step: .story, subject: source, reason: fault.reason, advice: fault.advice)
            }
            guard kind == .font else { return }
            do throws(MediaError) { try FontFile.check(path: path) } catch {
                throw error.forgetting(path).naming(source)
            }
        }
        return location
    }

    /// Checks the pictures of floor plans, whether their pins are within them, and warns of what stands beside them.
    private mutating func checkFloors(of story: Story) {
        var sizes: [String: (width: Double, height: Double)] = [:]
        for plan in story.floorPlans where !plan.image.source.isEmpty {
            let source = plan.image.source
            let location = next(.source, source)
            if plan.image.alt == nil { issues.warning(location, "'\(source)' has no alt text") }
            var size: (width: Double, height: Double)?
            attempt(at: location) { (check) throws(MediaError) in size = try check.pictureSize(source) }
            guard let size else { continue }
            sizes[plan.id] = size
            for fault in plan.faults(width: size.width, height: size.height) {
                issues.error(
                    locations.locations(.init(.plan, plan.id)).first ?? location, "plan '\(plan.id)': \(fault)")
            }
        }
        let plans = Dictionary(story.floorPlans.map { ($0.id, $0) }) { first, _ in first }
        func fault(_ anchor: Anchor?, at position: GeoPoint?) -> String? {
            guard let anchor, let plan = plans[anchor.floor], let size = sizes[plan.id] else { return nil }
            return plan.fault(of: anchor, at: position, width: size.width, height: size.height)
        }
        for item in story.sections.flatMap(\.items) {
            guard let fault = fault(item.anchor, at: item.position) else { continue }
            issues.warning(locations.locations(.init(.item, item.id)).first ?? .none, "item '\(item.id)': \(fault)")
        }
        for event in story.chapters.flatMap(\.events) {
            guard let fault = fault(event.anchor, at: event.position) else { continue }
            issues.warning(locations.locations(.init(.event, event.id)).first ?? .none, "event '\(event.id)': \(fault)")
        }
    }

    /// Returns the size in which points of a floor plan are given; nil if files are not opened.
    private func pictureSize(_ source: String) throws(MediaError) -> (width: Double, height: Double)? {
        let path = try folder.file(source)
        guard opensMedia else { return nil }
        do throws(MediaError) {
            if SVGDocument.isSVG(path: path) {
                let document = try SVGDocument(path: path)
                return (document.width, document.height)
            }
            let size = try ImageProbe.probe(path: path).size
            return (Double(size.width), Double(size.height))
        } catch {
            // Limits are options of the preparation.
            if error.kind == .limit, error.code == .tooManyPixels { return nil }
            throw error.forgetting(path).naming(source)
        }
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

    /// Opens an image of a treatment once, as the preparation does. Its size is not limited here, because limits are
    /// an option of the preparation.
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
        at location: DocumentPosition, _ body: (inout MediaFileCheck) throws(MediaError) -> Void
    ) {
        do throws(MediaError) { try body(&self) } catch {
            let subject = error.subject.map { "'\($0)': " } ?? ""
            // Advice about options is omitted, because a document has no options.
            let advice = error.advice.flatMap { $0.options.isEmpty ? "; \($0)" : nil } ?? ""
            issues.error(location, subject + error.reason + advice)
        }
    }
}

extension StoryLocations.Part {
    /// The files in the story's folder that the part names; those that cannot be found are left out.
    fileprivate func files(in folder: StoryFolder) -> [String] {
        switch kind {
        case .source, .recipe: [try? folder.file(text)].compactMap(\.self)
        case .overlay: [try? Treatment.overlay(text, in: folder).path].compactMap(\.self)
        case .filter: (try? Treatment.filter(text, in: folder))?.files ?? []
        case .chapter, .event, .lockbox, .section, .item, .news, .plan, .translation, .translated, .style, .meter,
            .zone, .face:
            []
        }
    }
}

extension MediaFileKind {
    private var name: String {
        switch self {
        case .image: "an image"
        case .audio: "audio"
        case .video: "a video"
        case .captions: "captions"
        case .font: "a font"
        case .map: "a map"
        }
    }

    /// Returns why the file at `path` cannot be of this kind, by its first bytes, and advice.
    fileprivate func fault(ofFile path: String) -> (reason: String, advice: MediaError.Advice?)? {
        switch (self, MediaSignature(ofFile: path)) {
        case (_, .empty): ("the file is empty", "copy it to the story's folder again")
        case (.font, let found): isFont(path) ? nil : noFont(found)
        // Its own reader says what it is.
        case (.map, _): nil
        case (.image, .image), (.video, .video), (.captions, .video), (_, .unknown): nil
        // A video's audio is taken. Ogg holds either.
        case (.audio, .audio), (.audio, .video): nil
        case (.video, .audio(let found)): found.contains("video") ? nil : named(found, "name audio in a radio event")
        case (.captions, .text): hasTimes(path) ? nil : ("has no times of captions", Self.captionsAdvice)
        case (.image, .video(let found)): named(found, "name it as a video in a scrapbook, or take a still from it")
        case (.image, .audio(let found)): named(found, "name audio in a radio event")
        case (_, .image): named("an image", self == .captions ? Self.captionsAdvice : "name images as images")
        case (.captions, .audio(let found)): named(found, Self.captionsAdvice)
        case (_, .text(let found)), (_, .other(let found)):
            named(found, self == .captions ? Self.captionsAdvice : "export \(name) from it")
        }
    }

    private static let captionsAdvice: MediaError.Advice =
        "give a SubRip or WebVTT file, with lines such as 00:00:01,000 --> 00:00:04,000, or a video with subtitles"

    private func noFont(_ found: MediaSignature) -> (reason: String, advice: MediaError.Advice?) {
        let advice: MediaError.Advice = "give a TrueType, OpenType or WOFF font, such as a .ttf, .otf or .woff2 file"
        return switch found {
        case .video(let found), .audio(let found), .text(let found), .other(let found): named(found, advice)
        case .image: named("an image", advice)
        case .empty, .unknown: ("is no font", advice)
        }
    }

    /// Whether a file begins as TrueType, OpenType, a collection of them, or WOFF.
    private func isFont(_ path: String) -> Bool {
        FileHead.withFirstBytes(of: path) { bytes in
            ["\0\u{01}\0\0", "true", "OTTO", "ttcf", "wOFF", "wOF2"].contains { bytes.starts(with: $0.utf8) }
        } ?? true
    }

    private func named(_ found: String, _ advice: MediaError.Advice) -> (reason: String, advice: MediaError.Advice?) {
        ("looks like \(found), not like \(name)", advice)
    }

    /// Whether a text has the times of captions near its beginning.
    private func hasTimes(_ path: String) -> Bool {
        FileHead.withFirstBytes(of: path) { String(decoding: $0, as: UTF8.self).contains("-->") } ?? true
    }
}
