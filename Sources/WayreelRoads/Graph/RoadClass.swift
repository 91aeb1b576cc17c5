internal import WayreelCore

/// How somebody travels.
public enum TravelMode: String, Hashable, Sendable, Codable, CaseIterable {
    case foot, bicycle, car
}

/// The class of a road: the value of its tag `highway`, without `_link`.
public enum RoadClass: String, Hashable, Sendable, Codable, CaseIterable {
    case motorway, trunk, primary, secondary, tertiary, unclassified, residential
    case livingStreet = "living_street"
    case service, road, pedestrian, track, cycleway, footway, path, bridleway, steps

    /// The classes that have ramps, tagged `motorway_link` and so on.
    static let linked: [RoadClass] = [.motorway, .trunk, .primary, .secondary, .tertiary]

    /// Speeds in km/h on a road without `maxspeed`, 0 where the mode is not allowed unless a tag allows it.
    struct Speeds {
        var car: Double
        var bicycle: Double
        var foot: Double
    }

    /// The one table of speeds. Somebody pushes a bicycle where walkers go.
    var speeds: Speeds {
        switch self {
        case .motorway: Speeds(car: 115, bicycle: 0, foot: 0)
        case .trunk: Speeds(car: 90, bicycle: 18, foot: 5)
        case .primary: Speeds(car: 70, bicycle: 18, foot: 5)
        case .secondary: Speeds(car: 60, bicycle: 18, foot: 5)
        case .tertiary: Speeds(car: 50, bicycle: 18, foot: 5)
        case .unclassified, .road: Speeds(car: 45, bicycle: 17, foot: 5)
        case .residential: Speeds(car: 30, bicycle: 17, foot: 5)
        case .livingStreet: Speeds(car: 10, bicycle: 10, foot: 5)
        case .service: Speeds(car: 15, bicycle: 12, foot: 5)
        case .pedestrian: Speeds(car: 0, bicycle: 5, foot: 5)
        case .track: Speeds(car: 0, bicycle: 12, foot: 4.5)
        case .cycleway: Speeds(car: 0, bicycle: 18, foot: 5)
        case .footway: Speeds(car: 0, bicycle: 4, foot: 5)
        case .path: Speeds(car: 0, bicycle: 10, foot: 4.5)
        case .bridleway: Speeds(car: 0, bicycle: 0, foot: 4.5)
        case .steps: Speeds(car: 0, bicycle: 0, foot: 2.5)
        }
    }

    func speed(_ mode: TravelMode) -> Double {
        switch mode {
        case .car: speeds.car
        case .bicycle: speeds.bicycle
        case .foot: speeds.foot
        }
    }
}

/// Which way of a road may be travelled: a bit for each mode and direction.
struct RoadAccess: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static func forward(_ mode: TravelMode) -> RoadAccess { RoadAccess(rawValue: 1 << bit(mode)) }
    static func backward(_ mode: TravelMode) -> RoadAccess { RoadAccess(rawValue: 2 << bit(mode)) }

    private static func bit(_ mode: TravelMode) -> UInt8 {
        switch mode {
        case .car: 0
        case .bicycle: 2
        case .foot: 4
        }
    }
}

/// The tags of a way from which access and speed follow, as OpenStreetMap's wiki describes them ("Key:access",
/// "Key:oneway", "Key:maxspeed").
struct RoadTags {
    private var values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    subscript(key: String) -> String? { values[key] }

    /// The class and whether the way is a ramp; nil if it is no road.
    var roadClass: (RoadClass, isLink: Bool)? {
        guard let highway = values["highway"] else { return nil }
        if let whole = RoadClass(rawValue: highway) { return (whole, false) }
        guard highway.hasSuffix("_link"), let of = RoadClass(rawValue: String(highway.dropLast(5))),
            RoadClass.linked.contains(of)
        else { return nil }
        return (of, true)
    }

    /// Whether it is a circle that is driven one way.
    var isRoundabout: Bool { values["junction"] == "roundabout" || values["junction"] == "circular" }

    func access(_ roadClass: RoadClass, isLink: Bool) -> RoadAccess {
        var access = RoadAccess()
        for mode in TravelMode.allCases where isAllowed(mode, roadClass) {
            let (forward, backward) = directions(mode, roadClass, isLink: isLink)
            if forward { access.formUnion(.forward(mode)) }
            if backward { access.formUnion(.backward(mode)) }
        }
        return access
    }

    /// The keys of a mode, from the most general one to that which counts most.
    private static func keys(_ mode: TravelMode) -> [String] {
        switch mode {
        case .car: ["access", "vehicle", "motor_vehicle", "motorcar"]
        case .bicycle: ["access", "vehicle", "bicycle"]
        case .foot: ["access", "foot"]
        }
    }

    private static let refusing: Set = [
        "no", "private", "agricultural", "forestry", "agricultural;forestry", "military", "emergency", "restricted",
        "use_sidepath", "bus", "psv",
    ]

    private func isAllowed(_ mode: TravelMode, _ roadClass: RoadClass) -> Bool {
        if mode != .car, values["motorroad"] == "yes" { return false }
        let said = Self.keys(mode).reversed().lazy.compactMap { values[$0] }.first
        guard let said else { return roadClass.speed(mode) > 0 }
        if Self.refusing.contains(said) { return false }
        // A general permission opens no footpath to cars: only a tag of the mode does.
        guard roadClass.speed(mode) == 0 else { return true }
        return Self.keys(mode).dropFirst().contains { values[$0] != nil }
    }

    private func directions(
        _ mode: TravelMode, _ roadClass: RoadClass, isLink: Bool
    ) -> (forward: Bool, backward: Bool) {
        if mode == .foot { return (true, true) }
        if mode == .bicycle {
            let isFree = values["oneway:bicycle"] == "no" || values["cycleway"]?.hasPrefix("opposite") ?? false
            if isFree { return (true, true) }
        }
        switch values["oneway"] {
        case "yes", "1", "true": return (true, false)
        case "-1", "reverse": return (false, true)
        case "no", "0", "false": return (true, true)
        default: return (true, !(isRoundabout || roadClass == .motorway && !isLink))
        }
    }

    /// The speed limit in km/h, 0 if none is known; that of `none` is 130, the advice of German motorways.
    var maxSpeed: UInt8 {
        guard let text = values["maxspeed"]?.trimmed() else { return 0 }
        let zones = ["urban": 50, "rural": 100, "motorway": 130, "living_street": 10, "walk": 7, "none": 130]
        if let zone = zones[text.split(separator: ":").last.map(String.init) ?? text] { return UInt8(zone) }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 3, let number = Double(digits) else { return 0 }
        let unit = text.dropFirst(digits.count).trimmed()
        guard unit.isEmpty || unit == "mph" || unit == "km/h" else { return 0 }
        return UInt8(min(250, (unit == "mph" ? number * 1.609_344 : number).rounded()))
    }
}
