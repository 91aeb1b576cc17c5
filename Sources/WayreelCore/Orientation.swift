/// The eight ways a stored picture may have to be turned to stand upright (EXIF 2.32, tag 0x0112).
public enum Orientation: Int, Sendable, Codable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case halfTurn = 3
    case flipped = 4
    /// Mirrored along the main diagonal.
    case transposed = 5
    /// Shown upright after a quarter turn clockwise.
    case quarterTurnClockwise = 6
    /// Mirrored along the other diagonal.
    case transversed = 7
    /// Shown upright after a quarter turn counter-clockwise.
    case quarterTurnCounterclockwise = 8

    /// Whether the upright picture's width is the stored one's height.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The size of the upright picture, for a stored picture of `size`.
    public func upright(_ size: PixelSize) -> PixelSize { swapsSides ? size.turned : size }
}
