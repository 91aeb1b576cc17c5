import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelGround
import WayreelMapFiles

/// Tiles of small maps whose shapes are known, decoded by another program.
@Suite(.enabled(if: DecodedFeature.canDecode, DecodedFeature.advice)) struct SketchTests {
    /// Positions have seven decimals, and are then put on the grid.
    private static let error = 1.01

    private static func expectPoints(
        _ found: [(Double, Double)], _ expected: [(Double, Double)], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(found.count == expected.count, "\(found)", sourceLocation: sourceLocation)
        for (x, y) in expected {
            let isThere = found.contains { abs($0.0 - x) <= error && abs($0.1 - y) <= error }
            #expect(isThere, "\((x, y)) is not in \(found)", sourceLocation: sourceLocation)
        }
    }

    @Test func aLakeWithAnIslandHasAHole() throws {
        var sketch = Sketch()
        let shore = sketch.square(500, 500, side: 2000)
        let island = sketch.square(1000, 1000, side: 600)
        sketch.relation(
            [(shore, "outer"), (island, "inner")], ["type": "multipolygon", "natural": "water", "name": "Square Lake"])
        let features = try sketch.features(Sketch.box(0, 0, 4096, 4096))
        #expect(features.count == 2)
        let lake = try #require(features.first { $0.layer == "water" })
        #expect(lake.properties == ["class": "lake"])
        let rings = try #require(lake.polygons?.first)
        #expect(lake.polygons?.count == 1 && rings.count == 2)
        Self.expectPoints(lake.placed(rings[0].dropLast()), [(500, 500), (2500, 500), (2500, 2500), (500, 2500)])
        Self.expectPoints(lake.placed(rings[1].dropLast()), [(1000, 1000), (1600, 1000), (1600, 1600), (1000, 1600)])
        // The specification: outer rings are clockwise, inner ones are not.
        #expect(doubleArea(rings[0]) > 0 && doubleArea(rings[1]) < 0)
        // At half of the height lies the island; the widest water is east of it.
        let label = try #require(features.first { $0.layer == "water_name" })
        #expect(label.properties == ["class": "lake", "name": "Square Lake"])
        let point = try #require(label.points?.first)
        #expect(abs(point[0] - 2050) <= 2 && abs(point[1] - 1500) <= 2)
    }

    /// A coast from the west to the east through the middle, with land in the north, and an island in the south.
    @Test func theSeaIsCutByTheBox() throws {
        var sketch = Sketch()
        sketch.way([(-3000, 2000), (2000, 2000)], ["natural": "coastline"])
        sketch.way([(2000, 2000), (2000, 1000), (9000, 1000)], ["natural": "coastline"])
        sketch.square(500, 3000, side: 400, clockwise: false, ["natural": "coastline"])
        // The ways above do not share the node in the middle.
        let features = try sketch.features(Sketch.box(0, 0, 4096, 4096))
        let sea = features.filter { $0.layer == "water" }
        #expect(sea.count == 1 && sea[0].properties == ["class": "ocean"])
        let rings = try #require(sea.first?.polygons?.first)
        #expect(sea[0].polygons?.count == 1 && rings.count == 2)
        Self.expectPoints(
            sea[0].placed(rings[0].dropLast()),
            [(0, 2000), (2000, 2000), (2000, 1000), (4096, 1000), (4096, 4096), (0, 4096)])
        Self.expectPoints(sea[0].placed(rings[1].dropLast()), [(500, 3000), (900, 3000), (900, 3400), (500, 3400)])
        // 2000 units of the height in the west, and 1000 less in the east.
        let area = 4096.0 * 4096 - 2000 * 2000 - 2096 * 1000
        #expect(abs(doubleArea(rings[0]) / 2 - area) < 4 * 4096)
        #expect(abs(doubleArea(rings[1]) / 2 + 400 * 400) < 4 * 400)
    }

    @Test func anIslandAloneLiesInTheSea() throws {
        var sketch = Sketch()
        sketch.square(1000, 1000, side: 800, clockwise: false, ["natural": "coastline"])
        let features = try sketch.features(Sketch.box(0, 0, 4096, 4096))
        let rings = try #require(features.first { $0.layer == "water" }?.polygons?.first)
        #expect(rings.count == 2)
        #expect(abs(doubleArea(rings[0]) / 2 - 4096 * 4096) < 4 * 4096)
        #expect(abs(doubleArea(rings[1]) / 2 + 800 * 800) < 4 * 800)
    }

    /// Two tiles whose sea lies in the west and in the east of a land bridge from north to south.
    @Test func aLandBridgeDividesTheSea() throws {
        var sketch = Sketch()
        // Land is on the left: the western coast runs south, the eastern one north.
        sketch.way([(1000, -500), (1000, 5000)], ["natural": "coastline"])
        sketch.way([(3000, 5000), (3000, -500)], ["natural": "coastline"])
        let features = try sketch.features(Sketch.box(0, 0, 4096, 4096))
        let polygons = features.filter { $0.layer == "water" }.flatMap { $0.polygons ?? [] }
        #expect(polygons.count == 2 && polygons.allSatisfy { $0.count == 1 })
        let areas = polygons.map { doubleArea($0[0]) / 2 }.sorted()
        try #require(areas.count == 2)
        #expect(abs(areas[0] - 1000 * 4096) < 4 * 4096 && abs(areas[1] - 1096 * 4096) < 4 * 4096)
    }

    @Test func aCoastThatEndsInTheBoxIsToldOf() throws {
        var sketch = Sketch()
        sketch.way([(-500, 2000), (3900, 2000)], ["natural": "coastline"])
        let tiles = try sketch.tiles(Sketch.box(0, 0, 4096, 4096))
        #expect(tiles.warnings.map(\.message) == ["the extract lacks the continuation of the coast at 1 end"])
        #expect(!tiles.tiles.isEmpty)
    }

    /// Two ways of one street, the first of which crosses the border between two tiles.
    @Test func aStreetGoesOnInTheNextTile() throws {
        var sketch = Sketch()
        let middle = sketch.node(5000, 2000)
        let (start, end) = (sketch.node(1000, 2000), sketch.node(6000, 3500))
        sketch.way(through: [start, middle], ["highway": "residential", "name": "Steiner Landstraße"])
        sketch.way(through: [end, middle], ["highway": "residential", "name": "Steiner Landstraße"])
        let features = try sketch.features(Sketch.box(0, 0, 8192, 4096))
        for layer in ["transportation", "transportation_name"] {
            let west = try #require(features.first { $0.layer == layer && $0.x == Sketch.x })
            let east = try #require(features.first { $0.layer == layer && $0.x == Sketch.x + 1 })
            #expect(west.properties == east.properties && west.properties["class"] == "minor")
            // The line reaches 64 units into the next tile.
            Self.expectPoints(west.placed(west.lines?.first ?? []), [(1000, 2000), (4160, 2000)])
            // Both ways are one line.
            #expect(east.lines?.count == 1)
            Self.expectPoints(east.placed(east.lines?.first ?? []), [(4032, 2000), (5000, 2000), (6000, 3500)])
        }
        let label = try #require(features.first { $0.layer == "transportation_name" })
        #expect(label.properties["name"] == "Steiner Landstraße")
    }

    @Test func oneWayStreetsKeepTheirDirection() throws {
        var sketch = Sketch()
        let nodes = [(500, 500), (1500, 500), (2500, 700)].map { sketch.node($0.0, $0.1) }
        sketch.way(through: [nodes[0], nodes[1]], ["highway": "primary", "oneway": "yes"])
        sketch.way(through: [nodes[2], nodes[1]], ["highway": "primary", "oneway": "yes"])
        let streets = try sketch.features(Sketch.box(0, 0, 4096, 4096)).filter { $0.layer == "transportation" }
        #expect(streets.count == 1 && streets[0].properties == ["class": "primary", "oneway": 1])
        let starts = (streets.first?.lines ?? []).map { $0[0][0] }.sorted()
        try #require(starts.count == 2)
        #expect(abs(starts[0] - 500) <= 1.01 && abs(starts[1] - 2500) <= 1.01)
    }

    @Test func classesAndAttributesAreThoseOfOpenMapTiles() throws {
        var sketch = Sketch()
        sketch.way(
            [(0, 100), (900, 100)],
            ["highway": "motorway_link", "bridge": "viaduct", "layer": "2", "oneway": "-1", "ref": "A 9", "lanes": "2"])
        sketch.way([(0, 300), (900, 300)], ["railway": "tram", "tunnel": "yes"])
        sketch.way([(0, 500), (900, 500)], ["waterway": "stream", "tunnel": "culvert", "name": "Alaunbach"])
        sketch.square(1000, 1000, side: 200, ["building": "yes", "height": "12.4 m", "building:min_level": "1"])
        sketch.square(1300, 1000, side: 200, ["building": "no"])
        sketch.square(1600, 1000, side: 200, ["landuse": "vineyard"])
        sketch.square(1900, 1000, side: 200, ["highway": "pedestrian", "area": "yes", "name": "Hoher Markt"])
        sketch.square(2200, 1000, side: 200, ["highway": "residential"])
        sketch.square(2500, 1000, side: 200, ["highway": "residential", "area": "yes"])
        sketch.node(
            100, 2000, ["amenity": "cafe", "name": "Kaffee", "name:en": "Coffee", "name:de": "Kaffee", "level": "1"])
        sketch.node(400, 2000, ["place": "town", "name": "Krems"])
        sketch.node(700, 2000, ["amenity": "cafe", "name": "Outside of no tile"])
        let features = try sketch.features(Sketch.box(0, 0, 4096, 4096), languages: ["de", "en"])
        func properties(_ layer: String) -> [[String: DecodedFeature.Property]] {
            features.filter { $0.layer == layer }.map(\.properties)
        }
        let streets = properties("transportation")
        #expect(streets.count == 5)
        #expect(
            streets.contains(["class": "motorway", "ramp": 1, "brunnel": "bridge", "layer": 2, "oneway": -1]))
        #expect(streets.contains(["class": "transit", "subclass": "tram", "brunnel": "tunnel"]))
        #expect(streets.contains(["class": "minor"]))
        // What is an area has no line around it.
        let areas = features.filter { $0.layer == "transportation" && $0.polygons != nil }
        #expect(areas.map(\.properties) == [["class": "path", "subclass": "pedestrian"], ["class": "minor"]])
        #expect(features.filter { $0.layer == "transportation_name" }.isEmpty)
        #expect(properties("waterway") == [["class": "stream", "name": "Alaunbach", "brunnel": "tunnel"]])
        #expect(properties("building") == [["render_height": 12, "render_min_height": 3]])
        #expect(properties("landcover") == [["class": "farmland", "subclass": "vineyard"]])
        #expect(
            properties("place") == [
                ["class": "town", "name": "Krems", "rank": 1], ["class": "square", "name": "Hoher Markt", "rank": 4],
            ])
        // A name in another language is there if it is another one.
        #expect(
            properties("poi").contains(["class": "cafe", "name": "Kaffee", "name:en": "Coffee", "level": 1, "rank": 5]))
    }

    @Test func smallThingsAppearWhenOneIsNear() throws {
        var sketch = Sketch()
        sketch.square(1000, 1000, side: 2000, ["building": "yes"])
        // Two units wide at zoom 13, 32 at zoom 17.
        sketch.square(100, 100, side: 30, ["building": "yes"])
        sketch.way([(100, 3500), (3000, 3500)], ["highway": "footway"])
        sketch.node(100, 3000, ["amenity": "bench"])
        let features = try sketch.features(Sketch.box(0, 0, 4096, 4096), zooms: 12...17)
        func count(_ layer: String, _ zoom: Int) -> Int {
            features.filter { $0.layer == layer && $0.z == zoom }.reduce(0) {
                $0 + ($1.points?.count ?? $1.lines?.count ?? $1.polygons?.count ?? 0)
            }
        }
        #expect((12...17).map { count("building", $0) } == [0, 1, 1, 2, 2, 2])
        #expect((12...17).map { count("transportation", $0) } == [0, 0, 1, 1, 1, 1])
        #expect((12...17).map { count("poi", $0) } == [0, 0, 0, 0, 0, 1])
    }

    /// A forest without any corner near the box, as a way and as a relation of two ways.
    @Test func areasThatSurroundTheBoxAreThere() throws {
        var sketch = Sketch()
        sketch.square(-50_000, -50_000, side: 100_000, ["landuse": "forest"])
        let west = sketch.way([(0, -70_000), (-70_000, -70_000), (-70_000, 70_000), (0, 70_000)])
        let east = sketch.way([(0, 70_000), (70_000, 70_000), (70_000, -70_000), (0, -70_000)])
        sketch.relation([(west, "outer"), (east, "outer")], ["type": "multipolygon", "landuse": "residential"])
        let features = try sketch.features(Sketch.box(0, 0, 4096, 4096))
        for layer in ["landcover", "landuse"] {
            let rings = try #require(features.first { $0.layer == layer }?.polygons?.first, "\(layer)")
            #expect(rings.count == 1 && doubleArea(rings[0]) / 2 == 4096 * 4096)
        }
    }
}
