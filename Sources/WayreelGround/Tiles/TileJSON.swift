internal import FoundationEssentials
public import WayreelCore
internal import WayreelMapFiles

/// A description of tiles for web maps, QGIS and others: TileJSON 3.0.0 (github.com/mapbox/tilejson-spec).
struct TileJSON: Encodable {
    struct VectorLayer: Encodable {
        var id: String
        /// The attributes, with the type of their values.
        var fields: [String: String]
        var minzoom: Int
        var maxzoom: Int
    }

    var tilejson = "3.0.0"
    var tiles = ["{z}/{x}/{y}.mvt"]
    var name: String
    var attribution: String
    var bounds: [Double]
    /// Longitude, latitude, and zoom.
    var center: [Double]
    var minzoom: Int
    var maxzoom: Int
    var vectorLayers: [VectorLayer]
    /// What readers of folders of tiles expect besides (MBTiles 1.3).
    var format = "pbf"
    var scheme = "xyz"

    enum CodingKeys: String, CodingKey {
        case tilejson, tiles, name, attribution, bounds, center, minzoom, maxzoom, format, scheme
        case vectorLayers = "vector_layers"
    }
}

extension GroundTiles {
    /// A description as JSON: TileJSON 3.0.0, with addresses of tiles relative to it, all layers that tiles may have,
    /// and the attribution as HTML.
    public func metadata(name: String) throws(MediaError) -> [UInt8] {
        let layers = GroundSchema.Layer.allCases.compactMap { layer -> TileJSON.VectorLayer? in
            let zoom = GroundSchema.rows.filter { $0.layer == layer }.map(\.zoom).min() ?? zooms.lowerBound
            guard zoom <= zooms.upperBound else { return nil }
            return TileJSON.VectorLayer(
                id: layer.name, fields: GroundSchema.fields(of: layer, languages: languages),
                minzoom: max(zoom, zooms.lowerBound), maxzoom: zooms.upperBound)
        }
        let description = TileJSON(
            name: name,
            attribution: "<a href=\"\(GroundExtract.attributionURL)\">\(GroundExtract.attribution)</a>",
            bounds: [box.west, box.south, box.east, box.north],
            center: [(box.west + box.east) / 2, (box.south + box.north) / 2, Double(min(15, zooms.upperBound))],
            minzoom: zooms.lowerBound, maxzoom: zooms.upperBound, vectorLayers: layers)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return [UInt8](try encoder.encode(description)) } catch {
            throw MediaError(.encoding, step: .ground, reason: "\(error)")
        }
    }

    /// Writes the tiles as files `z/x/y.mvt`, gzipped, with `metadata.json` (``metadata(name:)``). The folder appears
    /// when it is complete, and replaces one that an earlier call wrote.
    ///
    /// Throws an `io` error if it cannot be written or holds other files.
    public func write(to folder: String, name: String) throws(MediaError) {
        let output = try AtomicFolder(folder, flushesTogether: true)
        for tile in tiles { try output.write(tile.bytes, to: "\(tile.path).mvt") }
        try output.write(try metadata(name: name), to: "metadata.json")
        try output.finish()
    }
}

extension GroundSchema {
    /// Returns the attributes that features of a layer may have, with the types of TileJSON.
    static func fields(of layer: Layer, languages: [String]) -> [String: String] {
        let names = ["name"] + languages.map { "name:\($0)" }
        let (texts, numbers): ([String], [String]) =
            switch layer {
            case .landcover: (["class", "subclass"], [])
            case .landuse: (["class"], [])
            case .park, .waterName: (["class"] + names, [])
            case .water: (["class"], ["intermittent"])
            case .waterway: (["class", "brunnel"] + names, ["intermittent"])
            case .building: ([], ["render_height", "render_min_height"])
            case .transportation: (["class", "subclass", "brunnel", "service"], ["layer", "oneway", "ramp"])
            case .transportationName: (["class", "ref"] + names, ["ref_length"])
            case .place: (["class"] + names, ["rank"])
            case .poi: (["class", "subclass"] + names, ["level", "rank"])
            }
        let fields = texts.map { ($0, "String") } + numbers.map { ($0, "Number") }
        return Dictionary(fields) { first, _ in first }
    }
}
