internal import HTTPTypes
internal import WayreelCore
internal import WayreelDocument
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
        let location = DocumentLocation(.options)
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
            throw MediaError(.parameter, step: .options, reason: "text-style needs a text")
        }
        var options = CaptureOptions(own, over: CaptureOptions(recipe))
        options.limits = limits
        options.page = page
        return options
    }
}

/// The size at which a browser shows an image, from client hints (`Sec-CH-DPR`, `Sec-CH-Width`, and their old names
/// without the prefix). Pixel ratios are rounded up to halves and widths to 64 pixels, so that one image has few sizes.
struct ClientHints: Hashable, Sendable {
    /// Physical pixels per CSS pixel, 1 to 4.
    var pixelRatio: Double?
    /// The width in physical pixels, at most 4096.
    var width: Int?

    /// The value of `Accept-CH`.
    static let accepted = "Sec-CH-DPR, Sec-CH-Width"
    static let names = ["Sec-CH-DPR", "DPR", "Sec-CH-Width", "Width"]

    /// Ignores invalid values.
    init(_ headers: HTTPFields) {
        func number(_ first: Int) -> Double? {
            let text = Self.names[first...first + 1].lazy.compactMap { headers[HTTPField.Name($0)!] }.first
            return text.flatMap(Double.init).flatMap { $0 > 0 && $0 <= 1_000_000 ? $0 : nil }
        }
        pixelRatio = number(0).map { min(4, max(1, ($0 * 2).rounded(.up) / 2)) }
        width = number(2).map { min(4096, Int(($0 / 64).rounded(.up)) * 64) }
    }

    /// Adds the hints that the address leaves open: the ratio, and the width if neither the address nor a recipe has
    /// one.
    func apply(to options: inout ImageOptions) throws(MediaError) {
        if let width, !options.has("screen"), options.recipe == nil {
            try options.set("screen", "\(width)x")
        } else if let pixelRatio, !options.has("dpr"), options.has("screen") || options.recipe != nil {
            try options.set("dpr", "\(pixelRatio)")
        }
    }
}

extension HTTPField.Name {
    static var acceptCH: Self { Self("Accept-CH")! }
}

/// Chooses the format of an image by the `Accept` header.
enum FormatNegotiation {
    private static let formats: [Encoding.Format] = [.avif, .webp, .png, .jpeg]

    static var mediaTypes: [String] { formats.map(\.mediaType) }

    /// Returns the format among `offered` and JPEG that an `Accept` header prefers (RFC 9110, section 12.5.1). A wildcard
    /// matches JPEG only, because browsers list newer formats explicitly. JPEG is also the format if none is accepted.
    static func format(accept: String?, offered: [Encoding.Format]) -> Encoding.Format {
        let header = AcceptHeader(accept)
        let known = formats.filter { $0 == .jpeg || offered.contains($0) && header.quality($0.mediaType) > 0 }
        let best = header.best(of: known.map(\.mediaType))
        return known.first { $0.mediaType == best } ?? .jpeg
    }
}
