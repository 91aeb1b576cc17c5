internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI

struct RouteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Lists the events that lie ahead on a route, in the order of travel.",
        discussion: """
            wayreel route bundle/ --along route.gpx --at 35.28,-120.66 --course 340
            wayreel route story.xml --along walk.gpx --at 35.2801,-120.6649 --within 50m --json
            wayreel route story.xml --along walk.gpx --at 35.2801,-120.6649 --at 35.2802,-120.6648 --at 35.2803,-120.6646

            Each event is shown with the distance to it along the route and how far beside the route it lies. Where the route crosses itself
            or goes to and fro, the course decides on which stretch the traveller is; it is the one given, or that of the last two of three
            or more positions.
            """)

    @Argument(help: "A prepared bundle, or a story's document: .xml, .yml or .yaml.", completion: .file())
    var story: String

    @Option(help: "The route: GPX; - for standard input.", completion: .file(extensions: ["gpx"]))
    var along: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: "Where the traveller is: latitude,longitude. Repeat it for positions one after the other.")
    var at: [Place]

    @Option(help: "The direction of travel, degrees clockwise from north, 0 to 360.")
    var course: Double?

    @Option(help: "How far beside the route events may lie, up to 100km. (default: 200m)")
    var within: Metres?

    @Option(help: "Only the events of this chapter.")
    var chapter: String?

    @OptionGroup var language: StoryLanguage

    @Flag(help: "Print JSON, with the events that lie behind.")
    var json = false

    func validate() throws {
        guard !at.isEmpty else { throw ValidationError("--at says where the traveller is") }
        guard course.map({ (0...360).contains($0) }) ?? true else {
            throw ValidationError("--course takes degrees from 0 to 360")
        }
        guard within.map({ $0.value <= 100_000 }) ?? true else {
            throw ValidationError("--within takes a distance up to 100km")
        }
    }

    func run() throws {
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
