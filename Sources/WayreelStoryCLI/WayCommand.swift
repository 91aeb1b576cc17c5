internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct WayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "way",
        abstract: "Finds the fastest way on the roads of an OpenStreetMap extract, with its turns.",
        discussion: """
            wayreel way krems.osm.pbf --from 48.4085,15.6010 --to 48.4110,15.6130 --by foot
            wayreel way krems.osm.pbf --from 48.4085,15.6010 --via 48.4100,15.6080 --to 48.4110,15.6130 --by bicycle -o way.gpx
            wayreel way bayreuth-north.osm.pbf --from 50.0390,11.4900 --to 49.9800,11.5900 --json

            Speeds follow from the class of each road, and for cars from speed limits. Restrictions of turns and traffic are not known.

            The data are those of the OpenStreetMap contributors, who have to be named wherever they are shown.

            Exit status: 0 done, 1 failed, also if there is no way, 2 wrong usage.
            """)

    @Argument(
        help: "An OpenStreetMap extract: .osm.pbf, .osm or .osm.gz.",
        completion: .file(extensions: ["pbf", "osm", "gz"]))
    var extract: String

    @Option(parsing: .unconditional, help: "Where the way begins: latitude,longitude.")
    var from: Place

    @Option(
        parsing: .unconditionalSingleValue,
        help: "A stop on the way: latitude,longitude. Repeatable, in order.")
    var via: [Place] = []

    @Option(parsing: .unconditional, help: "Where the way ends: latitude,longitude.")
    var to: Place

    @Option(help: "How to travel.")
    var by = TravelMode.car

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The area of the roads: west,south,east,north in degrees. (default: the whole extract)",
            valueName: "w,s,e,n"))
    var bounds: String?

    @Option(name: [.short, .long], help: "A file for the way: .json, or .gpx for its line.", completion: .file())
    var output: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard via.count <= RoadGraph.maxStops - 2 else {
            throw ValidationError("--via may be given \(RoadGraph.maxStops - 2) times")
        }
        if json, output == "-" { throw ValidationError("--json and --output - both write to standard output") }
        do throws(MediaError) { _ = try DriveOptions.box(bounds) } catch {
            throw ValidationError("--bounds: \(error)")
        }
    }

    func run() throws {
        if let output { try OutputFile.check(output, isNoneOf: [extract]) }
        let graph = try RoadGraph.reading(extract, bounds)
        let way: RoadWay
        do throws(MediaError) {
            way = try graph.way(through: [from.point] + via.map(\.point) + [to.point], by: by)
        } catch { throw error.naming(extract) }
        if let output {
            let isGPX = output.fileExtension?.lowercased() == "gpx"
            let line = Track(segments: [way.line.map { Track.Point($0) }])
            try Console.deliver(isGPX ? Array(line.gpx().utf8) : JSON.encode(way), to: output)
        }
        if json {
            try Console.output(JSON.text(way))
        } else if output != "-" {
            try Console.output(Self.page(way))
        }
    }

    private static func page(_ way: RoadWay) -> String {
        let rows = way.steps.map { step in
            [DrivePage.distance(step.length), Self.words(step)]
        }
        let total =
            "\(DrivePage.distance(way.length)), \(Int((way.duration / 60).rounded(.up))) min by \(way.mode.rawValue)"
        let title = way.mode == .foot ? total.replacing("by foot", with: "on foot") : total
        return "\(title)\n\(TextColumns.aligned(rows))\n\(GroundExtract.attribution)"
    }

    private static func words(_ step: RoadWay.Step) -> String {
        let road = step.road.map { DrivePage.title($0) } ?? ""
        return switch step.turn {
        case .depart: "go \(step.bearing.compassPoint) on \(road)"
        case .straight: "go on along \(road)"
        case .slightLeft: "bear left into \(road)"
        case .left: "turn left into \(road)"
        case .sharpLeft: "turn sharp left into \(road)"
        case .slightRight: "bear right into \(road)"
        case .right: "turn right into \(road)"
        case .sharpRight: "turn sharp right into \(road)"
        case .uTurn: "turn round on \(road)"
        case .roundabout: "take exit \(step.exit ?? 1) of the roundabout into \(road)"
        case .arrive: "arrive at stop \(step.stop ?? 1)"
        }
    }
}
