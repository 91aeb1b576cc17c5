internal import ArgumentParser
internal import Wayreel

struct FramingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The screen: WIDTHxHEIGHT or a name (wayreel screens). Default: the capture's own size.",
            valueName: "screen"))
    var screen: String?

    @Option(help: "cover fills the screen and crops, contain shows all, width fits the width. (default: cover)")
    var fit: Fit?

    @Option(help: "What a crop keeps: center, north, north-east, … (default: center)")
    var gravity: Gravity?

    @Flag(help: "Keep the screen as it is named instead of turning it to the capture's orientation.")
    var noTurn = false

    @Flag(help: "Enlarge captures that are smaller than the screen.")
    var enlarge = false

    @Flag(help: "Resample in linear light.")
    var linear = false

    /// Throws a `parameter` error for an unknown screen, and for an option that would change nothing without one.
    func framing(over recipe: Recipe) throws -> Framing {
        let given = recipe.output
        let needScreen = [
            ("--fit", fit != nil), ("--gravity", gravity != nil), ("--no-turn", noTurn), ("--enlarge", enlarge),
            ("--linear", linear),
        ]
        if screen == nil, given.screen == nil, let option = needScreen.first(where: \.1)?.0 {
            throw MediaError(
                .parameter, step: "screen", reason: "\(option) has no meaning without a screen",
                advice: "add --screen")
        }
        let named = try screen.map { (text) throws(MediaError) in try Screen(parsing: text) }
        return Framing(
            screen: (named ?? given.screen)?.size, fit: fit ?? given.fit ?? .cover,
            gravity: gravity ?? given.gravity ?? .center,
            turnsScreen: !noTurn && given.turn ?? true, enlarges: enlarge || given.enlarge ?? false,
            inLinearLight: linear || given.linear ?? false)
    }
}
