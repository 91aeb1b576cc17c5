internal import COSM
internal import Glibc

/// An object in a layer.
struct GroundFeature: Sendable {
    var layer: GroundSchema.Layer
    /// The index of its attributes in ``GroundFeatures/attributes``.
    var attributes: Int
    /// The first zoom that shows it.
    var zoom: Int
    /// Its place in the order of drawing within the layer.
    var order: Int
    var geometry: Geometry

    /// On the finest grid. Rings do not end with their first point again.
    enum Geometry: Sendable {
        case point(GridPoint)
        /// Whether it may be turned round.
        case line([GridPoint], isDirected: Bool)
        /// An outer ring, clockwise on a map, and those within it.
        case polygon([[GridPoint]])
    }
}

/// The features of an extract, and the attributes that they share.
struct GroundFeatures: Sendable {
    private(set) var features: [GroundFeature] = []
    private(set) var attributes: [TileAttributes] = []
    /// The ways of the coast, on the finest grid.
    private(set) var coastlines: [[GridPoint]] = []

    private var numbers: [TileAttributes: Int] = [:]
    private let languages: [String]
    /// The number of each key: the index of its first selection.
    private let keys: [String: Int]
    private let rowsOfKeys: [Int: Rows]

    /// Rows of the schema with the same key, by value.
    private struct Rows {
        var ofValues: [String: [Int]] = [:]
        var ofAll: [Int] = []
    }

    /// The longest text that is kept, in characters; OpenStreetMap allows 255.
    private static let maxTextLength = 255

