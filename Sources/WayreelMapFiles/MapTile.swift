internal import WayreelCore

/// A Mapbox Vector Tile (github.com/mapbox/vector-tile-spec, version 2.1), decompressed.
package struct MapTile: Sendable {
    package struct Layer: Sendable {
        package var name = ""
        package var features: [Feature] = []
    }

    package struct Feature: Sendable {
        package var kind: Kind
        /// The attributes that are texts.
        package var texts: [String: String]
        /// Points, lines or rings, in units of 1/4096 of the tile's side from its north-west, x to the east and y to the
        /// south. A ring does not repeat its first point; those within an outer ring run the other way.
        package var parts: [[Point]]
        package var rank = 0
    }

    package struct Point: Hashable, Sendable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }

    /// The values are those of the format.
    package enum Kind: UInt64, Sendable {
        case point = 1
        case line = 2
        case polygon = 3
    }

    package private(set) var layers: [Layer] = []

    /// The units of a tile's side.
    package static let extent = 4096.0
    /// Coordinates farther outside of a tile are damage, in units of its layer.
    private static let farthest: Int64 = 1 << 24

    /// Reads a tile; nil if it is none. Features whose geometry is damaged are left out.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var tile = WireReader(bytes)
        var items = 0
        while let (field, value) = tile.next() {
            guard field == 3 else { continue }
            guard case .bytes(let layer) = value, let read = Self.layer(layer, &items) else { return nil }
            layers.append(read)
        }
        if tile.isDamaged { return nil }
    }

    /// Returns whether bytes are a tile: layers with a name, features and their keys and values.
    package static func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool { MapTile(bytes) != nil }

    /// The most layers, features, keys, values, tags and points of a tile: each may take a byte of the file, and far more
    /// in memory.
    private static let maxItems = 1 << 20

    /// `items` counts what the tile has so far.
    private static func layer(_ bytes: UnsafeRawBufferPointer, _ items: inout Int) -> Layer? {
        var fields = WireReader(bytes)
        var name: String?
        var extent = extent
        var keys: [String] = []
        var values: [UnsafeRawBufferPointer] = []
        var features: [UnsafeRawBufferPointer] = []
        items += 1
        while let (field, value) = fields.next() {
            items += 1
            guard items <= maxItems else { return nil }
            switch (field, value) {
            case (1, .bytes(let text)): name = String(decoding: text, as: UTF8.self)
            case (2, .bytes(let feature)): features.append(feature)
            case (3, .bytes(let key)): keys.append(String(decoding: key, as: UTF8.self))
            case (4, .bytes(let value)): values.append(value)
            case (5, .number(let number)): extent = Double(number)
            case (2, _), (4, _): return nil
            default: continue
            }
        }
        guard !fields.isDamaged, let name, extent >= 1 else { return nil }
        let known = values.map(Self.value)
        if known.contains(where: { $0 == nil }) { return nil }
        let read = known.map { $0 ?? .other }
        var layer = Layer(name: name)
        for feature in features {
            guard let made = Self.feature(feature, keys, read, Self.extent / extent, &items) else { return nil }
            if let feature = made.feature { layer.features.append(feature) }
        }
        return layer
    }

    private enum Value {
        case text(String)
        case number(Int)
        case other
    }

    private static func value(_ bytes: UnsafeRawBufferPointer) -> Value? {
        var fields = WireReader(bytes)
        var value = Value.other
        while let (field, content) = fields.next() {
            switch (field, content) {
            case (1, .bytes(let text)): value = .text(String(decoding: text, as: UTF8.self))
            case (4, .number(let number)), (5, .number(let number)): value = .number(Int(truncatingIfNeeded: number))
            case (6, .number(let number)): value = .number(Int(WireReader.signed(number)))
            default: continue
            }
        }
        return fields.isDamaged ? nil : value
    }

    /// nil for damaged fields; a feature that cannot be drawn is nil in it.
    private static func feature(
        _ bytes: UnsafeRawBufferPointer, _ keys: [String], _ values: [Value], _ factor: Double, _ items: inout Int
    ) -> (feature: Feature?, Void)? {
        var fields = WireReader(bytes)
        var kind: Kind?
        var (texts, rank) = ([String: String](), 0)
        var geometry: UnsafeRawBufferPointer?
        while let (field, value) = fields.next() {
            switch (field, value) {
            case (2, .bytes(let tags)):
                var tags = WireReader(tags)
                while !tags.isAtEnd, let key = tags.varint(), let value = tags.varint() {
                    items += 1
                    guard key < UInt64(keys.count), value < UInt64(values.count) else { continue }
                    let name = keys[Int(key)]
                    switch values[Int(value)] {
                    case .text(let text): texts[name] = text
                    case .number(let number) where name == "rank": rank = number
                    case .number, .other: continue
                    }
                }
            case (3, .number(let number)): kind = Kind(rawValue: number)
            case (4, .bytes(let commands)): geometry = commands
            default: continue
            }
        }
        // A point takes two bytes or more.
        items += (geometry?.count ?? 0) / 2
        if fields.isDamaged || items > maxItems { return nil }
        guard let kind, let parts = geometry.flatMap({ Self.parts($0, kind, factor) }) else { return (nil, ()) }
        return (Feature(kind: kind, texts: texts, parts: parts, rank: rank), ())
    }

    /// Carries out the commands of a geometry; nil if they are damaged.
    private static func parts(_ commands: UnsafeRawBufferPointer, _ kind: Kind, _ factor: Double) -> [[Point]]? {
        var reader = WireReader(commands)
        var parts: [[Point]] = []
        var (x, y): (Int64, Int64) = (0, 0)
        while !reader.isAtEnd {
            guard let command = reader.varint() else { return nil }
            switch command & 7 {
            case 1, 2:
                // Each point takes two bytes or more, so that a count that lies ends with the bytes.
                for _ in 0..<(command >> 3) {
                    guard let right = reader.varint(), let down = reader.varint() else { return nil }
                    x &+= WireReader.signed(right)
                    y &+= WireReader.signed(down)
                    guard (-farthest...farthest).contains(x), (-farthest...farthest).contains(y) else { return nil }
                    let point = Point(x: Double(x) * factor, y: Double(y) * factor)
                    if command & 7 == 1 {
                        parts.append([point])
                    } else {
                        guard !parts.isEmpty else { return nil }
                        parts[parts.count - 1].append(point)
                    }
                }
            case 7: continue
            default: return nil
            }
        }
        let least = kind == .point ? 1 : kind == .line ? 2 : 3
        return parts.filter { $0.count >= least }
    }
}
