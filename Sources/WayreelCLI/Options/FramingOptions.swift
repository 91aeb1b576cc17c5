internal import ArgumentParser
internal import Wayreel
internal import WayreelImage

struct FramingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "WIDTHxHEIGHT, WIDTHx, xHEIGHT, a share of the capture's own size such as 50%, or a name (wayreel screens). Default: the capture's own size.",
            valueName: "screen"), completion: .custom { _, _, _ in Screen.all.map(\.name) })
    var screen: String?

    @Option(help: "The display's pixel ratio, which multiplies the screen: 2 for two pixels a point. (default: 1)")
    var dpr: Double?

    @Option(
        help:
            "cover fills the screen and crops, contain shows all, pad shows all on a canvas of the screen's size, width and height fit one side, fill stretches. (default: cover)"
    )
    var fit: Fit?

    @Option(
        help:
            "What a crop keeps, or where a padded capture lies: center, north, north-east, …, or attention, which finds what draws the eye. (default: center)"
    )
    var gravity: CropGravity?

    @Option(
        help:
            "What fills a padded capture's canvas and shows through what is transparent: #fff, white, … (default: black beside it; transparent stays so where the format can)"
    )
    var background: RGBColor?

    @Flag(help: "Cut off a border of one colour first.")
    var trim = false

    @Option(help: "How far a border's pixels may be from its colour, 0 to 255; implies --trim. (default: 10)")
    var trimTolerance: Double?

    @Flag(help: "Keep the screen as it is named instead of turning it to the capture's orientation.")
    var noTurn = false

    @Flag(help: "Enlarge captures that are smaller than the screen.")
    var enlarge = false

    @Flag(help: "Resample in linear light.")
    var linear = false

    /// Throws a `parameter` error for an unknown screen, and for an option that would change nothing.
    func framing(over recipe: Recipe) throws(MediaError) -> Framing {
        var asked = recipe.output
        if let screen { asked.size = try OutputSize(parsing: screen) }
        asked.pixelRatio = dpr ?? asked.pixelRatio
        asked.fit = fit ?? asked.fit
        if let gravity { (asked.gravity, asked.cropsToAttention) = (gravity.gravity, gravity.isAttention) }
        asked.trim = trimTolerance ?? (trim ? asked.trim ?? Framing.trimTolerance : asked.trim)
        asked.turn = noTurn ? false : asked.turn
        asked.enlarge = enlarge ? true : asked.enlarge
        asked.linear = linear ? true : asked.linear
        try OptionUse.check(
            asked, perSize: [("--dpr", dpr != nil), ("--enlarge", enlarge), ("--linear", linear)],
            perScreen: [("--fit", fit != nil), ("--gravity", gravity != nil), ("--no-turn", noTurn)])
        let framing = asked.framing()
        if gravity != nil, ![.cover, .pad].contains(framing.fit) {
            throw MediaError(
                .parameter, step: "screen", reason: "--gravity has no meaning with fit \(framing.fit.rawValue)",
                advice: "use --fit cover or pad")
        }
        return framing
    }
}

/// Refuses options that would change nothing.
enum OptionUse {
    typealias Given = (name: String, isGiven: Bool)

    /// Throws a `parameter` error where one of `perSize` is given without any size, or one of `perScreen` without both sides of
    /// a screen.
    static func check(_ output: RecipeOutput, perSize: [Given] = [], perScreen: [Given]) throws(MediaError) {
        if let size = output.size {
            guard !size.isWholeScreen, let option = perScreen.first(where: \.isGiven) else { return }
            throw MediaError(
                .parameter, step: "screen", reason: "\(option.name) has no meaning without both sides of a screen",
                advice: "use --screen WIDTHxHEIGHT")
        }
        guard let option = (perScreen + perSize).first(where: \.isGiven) else { return }
        throw MediaError(
            .parameter, step: "screen", reason: "\(option.name) has no meaning without a screen", advice: "add --screen"
        )
    }
}

extension CropGravity: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
    static var allValueStrings: [String] { words }
}
