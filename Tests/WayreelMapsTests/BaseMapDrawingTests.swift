import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelMapFiles
import WayreelMaps
import WayreelStory

/// Base maps below a map's marks. The tiles are tilemaker's, those of the web player's tests, and the colours are those of
/// the table that both read.
@Suite struct BaseMapDrawingTests {
    private struct Table: Decodable {
        struct Contrast: Decodable {
            var of: [String]
            var least: Double
            var against: [String]
        }

        var colors: [String: [String: String]]
        var contrast: [Contrast]
    }

    private static func table() throws -> Table {
        try JSONDecoder().decode(
            Table.self, from: Data(Fixture.bytes("\(Fixture.root)/Player/ground/style.json")))
    }

    /// Two places in Helsinki's centre, 640 m apart.
    private static let scene = MapScene(
        title: "Helsinki",
        sections: [
            .init(
                name: "Keskusta",
                places: [
                    .init(
                        id: "a", name: "A", kind: "quiz", position: GeoPoint(latitude: 60.1690, longitude: 24.9400),
                        radius: 20),
                    .init(
                        id: "b", name: "B", kind: "radio", position: GeoPoint(latitude: 60.1730, longitude: 24.9483),
                        radius: 20),
                ])
        ])

    private static func ground(_ box: GroundBox, zoom: Int, damaged: Bool = false) throws -> MapGround {
        var tiles: [MapGround.Tile] = []
        for column in 37307...37311 {
            for row in 18967...18971 {
                let path = "\(Fixture.root)/Tests/Player/ground/16/\(column)/\(row).mvt"
                guard let bytes = try? Fixture.bytes(path) else { continue }
                tiles.append(
                    MapGround.Tile(zoom: 16, column: column, row: row, bytes: damaged ? Array(bytes.prefix(99)) : bytes)
                )
            }
        }
        return MapGround(tiles: tiles, attribution: "© OpenStreetMap contributors", languages: ["sv"])
    }

    @Test func theAreaIsThatOfTheMap() throws {
        let image = MapImage(size: PixelSize(width: 900, height: 700))
        let (box, zoom) = try #require(try Self.scene.groundArea(image, zooms: 12...17))
        for place in Self.scene.sections[0].places {
            #expect(box.contains(longitude: place.position.longitude, latitude: place.position.latitude))
        }
        // The map is about 1.5 times as wide as what it shows: about 1 km, 700 pixels of the table.
        #expect(zoom == 15 || zoom == 16)
        #expect(abs(box.east - box.west) < 0.04 && abs(box.north - box.south) < 0.02)
        // On a map of two towns, streets could not be seen.
        var far = Self.scene
        far.sections[0].places[1].position = GeoPoint(latitude: 48.41, longitude: 15.60)
        #expect(try far.groundArea(image, zooms: 12...17) == nil)
    }

    @Test(arguments: MapImage.Theme.allCases) func coloursAreThoseOfTheTable(theme: MapImage.Theme) throws {
        let image = MapImage(size: PixelSize(width: 900, height: 700), theme: theme)
        var scene = Self.scene
        let plain = String(decoding: try scene.draw(image, as: .svg), as: UTF8.self)
        let (box, zoom) = try #require(try scene.groundArea(image, zooms: 16...16))
        scene.ground = try Self.ground(box, zoom: zoom)
        let drawn = String(decoding: try scene.draw(image, as: .svg), as: UTF8.self)
        let colors = try #require(try Self.table().colors[theme.rawValue])
        for name in ["ground", "buildings", "building-edge", "street", "street-edge", "path", "rail", "label", "halo"] {
            let color = try #require(colors[name])
            #expect(drawn.contains("\"\(color)\""), "\(name)")
            if name != "street" { #expect(!plain.contains("\"\(color)\""), "\(name)") }
        }
        // Equal maps give equal bytes, and pixels can be drawn as well.
        #expect(try scene.draw(image, as: .svg) == Array(drawn.utf8))
        #expect(try scene.draw(image, as: .png).count > 20_000)
    }

    /// By the formula of WCAG 2: streets, paths and rails 3:1, names 4.5:1.
    @Test func contrastsOfTheTable() throws {
        func luminance(_ color: String) throws -> Double {
            let channels = try (0..<3).map { index in
                let digits = color.dropFirst(1 + 2 * index).prefix(2)
                let value = Double(try #require(Int(digits, radix: 16))) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        }
        let table = try Self.table()
        for (theme, colors) in table.colors {
            for row in table.contrast {
                for name in row.of {
                    for other in row.against {
                        let values = try [colors[name], colors[other]].map { try luminance(#require($0)) }.sorted()
                        let contrast = (values[1] + 0.05) / (values[0] + 0.05)
                        #expect(contrast >= row.least, "\(theme): \(name) on \(other)")
                    }
                }
            }
        }
    }

    @Test func aDamagedTileIsNamed() throws {
        let image = MapImage(size: PixelSize(width: 900, height: 700))
        var scene = Self.scene
        let (box, zoom) = try #require(try scene.groundArea(image, zooms: 16...16))
        scene.ground = try Self.ground(box, zoom: zoom, damaged: true)
        let error = #expect(throws: MediaError.self) { try scene.draw(image, as: .svg) }
        #expect(error?.subject?.hasPrefix("the tile 16/") == true, "\(String(describing: error))")
    }
}