    init(_ extract: GroundExtract, languages: [String]) {
        self.languages = languages
        let selections = GroundSchema.selections(languages: languages)
        keys = Dictionary(selections.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
        var rows: [Int: Rows] = [:]
        for (index, row) in GroundSchema.rows.enumerated() {
            guard let key = keys[row.key] else { continue }
            if row.values.isEmpty { rows[key, default: Rows()].ofAll.append(index) }
            for value in row.values { rows[key, default: Rows()].ofValues[value, default: []].append(index) }
        }
        rowsOfKeys = rows
        extract.forEachObject { add($0) }
    }

    /// Adds the sea.
    mutating func add(_ coastline: Coastline) {
        var attributes = TileAttributes()
        attributes.set("class", "ocean")
        let number = number(attributes)
        for polygon in coastline.polygons {
            features.append(
                GroundFeature(
                    layer: .water, attributes: number, zoom: 0, order: -1, geometry: .polygon(polygon)))
        }
    }

    private mutating func number(_ attributes: TileAttributes) -> Int {
        if let known = numbers[attributes] { return known }
        numbers[attributes] = self.attributes.count
        self.attributes.append(attributes)
        return self.attributes.count - 1
    }

    // MARK: Objects

    /// The tags of an object.
    private struct Tags {
        let values: [(key: Int, value: String)]
        let keys: [String: Int]

        subscript(_ key: String) -> String? {
            guard let number = keys[key] else { return nil }
            return values.first { $0.key == number }?.value
        }

        /// Whether a tag is there and not `no`.
        func has(_ key: String) -> Bool { self[key].map { $0 != "no" } ?? false }

        /// Whether the tag has one of the values; with none, any but `no`.
        func has(_ key: String, _ values: [String]) -> Bool {
            values.isEmpty ? has(key) : self[key].map(values.contains) ?? false
        }

        func integer(_ key: String) -> Int? { self[key].flatMap { Int($0) } }
    }

    private mutating func add(_ object: GroundExtract.Object) {
        let tags = Tags(
            values: object.tags.map { tag in
                let text = String(cString: tag.value)
                return (
                    tag.selection, text.utf8.count > Self.maxTextLength ? String(text.prefix(Self.maxTextLength)) : text
                )
            }, keys: keys)
        if object.kind == .line, tags[GroundSchema.coastline.key] == GroundSchema.coastline.value {
            coastlines += object.lines
        }
        var geometry: [GroundFeature.Geometry]?
        for row in rows(of: tags, object) {
            if geometry == nil { geometry = Self.geometry(object, tags) }
            for geometry in geometry ?? [] { add(row, tags, geometry) }
        }
    }

    /// Returns the first row of each layer that matches.
    private func rows(of tags: Tags, _ object: GroundExtract.Object) -> [GroundSchema.Row] {
        var matches: [Int] = []
        for (key, value) in tags.values {
            guard let rows = rowsOfKeys[key] else { continue }
            matches += rows.ofValues[value] ?? []
            if value != "no" { matches += rows.ofAll }
        }
        guard !matches.isEmpty else { return [] }
        var rows: [GroundSchema.Row] = []
        for row in matches.sorted().map({ GroundSchema.rows[$0] })
        where row.kinds.contains(object.kind) && !rows.contains(where: { $0.layer == row.layer })
            && row.and.map({ tags.has($0.key, $0.values) }) ?? true && isShape(object, of: row, tags)
        {
            rows.append(row)
        }
        return rows
    }

    /// Returns whether a row means the object as what it is. A closed way is read as a line and as a polygon; it is an
    /// area if its tags say so.
    private func isShape(_ object: GroundExtract.Object, of row: GroundSchema.Row, _ tags: Tags) -> Bool {
        guard object.kind != .point, !object.isRelation else { return true }
        let isArea = row.isArea && row.kinds.contains(.polygon) ? tags["area"] != "no" : tags["area"] == "yes"
        return object.kind == .polygon ? isArea : !isArea || !object.isClosed
    }

    private static func geometry(_ object: GroundExtract.Object, _ tags: Tags) -> [GroundFeature.Geometry] {
        switch object.kind {
        case .point: return object.lines.flatMap { $0.map { .point($0) } }
        case .line: return object.lines.map { .line($0, isDirected: tags.has("oneway")) }
        default:
            var polygons: [[[GridPoint]]] = []
            for ring in object.rings {
                var points = ring.points.dropLast().map { Grid.point($0) }
                if (points.doubleArea > 0) == ring.isInner { points.reverse() }
                if ring.isInner, !polygons.isEmpty {
                    polygons[polygons.count - 1].append(points)
                } else {
                    polygons.append([points])
                }
            }
            return polygons.map { .polygon($0) }
        }
    }

    private mutating func add(_ row: GroundSchema.Row, _ tags: Tags, _ geometry: GroundFeature.Geometry) {
        guard let attributes = attributes(row, tags) else { return }
        var (geometry, order) = (geometry, 0)
        switch row.layer {
        case .place, .poi, .waterName:
            // A label stands within an area.
            if case .polygon(let rings) = geometry {
                guard let point = rings.innerPoint else { return }
                geometry = .point(point)
            }
            order = row.zoom
        case .transportation: order = Self.order(attributes)
        case .waterway, .transportationName:
            if case .line(let points, _) = geometry, row.layer == .transportationName {
                geometry = .line(points, isDirected: false)
            }
        default: break
        }
        features.append(
            GroundFeature(
                layer: row.layer, attributes: number(attributes), zoom: row.zoom, order: order, geometry: geometry))
    }

    /// The classes of streets from the lowest to the uppermost.
    private static let streets = [
        "ferry", "pier", "bridge", "path", "track", "raceway", "busway", "service", "minor", "tertiary", "secondary",
        "primary", "trunk", "motorway", "transit", "rail", "aerialway",
    ]

    /// Tunnels lie below, bridges above, and then the layer of the tags counts.
    private static func order(_ attributes: TileAttributes) -> Int {
        var order = 0
        if case .text(let name) = attributes["class"] { order = (streets.firstIndex(of: name) ?? 0) }
        if case .integer(let layer) = attributes["layer"] { order += 100 * layer }
        if attributes["brunnel"] == .text("bridge") { order += 50 }
        if attributes["brunnel"] == .text("tunnel") { order -= 50 }
        return order
    }

    // MARK: Attributes

    /// Returns nil if the object is not shown.
    private func attributes(_ row: GroundSchema.Row, _ tags: Tags) -> TileAttributes? {
        var attributes = TileAttributes()
        let value = tags[row.key] ?? ""
        if row.layer != .building {
            attributes.set("class", row.layer == .water ? waterClass(row, tags) : row.name ?? value)
        }
        if row.hasSubclass, let name = row.name, name != value { attributes.set("subclass", value) }
        switch row.layer {
        case .landcover, .landuse: break
        case .water:
            if tags["intermittent"] == "yes" { attributes.set("intermittent", 1) }
            // Water in a pipe or below a building is not seen.
            if brunnel(tags) == "tunnel" { return nil }
        case .waterway:
            setNames(&attributes, tags)
            attributes.set("brunnel", brunnel(tags))
            if tags["intermittent"] == "yes" { attributes.set("intermittent", 1) }
        case .building:
            guard tags["location"] != "underground" else { return nil }
            attributes.set("render_height", height(tags, "height", levels: "building:levels"))
            attributes.set("render_min_height", height(tags, "min_height", levels: "building:min_level"))
        case .transportation:
            attributes.set("brunnel", brunnel(tags))
            if let layer = tags.integer("layer"), layer != 0 { attributes.set("layer", min(max(layer, -5), 5)) }
            if row.isRamp { attributes.set("ramp", 1) }
            attributes.set("oneway", oneway(tags))
            if let service = tags["service"], value == "service" || row.key == "railway" {
                attributes.set("service", service)
            }
        case .transportationName:
            guard tags["name"] != nil || tags["ref"] != nil else { return nil }
            setNames(&attributes, tags)
            if let ref = tags["ref"] {
                attributes.set("ref", ref)
                attributes.set("ref_length", ref.count)
            }
        case .park, .waterName: setNames(&attributes, tags)
        case .place:
            setNames(&attributes, tags)
            attributes.set("rank", row.zoom - 11)
        case .poi:
            setNames(&attributes, tags)
            attributes.set("rank", row.zoom - 11)
            attributes.set("level", tags.integer("level").flatMap { $0 == 0 ? nil : $0 })
        }
        return attributes
    }

    /// Sets `name`, and `name:xx` of the languages where it is another one.
    private func setNames(_ attributes: inout TileAttributes, _ tags: Tags) {
        let name = tags["name"]
        attributes.set("name", name)
        for language in languages {
            let key = "name:\(language)"
            if let local = tags[key], local != name { attributes.set(key, local) }
        }
    }

    private func waterClass(_ row: GroundSchema.Row, _ tags: Tags) -> String {
        switch tags["water"] {
        case "river", "oxbow", "canal", "stream", "ditch", "lock": "river"
        case "pond", "basin", "wastewater", "fountain": "pond"
        case "reflecting_pool": "pond"
        default: row.name ?? "lake"
        }
    }

    private func brunnel(_ tags: Tags) -> String? {
        if tags.has("bridge") { return "bridge" }
        if tags.has("tunnel") { return "tunnel" }
        return tags["ford"] == "yes" ? "ford" : nil
    }

    private func oneway(_ tags: Tags) -> Int? {
        switch tags["oneway"] {
        case "yes", "1", "true": 1
        case "-1", "reverse": -1
        default: nil
        }
    }

    /// Returns a height in whole metres, from a tag in metres, or from a number of levels of 3 m each.
    private func height(_ tags: Tags, _ key: String, levels: String) -> Int? {
        func number(_ text: String) -> Double? {
            let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            return Double(digits).flatMap { (0.5...1000).contains($0) ? $0 : nil }
        }
        if let height = tags[key].flatMap(number) { return Int(height.rounded()) }
        return tags[levels].flatMap(number).map { Int(min($0 * 3, 1000).rounded()) }
    }
}

extension GroundExtract.Object {
    /// The points of a node, or of the stretches of a line, on the finest grid.
    fileprivate var lines: [[GridPoint]] { rings.map { ring in ring.points.map { Grid.point($0) } } }

    /// Whether the line ends where it begins.
    fileprivate var isClosed: Bool {
        guard let points = rings.first?.points, let first = points.first, let last = points.last else {
            return false
        }
        return points.count > 3 && first.longitude == last.longitude && first.latitude == last.latitude
    }
}
