internal import WayreelAV
internal import WayreelCore

/// An item property from `ipco` (ISO/IEC 23008-12, section 6.5, unless stated otherwise).
enum HEIFProperty {
    /// `ispe`: width and height before any transform.
    case size(PixelSize)
    /// `pixi`: bits per channel, which the decoder configuration has too.
    case depths
    /// `colr` with an ICC profile (ISO/IEC 14496-12, section 12.1.5).
    case profile(UnsafeRawBufferPointer)
    /// `colr` with code points.
    case codePoints(ColorCodePoints)
    /// `clap`: the visible part (ISO/IEC 14496-12, section 12.1.4).
    case cleanAperture(CleanAperture)
    /// `irot` and `imir`: rotation and mirroring for display.
    case orientation(Orientation)
    /// `hvcC`: decoder configuration for HEVC (ISO/IEC 14496-15, section 8.3.3).
    case hevcConfiguration(UnsafeRawBufferPointer)
    /// `av1C`: decoder configuration for AV1.
    case av1Configuration(UnsafeRawBufferPointer)
    /// `auxC`: the role of an auxiliary image, a URN.
    case auxiliaryType(String)
    case other(type: String)

    init(_ box: ISOBox) {
        self = Self.parse(box) ?? .other(type: box.type)
    }

    private static func parse(_ box: ISOBox) -> HEIFProperty? {
        var cursor = ByteCursor(box.body)
        let property: HEIFProperty?
        switch box.type {
        case "ispe":
            cursor.skip(4)
            property = .size(PixelSize(width: cursor.read(4), height: cursor.read(4)))
        case "pixi": property = .depths
        case "colr": property = color(&cursor)
        case "clap": property = CleanAperture(cursor.rest()).map(HEIFProperty.cleanAperture)
        case "irot":
            let turns: [Orientation] = [.upright, .quarterTurnCounterclockwise, .halfTurn, .quarterTurnClockwise]
            property = .orientation(turns[cursor.read(1) & 3])
        case "imir": property = .orientation(cursor.read(1) & 1 == 0 ? .flipped : .mirrored)
        case "hvcC": property = .hevcConfiguration(cursor.rest())
        case "av1C": property = .av1Configuration(cursor.rest())
        case "auxC":
            cursor.skip(4)
            property = .auxiliaryType(cursor.readText())
        default: property = nil
        }
        return cursor.isPastEnd ? nil : property
    }

    private static func color(_ cursor: inout ByteCursor) -> HEIFProperty? {
        switch cursor.readType() {
        case "prof", "rICC": return .profile(cursor.rest())
        case "nclx":
            return .codePoints(
                ColorCodePoints(
                    primaries: cursor.read(2), transfer: cursor.read(2), matrix: cursor.read(2),
                    isFullRange: cursor.read(1) & 0x80 != 0))
        default: return nil
        }
    }
}
