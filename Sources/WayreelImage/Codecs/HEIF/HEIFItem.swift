internal import WayreelAV
internal import WayreelCore

/// An item of a HEIF file: type and properties, without data.
struct HEIFItem {
    /// `hvc1`, `av01`, `grid`, `iden`, `iovl`, `tmap`, `Exif`, `mime`, …
    let type: String
    /// Content type of a `mime` item.
    let contentType: String?
    /// Whether it is not shown independently.
    let isHidden: Bool
    fileprivate(set) var properties: [Property] = []

    /// A property associated with an item.
    struct Property {
        let value: HEIFProperty
        /// Whether readers that do not support it must not show the item.
        let isEssential: Bool
    }

    /// Max number of items; a grid may have 65 536 tiles.
    static let maxCount = 70_000
    /// Max number of properties per item; files have a handful.
    private static let maxProperties = 32

    /// Returns the items described by the boxes of `meta`.
    static func items(in meta: UnsafeRawBufferPointer) -> [Int: HEIFItem] {
        var items: [Int: HEIFItem] = [:]
        let list = ISOBox.first("iinf", in: meta)
        guard list.count >= 6 else { return [:] }
        let entries = ISOBoxes(UnsafeRawBufferPointer(rebasing: list.dropFirst(list[0] == 0 ? 6 : 8)))
        for entry in entries.prefix(maxCount) where entry.type == "infe" {
            if let (id, item) = entry.body.infoEntry { items[id] = item }
        }
        associateProperties(ISOBox.first("iprp", in: meta), with: &items)
        return items
    }

    /// Reads the `ipma` boxes (ISO/IEC 23008-12, section 9.3).
    private static func associateProperties(_ box: UnsafeRawBufferPointer, with items: inout [Int: HEIFItem]) {
        // An index has at most 15 bits.
        let properties = ISOBoxes(ISOBox.first("ipco", in: box)).prefix(1 << 15).map(HEIFProperty.init)
        for box in ISOBoxes(box) where box.type == "ipma" {
            var cursor = ByteCursor(box.body)
            let (version, flags) = (cursor.read(1), cursor.read(3))
            let indexBytes = flags & 1 == 0 ? 1 : 2
            let essential = indexBytes == 1 ? 0x80 : 0x8000
            for _ in 0..<cursor.read(4) {
                let item = cursor.read(version == 0 ? 2 : 4)
                for _ in 0..<cursor.read(1) {
                    let entry = cursor.read(indexBytes)
                    // Counted from 1; 0 means none.
                    let index = entry & (essential - 1) - 1
                    guard properties.indices.contains(index), items[item]?.properties.count ?? 0 < maxProperties
                    else { continue }
                    items[item]?.properties.append(
                        Property(value: properties[index], isEssential: entry & essential != 0))
                }
                if cursor.isPastEnd { return }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The body of an `infe` box (section 8.11.6), of version 2 or 3.
    fileprivate var infoEntry: (id: Int, item: HEIFItem)? {
        var cursor = ByteCursor(self)
        let (version, flags) = (cursor.read(1), cursor.read(3))
        guard version == 2 || version == 3 else { return nil }
        let id = cursor.read(version == 2 ? 2 : 4)
        cursor.skip(2)
        let type = cursor.readType()
        guard !cursor.isPastEnd else { return nil }
        _ = cursor.readText()
        let contentType = type == "mime" ? cursor.readText() : nil
        return (id, HEIFItem(type: type, contentType: contentType, isHidden: flags & 1 != 0))
    }
}

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
        case "irot": property = .orientation(Orientation(irot: cursor.read(1)))
        case "imir": property = .orientation(Orientation(imir: cursor.read(1)))
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
