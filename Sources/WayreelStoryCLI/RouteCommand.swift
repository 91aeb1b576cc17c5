internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI

struct RouteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Lists what lies ahead: a story's events on a route, or the exits of the road of a drive.",
        discussion: """
            wayreel route bundle/ --along route.gpx --at 35.28,-120.66 --course 340
            wayreel route story.xml --along walk.gpx --at 35.2801,-120.6649 --within 50m --json
            wayreel route story.xml --along walk.gpx --at 35.2801,-120.6649 --at 35.2802,-120.6648 --at 35.2803,-120.6646

            Each event is shown with the distance to it along the route and how far beside the route it lies. Where the route crosses itself
            or goes to and fro, the course decides on which stretch the traveller is; it is the one given, or that of the last two of three
            or more positions.

            wayreel route --roads bayreuth-north.osm.pbf --track drive.gpx
            wayreel route --roads bayreuth-north.osm.pbf --track drive.gpx --services 3km --kind gas,food --chain Aral -o drive.json
            wayreel route --roads bayreuth-north.osm.pbf --track - --live < fixes.ndjson

            With --roads, the roads of the drive are found in an OpenStreetMap extract. The last one is followed by its number or name, also
            through junctions with others; its exits are listed in order, with what is near each.

            With --live, each line of standard input is one of:
              {"fix": {"position": {"latitude": 50.03, "longitude": 11.6}, "accuracy": 5, "timestamp": "2026-11-23T17:05:09Z"}}
              {"lost": {"timestamp": "…"}}
              $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A     (NMEA 0183, as receivers send it)
            and what is known then is printed at once, one object a line. A line that makes no sense is one error, and the next line is read;
            sentences of NMEA other than RMC are skipped.

            The data are those of the OpenStreetMap contributors, who have to be named wherever they are shown.

            Exit status: 0 done, 1 failed, or a line of --live was wrong, 2 wrong usage.
            """)

    @Argument(help: "A prepared bundle, or a story's document: .xml, .yml or .yaml.", completion: .file())
    var story: String?

    @Option(help: "The route: GPX; - for standard input.", completion: .file(extensions: ["gpx"]))
    var along: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: "Where the traveller is: latitude,longitude. Repeat it for positions one after the other.")
    var at: [Place] = []

    @Option(help: "The direction of travel, degrees clockwise from north, 0 to 360.")
    var course: Double?

    @Option(help: "How far beside the route events may lie, up to 100km. (default: 200m)")
    var within: Metres?

    @Option(help: "Only the events of this chapter.")
    var chapter: String?

    @OptionGroup var language: StoryLanguage

    @OptionGroup(title: "Roads") var drive: DriveOptions

    @Flag(help: "Print JSON, with the events that lie behind, or with the road of each fix.")
    var json = false

    func validate() throws {
        if drive.roads != nil {
            guard story == nil, along == nil, at.isEmpty, course == nil, within == nil, chapter == nil,
                language.language == nil
            else {
                throw ValidationError("--roads takes a --track, and nothing of a story")
            }
            return try drive.validate(json: json)
        }
        guard drive.isEmpty else { throw ValidationError("--track and what follows it need --roads") }
        guard story != nil else { throw ValidationError("name a story with --along, or --roads with a --track") }
        guard along != nil else { throw ValidationError("--along names the route") }
        guard !at.isEmpty else { throw ValidationError("--at says where the traveller is") }
        guard course.map({ (0...360).contains($0) }) ?? true else {
            throw ValidationError("--course takes degrees from 0 to 360")
        }
        guard within.map({ $0.value <= 100_000 }) ?? true else {
            throw ValidationError("--within takes a distance up to 100km")
        }
    }

    func run() throws {
        if let roads = drive.roads { return try drive.run(roads, json: json) }
        guard let story, let along else { return }
        let events = try Story.opening(story, language: language.language).chapters(named: chapter).flatMap(\.events)
        let track = try Track.readingDamaged(along)
        let route: RouteLine
        do throws(MediaError) { route = try RouteLine(track) } catch { throw error.naming(along) }
        let positions = at.map(\.point)
        guard let position = positions.last else { return }
        let ahead = RouteAhead(
            along: route, from: position, course: course ?? RouteAhead.course(of: positions), events: events,
            within: within?.value ?? 200)
        try Console.output(json ? JSON.text(ahead) : Self.page(ahead, events, route))
    }

    private static func page(_ ahead: RouteAhead, _ events: [Event], _ route: RouteLine) -> String {
        let names = Dictionary(events.map { ($0.id, $0.name) }) { first, _ in first }
        let rows = ahead.events.map { pass in
            [
                "\(Int(pass.distance.rounded())) m", "\(Int(pass.beside.rounded())) m \(pass.side.rawValue)",
                pass.event.onOneLine, (names[pass.event] ?? "").onOneLine,
            ]
        }
        let rest = ahead.isForward ? route.length - ahead.along : ahead.along
        let place =
            "\(Int(ahead.beside.rounded())) m beside the route, \(Int(rest.rounded())) m before its \(ahead.isForward ? "end" : "start")"
        let found =
            rows.isEmpty ? "no event lies ahead" : TextColumns.aligned([["ahead", "beside", "event", ""]] + rows)
        return "\(place)\n\(found)"
    }
}
