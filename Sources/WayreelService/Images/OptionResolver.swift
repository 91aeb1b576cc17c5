internal import HTTPTypes
internal import Synchronization
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
                .parameter, step: .options, reason: "there is no file '\(path)'\(isOpen ? "" : " beside the recipes")",
                advice: isOpen ? nil : "name a file of the folder of recipes: uploads are not signed")
        }
        return (resolved, asked == nil && !settings.formats.isEmpty)
    }
}

/// The recipes that requests may name: those of a folder, and the built-in presets.
final class RecipeFolder: Sendable {
    private struct Known {
        var stamp: FileStamp
        var recipe: Recipe
    }

    private let folder: ImageFolder?
    private let known = Mutex<[String: Known]>([:])

    init(_ path: String?) throws(MediaError) {
        folder = try path.map { (path) throws(MediaError) in try ImageFolder(path) }
    }

    /// A file beside the recipes; nil if there is none.
    func file(_ relative: String) -> ImageFolder.File? { folder?.file(relative) }

    /// The file of a recipe; nil for a built-in one.
    func path(_ name: String) -> String? { name.contains("/") ? nil : file("\(name).yml")?.path }

    /// Returns the recipe of a name. A changed file is read again. Blocks.
    ///
    /// Throws a `parameter` error if there is no such recipe, an `io` error for a file that is not a recipe.
    func recipe(_ name: String) throws(MediaError) -> Recipe {
        if let file = folder?.file("\(name).yml"), !name.contains("/") {
            if let known = known.withLock({ $0[name] }), known.stamp == file.stamp { return known.recipe }
            let recipe: Recipe
            do { recipe = try Recipe.load(file.path) } catch {
                // The fault is the server's, not the request's.
                throw MediaError(.io, step: .recipe, subject: file.path, reason: error.reason)
            }
            known.withLock { $0[name] = Known(stamp: file.stamp, recipe: recipe) }
            return recipe
        }
        guard Recipe.presetNames.contains(name) else {
            throw MediaError(
                .parameter, step: .options, reason: "there is no recipe '\(name)'",
                advice: nearestName(to: name, in: Recipe.presetNames).map { "did you mean '\($0)'?" }
                    ?? "the recipes of Wayreel are \(Recipe.presetNames.joined(separator: ", "))")
        }
        return try Recipe.load(name)
    }
}
