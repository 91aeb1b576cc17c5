internal import FoundationEssentials
internal import WayreelCore
internal import WayreelMapFiles

/// How base maps look: the table `Player/ground/style.json`, which the web player reads as well. Documentation/player.md
/// describes it.
struct GroundStyle: Decodable {
    /// Colours by name, for `light` and `dark`.
    var colors: [String: [String: String]]
    var layers: [Layer]
    var labels: [Label]

    /// The table, which is built into the program.
    static let shared: GroundStyle = {
        do { return try JSONDecoder().decode(GroundStyle.self, from: Data(PackageResources.style_json)) } catch {
            preconditionFailure("the table of base maps cannot be read: \(error)")
        }
    }()

    /// A number for each zoom: straight lines between those of some zooms.
    struct Stops: Decodable {
        private var stops: [(zoom: Double, value: Double)]

        init(from decoder: any Decoder) throws {
            if let number = try? Double(from: decoder) {
                stops = [(0, number)]
                return
            }
            stops = try [[Double]](from: decoder).compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
            guard !stops.isEmpty else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "there are no numbers"))
            }
        }

        var firstZoom: Double { stops[0].zoom }

        func value(at zoom: Double) -> Double {
            guard let next = stops.firstIndex(where: { $0.zoom >= zoom }) else { return stops[stops.count - 1].value }
            guard next > 0 else { return stops[0].value }
            let (from, to) = (stops[next - 1], stops[next])
            return from.value + (to.value - from.value) * (zoom - from.zoom) / (to.zoom - from.zoom)
        }
    }

    /// Which features of a layer of tiles a row takes.
    struct Selection: Decodable {
        var source: String
        var match: [String: [String]]?
        var not: [String: [String]]?
        var from: Double?
        var to: Double?

        func takes(_ feature: MapTile.Feature) -> Bool {
            (match.map { Self.isMatch(feature, $0) } ?? true) && !(not.map { Self.isMatch(feature, $0) } ?? false)
        }

        func isShown(at zoom: Double) -> Bool { zoom >= from ?? 0 && zoom < to ?? .infinity }

        private static func isMatch(_ feature: MapTile.Feature, _ wanted: [String: [String]]) -> Bool {
            wanted.allSatisfy { name, values in
                guard name == "$type" else { return feature.texts[name].map(values.contains) ?? false }
                return values.contains("\(feature.kind)")
            }
        }
    }

    struct Layer: Decodable {
        enum Kind: String, Decodable {
            case fill, line, none
        }

        var selection: Selection
        var kind: Kind
        var color: String?
        var edge: String?
        /// The colour of narrow lines, which have no edges.
        var line: String?
        /// Layers of a group that follow each other are drawn together: first the edges of all.
        var group: String?
        var width: Stops?
        var dash: [Double]?
        var dashFrom: Double?
        var ties: Stops?

        private enum CodingKeys: String, CodingKey {
            case kind, color, edge, line, group, width, dash, ties
            case dashFrom = "dash-from"
        }

        init(from decoder: any Decoder) throws {
            selection = try Selection(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(Kind.self, forKey: .kind)
            color = try container.decodeIfPresent(String.self, forKey: .color)
            edge = try container.decodeIfPresent(String.self, forKey: .edge)
            line = try container.decodeIfPresent(String.self, forKey: .line)
            group = try container.decodeIfPresent(String.self, forKey: .group)
            width = try container.decodeIfPresent(Stops.self, forKey: .width)
            dash = try container.decodeIfPresent([Double].self, forKey: .dash)
            dashFrom = try container.decodeIfPresent(Double.self, forKey: .dashFrom)
            ties = try container.decodeIfPresent(Stops.self, forKey: .ties)
        }
    }

    struct Label: Decodable {
        var selection: Selection
        /// The attributes of which the first that a feature has is its name.
        var text: [String]?
        var color: String
        var weight: Double
        var size: Stops
        /// Whether it stands along a line.
        var isAlong: Bool
        var isInCapitals: Bool

        private enum CodingKeys: String, CodingKey {
            case text, color, weight, size
            case isAlong = "along"
            case isInCapitals = "capitals"
        }

        init(from decoder: any Decoder) throws {
            selection = try Selection(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            text = try container.decodeIfPresent([String].self, forKey: .text)
            color = try container.decode(String.self, forKey: .color)
            weight = try container.decode(Double.self, forKey: .weight)
            size = try container.decode(Stops.self, forKey: .size)
            isAlong = try container.decodeIfPresent(Bool.self, forKey: .isAlong) ?? false
            isInCapitals = try container.decodeIfPresent(Bool.self, forKey: .isInCapitals) ?? false
        }
    }

    /// The colours of a theme.
    func palette(_ theme: MapImage.Theme) -> [String: RGBColor] {
        (colors[theme.rawValue] ?? [:]).compactMapValues { RGBColor($0) }
    }

    /// The index of the first layer that takes a feature; nil if none does.
    func layer(of feature: MapTile.Feature, in source: String) -> Int? {
        layers.firstIndex { $0.selection.source == source && $0.selection.takes(feature) }
    }

    func label(of feature: MapTile.Feature, in source: String) -> Int? {
        labels.firstIndex { $0.selection.source == source && $0.selection.takes(feature) }
    }

    /// Indices of layers that are drawn together.
    var groups: [Range<Int>] {
        var groups: [Range<Int>] = []
        for index in layers.indices {
            if let last = groups.last, let group = layers[index].group, layers[last.upperBound - 1].group == group {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        return groups
    }
}
