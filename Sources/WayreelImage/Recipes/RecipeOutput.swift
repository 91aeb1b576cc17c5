public import WayreelCore

/// What a recipe says about its output; nil where it leaves the matter to the caller.
public struct RecipeOutput: Hashable, Sendable {
    public var screen: Screen?
    public var fit: Fit?
    public var gravity: Gravity?
    /// Whether to resample in linear light.
    public var linear: Bool?
    /// Whether a small capture may be enlarged.
    public var enlarge: Bool?
    /// Whether the screen is turned to the capture's orientation.
    public var turn: Bool?
    public var format: Encoding.Format?
    /// 1 to 100.
    public var quality: Int?
    public var progressive: Bool?
    public var subsampling: Encoding.Subsampling?
    /// 8 or 16.
    public var bits: Int?
    public var lossless: Bool?
    public var maxBytes: Int?
    public var metadata: Encoding.Metadata?

    public init() {}

    /// `base`, with what this output says in place of what it says.
    public func encoding(over base: Encoding = Encoding()) -> Encoding {
        Encoding(
            format ?? base.format, quality: quality ?? base.quality, progressive: progressive ?? base.progressive,
            subsampling: subsampling ?? base.subsampling, bits: bits ?? base.bits, lossless: lossless ?? base.lossless,
            maxBytes: maxBytes ?? base.maxBytes, metadata: metadata ?? base.metadata)
    }
}

extension RecipeOutput {
    static let settings: [Setting<RecipeOutput>] = [
        .value(
            "screen", "a screen such as iphone-4s, or WIDTHxHEIGHT", words: { Screen.all.map(\.name) },
            read: { try? Screen(parsing: $0) }, store: { $0.screen = $1 }),
        .choice("fit", Fit.self) { $0.fit = $1 },
        .choice("gravity", Gravity.self) { $0.gravity = $1 },
        .flag("linear") { $0.linear = $1 },
        .flag("enlarge") { $0.enlarge = $1 },
        .flag("turn") { $0.turn = $1 },
        .value(
            "format", Encoding.Format.words.alternatives, words: { Encoding.Format.words },
            read: { Encoding.Format(rawValue: $0 == "jpg" ? "jpeg" : $0) }, store: { $0.format = $1 }),
        .value(
            "quality", "a whole number from 1 to 100",
            read: { Int($0).flatMap { (1...100).contains($0) ? $0 : nil } }, store: { $0.quality = $1 }),
        .flag("progressive") { $0.progressive = $1 },
        .choice("subsampling", Encoding.Subsampling.self) { $0.subsampling = $1 },
        .value("bits", "8 or 16", read: { ["8": 8, "16": 16][$0] }, store: { $0.bits = $1 }),
        .flag("lossless") { $0.lossless = $1 },
        .value(
            "max-bytes", "a size such as 200000, 200kB or 1.5MB", read: { Quantity.bytes.parse($0) },
            store: { $0.maxBytes = $1 }),
        .choice("keep", Encoding.Metadata.self) { $0.metadata = $1 },
    ]
}

extension Encoding.Format {
    fileprivate static var words: [String] { allCases.map(\.rawValue) }
}
