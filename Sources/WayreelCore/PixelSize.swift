/// The width and height of a picture or a screen, in pixels.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Parses `WIDTHxHEIGHT`, as in `960x640`. Both sides are 1 to 1 000 000.
    public init?(_ text: some StringProtocol) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
            (1...1_000_000).contains(width), (1...1_000_000).contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }

    /// Width × height; `Int.max` where that overflows, so that a comparison with a limit still holds.
    public var pixels: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    public var isLandscape: Bool { width > height }
    public var isPortrait: Bool { height > width }
    public var shorterSide: Int { min(width, height) }
    public var longerSide: Int { max(width, height) }

    /// The size after a quarter turn.
    public var turned: PixelSize { PixelSize(width: height, height: width) }

    /// `960×640`.
    public var description: String { "\(width)×\(height)" }
}
