internal import ArgumentParser
internal import Wayreel

struct VideoFramingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The screen: WIDTHxHEIGHT or a name (wayreel screens). Never enlarged. Default: the video's own size.",
            valueName: "screen"))
    var screen: String?

    @Option(help: "contain shows all, cover fills the screen and crops, width fits the width. (default: contain)")
    var fit: Fit?

    @Option(help: "What a crop keeps: center, north, north-east, … (default: center)")
    var gravity: Gravity?

    @Flag(help: "Keep the screen as it is named instead of turning it to the video's orientation.")
    var noTurn = false

    @Option(help: "What shows through where pictures are transparent: #000, white, … (default: black)")
    var background: RGBColor?

    /// Of a recipe's output only what holds for moving pictures counts: its screen, and how that is filled.
    ///
    /// Throws a `parameter` error for an unknown screen, and for an option that would change nothing without one.
    func framing(over recipe: Recipe) throws(MediaError) -> Framing {
        let given = recipe.output
        let named = try screen.map { (text) throws(MediaError) in try Screen(parsing: text) }
        let size = (named ?? given.screen)?.size
        let needScreen = [("--fit", fit != nil), ("--gravity", gravity != nil), ("--no-turn", noTurn)]
        if size == nil, let option = needScreen.first(where: \.1)?.0 {
            throw MediaError(
                .parameter, step: "screen", reason: "\(option) has no meaning without a screen",
                advice: "add --screen")
        }
        return Framing(
            screen: size, fit: fit ?? given.fit ?? .contain, gravity: gravity ?? given.gravity ?? .center,
            turnsScreen: !noTurn && given.turn ?? true)
    }
}
