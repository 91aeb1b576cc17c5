internal import HTTPTypes
internal import WayreelCore
internal import WayreelImage

/// Converts the options of a request into those of a capture: looks up the recipe and the files that they name, and
/// negotiates the format.
struct OptionResolver: Sendable {
    let settings: ServiceSettings
    let recipes: RecipeFolder
    /// The folder with the images that addresses may name.
    let folder: ImageFolder?

    /// Throws a ``Problem`` for options other than a recipe if the settings allow only recipes. `example` shows how a
    /// request names a recipe.
    func authorize(_ options: ImageOptions, example: String) throws {
        if settings.recipesOnly, options.isFree { throw Self.onlyRecipes(example: example) }
    }

    static func onlyRecipes(example: String) -> Problem {
        Problem(
            .forbidden, code: "recipes-only", "Only recipes are allowed here",
            detail: "use \(example) and no other option")
    }

    /// `isNegotiated` is true if the format depends on `accept`. `isSigned`: whether the request has a signature that fits.
    /// Where there are keys, others can name only files beside the recipes: the pixels of an overlay are in the answer.
    /// Blocks.
    ///
    /// Throws a `parameter` error for a recipe or a file that does not exist.
    func captureOptions(
        _ options: ImageOptions, accept: String?, isSigned: Bool
    ) throws(MediaError) -> (options: CaptureOptions, isNegotiated: Bool) {
        let recipe = try options.recipe.map { (name) throws(MediaError) in try recipes.recipe(name) } ?? Recipe()
        let asked = options.format(over: recipe)
        let format = asked ?? FormatNegotiation.format(accept: accept, offered: settings.formats)
        let resolved = try options.captureOptions(over: recipe, format: format, limits: settings.limits) {
            (path) throws(MediaError) in
            let isOpen = isSigned || settings.keys == nil
            if let file = recipes.file(path) ?? (isOpen ? folder?.file(path) : nil) { return file.path }
            throw MediaError(
                .parameter, step: "options", reason: "there is no file '\(path)'\(isOpen ? "" : " beside the recipes")",
                advice: isOpen ? nil : "name a file of the folder of recipes: uploads are not signed")
        }
        return (resolved, asked == nil && !settings.formats.isEmpty)
    }
}
