/// Attributes of a feature, in the order in which they are written.
struct TileAttributes: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int)
    }

    private(set) var pairs: [Pair] = []

    struct Pair: Hashable, Sendable {
        var key: String
        var value: Value
    }

    mutating func set(_ key: String, _ text: String?) {
        if let text { pairs.append(Pair(key: key, value: .text(text))) }
    }

    mutating func set(_ key: String, _ number: Int?) {
        if let number { pairs.append(Pair(key: key, value: .integer(number))) }
    }

    subscript(key: String) -> Value? { pairs.first { $0.key == key }?.value }
}

/// A tile in the format of Mapbox Vector Tiles 2.1 (github.com/mapbox/vector-tile-spec), as it is filled. Features with
/// equal attributes that follow each other become one feature with several points, lines or polygons.
struct VectorTile {
    private var layers: [Layer] = []

    var isEmpty: Bool { layers.isEmpty }

    /// Which features can become one: those of a layer with the same attributes, by their number, and the same kind.
    struct Group: Hashable {
        var layer: GroundSchema.Layer
        var attributes: Int
        var kind: Kind
    }

    /// The values are those of the format.
    enum Kind: UInt64 {
        case point = 1
        case line = 2
        case polygon = 3
    }

    fileprivate struct Layer {
        var layer: GroundSchema.Layer
        var features: [Feature] = []
        var keys: [String: UInt64] = [:]
        var keyBytes = ProtocolBuffer()
        var values: [TileAttributes.Value: UInt64] = [:]
        var valueBytes = ProtocolBuffer()
    }

    fileprivate struct Feature {
        var group: Group
        var tags: ProtocolBuffer
        var geometry = Geometry()
    }

    /// Adds points, a line or a ring, relative to the tile's north-west. An outer ring runs clockwise on a map, and
    /// those within it follow it and run the other way.
    mutating func add(_ points: [GridPoint], to group: Group, _ attributes: TileAttributes) {
        if layers.last?.layer != group.layer { layers.append(Layer(layer: group.layer)) }
        let index = layers.count - 1
        if layers[index].features.last?.group != group {
            layers[index].features.append(Feature(group: group, tags: layers[index].tags(attributes)))
        }
        let last = layers[index].features.count - 1
        layers[index].features[last].geometry.add(points, group.kind)
    }

    /// The encoded tile.
    var bytes: [UInt8] {
        var tile = ProtocolBuffer()
        for layer in layers { tile.add(3, layer.encoded) }
        return tile.bytes
    }

    /// Commands and parameters of a feature's geometry; points of several features become one command.
    fileprivate struct Geometry {
        private var body = ProtocolBuffer()
        private var cursor = GridPoint(x: 0, y: 0)
        private var pointCount = 0

        private static func command(_ id: Int, _ count: Int) -> UInt64 { UInt64(id | count << 3) }

        mutating func add(_ points: [GridPoint], _ kind: Kind) {
            guard kind != .point else {
                pointCount += points.count
                return points.forEach { move(to: $0) }
            }
            body.add(Self.command(1, 1))
            move(to: points[0])
            body.add(Self.command(2, points.count - 1))
            points[1...].forEach { move(to: $0) }
            if kind == .polygon { body.add(Self.command(7, 1)) }
        }

        private mutating func move(to point: GridPoint) {
            body.add(zigzag: Int(point.x) - Int(cursor.x))
            body.add(zigzag: Int(point.y) - Int(cursor.y))
            cursor = point
        }

        var encoded: ProtocolBuffer {
            guard pointCount > 0 else { return body }
            var points = ProtocolBuffer()
            points.add(Self.command(1, pointCount))
            points.add(raw: body)
            return points
        }
    }
}

extension VectorTile.Layer {
    /// Returns the indices of keys and values, which are added to the layer's if they are new.
    fileprivate mutating func tags(_ attributes: TileAttributes) -> ProtocolBuffer {
        var tags = ProtocolBuffer()
        for pair in attributes.pairs {
            if keys[pair.key] == nil {
                keys[pair.key] = UInt64(keys.count)
                keyBytes.add(3, pair.key)
            }
            if values[pair.value] == nil {
                values[pair.value] = UInt64(values.count)
                var value = ProtocolBuffer()
                switch pair.value {
                case .text(let text): value.add(1, text)
                case .integer(let number) where number < 0:
                    value.add(6, varint: ProtocolBuffer.zigzag(number))
                case .integer(let number): value.add(5, varint: UInt64(number))
                }
                valueBytes.add(4, value)
            }
            tags.add(keys[pair.key] ?? 0)
            tags.add(values[pair.value] ?? 0)
        }
        return tags
    }

    fileprivate var encoded: ProtocolBuffer {
        var layer = ProtocolBuffer()
        layer.add(15, varint: 2)
        layer.add(1, self.layer.name)
        for feature in features {
            var encoded = ProtocolBuffer()
            if !feature.tags.bytes.isEmpty { encoded.add(2, feature.tags) }
            encoded.add(3, varint: feature.group.kind.rawValue)
            encoded.add(4, feature.geometry.encoded)
            layer.add(2, encoded)
        }
        layer.add(raw: keyBytes)
        layer.add(raw: valueBytes)
        layer.add(5, varint: UInt64(Grid.extent))
        return layer
    }
}

/// Bytes in the wire format of protocol buffers.
struct ProtocolBuffer: Sendable {
    private(set) var bytes: [UInt8] = []

    static func zigzag(_ number: Int) -> UInt64 { UInt64(bitPattern: Int64(number << 1 ^ number >> 63)) }

    mutating func add(_ varint: UInt64) {
        var rest = varint
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func add(zigzag number: Int) { add(Self.zigzag(number)) }

    mutating func add(raw other: ProtocolBuffer) { bytes += other.bytes }

    /// Adds a field with a number.
    mutating func add(_ field: UInt64, varint: UInt64) {
        add(field << 3)
        add(varint)
    }

    /// Adds a field with bytes.
    mutating func add(_ field: UInt64, _ content: ProtocolBuffer) {
        add(field << 3 | 2)
        add(UInt64(content.bytes.count))
        bytes += content.bytes
    }

    mutating func add(_ field: UInt64, _ text: String) {
        add(field << 3 | 2)
        add(UInt64(text.utf8.count))
        bytes += text.utf8
    }
}
