internal import ArgumentParser
internal import Foundation
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct PlacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "Finds places, such as cafés and museums, in OpenStreetMap extracts and other files.",
        discussion: """
            wayreel places search krems.osm.pbf gozzo --at 48.4106,15.6035
            wayreel places search krems.osm.pbf --kind cafe --at 48.4106,15.6035 --within 500m --open
            wayreel places search places.geojson burger --along route.gpx --json
            wayreel places kinds --language de
            """,
        subcommands: [PlacesSearchCommand.self, PlacesKindsCommand.self])
}

struct PlacesSearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds places by name, kind or both, nearest first, or along a route.",
        discussion: """
            The nearest cafés, and what is known of their opening hours now:
              wayreel places search krems.osm.pbf --kind cafe --at 48.4106,15.6035
            Words of the name, of the kind in six languages, or of the cuisine; accents and case do not matter:
              wayreel places search krems.osm.pbf "backerei land" --at 48.4106,15.6035
            What lies beside a route, in the order of travel, from a position on it:
              wayreel places search bayreuth.osm.pbf --kind fuel --along drive.gpx --within 2km --at 49.95,11.6
            What is open on Saturday morning:
              wayreel places search krems.osm.pbf --kind museum --at 48.4106,15.6035 --open --time 2026-11-28T10:00

            The file is an OpenStreetMap extract (.osm.pbf, .osm or .osm.gz), GeoJSON, KML, GPX with waypoints, or CSV whose first row \
            names the columns lat and lon. A story's document means the extracts that it names as its maps.

            Opening hours that are not fully understood count as unknown, and --open leaves them out. Public holidays are not known: \
            a state that would be another one on a holiday is marked with *.

            Exit status: 0 done, also if nothing was found, 1 failed, 2 wrong usage.
            """)

    @Argument(
        help: "The places: .osm.pbf, .osm, .osm.gz, .geojson, .kml, .gpx or .csv; or a story: .xml, .yml or .yaml.",
        completion: .file(
            extensions: ["pbf", "osm", "gz", "geojson", "json", "kml", "gpx", "csv", "xml", "yml", "yaml"]))
    var places: String

    @Argument(help: "Beginnings of words of the name or the kind. (default: all places)")
    var text: [String] = []

    @Option(
        parsing: .unconditional,
        help: "Where you are: latitude,longitude. Along a route, the place on it from where you travel on.")
    var at: Place?

    @Option(
        help: "A kind, as 'wayreel places kinds' lists them. Repeatable.",
        completion: .custom { _, _, _ in PlaceKind.all.map(\.id) })
    var kind: [String] = []

    @Option(
        help: "How far away places may be, or along a route how far beside it, up to 20km there. (default: any, 200m)")
    var within: Metres?

    @Option(help: "How many places to show, 1 to 1000.")
    var limit = 20

    @Option(help: "A route: GPX; - for standard input.", completion: .file(extensions: ["gpx"]))
    var along: String?

    @Option(
        help: "The language of names and kinds: de, fr. (default: names as they are written there, kinds in English)")
    var language: String?

    @Flag(help: "Only places that are open.")
    var open = false

    @Option(help: "The local time for opening hours: 2026-11-27T14:05. (default: now)")
    var time: LocalMinute?

    @Option(help: "The time zone of the places, in which it is now. (default: that of this machine)")
    var zone: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard at != nil || along != nil else { throw ValidationError("--at says where you are, or --along which way") }
        guard (1...PlaceQuery.maxLimit).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to \(PlaceQuery.maxLimit)")
        }
        for kind in kind where PlaceKind.named(kind) == nil {
            let near = nearestName(to: kind, in: PlaceKind.all.map(\.id)).map { ", did you mean '\($0)'?" } ?? ";"
            throw ValidationError("there is no kind '\(kind)'\(near) 'wayreel places kinds' lists all")
        }
        if along != nil, let within, within.value > PlaceIndex.maxBeside {
            throw ValidationError("along a route, --within takes a distance up to 20km")
        }
        if time != nil, zone != nil { throw ValidationError("--time is local, so that --zone has no effect") }
        if let zone, LocalClock(zone) == nil {
            let advice = TimeZones.fault(zone)?.advice ?? "use a name such as Europe/Vienna"
            throw ValidationError("--zone takes a time zone, not '\(zone)'; \(advice)")
        }
    }

    func run() throws {
        let list = try readPlaces()
        for warning in list.warnings { Console.error("warning: \(places): \(warning)".onOneLine) }
        let now = try moment()
        // Those that are closed are left out before the nearest are chosen.
        let index = PlaceIndex(open ? list.places.filter { $0.opening(at: now)?.state == .open } : list.places)
        let found = try along.map { try self.found(along: $0, index) } ?? self.found(index)
        let rows = found.map { row in
            var row = row
            row.opening = row.place.opening(at: now)
            return row
        }
        if json {
            try Console.output(JSON.text(Output(attribution: list.attribution, places: rows)))
            return
        }
        let table = rows.isEmpty ? "no place found" : TextColumns.aligned(rows.map { $0.cells(language) })
        try Console.output(table + (list.attribution.map { "\n\($0)" } ?? ""))
    }

    /// Reads the places of the file, or of the extracts that a story names as its maps.
    private func readPlaces() throws -> PlaceList {
        guard StoryDocument.Format(path: places) != nil else {
            return try PlaceList.read(path: places, languages: languages, threads: 2)
        }
        let sources = try Story.document(at: places).baseMaps.map(\.source).filter { !$0.hasSuffix(".pmtiles") }
        guard !sources.isEmpty else {
            throw MediaError(
                .parameter, step: .places, subject: places,
                reason: "the story names no OpenStreetMap extract as its map",
                advice: "give the extract, or another file of places")
        }
        let folder = try StoryFolder(places.folder)
        var list = PlaceList(places: [])
        var known: Set<String> = []
        for source in Set(sources).sorted() {
            let part = try PlaceList.read(path: folder.file(source), languages: languages, threads: 2)
            // Extracts of chapters may overlap.
            list.places += part.places.filter { known.insert($0.id).inserted }
            list.attribution = list.attribution ?? part.attribution
            list.warnings += part.warnings
        }
        return list
    }

    private var languages: [String] {
        let primary = language.map { String($0.prefix { $0 != "-" }) }
        let more = [language, primary].compactMap(\.self).filter { !PlaceList.pageLanguages.contains($0) }
        return PlaceList.pageLanguages + (more.first == more.last ? Array(more.prefix(1)) : more)
    }

    private func moment() throws -> LocalMinute {
        if let time { return time }
        let name = zone ?? TimeZone.current.identifier
        guard let clock = LocalClock(name), let now = Timestamp(Date()).flatMap({ LocalMinute($0, in: clock) }) else {
            throw MediaError(
                .parameter, step: .places, subject: name, reason: "the time in this zone is not known",
                advice: "give --time or --zone")
        }
        return now
    }

    private func found(_ index: PlaceIndex) -> [Row] {
        guard let at else { return [] }
        let query = PlaceQuery(
            text.joined(separator: " "), kinds: Set(kind), near: at.point, radius: within?.value, limit: limit)
        return index.search(query).map { found in
            Row(
                place: found.place, distance: found.distance.rounded(places: 1),
                bearing: found.bearing.rounded(places: 1))
        }
    }

    private func found(along path: String, _ index: PlaceIndex) throws -> [Row] {
        let track = try Track.readingDamaged(path)
        let route: RouteLine
        do throws(MediaError) { route = try RouteLine(track) } catch { throw error.naming(path) }
        let query = PlaceQuery(
            text.joined(separator: " "), kinds: Set(kind), near: at?.point ?? GeoPoint(latitude: 0, longitude: 0),
            radius: within?.value, limit: limit)
        return index.search(query, along: route, from: at?.point).map { found in
            Row(
                place: found.place, along: found.along.rounded(places: 1), beside: found.beside.rounded(places: 1),
                side: found.side)
        }
    }

    // MARK: Output

    private struct Output: Encodable {
        var attribution: String?
        var places: [Row]
    }

    /// A place that was found, from a position or along a route.
    private struct Row: Encodable {
        var place: Wayreel.Place
        var distance: Double?
        var bearing: Double?
        var along: Double?
        var beside: Double?
        var side: RouteAhead.Side?
        var opening: Opening?

        func cells(_ language: String?) -> [String] {
            let kind = place.kind.flatMap { PlaceKind.named($0)?.name(in: language) } ?? ""
            let location: [String] =
                if let distance, let bearing {
                    [Self.metres(distance), Self.direction(bearing)]
                } else {
                    [Self.metres(along ?? 0), "\(Self.metres(beside ?? 0)) \(side?.rawValue ?? "")"]
                }
            return location + [place.title(in: language), kind, opening?.words ?? "", place.address ?? ""]
        }

        private static func metres(_ distance: Double) -> String {
            distance < 999.5 ? "\(Int(distance.rounded())) m" : "\((distance / 1000).formatted(1)) km"
        }

        private static func direction(_ bearing: Double) -> String {
            let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
            return names[Int((bearing / 45).rounded()) % names.count]
        }
    }
}

