/// Writes HEIF files box by box, following ISO/IEC 14496-12 and 23008-12.
struct HEIFWriter {
    struct Item {
        let id: Int
        let type: String
        var data: [UInt8]
        /// Complete property boxes, and whether they are essential.
        var properties: [(box: [UInt8], isEssential: Bool)] = []
        var isHidden = false
        /// The location of the data: 0 for mdat, 1 for idat, 2 for the items of the `iloc` reference.
        var method = 0
        /// The number of extents that the data are divided into.
        var extents = 1
        /// Whether each extent is the whole file: offset 0, and a length of 0.
        var repeatsFile = false
        /// Takes the place of `data`: bytes from an offset in the data of another item in mdat; a count of 0 means
        /// those to the end of the file.
        var alias: (item: Int, offset: Int, count: Int)?
    }

    var items: [Item] = []
    var references: [(type: String, from: Int, to: [Int])] = []
    var primary = 1
    var brand = "heic"
    var locationVersion = 1

    /// Returns the whole file; `offsets` are those of each item's data in mdat.
    func file() -> (bytes: [UInt8], offsets: [Int: Int]) {
        // Offsets have a fixed size, so that the box's size does not depend on them.
        let head = box("ftyp", ascii(brand), number(0, 4), ascii("mif1"), ascii(brand))
        let start = head.count + meta(offsets: [:]).count + 8
        var offsets: [Int: Int] = [:]
        var data: [UInt8] = []
        for item in items where item.method == 0 && item.alias == nil {
            offsets[item.id] = start + data.count
            data += item.data
        }
        return (head + meta(offsets: offsets) + box("mdat", data), offsets)
    }

    private func meta(offsets: [Int: Int]) -> [UInt8] {
        let entries = items.map { item in
            fullBox(
                "infe", version: 2, flags: item.isHidden ? 1 : 0, number(item.id, 2), number(0, 2), ascii(item.type),
                [0])
        }
        let links = references.map {
            box($0.type, number($0.from, 2), number($0.to.count, 2), $0.to.flatMap { number($0, 2) })
        }
        var parts = [
            fullBox("hdlr", number(0, 4), ascii("pict"), number(0, 12), [0]),
            fullBox("pitm", number(primary, 2)),
            fullBox("iinf", number(items.count, 2), entries.flatMap(\.self)),
            properties(), locations(offsets),
        ]
        if !links.isEmpty { parts.append(fullBox("iref", links.flatMap(\.self))) }
        parts.append(box("idat", items.filter { $0.method == 1 }.flatMap(\.data)))
        return fullBox("meta", parts.flatMap(\.self))
    }

    private func properties() -> [UInt8] {
        var all: [[UInt8]] = []
        var associations: [UInt8] = []
        for item in items {
            associations += number(item.id, 2) + [UInt8(item.properties.count)]
            for (box, isEssential) in item.properties {
                let index = all.firstIndex(of: box) ?? all.count
                if index == all.count { all.append(box) }
                associations.append(UInt8(index + 1) | (isEssential ? 0x80 : 0))
            }
        }
        return box(
            "iprp", box("ipco", all.flatMap(\.self)), fullBox("ipma", number(items.count, 4), associations))
    }

    private func locations(_ offsets: [Int: Int]) -> [UInt8] {
        let idBytes = locationVersion == 2 ? 4 : 2
        var inside = 0
        let entries = items.map { item -> [UInt8] in
            var entry = number(item.id, idBytes)
            if locationVersion > 0 { entry += number(item.method, 2) }
            entry += number(0, 2)
            if item.repeatsFile {
                entry += number(0, 4) + number(item.extents, 2)
                for _ in 0..<item.extents { entry += number(0, locationVersion > 0 ? 12 : 8) }
                return entry
            }
            if let alias = item.alias {
                let start = number((offsets[alias.item] ?? 0) + alias.offset, 4) + number(1, 2)
                return entry + start + number(0, locationVersion > 0 ? 8 : 4) + number(alias.count, 4)
            }
            let base = item.method == 0 ? offsets[item.id] ?? 0 : item.method == 1 ? inside : 0
            if item.method == 1 { inside += item.data.count }
            let step = (item.data.count + item.extents - 1) / item.extents
            entry += number(base, 4) + number(item.extents, 2)
            for index in 0..<item.extents {
                let start = index * step
                if locationVersion > 0 { entry += number(item.method == 2 ? index + 1 : 0, 4) }
                // All data of another item: from 0 on, without a length.
                entry +=
                    item.method == 2
                    ? number(0, 8) : number(start, 4) + number(min(step, item.data.count - start), 4)
            }
            return entry
        }
        return fullBox(
            "iloc", version: locationVersion, [0x44, locationVersion > 0 ? 0x44 : 0x40], number(items.count, idBytes),
            entries.flatMap(\.self))
    }
}

func number(_ value: Int, _ bytes: Int) -> [UInt8] { FileBytes.big(value, bytes) }

func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let body = parts.flatMap(\.self)
    return number(8 + body.count, 4) + ascii(type) + body
}

func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ parts: [UInt8]...) -> [UInt8] {
    box(type, [UInt8(version)], number(flags, 3), parts.flatMap(\.self))
}
