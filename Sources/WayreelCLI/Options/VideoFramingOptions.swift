internal import ArgumentParser
internal import WayreelMedia

struct VideoFramingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Output size: WIDTHxHEIGHT, WIDTHx, xHEIGHT, a percentage of the video's size such as 50%, or a screen name (wayreel screens). Never upscaled. Default: the video's size.",
            valueName: "screen"), completion: .custom { _, _, _ in Screen.all.map(\.name) })
    var screen: String?

    @Option(
        help:
            "Scaling: contain shows all, cover fills the screen and crops, width and height fit one side, fill stretches; for posters also pad, which shows all on a canvas of the screen's size. (default: contain)"
    )
    var fit: Fit?

    @Option(help: "Alignment of a crop: center, north, north-east, … (default: center)")
    var gravity: Gravity?

    @Flag(help: "Do not rotate the screen to match the video's orientation.")
    var noTurn = false

    @Option(
        help: "Background of transparent frames and padding: #000, white, … (default: black)",
        transform: RGBColor.parse)
    var background: RGBColor?

    /// Applies the parts of a recipe's output that exist for video: screen and fit.
    ///
    /// Throws a `parameter` error for an unknown screen, and for an option that has no effect without one.
    func framing(over recipe: Recipe) throws(MediaError) -> Framing {
        var asked = RecipeOutput()
        asked.size = try screen.map { (text) throws(MediaError) in try OutputSize(parsing: text) } ?? recipe.output.size
        asked.pixelRatio = screen == nil ? recipe.output.pixelRatio : nil
        asked.fit = fit ?? recipe.output.fit
        asked.gravity = gravity ?? recipe.output.gravity
        asked.turn = noTurn ? false : recipe.output.turn
        try OptionUse.check(
            asked, perScreen: [("--fit", fit != nil), ("--gravity", gravity != nil), ("--no-turn", noTurn)])
        return asked.framing(over: Framing(fit: .contain))
    }
}
