import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelGround
import WayreelMapFiles

/// Tiles of real extracts, compared with what osmium-tool finds in them.
@Suite struct ExtractTests {
    static let extracts = ["krems", "monaco", "helsinki-centre", "bayreuth-north"]

    private static func path(_ extract: String) -> String { Fixture.media("maps/\(extract).osm.pbf") }

    /// The objects of an extract as osmium-tool exports them: GeoJSON, one feature a line, with areas assembled.
    private struct Exported: Decodable {
        var geometry: Geometry
        var properties: [String: String]

        struct Geometry: Decodable {
            var type: String
            /// Of points.
            var coordinates: [Double]?

            enum CodingKeys: CodingKey { case type, coordinates }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                type = try container.decode(String.self, forKey: .type)
                coordinates = type == "Point" ? try container.decode([Double].self, forKey: .coordinates) : nil
            }
        }
    }

    private static func exported(_ extract: String) throws -> [Exported] {
        let run = try Command("/usr/bin/env", ["osmium", "export", "--no-progress", "-f", "geojsonseq", path(extract)])
            .run()
        try #require(run.ending == .exited(0), "\(run.errors)")
        return try run.output.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(Exported.self, from: Data(line.drop { $0 == 0x1E }))
        }
    }

    /// Every tile of every zoom follows the rules that `decode.py` checks.
    @Test(.enabled(if: DecodedFeature.canDecode, DecodedFeature.advice), arguments: extracts)
    func tilesFollowTheFormat(extract: String) throws {
        let tiles = try GroundTiles.cut(extract: Self.path(extract))
        let features = try DecodedFeature.all(of: tiles, only: "--layers")
        #expect(Set(features.map(\.z)) == Set(12...17))
        let layers = Set(features.map(\.layer))
        #expect(
            layers.isSuperset(of: ["building", "transportation", "transportation_name", "poi", "landcover", "water"]))
        for tile in tiles.tiles {
            // RFC 1952: the magic number, and no time.
            #expect(tile.bytes.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
        }
    }

    /// Points of interest that are nodes stand in one tile each, so that they can be counted.
    @Test(
        .enabled(if: DecodedFeature.canDecode, DecodedFeature.advice),
        arguments: ["krems", "helsinki-centre", "monaco"])
    func pointsOfInterestAreAllThere(extract: String) throws {
        let tiles = try GroundTiles.cut(extract: Self.path(extract), zooms: 17...17)
        let features = try DecodedFeature.all(of: tiles, only: "poi")
        let exported = try Self.exported(extract)
        for kind in ["restaurant", "cafe", "pharmacy", "bench"] {
            let found = features.filter { feature in
                feature.properties["class"] == .text(kind) && feature.properties["subclass"] == nil
            }
            let expected = exported.filter { object in
                guard object.properties["amenity"] == kind else { return false }
                guard let place = object.geometry.coordinates else { return object.geometry.type == "MultiPolygon" }
                return (tiles.box.west...tiles.box.east).contains(place[0])
                    && (tiles.box.south...tiles.box.north).contains(place[1])
            }
            #expect(found.reduce(0) { $0 + ($1.points?.count ?? 0) } == expected.count, "\(kind)")
        }
    }

    /// All names of streets are there, and no others.
    @Test(.enabled(if: DecodedFeature.canDecode, DecodedFeature.advice)) func streetsHaveTheirNames() throws {
        let tiles = try GroundTiles.cut(extract: Self.path("krems"), zooms: 17...17)
        let features = try DecodedFeature.all(of: tiles, only: "transportation_name")
        let found = Set(features.compactMap { $0.properties["name"] })
        let classes: Set = [
            "motorway", "trunk", "primary", "secondary", "tertiary", "residential", "unclassified", "living_street",
            "pedestrian", "service", "track", "footway", "path", "cycleway", "steps",
        ]
        let expected = try Self.exported("krems").filter { object in
            object.geometry.type == "LineString" && classes.contains(object.properties["highway"] ?? "")
                && object.properties["area"] != "yes"
        }.compactMap(\.properties["name"])
        #expect(found.count > 50)
        #expect(found.isSubset(of: Set(expected.map { .text($0) })))
        // Ways that only begin in the box may have all of their length outside of it.
        let missing = Set(expected.map { DecodedFeature.Property.text($0) }).subtracting(found)
        #expect(missing.count <= 3, "\(missing)")
    }

    @Test func theSameFileGivesTheSameTiles() throws {
        let first = try GroundTiles.cut(extract: Self.path("monaco"), threads: 1)
        let second = try GroundTiles.cut(extract: Self.path("monaco"), threads: 4)
        #expect(first.tiles.map(\.sha256) == second.tiles.map(\.sha256))
        #expect(first.tiles.map(\.path) == second.tiles.map(\.path))
        #expect(first.tiles.count > 20)
    }

    @Test func metadataDescribeTheTiles() throws {
        struct Description: Decodable {
            struct Layer: Decodable {
                var id: String
                var fields: [String: String]
            }
            var tilejson: String
            var tiles: [String]
            var attribution: String
            var bounds: [Double]
            var minzoom: Int
            var maxzoom: Int
            var vectorLayers: [Layer]
        }
        let tiles = try GroundTiles.cut(extract: Self.path("krems"), zooms: 14...15, languages: ["en"])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let json = try decoder.decode(Description.self, from: Data(tiles.metadata(name: "Krems")))
        #expect(json.tilejson == "3.0.0" && json.tiles == ["{z}/{x}/{y}.mvt"])
        #expect(json.attribution.contains("© OpenStreetMap contributors"))
        #expect(json.attribution.contains("https://www.openstreetmap.org/copyright"))
        #expect(json.minzoom == 14 && json.maxzoom == 15)
        #expect(json.bounds == [tiles.box.west, tiles.box.south, tiles.box.east, tiles.box.north])
        let layers = Set(json.vectorLayers.map(\.id))
        #expect(layers.isSuperset(of: ["water", "building", "transportation", "transportation_name", "place", "poi"]))
        #expect(json.vectorLayers.first { $0.id == "place" }?.fields["name:en"] == "String")
    }
}
