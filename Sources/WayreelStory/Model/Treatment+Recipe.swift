package import WayreelCore
package import WayreelImage

extension Treatment {
    /// The recipe that it stands for, with the paths of files in it joined to the story's folder.
    ///
    /// Throws a `parameter` error where something in it is wrong or leads out of the folder, and an `io` error where a file is missing.
    package func recipe(in folder: StoryFolder) throws(MediaError) -> Recipe {
        let check: Recipe.FilterCheck = { (filter, path) throws(MediaError) in
            let checked = try Recipe.checkFilter(filter, path, TaskContext(seconds: Limits.standard.seconds))
            for file in checked.files {
                guard folder.source(of: file) != nil else {
                    throw MediaError(
                        .parameter, step: "story", subject: file, reason: "leads out of the story's folder",
                        advice: "use a path in the story's folder")
                }
                try folder.check(file, name: file)
            }
            return checked
        }
        var recipe = Recipe()
        if let name = self.recipe {
            recipe =
                try Recipe.presetNames.contains(name)
                ? Recipe.load(name) : Recipe.load(folder.file(name), check: check)
        }
        for text in filters { recipe.filters.append(try check(Filter(parsing: text), folder.path)) }
        for text in overlays {
            var overlay = try ImageOverlay(parsing: text)
            overlay.path = try folder.file(overlay.path)
            recipe.overlays.append(.image(overlay))
        }
        // As in `wayreel capture`: texts of one style are lines of one overlay, so that they do not overlap.
        var lines: [(style: String, text: String)] = []
        for text in texts {
            let style = text.style ?? ""
            if lines.last?.style == style {
                lines[lines.count - 1].text += "\n" + text.text
            } else {
                lines.append((style, text.text))
            }
        }
        for (style, text) in lines { recipe.overlays.append(.text(try TextOverlay(text, style: style))) }
        for case .image(let overlay) in recipe.overlays { try folder.check(overlay.path, name: overlay.path) }
        return recipe
    }
}
