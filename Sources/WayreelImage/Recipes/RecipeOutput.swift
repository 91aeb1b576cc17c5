public import WayreelCore
package import WayreelDocument

/// Output settings of a recipe; nil if not set.
public struct RecipeOutput: Hashable, Sendable {
    /// The key `screen`.
    public var size: OutputSize?
    /// Device pixel ratio, a factor for the screen.
    public var pixelRatio: Double?
    public var fit: Fit?
    public var gravity: Gravity?
    /// Whether a crop keeps the salient part; the key `gravity` with the value `attention`.
    public var cropsToAttention: Bool?
    /// The part of the upright image that is kept.
    public var crop: Framing.Crop?
    public var flip: Framing.Flip?
    /// The key `rotate`.
    public var rotation: Framing.Rotation?
    /// Trim tolerance, 0 to 255.
    public var trim: Double?
    /// Drawn behind transparency and as padding.
    public var background: RGBColor?
    /// Whether to resample in linear light.
    public var linear: Bool?
    /// Whether to decode an image that is reduced at its full size first; the key `full-decode`.
    public var fullDecode: Bool?
    /// Whether to upscale small captures.
    public var enlarge: Bool?
    /// Whether to rotate the screen to the capture's orientation.
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

    /// Returns `base` with these settings applied.
    public func framing(over base: Framing = Framing()) -> Framing {
        var framing = base
        switch size {
        case .screen(let screen): (framing.screen, framing.scale) = (screen.size, 1)
        case .share(let share): (framing.screen, framing.scale) = (nil, share)
        case nil: break
        }
        framing.scale *= pixelRatio ?? 1
        framing.fit = fit ?? base.fit
        framing.gravity = gravity ?? base.gravity
        framing.cropsToAttention = cropsToAttention ?? base.cropsToAttention
        framing.crop = crop ?? base.crop
        framing.flip = flip ?? base.flip
        framing.rotation = rotation ?? base.rotation
        framing.trim = trim ?? base.trim
        framing.turnsScreen = turn ?? base.turnsScreen
        framing.enlarges = enlarge ?? base.enlarges
        framing.inLinearLight = linear ?? base.inLinearLight
        framing.decodesFully = fullDecode ?? base.decodesFully
        return framing
    }

    /// Returns `base` with these settings applied.
    public func encoding(over base: Encoding = Encoding()) -> Encoding {
        var encoding = base
        encoding.format = format ?? base.format
        encoding.quality = quality ?? base.quality
        encoding.progressive = progressive ?? base.progressive
        encoding.subsampling = subsampling ?? base.subsampling
        encoding.bits = bits ?? base.bits
        encoding.lossless = lossless ?? base.lossless
        encoding.maxBytes = maxBytes ?? base.maxBytes
        encoding.metadata = metadata ?? base.metadata
        return encoding
    }

    package static let settings: [Setting<RecipeOutput>] = [
        .value(
            "screen", "a screen such as iphone-4s, WIDTHxHEIGHT, WIDTHx, xHEIGHT or a percentage",
            keywords: { Screen.all.map(\.name) }, read: { try? OutputSize(parsing: $0) }, store: { $0.size = $1 }),
        .number("dpr", 0.1...10) { $0.pixelRatio = $1 },
        .choice("fit", Fit.self) { $0.fit = $1 },
        .value(
            "gravity", CropGravity.keywords.alternatives, keywords: { CropGravity.keywords }, read: { CropGravity($0) },
            store: { ($0.gravity, $0.cropsToAttention) = ($1.gravity, $1.isAttention) }),
        .value(
            "crop", "x,y,width,height of the upright image, in pixels or percent such as 10%,10%,80%,80%",
            read: { Framing.Crop($0) }, store: { $0.crop = $1 }),
        .choice("flip", Framing.Flip.self) { $0.flip = $1 },
        .value(
            "rotate", "90, 180 or 270 degrees clockwise", values: .choice(["90", "180", "270"]),
            read: { Int($0).flatMap(Framing.Rotation.init) }, store: { $0.rotation = $1 }),
        .value(
            "trim", "true, or a tolerance from 0 to 255",
            read: { $0 == "true" ? Framing.trimTolerance : Double($0).flatMap { (0...255).contains($0) ? $0 : nil } },
            store: { $0.trim = $1 }),
        .color("background") { $0.background = $1 },
        .flag("linear") { $0.linear = $1 },
        .flag("full-decode") { $0.fullDecode = $1 },
        .flag("enlarge") { $0.enlarge = $1 },
        .flag("turn") { $0.turn = $1 },
        .value(
            "format", Encoding.Format.keywords.alternatives, keywords: { Encoding.Format.keywords },
            read: { try? Encoding.Format(named: $0) }, store: { $0.format = $1 }),
        .value(
            "quality", "a whole number from 1 to 100", values: .integer(1...100),
            read: { Int($0).flatMap { (1...100).contains($0) ? $0 : nil } }, store: { $0.quality = $1 }),
        .flag("progressive") { $0.progressive = $1 },
        .choice("subsampling", Encoding.Subsampling.self) { $0.subsampling = $1 },
        .value(
            "bits", "8 or 16", values: .choice(["8", "16"]), read: { ["8": 8, "16": 16][$0] }, store: { $0.bits = $1 }),
        .flag("lossless") { $0.lossless = $1 },
        .value(
            "max-bytes", "a size such as 200000, 200kB or 1.5MB", read: { Quantity.bytes.parse($0) },
            store: { $0.maxBytes = $1 }),
        .choice("keep", Encoding.Metadata.self) { $0.metadata = $1 },
    ]
}

extension Encoding.Format {
    fileprivate static var keywords: [String] { allCases.map(\.rawValue) }
}

/// Alignment of a crop given by an option or a recipe: a gravity or `attention`.
package struct CropGravity: Hashable, Sendable {
    /// nil for `attention`.
    package let gravity: Gravity?

    package var isAttention: Bool { gravity == nil }

    package init?(_ text: String) {
        gravity = Gravity(rawValue: text)
        if gravity == nil, text != Self.attention { return nil }
    }

    /// All accepted values.
    package static let keywords = Gravity.allCases.map(\.rawValue) + [attention]

    private static let attention = "attention"
}