/// What the opening hours of a place say about a time.
private struct Opening: Encodable {
    var state: OpeningHours.State
    /// Whether it may be another one on a public or a school holiday.
    var dependsOnHolidays: Bool
    var comment: String?
    /// When the state changes, within 14 days.
    var until: String?

    var words: String {
        let words = until.map { "\(state.rawValue) until \($0.replacing("T", with: " "))" } ?? state.rawValue
        return dependsOnHolidays ? words + " *" : words
    }
}

extension Wayreel.Place {
    /// Nil if there are no hours. Hours that are not understood are unknown.
    fileprivate func opening(at time: LocalMinute) -> Opening? {
        guard let openingHours else { return nil }
        guard let hours = OpeningHours(openingHours) else { return Opening(state: .unknown, dependsOnHolidays: false) }
        let status = hours.status(at: time)
        return Opening(
            state: status.state, dependsOnHolidays: status.dependsOnHolidays, comment: status.comment,
            until: hours.nextChange(after: time)?.time.description)
    }
}

struct PlacesKindsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinds",
        abstract: "Lists the kinds of places, their names, and the tags of OpenStreetMap that mean them.",
        discussion: """
            wayreel places kinds
            wayreel places kinds --language de
            wayreel places kinds --json
            """)

    @Option(help: "The language of the names: ar, de, en, es, fr or pt.")
    var language = "en"

    @Flag(help: "Print JSON, with the names in all languages.")
    var json = false

    func validate() throws {
        guard PlaceList.pageLanguages.contains(language) else {
            throw ValidationError("--language takes \(PlaceList.pageLanguages.alternatives)")
        }
    }

    func run() throws {
        let rows = PlaceKind.all.map { [$0.id, $0.name(in: language), $0.tags.joined(separator: " ")] }
        try Console.output(json ? JSON.text(PlaceKind.all) : TextColumns.aligned(rows))
    }
}
