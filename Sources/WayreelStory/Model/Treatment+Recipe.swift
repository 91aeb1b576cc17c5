package import WayreelCore
package import WayreelImage

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
