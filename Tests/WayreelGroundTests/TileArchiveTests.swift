import FoundationEssentials
import TestSupport
import Testing
import WayreelCore
import WayreelMapFiles

/// Archives that the Python package pmtiles wrote: Fixtures/make-archives.py.
@Suite struct TileArchiveTests {
    private static func path(_ name: String) -> String { "\(Fixture.root)/Tests/WayreelGroundTests/Fixtures/\(name)" }

    /// The numbers are those of the package pmtiles, whose own tests have the seventh.
    @Test(arguments: [
        (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
        (12, 3423, 1763, 19_078_479),
        (17, 71216, 45337, 20_299_144_256), (17, 131_071, 131_071, 17_179_869_183),
    ]) func numbersOfTiles(zoom: Int, column: Int, row: Int, number: UInt64) {
        #expect(TileArchive.number(zoom: zoom, column: column, row: row) == number)
    }

    /// The tiles of zooms 14 and 15 that are in the archives: those of less than 20 kB.
    private static func tiles() throws -> [(zoom: Int, column: Int, row: Int, bytes: [UInt8])] {
        var found: [(Int, Int, Int, [UInt8])] = []
        for (zoom, columns, rows) in [(14, 9326...9327, 4741...4742), (15, 18653...18655, 9483...9485)] {
            for (column, row) in columns.flatMap({ column in rows.map { (column, $0) } }) {
                let bytes = try Fixture.bytes("\(Fixture.root)/Tests/Player/ground/\(zoom)/\(column)/\(row).mvt")
                if bytes.count < 20_000 { found.append((zoom, column, row, bytes)) }
            }
        }
        return found
    }

    @Test(arguments: ["helsinki.pmtiles", "leaves.pmtiles"]) func tilesAreThoseThatWereWritten(name: String) throws {
        let archive = try TileArchive(path: Self.path(name))
        #expect(archive.zooms == 14...15)
        #expect(archive.box == (try GroundBox("24.935,60.164,24.953,60.179")))
        let tiles = try Self.tiles()
        #expect(tiles.count == 8)
        for tile in tiles {
            let found = try #require(try archive.tile(zoom: tile.zoom, column: tile.column, row: tile.row))
            #expect(found.isGzip && found.bytes == tile.bytes, "\(tile.zoom)/\(tile.column)/\(tile.row)")
        }
        for (zoom, column, row) in [(14, 9327, 4742), (14, 0, 0), (15, 32767, 32767), (13, 4663, 2371), (16, 0, 0)] {
            #expect(try archive.tile(zoom: zoom, column: column, row: row) == nil, "\(zoom)/\(column)/\(row)")
        }
    }

    @Test func archivesSayWhoMadeThem() throws {
        let helsinki = try MapFile(path: Self.path("helsinki.pmtiles"))
        #expect(helsinki.kind == .tiles(zooms: 14...15))
        #expect(helsinki.attribution == "© OpenStreetMap contributors" && helsinki.isOpenStreetMap)
        let other = try MapFile(path: Self.path("leaves.pmtiles"))
        #expect(other.attribution == "Somebody" && !other.isOpenStreetMap)
    }

    /// What is wrong is one line.
    @Test(
        arguments: [
            (7, [2], "is PMTiles of version 2; version 3 is read"), (99, [2], "holds no vector tiles"),
            (98, [3], "its tiles are compressed by Brotli; gzip is read"),
            (97, [4], "its directories are compressed by Zstandard; gzip is read"),
            (100, [16], "its zooms are damaged: 16 to 15"), (101, [255], "its zooms are damaged: 14 to 255"),
            (8, [255, 255, 255, 255, 255, 255, 255, 255], "is cut off: a part of it lies beyond its end"),
            (16, [0, 0, 0, 0, 0, 0, 0, 127], "is cut off: a part of it lies beyond its end"),
            (127, [0, 0], "of a directory, its compressed data are damaged"),
        ] as [(Int, [UInt8], String)]) func saysWhatIsWrong(offset: Int, bytes: [UInt8], reason: String) throws
    {
        var damaged = try Fixture.bytes(Self.path("helsinki.pmtiles"))
        damaged.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        let folder = TemporaryFolder()
        try OutputFile.write(damaged, to: "\(folder.path)/damaged.pmtiles")
        let error = #expect(throws: MediaError.self) { try TileArchive(path: "\(folder.path)/damaged.pmtiles") }
        #expect(error?.reason == reason, "\(String(describing: error))")
    }

    /// The directories are there, and the last tiles are not.
    /// By hand, after the specification of vector tiles 2.1: a layer `a` with a point whose step is the smallest number.
    @Test func pointsBeyondAllNumbers() throws {
        let geometry: [UInt8] = [9] + [UInt8](repeating: 0xFF, count: 9) + [1, 0]
        let feature: [UInt8] = [3 << 3, 1, 4 << 3 | 2, UInt8(geometry.count)] + geometry
        let layer: [UInt8] = [15 << 3, 2, 1 << 3 | 2, 1, 0x61, 2 << 3 | 2, UInt8(feature.count)] + feature
        let bytes: [UInt8] = [3 << 3 | 2, UInt8(layer.count)] + layer
        let tile = try #require(bytes.withUnsafeBytes { MapTile($0) })
        #expect(tile.layers.map(\.name) == ["a"] && tile.layers[0].features.isEmpty)
    }

    @Test func archivesThatAreCutOff() throws {
        let folder = TemporaryFolder()
        let whole = try Fixture.bytes(Self.path("helsinki.pmtiles"))
        try OutputFile.write(Array(whole.dropLast()), to: "\(folder.path)/cut.pmtiles")
        let error = #expect(throws: MediaError.self) { try TileArchive(path: "\(folder.path)/cut.pmtiles") }
        #expect(error?.reason == "is cut off: a part of it lies beyond its end", "\(String(describing: error))")
    }

    /// Whatever is damaged, all tiles are read or refused.
    @Test(arguments: ["helsinki.pmtiles", "leaves.pmtiles"]) func damagedArchives(name: String) throws {
        var random = SeededRandom(seed: 45)
        let whole = try Fixture.bytes(Self.path(name))
        let folder = TemporaryFolder()
        var refused = 0
        for number in 0..<200 {
            var damaged = whole
            for _ in 0...number % 5 {
                // Mostly the header and the directories.
                let end = number % 3 == 0 ? damaged.count : 700
                damaged[Int.random(in: 8..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if number % 7 == 0 { damaged = Array(damaged.prefix(Int.random(in: 1...damaged.count, using: &random))) }
            try OutputFile.write(damaged, to: "\(folder.path)/damaged.pmtiles")
            do throws(MediaError) {
                let archive = try TileArchive(path: "\(folder.path)/damaged.pmtiles")
                for (zoom, column, row) in [(14, 9326, 4741), (15, 18653, 9483), (15, 18655, 9485)] {
                    _ = try archive.tile(zoom: zoom, column: column, row: row)
                }
            } catch {
                refused += 1
                #expect(!"\(error)".contains("\n"), "\(error)")
            }
        }
        #expect(refused > 50)
    }
}
