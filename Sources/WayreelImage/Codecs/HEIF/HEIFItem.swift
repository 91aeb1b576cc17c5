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
