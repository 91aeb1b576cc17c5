internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

/// What `wayreel route --roads` prints for people.
struct DrivePage {
    let text: String

    /// How many services of an exit are named.
    private static let named = 3

    init(_ drive: RoadDrive) {
        let matched = drive.matches.count { $0.road != nil }
        var lines = ["\(matched) of \(drive.matches.count.counted("fix", "fixes")) are on roads"]
        lines.append(
            TextColumns.aligned(
                drive.stretches.map { stretch in
                    ["\(stretch.start)", Self.title(stretch.road), stretch.fixes.counted("fix", "fixes")]
                }))
        if let ahead = drive.ahead { lines += Self.lines(of: ahead) }
        lines.append(GroundExtract.attribution)
        text = lines.joined(separator: "\n")
    }

    private static func lines(of ahead: RoadAhead) -> [String] {
        var lines = ["", "ahead on \(title(ahead.road)), \(ahead.bearing.compassPoint):"]
        for exit in ahead.exits {
            let places = exit.refs + exit.destinations
            let title = [exit.number.map { "exit \($0)" }, exit.name].compactMap(\.self)
            let leads = places.isEmpty ? "" : " → \(places.joined(separator: ", "))"
            lines.append(
                "\(distance(exit.distance))  \(title.isEmpty ? "exit" : title.joined(separator: " "))\(leads)".onOneLine
            )
            for kind in RoadServiceKind.allCases {
                let stops = exit.services.filter { $0.service.kind == kind }
                guard !stops.isEmpty else { continue }
                let names = stops.prefix(named).map { "\(name($0.service)) \(distance($0.distance))" }
                let more = stops.count > named ? " and \(stops.count - named) more" : ""
                lines.append("  \(kind.rawValue): \(names.joined(separator: ", "))\(more)".onOneLine)
            }
        }
        for stop in ahead.beside.prefix(20) {
            lines.append(
                "\(distance(stop.along))  beside: \(name(stop.service)) (\(stop.service.type))".onOneLine)
        }
        for next in ahead.next {
            let place = next.exit.map { $0.isEmpty ? "at an exit" : "at exit \($0)" } ?? "beside the road"
            lines.append(
                "next \(next.chain): \(distance(next.stop.along)), \(place), \(name(next.stop.service))".onOneLine)
        }
        let ending =
            switch ahead.end {
            case .limit: "it goes on"
            case .road: "it ends"
            case .extract: "the extract ends"
            case .fork: "the ramp forks"
            }
        lines.append("\(distance(ahead.length))  \(ending)")
        return lines
    }

    static func title(_ road: RoadName) -> String {
        let words = [road.ref, road.name].compactMap(\.self).joined(separator: " ")
        let kind = road.roadClass.rawValue.replacing("_", with: " ")
        return (words.isEmpty ? road.isRamp ? "ramp" : kind : words).onOneLine
    }

    private static func name(_ service: RoadService) -> String {
        service.name ?? service.brand ?? service.type.replacing("_", with: " ")
    }

    static func distance(_ metres: Double) -> String {
        metres < 1000 ? "\(Int(metres.rounded())) m" : "\((metres / 1000).formatted(1)) km"
    }
}

extension Double {
    /// A direction in words, of degrees clockwise from north.
    var compassPoint: String {
        let points = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
        return points[Int((asCompassDegrees / 45).rounded()) % 8]
    }
}
