import TestSupport
import Testing

/// `wayreel tiles`.
@Suite struct TilesCommandTests {
    private let bench = Workbench()
    private static let krems = "Media/maps/krems.osm.pbf"

    @Test func writesTilesAndTheirDescription() throws {
        let run = try expectDone(
            bench.wayreel(
                "tiles", Self.krems, "-o", "tiles/", "--bounds", "15.600,48.408,15.610,48.413", "--zooms", "14-15",
                "--language", "en"))
        #expect(run.text.hasSuffix(" s\n") && run.text.contains(" tiles, "), "\(run.text)")
        #expect(bench.listing("tiles").contains("metadata.json"))
        // By the formula of web maps, 15.600 E and 48.413 N lie in this tile.
        #expect(bench.exists("tiles/14/8901/5667.mvt"))
        let metadata = String(decoding: try bench.bytes("tiles/metadata.json"), as: UTF8.self)
        #expect(metadata.contains("OpenStreetMap contributors"))
        // A second run replaces the first.
        expectDone(try bench.wayreel("tiles", Self.krems, "-o", "tiles/", "--zooms", "12"))
        #expect(!bench.exists("tiles/14"))
    }

    @Test(arguments: [
        ([krems, "-o", "t/", "--bounds", "24.93,60.16,24.96,60.18"], Int32(2), "km away"),
        // A western longitude is no option.
        ([krems, "-o", "t/", "--bounds", "-0.2,51.4,0.1,51.6"], 2, "km away"),
        (
            [krems, "-o", "t/", "--bounds", "1,2,3"], 2,
            "--bounds: 1,2,3: ground: is no box; give west, south, east, north"
        ),
        ([krems, "-o", "t/", "--zooms", "9-17"], 2, "--zooms"), (["missing.pbf", "-o", "t/"], 1, "missing.pbf"),
        ([krems], 2, "--output"), (["Media/radio/bunny.mp3", "-o", "t/"], 1, "is no OpenStreetMap extract"),
    ]) func saysWhatIsWrong(arguments: [String], status: Int32, message: String) throws {
        let run = try bench.command(["tiles"] + arguments).run()
        #expect(run.ending == .exited(status))
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!bench.exists("t"))
    }
}
