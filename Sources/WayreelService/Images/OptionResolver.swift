internal import HTTPTypes
internal import WayreelCore
internal import WayreelImage

/// Makes the options of a request, in an address or a query, those of a capture: with the recipe that they name, the
/// format that is accepted, and the files that they may use.
struct OptionResolver: Sendable {
    let settings: ServiceSettings
    let recipes: RecipeFolder
    /// Of the images that overlays and filters may name.
    let folder: ImageFolder?

    /// Throws a ``Problem`` for options beside a recipe where only recipes are open to all. `example`: how a request
    /// names one.
    func authorize(_ options: ImageOptions, example: String) throws {
        if settings.recipesOnly, options.isFree { throw Self.onlyRecipes(example: example) }
    }

    static func onlyRecipes(example: String) -> Problem {
        Problem(
            .forbidden, code: "recipes-only", "Only recipes are allowed here",
            detail: "use \(example) and no other option")
    }

    /// `isNegotiated`: the format depends on `accept`. Blocks.
    ///
    /// Throws a `parameter` error for a recipe or a file that is not there.
    func captureOptions(
        _ options: ImageOptions, accept: String?
    ) throws(MediaError) -> (options: CaptureOptions, isNegotiated: Bool) {
        let recipe = try options.recipe.map { (name) throws(MediaError) in try recipes.recipe(name) } ?? Recipe()
        let asked = options.format(over: recipe)
        let format = asked ?? FormatNegotiation.format(accept: accept, offered: settings.formats)
        let resolved = try options.captureOptions(over: recipe, format: format, limits: settings.limits) {
            (path) throws(MediaError) in
            guard let file = folder?.file(path) else {
                throw MediaError(.parameter, step: "options", reason: "there is no image '\(path)'")
            }
            return file.path
        }
        return (resolved, asked == nil && !settings.formats.isEmpty)
    }
}
