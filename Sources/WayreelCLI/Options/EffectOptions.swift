internal import ArgumentParser
internal import WayreelCore
package import WayreelMedia

package struct EffectOptions: ParsableArguments {
    @Option(
        help:
            "A recipe: a preset name (old-postcard) or a YAML or JSON file. The options below are applied after it.",
        completion: .file())
    var recipe: String?

    @Option(
        help: ArgumentHelp(
            "A filter, as in sepia-tone:intensity=0.8. Repeatable; applied in order.", valueName: "filter"),
        completion: .custom { _, _, _ in FilterCatalog.all.map(\.name) })
    var filter: [String] = []

    @Option(help: "A text overlay. Repeatable: as further lines, or each with its own --text-style.")
    var text: [String] = []

    @Option(
        help:
            "Text style, one for all or one each: font=…,size=6%,color=#fff,gravity=south,outline=#000/2,shadow=#000/0/2/4,box=#0008/12"
    )
    var textStyle: [String] = []

    @Option(
        help: ArgumentHelp(
            "An image overlay, as in badge.png@north-east+16+16:scale=0.5. Repeatable.",
            valueName: "overlay"), completion: .file())
    var overlay: [String] = []

    package init() {}

    package func validate() throws {
        if !textStyle.isEmpty, text.isEmpty { throw ValidationError("--text-style needs a --text") }
    }

    /// Loads the recipe. `seconds` is the max wait for a recipe from a pipe; nil means 60.
    package func loadRecipe(seconds: Double?) throws -> Recipe {
        try recipe.map { (name) throws(MediaError) in
            try Recipe.load(
                name, seconds: seconds ?? Limits.standard.seconds, cancellation: Interrupt.cancellation)
        } ?? Recipe()
    }

    package func filters(over recipe: Recipe) throws -> [Filter] {
        try recipe.filters + filter.map { (text) throws(MediaError) in try Filter(parsing: text) }
    }

    /// Returns the files that the effects are read from: the recipe's, and what the overlays and filters name.
    package func files(_ overlays: [Overlay], _ filters: [Filter]) -> [String?] {
        [recipe] + overlays.imagePaths + filters.flatMap(\.files)
    }

    /// Returns the recipe's overlays, then images, then text, so that text stays readable.
    package func overlays(over recipe: Recipe) throws -> [Overlay] {
        let images = try overlay.map { (text) throws(MediaError) in Overlay.image(try ImageOverlay(parsing: text)) }
        return try recipe.overlays + images + texts()
    }

    /// Returns text overlays. Texts with the same style are lines of one overlay, so that they do not overlap.
    private func texts() throws(MediaError) -> [Overlay] {
        guard textStyle.count > 1 else {
            return text.isEmpty
                ? [] : [.text(try TextOverlay(text.joined(separator: "\n"), style: textStyle.first ?? ""))]
        }
        guard textStyle.count == text.count else {
            throw ErrorSite(.parameter, step: .text)(
                "\(text.count) --text and \(textStyle.count) --text-style do not match",
                "use one style for all, or one for each")
        }
        return try zip(text, textStyle).map { (text, style) throws(MediaError) in
            .text(try TextOverlay(text, style: style))
        }
    }
}

/// The event of a story whose treatment is applied to a capture.
struct StoryEventOptions: ParsableArguments {
    @Option(
        help: "A story's document, .xml, .yml or .yaml: treats captures as its --event says.",
        completion: .file(extensions: ["xml", "yml", "yaml"]))
    var story: String?

    @Option(help: "The id of a camera event of --story. Its treatment is a recipe; other options are applied after it.")
    var event: String?

    @Option(help: "The language of texts over captures: one of --story's, or qps. (default: the story's own)")
    var language: String?

    func validate() throws {
        if language != nil, story == nil { throw ValidationError("--language needs a --story") }
        if story != nil, event == nil { throw ValidationError("--story needs an --event") }
        if event != nil, story == nil { throw ValidationError("--event needs a --story") }
    }

    /// Loads the treatment's recipe; nil if neither option is given.
    func loadRecipe() throws -> Recipe? {
        guard let story, let event else { return nil }
        return try Recipe.load(event: event, ofStoryAt: story, language: language)
    }
}
