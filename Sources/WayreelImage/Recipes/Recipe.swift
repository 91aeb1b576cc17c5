public import WayreelCore
internal import WayreelDocument

/// A list of filters, overlays and output settings, in YAML or JSON.
///
///     description: A torn card from the attic
///     filters:
///       - sepia-tone: {intensity: 0.6}
///       - vignette: {intensity: 0.5, radius: 1.2}
///     overlays:
///       - text: "The Mission Bell"
///         gravity: south
///       - image: badge.png
///         gravity: north-east
///         x: 16
///     output:
///       format: webp
///       quality: 80
///
/// With `use: sunday-1974` or `use: house-style.yml` it extends another recipe: that recipe's filters and overlays come
/// first, and this recipe's output settings take precedence.
public struct Recipe: Hashable, Sendable {
    /// Name of a preset, or of a file without extension, unless the recipe sets it.
    public var name: String
    /// One line.
    public var summary: String
    public var filters: [Filter]
    public var overlays: [Overlay]
    public var output: RecipeOutput

    public init(
        name: String = "recipe", summary: String = "", filters: [Filter] = [], overlays: [Overlay] = [],
        output: RecipeOutput = RecipeOutput()
    ) {
        self.name = name
        self.summary = summary
        self.filters = filters
        self.overlays = overlays
        self.output = output
    }

    /// Checks a filter and returns it with relative paths resolved from `folder` (nil: the working directory).
    package typealias FilterCheck = (_ filter: Filter, _ folder: String?) throws(MediaError) -> Filter

    /// Refuses a recipe's file that another one uses, before it is opened.
    package typealias UseCheck = (_ path: String) throws(MediaError) -> Void

    /// Names of the built-in presets in alphabetical order.
    public static var presetNames: [String] { Presets.recipes.map(\.key).sorted() }

    /// Returns the text of a built-in preset in YAML, without the line break at its end; nil if there is none of the
    /// name.
    package static func text(ofPreset name: String) -> String? {
        Presets.recipes.first { $0.key == name }.map { preset in
            let text = String(decoding: preset.value, as: UTF8.self)
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
    }

    /// Advice that names the preset that is most like a wrong name, and lists all.
    package static func advice(onUnknown name: String) -> MediaError.Advice {
        let near = nearestName(to: name, in: presetNames).map { "did you mean '\($0)'? " } ?? ""
        return "\(near)the recipes are \(presetNames.joined(separator: ", ")), or give the path of a .yml file"
    }

    /// Returns the name of a preset. Throws a `parameter` error that lists them if there is none of the name.
    package static func requirePreset(_ name: String) throws(MediaError) -> String {
        guard presetNames.contains(name) else {
            throw MediaError(
                .parameter, step: .recipe, subject: name, reason: "there is no such recipe",
                advice: advice(onUnknown: name))
        }
        return name
    }

    /// Loads a preset by name, or a recipe file by path (`-` is standard input).
    ///
    /// Paths in a recipe are relative to its folder. Throws a `parameter` error with file and line of the first error,
    /// an `io` error if the file cannot be read, and a `limit` error if a pipe is not written to its end within
    /// `seconds`.
    public static func load(
        _ nameOrPath: String, seconds: Double = .infinity, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> Recipe {
        let task = TaskContext(seconds: seconds, cancellation: cancellation)
        return try load(nameOrPath, task: task) { (filter, folder) throws(MediaError) in
            try checkFilter(filter, folder, task)
        }
    }

    /// The same with a check of each filter and of each file that is used; their errors get the line.
    package static func load(
        _ nameOrPath: String, task: TaskContext = TaskContext(),
        checkUse: UseCheck = { (_) throws(MediaError) in }, check: FilterCheck
    ) throws(MediaError) -> Recipe {
        let origin = try RecipeReader.Origin(nameOrPath, at: DocumentLocation(.recipe))
        return try RecipeReader.load(origin, task: task, checkUse: checkUse, check: check)
    }

    /// Parses a recipe in YAML or JSON. Errors name it `name`; paths are relative to `folder` or the working directory.
    ///
    /// Throws a `parameter` error with the line of the first error.
    public static func parse(
        _ text: String, name: String = "recipe", folder: String? = nil
    ) throws(MediaError) -> Recipe {
        try parse(text, name: name, folder: folder) { (filter, folder) throws(MediaError) in
            try checkFilter(filter, folder, TaskContext())
        }
    }

    /// Parses a recipe and checks each filter.
    package static func parse(
        _ text: String, name: String = "recipe", folder: String? = nil, check: FilterCheck
    ) throws(MediaError) -> Recipe {
        try RecipeReader.read(
            Array(text.utf8), origin: .text(name: name, folder: folder), task: TaskContext(),
            checkUse: { (_) throws(MediaError) in }, check: check)
    }
}
