import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelGround
import WayreelMapFiles

/// Extracts that cannot be cut: each fails in one line that says what, why and what to do.
@Suite struct BadExtractTests {
    private static let krems = Fixture.media("maps/krems.osm.pbf")

    private static func failure(
        _ path: String, box: GroundBox? = nil, zooms: ClosedRange<Int> = 12...17, languages: [String] = []
    ) -> MediaError? {
        do throws(MediaError) {
            _ = try GroundTiles.cut(extract: path, box: box, zooms: zooms, languages: languages)
            return nil
        } catch { return error }
    }

    private static func failure(_ bytes: [UInt8], name: String = "a.osm.pbf") throws -> MediaError? {
        let folder = TemporaryFolder()
        return try withExtendedLifetime(folder) { failure(try folder.write(bytes, to: name)) }
    }

    @Test func missingFilesAndFolders() {
        #expect(Self.failure("missing.osm.pbf")?.code == .notFound)
        #expect(
            Self.failure("/tmp")?.description
                == "/tmp: ground: is a directory; give a file: it is read several times")
    }

    @Test func otherFiles() throws {
        #expect(
            Self.failure(Fixture.media("overlays/badge.png"))?.description.hasSuffix(
                "badge.png: ground: is no OpenStreetMap extract; give an .osm.pbf, .osm or .osm.gz file") == true)
        #expect(try Self.failure([])?.reason == "the file is empty")
    }

    @Test(arguments: [0.2, 0.5, 0.9, 0.999]) func truncatedFiles(part: Double) throws {
        let whole = try Fixture.bytes(Self.krems)
        let error = try #require(try Self.failure(Array(whole.prefix(Int(Double(whole.count) * part)))))
        #expect(error.kind == .decoding && error.reason.hasPrefix("the extract is damaged: "), "\(error)")
        #expect(error.description.utf8.allSatisfy { $0 >= 0x20 })
    }

    /// Changed bytes lead to an error or to other tiles, but to no crash.
    @Test func damagedFiles() throws {
        let whole = try Fixture.bytes(Fixture.media("maps/monaco.osm.pbf"))
        var random = SeededRandom(seed: 45)
        for _ in 0..<60 {
            _ = try Self.failure(whole.damaged(cut: false, changes: 4, using: &random))
        }
    }

    /// A blob whose header says that it takes 2 GB when it is unpacked, and one whose header is too long.
    @Test func bombs() throws {
        // BlobHeader: type "OSMHeader", datasize 8; Blob: raw_size 2^31 - 1, zlib_data of 0 bytes.
        let header: [UInt8] = [0x0A, 9] + "OSMHeader".utf8 + [0x18, 8]
        let blob: [UInt8] = [0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0x1A, 0]
        let bomb = [0, 0, 0, UInt8(header.count)] + header + blob
        #expect(try Self.failure(bomb)?.kind == .decoding)
        #expect(try Self.failure([0x7F, 0xFF, 0xFF, 0xFF] + header + blob)?.kind == .decoding)
    }

    /// A block of 200,000 nodes that take three bytes each, where writers put 8,000.
    @Test func blocksOfManyNodes() throws {
        func varint(_ number: Int) -> [UInt8] {
            var (bytes, rest): ([UInt8], Int) = ([], number)
            while rest >= 0x80 {
                bytes.append(UInt8(rest % 0x80 + 0x80))
                rest /= 0x80
            }
            bytes.append(UInt8(rest))
            return bytes
        }
        func field(_ number: Int, _ content: [UInt8]) -> [UInt8] {
            var bytes = varint(number * 8 + 2)
            bytes += varint(content.count)
            return bytes + content
        }
        func blob(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let raw = field(1, content)
            var header = field(1, Array(type.utf8))
            header += varint(3 * 8)
            header += varint(raw.count)
            let length: [UInt8] = [0, 0, 0, UInt8(header.count)]
            return length + header + raw
        }
        let count = 200_000
        var nodes = field(1, [UInt8](repeating: 2, count: count))
        for number in 8...9 { nodes += field(number, [UInt8](repeating: 0, count: count)) }
        var file = blob("OSMHeader", field(4, Array("OsmSchema-V0.6".utf8)))
        file += blob("OSMData", field(1, field(1, [])) + field(2, field(2, nodes)))
        let error = try #require(try Self.failure(file))
        #expect(error.reason == "the extract is damaged: a block has too many objects", "\(error)")
    }

    /// Thirty thousand sides that all cross each other would take the assembler seconds or, with more of them, hours.
    @Test func polygonsOfVeryManyCrossings() throws {
        var sketch = Sketch()
        var nodes: [Int] = []
        for index in 0..<30_000 {
            let east = index % 2 * 3000 + index % 997
            nodes.append(sketch.node(Double(east), Double(index % 1009)))
        }
        sketch.way(through: nodes + [nodes[0]], ["building": "yes"])
        let tiles = try sketch.tiles(Sketch.box(0, 0, 4096, 4096))
        #expect(tiles.tiles.isEmpty && tiles.warnings.count == 1)
    }

    @Test func entitiesOfXML() throws {
        let levels = (1...9).map { level in
            "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
        }
        let xml = """
            <?xml version="1.0"?><!DOCTYPE osm [<!ENTITY e0 "0123456789">\(levels.joined())]>
            <osm version="0.6"><node id="1" version="1" lat="48" lon="15"><tag k="name" v="&e9;"/></node></osm>
            """
        let error = try #require(try Self.failure(Array(xml.utf8), name: "a.osm"))
        #expect(error.kind == .decoding, "\(error)")
    }

    /// A `>` within a value or a comment ends nothing.
    @Test(arguments: ["<tag k=\"name\" v=\"", "<tag k='name' v='", "<!-- ", "<?x ", "<![CDATA["], ["x", "x>"])
    func textsThatDoNotEnd(_ begun: String, _ text: String) throws {
        let start = "<osm version=\"0.6\"><node id=\"1\" version=\"1\" lat=\"48\" lon=\"15\">\(begun)"
        let error = try #require(
            try Self.failure(Array((start + String(repeating: text, count: 2 << 20)).utf8), name: "a.osm"))
        #expect(error.reason == "the extract is damaged: an element has more than 1048576 bytes")
    }

    /// What ends is read, whatever is in it.
    @Test func commentsAndQuotes() throws {
        var sketch = Sketch()
        sketch.node(100, 100, ["amenity": "cafe", "name": "a > b's"])
        let xml = sketch.xml.replacing("</osm>", with: "<!-- it's > \" --><?x it's > ?></osm>")
        let folder = TemporaryFolder()
        let path = try folder.write(xml + String(repeating: " \n", count: 1000), to: "a.osm")
        #expect(Self.failure(path) == nil)
    }

    /// A kilobyte of numbers of texts that stands for a gigabyte of texts: OSM PBF names each text of a tag by its number.
    @Test func tagsThatNameALongTextAgainAndAgain() throws {
        func varint(_ number: Int) -> [UInt8] {
            number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
        }
        func message(_ field: UInt8, _ bytes: [UInt8]) -> [UInt8] { [field << 3 | 2] + varint(bytes.count) + bytes }
        func blob(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
            let blob = message(1, bytes)
            let header = message(1, Array(type.utf8)) + [3 << 3] + varint(blob.count)
            return [0, 0, 0, UInt8(header.count)] + header + blob
        }
        let head = message(4, Array("OsmSchema-V0.6".utf8)) + message(4, Array("DenseNodes".utf8))
        let texts = message(1, message(1, []) + message(1, [UInt8](repeating: 0x78, count: 900)))
        // A way: its id, a million times text 1 as key and as value, and two nodes.
        let numbers = [UInt8](repeating: 1, count: 1 << 20)
        let way: [UInt8] = [1 << 3, 1] + message(2, numbers) + message(3, numbers) + message(8, [2, 2])
        let block = texts + message(2, message(3, way))
        let error = try #require(try Self.failure(blob("OSMHeader", head) + blob("OSMData", block)))
        #expect(error.reason == "the extract is damaged: a block has too many texts")
    }

    /// OpenStreetMap allows 255 characters.
    @Test func namesOfTenThousandCharacters() throws {
        var sketch = Sketch()
        sketch.node(100, 100, ["amenity": "cafe", "name": String(repeating: "ä", count: 10_000)])
        let error = try #require(try Self.failure(Array(sketch.xml.utf8), name: "a.osm"))
        #expect(error.kind == .decoding && error.description.utf8.count < 200, "\(error)")
    }

    @Test func waysBeforeTheirNodes() throws {
        var sketch = Sketch()
        sketch.way([(0, 0), (1000, 1000)], ["highway": "primary"])
        let error = try #require(try Self.failure(Array(sketch.unsortedXML.utf8), name: "a.osm"))
        #expect(error.reason == "its objects are not sorted by type and id")
    }

    @Test func extractsOfAnotherTown() throws {
        let helsinki = try GroundBox(west: 24.93, south: 60.16, east: 24.96, north: 60.18)
        let error = try #require(Self.failure(Self.krems, box: helsinki))
        #expect(error.kind == .parameter)
        // Geod(ellps="WGS84") of pyproj 3.7.2, from the extract's north-east to the box's south-west: 1436.558 km.
        #expect(error.reason.contains(" 1436.6 km away: it covers 15."), "\(error)")
    }

    @Test func boxesZoomsAndLanguages() throws {
        #expect(throws: MediaError.self) { try GroundBox("15.6,48.3,15.7") }
        #expect(throws: MediaError.self) { try GroundBox("15.6,48.3,nan,48.4") }
        #expect(throws: MediaError.self) { try GroundBox("179,48.3,-179,48.4") }
        #expect(throws: MediaError.self) { try GroundBox("15.6,48.4,15.7,48.3") }
        #expect(throws: MediaError.self) { try GroundBox("15.6,48.3,15.7,89") }
        #expect(Self.failure(Self.krems, zooms: 10...17)?.reason == "zooms 10-17 are not within 12-17")
        #expect(Self.failure(Self.krems, languages: ["../x"])?.reason == "is no code of a language")
        let continent = try GroundBox(west: -10, south: 35, east: 30, north: 60)
        #expect(Self.failure(Self.krems, box: continent)?.kind == .limit)
    }

    /// Borders that cross themselves, and members that the extract lacks.
    @Test func polygonsThatCannotBeAssembled() throws {
        var sketch = Sketch()
        sketch.way([(100, 100), (900, 900), (900, 100), (100, 900), (100, 100)], ["building": "yes"])
        let open = sketch.way([(1000, 1000), (2000, 1000), (2000, 2000)])
        sketch.relation([(open, "outer"), (99, "outer")], ["type": "multipolygon", "natural": "water"])
        sketch.square(2500, 2500, side: 500, ["building": "yes"])
        let tiles = try sketch.tiles(Sketch.box(0, 0, 4096, 4096))
        #expect(
            tiles.warnings.map(\.message) == [
                "1 multipolygon is left out: the extract lacks a part of its border",
                "1 polygon is left out: its border is not closed or crosses itself",
            ])
        #expect(tiles.tiles.count == 1)
    }

    @Test func aMapWithoutAnything() throws {
        var sketch = Sketch()
        sketch.node(100, 100)
        #expect(try sketch.tiles(Sketch.box(0, 0, 4096, 4096)).tiles.isEmpty)
    }
}
