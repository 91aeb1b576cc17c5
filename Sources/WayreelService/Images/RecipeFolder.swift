internal import Synchronization
internal import WayreelCore
internal import WayreelImage

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
                throw MediaError(.io, step: "recipe", subject: file.path, reason: error.reason)
            }
            known.withLock { $0[name] = Known(stamp: file.stamp, recipe: recipe) }
            return recipe
        }
        guard Recipe.presetNames.contains(name) else {
            throw MediaError(
                .parameter, step: "options", reason: "there is no recipe '\(name)'",
                advice: nearestName(to: name, in: Recipe.presetNames).map { "did you mean '\($0)'?" }
                    ?? "the recipes of Wayreel are \(Recipe.presetNames.joined(separator: ", "))")
        }
        return try Recipe.load(name)
    }
}
