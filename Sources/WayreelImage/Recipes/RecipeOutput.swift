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
            "screen", "a screen such as iphone-4s, or WIDTHxHEIGHT", \.screen, words: { Screen.all.map(\.name) },
            read: { try? Screen(parsing: $0) }),
        .choice("fit", \.fit),
        .choice("gravity", \.gravity),
        .flag("linear", \.linear),
        .flag("enlarge", \.enlarge),
        .flag("turn", \.turn),
        .value("format", Encoding.Format.words.alternatives, \.format, words: { Encoding.Format.words }) {
            Encoding.Format(rawValue: $0 == "jpg" ? "jpeg" : $0)
        },
        .value("quality", "a whole number from 1 to 100", \.quality) {
            Int($0).flatMap { (1...100).contains($0) ? $0 : nil }
        },
        .flag("progressive", \.progressive),
        .choice("subsampling", \.subsampling),
        .value("bits", "8 or 16", \.bits) { ["8": 8, "16": 16][$0] },
        .flag("lossless", \.lossless),
        .value("max-bytes", "a size such as 200000, 200kB or 1.5MB", \.maxBytes) { ByteSize.parse($0) },
        .choice("keep", \.metadata),
    ]
}

extension Encoding.Format {
    fileprivate static var words: [String] { allCases.map(\.rawValue) }
}
