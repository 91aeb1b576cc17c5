/// Width and height of an image or a screen in pixels.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Parses `WIDTHxHEIGHT`, as in `960x640`, `960X640` or `960×640`. Both sides are 1 to 1 000 000.
    public init?(_ text: some StringProtocol) {
        self.init(sides: text, allowsOneSide: false)
    }

    /// Parses the same formats, and with `allowsOneSide` also `960x` and `x640`, whose other side is 0.
    init?(sides text: some StringProtocol, allowsOneSide: Bool) {
        let sides = text.split(omittingEmptySubsequences: false) { "xX×".contains($0) }
        guard sides.count == 2, !(sides[0].isEmpty && sides[1].isEmpty),
            let width = Self.side(sides[0], mayBeEmpty: allowsOneSide),
            let height = Self.side(sides[1], mayBeEmpty: allowsOneSide)
        else { return nil }
        self.init(width: width, height: height)
    }

    private static func side(_ text: some StringProtocol, mayBeEmpty: Bool) -> Int? {
        if text.isEmpty, mayBeEmpty { return 0 }
        return Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    }

    /// Width × height, or `Int.max` on overflow, so that comparisons with a limit hold.
    public var pixels: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    public var isLandscape: Bool { width > height }
    public var isPortrait: Bool { height > width }
    public var shorterSide: Int { min(width, height) }
    public var longerSide: Int { max(width, height) }

    /// The size rotated by 90°.
    public var turned: PixelSize { PixelSize(width: height, height: width) }

    /// `960×640`.
    public var description: String { "\(width)×\(height)" }
}

/// A rectangle on the pixel grid.
package struct PixelRectangle: Hashable, Sendable {
    package var columns: Range<Int>
    package var rows: Range<Int>

    package init(columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
    }

    /// Creates a rectangle that covers an image of `size`.
    package init(_ size: PixelSize) { self.init(columns: 0..<size.width, rows: 0..<size.height) }

    package var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }
}

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
                .parameter, step: .screen, reason: "'\(text)' is not a percentage of the size",
                advice: "use 0.1% to 10000%")
        }
        self = .share(percent / 100)
    }

    /// Whether both sides of a screen are given.
    public var isWholeScreen: Bool { if case .screen(let screen) = self { screen.size.shorterSide > 0 } else { false } }
}

extension Int {
    /// A pixel count for messages: `8.3 megapixels`, `640 pixels`.
    package var inMegapixels: String {
        self < 100_000 ? "\(self) pixels" : "\(((Double(self) / 1e5).rounded() / 10).shortDescription) megapixels"
    }

    /// The count for a message that compares it with `other`: in pixels if both would read the same.
    package func inMegapixels(beside other: Int) -> String {
        self != other && inMegapixels == other.inMegapixels ? "\(self) pixels" : inMegapixels
    }
}
