internal import WayreelCore
internal import WayreelImage

/// The options of one request for an image, by the names that they have in recipes and as flags of `wayreel capture`.
struct ImageOptions: Sendable {
    /// The name of a recipe.
    var recipe: String?
    private var output = RecipeOutput()
    private var filters: [Filter] = []
    private var overlays: [ImageOverlay] = []
    private var texts: [String] = []
    private var textStyle: String?
    private var page: Int?
    /// The name under which browsers save it.
    private var download: String?
    /// The last second since 1970 at which the address is valid.
    private(set) var expiry: Int64?
    /// The names that are given.
    private var names: Set<String> = []

    /// Whether any option but `recipe`, `download` and `expires` is given.
    var isFree: Bool { !names.isSubset(of: Self.managing) }

    func has(_ name: String) -> Bool { names.contains(name) }

    /// The accepted settings besides the output settings of recipes.
    private static let own: [Setting<ImageOptions>] = [
        .text("recipe", "the name of a recipe") { $0.recipe = $1 },
        .value("filter", "a filter such as sepia-tone:intensity=0.8", read: { try? Filter(parsing: $0) }) {
            $0.filters.append($1)
        },
        .value("overlay", "an image such as badge.png@north-east+16+16", read: { try? ImageOverlay(parsing: $0) }) {
            $0.overlays.append($1)
        },
        .text("text", "a line of text") { $0.texts.append($1) },
        .text("text-style", "a style such as gravity=south,size=6%") { $0.textStyle = $1 },
        .value(
            "page", "a number from 1 on", values: .integer(1...Int(Int32.max)),
            read: { Int($0).flatMap { $0 > 0 ? $0 : nil } }
        ) { $0.page = $1 },
        .text("download", "a file name") { $0.download = $1 },
        .value("expires", "seconds since 1970", read: { Int64($0) }) { $0.expiry = $1 },
    ]

    private static let managing: Set<String> = ["recipe", "download", "expires"]

    /// All options, with what they expect.
    static let settings =
        RecipeOutput.settings.map { OptionDescription($0) }
        + own.map { OptionDescription($0, isRepeatable: repeatable.contains($0.key)) }

    /// The options that may be repeated.
    private static let repeatable: Set<String> = ["filter", "overlay", "text"]

    /// Sets one option. Throws a `parameter` error for an unknown name or an invalid value.
    mutating func set(_ name: String, _ value: String) throws(MediaError) {
        let location = DocumentLocation(step: "options")
        let node = YAMLNode(.scalar(value, isPlain: true), at: location)
        if let setting = RecipeOutput.settings.first(where: { $0.key == name }) {
            try setting.apply(node, to: &output)
        } else if let setting = Self.own.first(where: { $0.key == name }) {
            try setting.apply(node, to: &self)
        } else {
            throw location.unknownKey(name, of: Self.settings.map(\.key), in: "a request for an image")
        }
        names.insert(name)
    }

    /// The header that names the file for a browser to save; nil where no name is given.
    var disposition: String? { download.map(ContentDisposition.attachment) }

    /// Returns the format that an option or the recipe requests.
    func format(over recipe: Recipe) -> WayreelImage.Encoding.Format? { output.format ?? recipe.output.format }

    /// Returns these options applied over a recipe; `resolve` looks up the files that options name.
    ///
    /// Throws a `parameter` error if a file does not exist.
    func captureOptions(
        over recipe: Recipe, format: WayreelImage.Encoding.Format, limits: Limits,
        resolve: (String) throws(MediaError) -> String
    ) throws(MediaError) -> CaptureOptions {
        var own = Recipe(filters: filters, output: output)
        own.output.format = format
        own.filters = try filters.map { (filter) throws(MediaError) in
            var paths: [String: String] = [:]
            for file in filter.files { paths[file] = try resolve(file) }
            return filter.renamingFiles { paths[$0] ?? $0 }
        }
        own.overlays = try overlays.map { (overlay) throws(MediaError) in
            var overlay = overlay
            overlay.path = try resolve(overlay.path)
            return .image(overlay)
        }
        if !texts.isEmpty {
            own.overlays.append(.text(try TextOverlay(texts.joined(separator: "\n"), style: textStyle ?? "")))
        } else if textStyle != nil {
            throw MediaError(.parameter, step: "options", reason: "text-style needs a text")
        }
        var options = CaptureOptions(own, over: CaptureOptions(recipe))
        options.limits = limits
        options.page = page
        return options
    }
}
