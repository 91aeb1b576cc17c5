import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelGround
import WayreelMapFiles

/// A small map, drawn on the grid of a tile of zoom 17: 4096 units to the east and south from its north-west corner,
/// with as many for each further tile.
struct Sketch {
    /// The tile, in Lower Austria.
    static let (x, y) = (71_220, 45_330)

    private var nodes: [String] = []
    private var ways: [String] = []
    private var relations: [String] = []

    /// Returns longitude and latitude by the inverse of the Mercator projection, as text with the seven decimals that
    /// OpenStreetMap has.
    static func position(_ east: Double, _ south: Double) -> (longitude: Double, latitude: Double) {
        let size = Double(1 << 17)
        let (column, row) = (Double(x) + east / 4096, Double(y) + south / 4096)
        return (column / size * 360 - 180, atan(sinh(.pi * (1 - 2 * row / size))) * 180 / .pi)
    }

    /// The area between two corners.
    static func box(_ west: Double, _ north: Double, _ east: Double, _ south: Double) throws -> GroundBox {
        let (first, last) = (position(west, north), position(east, south))
        return try GroundBox(west: first.longitude, south: last.latitude, east: last.longitude, north: first.latitude)
    }

    private static func tags(_ tags: KeyValuePairs<String, String>) -> String {
        tags.map { "<tag k=\"\($0.key.xmlAttribute)\" v=\"\($0.value.xmlAttribute)\"/>" }.joined()
    }

    @discardableResult
    mutating func node(_ east: Double, _ south: Double, _ tags: KeyValuePairs<String, String> = [:]) -> Int {
        let (longitude, latitude) = Self.position(east, south)
        let id = nodes.count + 1
        nodes.append(
            """
            <node id="\(id)" version="1" lat="\(latitude.formatted(7))" lon="\(longitude.formatted(7))">\(Self.tags(tags))</node>
            """)
        return id
    }

    /// Adds a way through nodes; returns its id.
    @discardableResult
    mutating func way(through nodes: [Int], _ tags: KeyValuePairs<String, String> = [:]) -> Int {
        let id = ways.count + 1
        let references = nodes.map { "<nd ref=\"\($0)\"/>" }.joined()
        ways.append("<way id=\"\(id)\" version=\"1\">\(references)\(Self.tags(tags))</way>")
        return id
    }

    /// Adds a way through points; one whose last point is its first is closed.
    @discardableResult
    mutating func way(_ points: [(Double, Double)], _ tags: KeyValuePairs<String, String> = [:]) -> Int {
        let isClosed = points.count > 1 && points[0] == points[points.count - 1]
        var nodes = (isClosed ? points.dropLast() : points[...]).map { node($0.0, $0.1) }
        if isClosed { nodes.append(nodes[0]) }
        return way(through: nodes, tags)
    }

    /// Adds a square with the corner in the north-west, clockwise on the map.
    @discardableResult
    mutating func square(
        _ east: Double, _ south: Double, side: Double, clockwise: Bool = true,
        _ tags: KeyValuePairs<String, String> = [:]
    ) -> Int {
        let corners = [
            (east, south), (east + side, south), (east + side, south + side), (east, south + side), (east, south),
        ]
        return way(clockwise ? corners : corners.reversed(), tags)
    }

    mutating func relation(_ members: [(way: Int, role: String)], _ tags: KeyValuePairs<String, String>) {
        let members = members.map { "<member type=\"way\" ref=\"\($0.way)\" role=\"\($0.role)\"/>" }.joined()
        relations.append(
            "<relation id=\"\(relations.count + 1)\" version=\"1\">\(members)\(Self.tags(tags))</relation>")
    }

    var xml: String { Self.xml(nodes + ways + relations) }
    /// The same with ways before nodes.
    var unsortedXML: String { Self.xml(ways + nodes) }

    private static func xml(_ objects: [String]) -> String {
        "<?xml version=\"1.0\"?>\n<osm version=\"0.6\">\n\(objects.joined(separator: "\n"))\n</osm>\n"
    }

    /// Cuts the map, whose tiles are then decoded.
    func features(
        _ box: GroundBox, zooms: ClosedRange<Int> = 17...17, languages: [String] = []
    ) throws -> [DecodedFeature] {
        let folder = TemporaryFolder()
        return try withExtendedLifetime(folder) {
            let path = try folder.write(xml, to: "sketch.osm")
            return try DecodedFeature.all(
                of: GroundTiles.cut(extract: path, box: box, zooms: zooms, languages: languages))
        }
    }

    /// Cuts the map into tiles.
    func tiles(_ box: GroundBox?, zooms: ClosedRange<Int> = 17...17) throws -> GroundTiles {
        let folder = TemporaryFolder()
        return try withExtendedLifetime(folder) {
            try GroundTiles.cut(extract: folder.write(xml, to: "sketch.osm"), box: box, zooms: zooms)
        }
    }
}

/// A feature as mapbox-vector-tile decodes it. Coordinates are relative to its tile's north-west, y to the south.
struct DecodedFeature: Decodable {
    var z: Int
    var x: Int
    var y: Int
    var layer: String
    var properties: [String: Property]
    var points: [[Double]]?
    var lines: [[[Double]]]?
    /// The rings of each polygon: the outer one, and then those within it. The last point of a ring is its first one.
    var polygons: [[[[Double]]]]?

    enum Property: Decodable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case text(String)
        case number(Int)

        init(stringLiteral text: String) { self = .text(text) }
        init(integerLiteral number: Int) { self = .number(number) }

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    static let canDecode = References.have("mapbox_vector_tile")
    static let advice: Comment = "scripts/references installs the decoder; that needs the network once"

    /// - Parameter only: The name of a layer, for its features, or `--layers`, for one without any of each layer of a tile.
    static func all(of tiles: GroundTiles, only: String? = nil) throws -> [DecodedFeature] {
        let folder = TemporaryFolder()
        return try withExtendedLifetime(folder) {
            try tiles.write(to: "\(folder.path)/tiles", name: "test")
            let script = "\(Fixture.root)/Tests/WayreelGroundTests/References/decode.py"
            let arguments = [script, "\(folder.path)/tiles"] + (only.map { [$0] } ?? [])
            let run = try Command("\(References.folder)/python", arguments).run()
            try #require(run.ending == .exited(0), "\(run.errors)")
            return try run.output.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(DecodedFeature.self, from: Data($0))
            }
        }
    }

    /// The points of a ring or line on the grid of the sketch; for features of zoom 17.
    func placed(_ points: [[Double]]) -> [(Double, Double)] {
        points.map { (Double(x - Sketch.x) * 4096 + $0[0], Double(y - Sketch.y) * 4096 + $0[1]) }
    }
}

/// Twice the area of a ring whose last point is its first: positive if it is clockwise with y to the south.
func doubleArea(_ ring: [[Double]]) -> Double {
    zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0[0] * $1.1[1] - $1.1[0] * $1.0[1] }
}
