public import WayreelCore
public import WayreelImage
public import WayreelStory

extension Treatment {
    /// Returns the recipe of the treatment, with the paths of files in it joined to the story's folder.
    ///
    /// Throws a `parameter` error if a part of it is invalid or refers to a file outside of the folder, and an `io`
    /// error if a file is missing.
    package func recipe(in folder: StoryFolder) throws(MediaError) -> Recipe {
        var recipe = try Self.recipe(self.recipe, in: folder)
        for text in filters { recipe.filters.append(try Self.filter(text, in: folder)) }
        for text in overlays { recipe.overlays.append(.image(try Self.overlay(text, in: folder))) }
        // As in `wayreel capture`, texts of one style are lines of one overlay, so that they do not overlap.
        var lines: [StyledText] = []
        for text in texts {
            if let last = lines.last, (last.style ?? "") == (text.style ?? "") {
                lines[lines.count - 1].text += "\n" + text.text
            } else {
                lines.append(text)
            }
        }
        for text in lines { recipe.overlays.append(.text(try Self.overlay(text))) }
        return recipe
    }

    // MARK: Parts

    /// Returns a preset or the recipe of a file; an empty recipe for nil.
    static func recipe(_ name: String?, in folder: StoryFolder) throws(MediaError) -> Recipe {
        guard let name else { return Recipe() }
        if Recipe.presetNames.contains(name) { return try Recipe.load(name) }
        let file: String
        do throws(MediaError) { file = try folder.file(name) } catch {
            var error = error
            // A word is the name of a preset, unless there is a file of that name.
            if !name.contains("/"), !name.contains(".") {
                error.reason = "there is no such recipe"
                error.advice = Recipe.advice(onUnknown: name)
            }
            throw error
        }
        let recipe = try Recipe.load(
            file, checkUse: { (path) throws(MediaError) in try folder.check(path, name: path) },
            check: { (filter, path) throws(MediaError) in try checked(filter, path, in: folder) })
        for case .image(let overlay) in recipe.overlays { try folder.check(overlay.path, name: overlay.path) }
        return recipe
    }

    static func filter(_ text: String, in folder: StoryFolder) throws(MediaError) -> Filter {
        try checked(Filter(parsing: text), folder.path, in: folder)
    }

    static func overlay(_ text: String, in folder: StoryFolder) throws(MediaError) -> ImageOverlay {
        var overlay = try ImageOverlay(parsing: text)
        overlay.path = try folder.file(overlay.path)
        return overlay
    }

    static func overlay(_ text: StyledText) throws(MediaError) -> TextOverlay {
        try TextOverlay(text.text, style: text.style ?? "")
    }

    /// Returns a filter whose files are in the story's folder.
    private static func checked(
        _ filter: Filter, _ path: String?, in folder: StoryFolder
    ) throws(MediaError) -> Filter {
        // Files are only opened after checking that they are in the story's folder.
        let located = try Recipe.located(filter, path)
        for file in located.files {
            try folder.check(file, name: file)
        }
        return try Recipe.checkFilter(located, nil, TaskContext(seconds: Limits.standard.seconds))
    }
}

extension Story {
    /// Returns the recipe for captures at a camera event. Paths of files in it are joined to `folder`, the story's
    /// folder.
    ///
    ///     let recipe = try story.recipe(ofEvent: "bell-tower", in: "stories/late-post")
    ///     let task = CaptureTask(input: photo, output: "postcard.jpg", options: CaptureOptions(recipe))
    ///
    /// Throws a `parameter` error if there is no such event, it is not a camera event, or its treatment is invalid or
    /// refers to a file outside of the folder, and an `io` error if a file is missing.
    public func recipe(ofEvent id: String, in folder: String) throws(MediaError) -> Recipe {
        guard let event = chapters.lazy.flatMap(\.events).first(where: { $0.id == id }) else {
            throw fault(id, "there is no such event")
        }
        guard case .camera(let camera) = event.content else {
            throw fault(id, "is not a camera event but a \(event.content.kind) event")
        }
        return try camera.treatment.recipe(in: StoryFolder(folder))
    }

    private func fault(_ id: String, _ reason: String) -> MediaError {
        let ids = cameraEvents
        let near = nearestName(to: id, in: ids).map { "did you mean '\($0)'? " } ?? ""
        let more = ids.count > Self.maxShownEvents ? " and \(ids.count - Self.maxShownEvents) more" : ""
        let list = ids.prefix(Self.maxShownEvents).joined(separator: ", ") + more
        return MediaError(
            .parameter, step: .story, subject: id, reason: reason,
            advice: ids.isEmpty ? "the story has no camera events" : "\(near)the story's camera events are \(list)")
    }

    private var cameraEvents: [String] {
        chapters.flatMap(\.events).compactMap { event in
            if case .camera = event.content { event.id } else { nil }
        }
    }

    private static let maxShownEvents = 20
}

extension Recipe {
    /// Loads the recipe of a camera event of the story in the document at `path`, as ``Story/recipe(ofEvent:in:)``
    /// does. `language` is that of texts over captures: one of the story's, or nil for its own.
    ///
    /// Also throws a `parameter` error if the document has errors or the story no such language, and an `io` error if
    /// it cannot be read.
    public static func load(
        event id: String, ofStoryAt path: String, language: String? = nil
    ) throws(MediaError) -> Recipe {
        let story = try StoryDocument.read(path: path).validStory()
        let localized = try language.map { (language) throws(MediaError) in try story.localized(strictly: language) }
        return try (localized ?? story).recipe(ofEvent: id, in: path.folder)
    }
}
