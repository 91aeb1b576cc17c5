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
    public var swapsSides: Bool { axes.x.x == 0 }

    /// Returns the upright size of an image stored at `size`.
    public func upright(_ size: PixelSize) -> PixelSize { swapsSides ? size.turned : size }

    // MARK: Encodings

    /// The value of EXIF, TIFF and JPEG XL; others than 1 to 8 are upright.
    package init(exif value: Int) { self = Orientation(rawValue: value) ?? .upright }

    /// The angle of HEIF's `irot` (ISO/IEC 23008-12, section 6.5.10): quarter turns counter-clockwise, in the low two
    /// bits.
    package init(irot angle: Int) {
        self = [.upright, .quarterTurnCounterclockwise, .halfTurn, .quarterTurnClockwise][angle & 3]
    }

    /// The mode of HEIF's `imir` (section 6.5.12), in the lowest bit: 0 exchanges top and bottom, 1 left and right.
    package init(imir mode: Int) { self = mode & 1 == 0 ? .flipped : .mirrored }

    /// The directions of the stored image's axes (right, down) in the display, as in the matrices of MP4. Other angles
    /// count as the nearest quarter turn.
    package init(xAxis: (Int, Int), yAxis: (Int, Int)) {
        let ((a, b), (c, d)) = (xAxis, yAxis)
        if a.magnitude + d.magnitude >= b.magnitude + c.magnitude {
            self = a >= 0 ? (d >= 0 ? .upright : .flipped) : (d >= 0 ? .mirrored : .halfTurn)
        } else {
            self =
                b >= 0
                ? (c >= 0 ? .transposed : .quarterTurnClockwise)
                : (c >= 0 ? .quarterTurnCounterclockwise : .transversed)
        }
    }

    /// The directions of the stored image's axes (right, down) in the display.
    package var axes: (x: (x: Int, y: Int), y: (x: Int, y: Int)) {
        switch self {
        case .upright: ((1, 0), (0, 1))
        case .mirrored: ((-1, 0), (0, 1))
        case .halfTurn: ((-1, 0), (0, -1))
        case .flipped: ((1, 0), (0, -1))
        case .transposed: ((0, 1), (1, 0))
        case .quarterTurnClockwise: ((0, 1), (-1, 0))
        case .transversed: ((0, -1), (-1, 0))
        case .quarterTurnCounterclockwise: ((0, -1), (1, 0))
        }
    }

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

    // MARK: Use

    /// Whether the upright image's origin is at the right of the stored one.
    package var startsAtRight: Bool { axes.x.x + axes.x.y < 0 }
    /// Whether the upright image's origin is at the bottom of the stored one.
    package var startsAtBottom: Bool { axes.y.x + axes.y.y < 0 }

    /// Returns this orientation followed by `next`.
    package func then(_ next: Orientation) -> Orientation {
        let (x, y) = next.axes
        func turned(_ axis: (x: Int, y: Int)) -> (Int, Int) {
            (axis.x * x.x + axis.y * y.x, axis.x * x.y + axis.y * y.y)
        }
        return Orientation(xAxis: turned(axes.x), yAxis: turned(axes.y))
    }

    /// Maps a part of the upright image to the stored one of `size`.
    package func stored(_ upright: PixelRectangle, in size: PixelSize) -> PixelRectangle {
        func reversed(_ range: Range<Int>, in length: Int) -> Range<Int> {
            length - range.upperBound..<length - range.lowerBound
        }
        let part = swapsSides ? PixelRectangle(columns: upright.rows, rows: upright.columns) : upright
        return PixelRectangle(
            columns: startsAtRight ? reversed(part.columns, in: size.width) : part.columns,
            rows: startsAtBottom ? reversed(part.rows, in: size.height) : part.rows)
    }
}
