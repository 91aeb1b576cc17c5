/// What an option or a recipe says of an output's size.
public enum OutputSize: Hashable, Sendable {
    /// A screen, or one side of one.
    case screen(Screen)
    /// A share of the source's own size: 0.5 for half as wide and half as high.
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
                .parameter, step: "screen", reason: "'\(text)' is no share of a size", advice: "use 0.1% to 10000%")
        }
        self = .share(percent / 100)
    }

    /// Whether both sides of a screen are given.
    public var isWholeScreen: Bool {
        guard case .screen(let screen) = self else { return false }
        return screen.size.shorterSide > 0
    }
}
