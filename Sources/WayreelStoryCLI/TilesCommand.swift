internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct TilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tiles",
        abstract: "Cuts an OpenStreetMap extract into vector tiles, a base map that works offline.",
        discussion: """
            All that an extract covers, for web maps and QGIS:
              wayreel tiles krems.osm.pbf -o tiles/
            The old town only, with German and English names:
              wayreel tiles krems.osm.pbf -o tiles/ --bounds 15.600,48.408,15.610,48.413 --language de --language en

            The folder holds z/x/y.mvt (Mapbox Vector Tiles, gzipped: servers send them with 'Content-Encoding: gzip') and \
            metadata.json (TileJSON). Layers and classes are those of OpenMapTiles; coasts become water.

            The data are those of the OpenStreetMap contributors, who have to be named wherever they are shown; metadata.json does so.

            A folder that an earlier run wrote is replaced when the new one is complete. A folder with other files in it is left alone.

            Exit status: 0 done, 1 failed, 2 wrong usage.
            """)

    @Argument(
        help: "An OpenStreetMap extract: .osm.pbf, .osm or .osm.gz.",
        completion: .file(extensions: ["pbf", "osm", "gz"]))
    var extract: String

    @Option(name: [.short, .long], help: "The folder to write.", completion: .directory)
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The area: west,south,east,north in degrees. (default: all that the extract covers)", valueName: "w,s,e,n"))
    var bounds: String?

    @Option(help: "The first and the last zoom, within 12-17.")
    var zooms = ZoomRange(zooms: GroundTiles.zooms)

    @Option(
        help: ArgumentHelp("A language of names besides the local one: de, fi, zh-Hant. Repeatable.", valueName: "code")
    )
    var language: [String] = []

    func validate() throws {
        do throws(MediaError) { _ = try box } catch { throw ValidationError("--bounds: \(error)") }
    }

    private var box: GroundBox? {
        get throws(MediaError) { try bounds.map { (text) throws(MediaError) in try GroundBox(text) } }
    }

    func run() throws {
        let start = Clock.wall
        let tiles = try GroundTiles.cut(
            extract: extract, box: box, zooms: zooms.zooms, languages: language, cancellation: Interrupt.cancellation)
        try tiles.write(to: output, name: extract.fileName ?? extract)
        for warning in tiles.warnings { Console.error("warning: \(extract): \(warning)".onOneLine) }
        let seconds = (Clock.wall - start).formatted(1)
        try Console.output("\(tiles.tiles.count.counted("tile")), \(tiles.bytes.asSize), in \(seconds) s")
    }
}

/// `12-17`, or `15`
struct ZoomRange: ExpressibleByArgument, CustomStringConvertible {
    let zooms: ClosedRange<Int>

    var description: String { "\(zooms.lowerBound)-\(zooms.upperBound)" }
    var defaultValueDescription: String { description }

    init(zooms: ClosedRange<Int>) { self.zooms = zooms }

    init?(argument: String) {
        let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last,
            GroundTiles.zooms.contains(first), GroundTiles.zooms.contains(last)
        else { return nil }
        zooms = first...last
    }
}
