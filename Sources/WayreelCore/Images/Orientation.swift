/// The rotation or mirroring that shows a stored image upright (EXIF 2.32, tag 0x0112).
public enum Orientation: Int, Sendable, Codable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case halfTurn = 3
    case flipped = 4
    /// Mirrored along the main diagonal.
    case transposed = 5
    /// Rotate clockwise by 90° to display.
    case quarterTurnClockwise = 6
    /// Mirrored along the other diagonal.
    case transversed = 7
    /// Rotate counter-clockwise by 90° to display.
    case quarterTurnCounterclockwise = 8

    /// Whether the upright width is the stored height.
    public var swapsSides: Bool { rawValue >= 5 }

    /// Returns the upright size of an image stored at `size`.
    public func upright(_ size: PixelSize) -> PixelSize { swapsSides ? size.turned : size }
}

extension Orientation {
    /// The change that shows a stored image upright, as text.
    package var summary: String {
        switch self {
        case .upright: "upright"
        case .mirrored: "mirrored left to right"
        case .halfTurn: "rotated by 180°"
        case .flipped: "mirrored top to bottom"
        case .transposed: "mirrored along the main diagonal"
        case .quarterTurnClockwise: "rotated clockwise by 90°"
        case .transversed: "mirrored along the other diagonal"
        case .quarterTurnCounterclockwise: "rotated counter-clockwise by 90°"
        }
    }
}
