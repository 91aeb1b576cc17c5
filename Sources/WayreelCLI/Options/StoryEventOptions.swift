internal import ArgumentParser
internal import WayreelMedia

/// The event of a story whose treatment is applied to a capture.
struct StoryEventOptions: ParsableArguments {
    @Option(
        help: "A story's document, .xml, .yml or .yaml: treats captures as its --event says.",
        completion: .file(extensions: ["xml", "yml", "yaml"]))
    var story: String?

    @Option(help: "The id of a camera event of --story. Its treatment is a recipe; other options are applied after it.")
    var event: String?

    func validate() throws {
        if story != nil, event == nil { throw ValidationError("--story needs an --event") }
        if event != nil, story == nil { throw ValidationError("--event needs a --story") }
    }

    /// Loads the treatment's recipe; nil if neither option is given.
    func loadRecipe() throws -> Recipe? {
        guard let story, let event else { return nil }
        return try Recipe.load(event: event, ofStoryAt: story)
    }
}
