internal import ArgumentParser
internal import WayreelMedia

struct RecipesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recipes",
        abstract: "Lists the recipes for --recipe, or shows the text of one.",
        discussion: """
            wayreel recipes
            wayreel recipes old-postcard > mine.yml
            wayreel recipes --json
            """)

    @Argument(help: "A recipe's name.", completion: .custom { _, _, _ in Recipe.presetNames })
    var name: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let names = try name.map { [try Recipe.requirePreset($0)] } ?? Recipe.presetNames
        if json {
            try Console.output(
                JSON.text(names.map { Entry(try Recipe.load($0), text: name == nil ? nil : Recipe.text(ofPreset: $0)) })
            )
        } else if let name {
            try Console.output(Recipe.text(ofPreset: name) ?? "")
        } else {
            try Console.output(TextColumns.aligned(names.map { [$0, try Recipe.load($0).summary] }))
        }
    }

    /// A recipe in JSON output.
    private struct Entry: Encodable {
        var name: String
        var summary: String
        /// The text in YAML; only of a recipe that was named.
        var text: String?

        init(_ recipe: Recipe, text: String?) {
            (name, summary, self.text) = (recipe.name, recipe.summary, text)
        }
    }
}
