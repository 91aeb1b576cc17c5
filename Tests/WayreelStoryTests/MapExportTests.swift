import FoundationEssentials
import TestSupport
import Testing
import WayreelCore
import WayreelStory

@Suite struct MapExportTests {
    private struct Collection: Decodable {
        struct Feature: Decodable {
            struct Geometry: Decodable {
                var type: String
                var coordinates: [Double]
            }
            struct Properties: Decodable {
                var name: String
                var kind: String
                var radius: Double
            }
            var id: String
            var geometry: Geometry
            var properties: Properties
        }
        var type: String
        var features: [Feature]
    }

    private func story() throws -> Story {
        try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
    }

    /// RFC 7946: longitude first.
    @Test func geoJSON() throws {
        let text = StoryDocument.text(of: try story(), as: .geojson)
        let collection = try JSONDecoder().decode(Collection.self, from: Data(text.utf8))
        #expect(collection.type == "FeatureCollection")
        #expect(collection.features.map(\.id) == ["tower", "broadcast", "goggles", "quiz", "loft"])
        #expect(collection.features[0].geometry.coordinates == [-120.6648, 35.2807])
        #expect(collection.features[1].geometry.coordinates == [0.00002, -35.5])
        #expect(collection.features.map(\.properties.kind) == ["camera", "radio", "goggles", "quiz", "exhibit"])
        #expect(collection.features[1].properties.radius == 30.5)
    }

    /// Returns the result of an XPath expression, evaluated by xmllint.
    private func value(_ path: String, in text: String) throws -> String {
        try Fixture.withFolder { folder in
            try OutputFile.write(Array(text.utf8), to: "\(folder)/map.xml")
            let outcome = try Command("/usr/bin/xmllint", ["--nonet", "--xpath", path, "\(folder)/map.xml"]).run()
            return String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").joined(separator: "\n")
        }
    }

    @Test func gpx() throws {
        let text = StoryDocument.text(of: try story(), as: .gpx)
        #expect(try value("count(/*[local-name()='gpx'][@version='1.1']/*[local-name()='wpt'])", in: text) == "5")
        #expect(try value("string(//*[local-name()='wpt'][2]/@lon)", in: text) == "0.00002")
        #expect(try value("count(//*[local-name()='rte'])", in: text) == "1")
        #expect(try value("string(//*[local-name()='rtept'][2]/*[local-name()='name'])", in: text) == "The quiz")
    }

    /// The schema of GPX 1.1 takes longitudes from −180 to below 180.
    @Test func gpxHasTheAntimeridianInTheWest() throws {
        var story = try story()
        story.chapters[0].events[0].position.longitude = 180
        let text = StoryDocument.text(of: story, as: .gpx)
        #expect(try value("string(//*[local-name()='wpt'][1]/@lon)", in: text) == "-180")
    }

    @Test func kml() throws {
        let text = StoryDocument.text(of: try story(), as: .kml)
        #expect(try value("count(//*[local-name()='Folder'])", in: text) == "2")
        #expect(try value("string(//*[local-name()='coordinates'][1])", in: text) == "-120.6648,35.2807")
    }
}
