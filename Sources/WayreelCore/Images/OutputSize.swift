/// The size of an output as given by an option or a recipe.
public enum OutputSize: Hashable, Sendable {
    /// A screen, or one side of it.
    case screen(Screen)
    /// A factor of the source size: 0.5 halves width and height.
    case share(Double)

    /// Parses a percentage (`50%`), or what ``Screen/init(parsing:)`` takes.
    ///
    /// Throws a `parameter` error.
    public init(parsing text: String) throws(MediaError) {
        guard text.hasSuffix("%") else {
            self = .screen(try Screen(parsing: text))
            return
        }
        guard let percent = Double(text.dropLast()), (0.1...10_000).contains(percent) else {
            throw MediaError(
                .parameter, step: "screen", reason: "'\(text)' is not a percentage of the size",
                advice: "use 0.1% to 10000%")
        }
        self = .share(percent / 100)
    }

    /// Whether both sides of a screen are given.
    public var isWholeScreen: Bool {
        guard case .screen(let screen) = self else { return false }
        return screen.size.shorterSide > 0
    }
}
