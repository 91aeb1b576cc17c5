internal import WayreelCore
internal import WayreelEngine
public import WayreelStory

/// What lies ahead on the road of a traveller: its exits, and what is at each.
///
/// The road is followed by its number or name through junctions at which others run along or cross, so that the exits of
/// those are not among its own.
public struct RoadAhead: Hashable, Sendable, Codable {
    public struct Options: Hashable, Sendable {
        /// How far to look, in metres, up to 500 km.
        public var distance: Double
        /// How far from an exit services may be, in metres, up to 50 km.
        public var radius: Double
        public var kinds: Set<RoadServiceKind>
        /// The chains of which the next one is looked for.
        public var chains: [String]
        /// How many exits are told of, the nearest ones.
        public var exits: Int
        /// How many services of each exit are told of, the nearest ones.
        public var services: Int

        public init(
            distance: Double = 100_000, radius: Double = 3000,
            kinds: Set<RoadServiceKind> = Set(RoadServiceKind.allCases),
            chains: [String] = [], exits: Int = 100, services: Int = 50
        ) {
            (self.distance, self.radius) = (distance, radius)
            (self.kinds, self.chains, self.exits, self.services) = (kinds, chains, exits, services)
        }
    }

    /// A service near an exit, or beside the road.
    public struct Stop: Hashable, Sendable, Codable {
        public var service: RoadService
        /// The metres from the exit, or from the road, in a straight line.
        public var distance: Double
        /// The direction from there, in degrees clockwise from north.
        public var bearing: Double
        /// The metres from the traveller along the road to the exit, or to the point beside the service.
        public var along: Double
    }

    public struct Exit: Hashable, Sendable, Codable {
        /// As signs number it: `40a`.
        public var number: String?
        public var name: String?
        /// The places on its signs.
        public var destinations: [String]
        /// The numbers of the roads that it leads to.
        public var refs: [String]
        /// The metres from the traveller along the road.
        public var distance: Double
        public var position: GeoPoint
        /// The nearest first.
        public var services: [Stop]
    }

    /// The next one of a chain.
    public struct Next: Hashable, Sendable, Codable {
        public var chain: String
        /// The exit to take; nil if it lies beside the road.
        public var exit: String?
        public var stop: Stop
    }

    public enum End: String, Hashable, Sendable, Codable, CaseIterable {
        /// It goes on beyond the distance that was asked for.
        case limit
        /// It ends, or meets another road by whose number it goes on.
        case road
        /// The extract ends.
        case extract
        /// The ramp forks: nobody knows yet which road is taken.
        case fork
    }

    public var road: RoadName
    /// The direction of travel, in degrees clockwise from north.
    public var bearing: Double
    public var exits: [Exit]
    /// Services within 200 metres of the road, if it is none with ramps only.
    public var beside: [Stop]
    public var next: [Next]
    /// The metres to the end.
    public var length: Double
    public var end: End

    private static let maxStops = 50
    static let beside = 200.0
    /// How far apart two ramps of one exit may be.
    private static let oneExit = 2000.0
}

extension RoadMatch {
    /// Returns what lies ahead of the match; nil if it has no road. `before` are the matches before it, in order.
    public func ahead(
        on graph: RoadGraph, after before: [RoadMatch], _ options: RoadAhead.Options = RoadAhead.Options()
    ) -> RoadAhead? {
        guard let place, let road, let bearing else { return nil }
        var earlier: [RoadGraph.Road] = []
        for match in before.reversed() {
            guard let arc = match.place?.arc else { continue }
            let road = graph.road(arc)
            if road.id != earlier.last?.id { earlier.append(road) }
        }
        let follower = RoadFollower(
            graph, from: place, before: earlier, limit: min(max(options.distance, 0), 500_000))
        return RoadAhead(graph, follower, road, bearing, options)
    }
}

extension RoadAhead {
    init(
        _ graph: RoadGraph, _ follower: RoadFollower, _ road: RoadName, _ bearing: Double, _ options: Options
    ) {
        (self.road, self.bearing) = (road, bearing)
        length = max(0, min(follower.length, options.distance)).rounded(places: 1)
        end = End(rawValue: follower.end.rawValue) ?? .limit
        (exits, beside, next) = ([], [], [])
        for (leg, following) in zip(follower.legs, follower.legs.dropFirst().map(\.arc) + [nil]) {
            let distance = leg.along + graph.length(leg.arc)
            guard distance >= 0, distance <= options.distance else { continue }
            guard let exit = graph.exit(after: leg.arc, goingOn: following, follower.refs, at: distance) else {
                continue
            }
            // The second ramp of an exit, to the other side.
            if let last = exits.last, exit.number != nil, (last.number, last.name) == (exit.number, exit.name),
                exit.distance - last.distance < Self.oneExit
            {
                exits[exits.count - 1].add(exit)
            } else if exits.count < options.exits {
                exits.append(exit)
            } else {
                break
            }
        }
        let wanted = graph.services.filter { options.kinds.contains($0.kind) }
        // The next one of a chain is looked for among all services, of which only the nearest are told.
        var chains = options.chains
        for index in exits.indices {
            let exit = exits[index]
            let near = Self.near(exit.position, wanted, within: options.radius)
            func stop(_ service: RoadService) -> Stop {
                let path = exit.position.geodesic(to: service.position)
                return Stop(
                    service: service, distance: path.distance.rounded(places: 1),
                    bearing: path.bearing.rounded(places: 1), along: exit.distance)
            }
            exits[index].services = near.prefix(max(0, options.services)).map(stop)
            for chain in chains {
                guard let found = near.first(where: { $0.isOf(chain: chain) }) else { continue }
                next.append(Next(chain: chain, exit: exit.number ?? exit.name ?? "", stop: stop(found)))
                chains.removeAll { $0 == chain }
            }
        }
        if follower.legs.contains(where: { !graph.road($0.arc).isClosed }) {
            let all = graph.stops(wanted, beside: follower.legs, until: options.distance)
            for chain in options.chains {
                guard let found = all.first(where: { $0.service.isOf(chain: chain) }) else { continue }
                let known = next.firstIndex { $0.chain == chain }
                if let known, next[known].stop.along < found.along { continue }
                if let known { next.remove(at: known) }
                next.append(Next(chain: chain, exit: nil, stop: found))
            }
            beside = Array(all.prefix(Self.maxStops))
        }
        next.sort { $0.stop.along < $1.stop.along }
    }

    /// Returns the services within a radius, nearest first.
    private static func near(_ point: GeoPoint, _ services: [RoadService], within radius: Double) -> [RoadService] {
        let plane = Plane(latitude: point.latitude)
        var near: [(service: RoadService, distance: Double)] = []
        for service in services {
            let step = plane.vector(point, service.position)
            let distance = (step.x * step.x + step.y * step.y).squareRoot()
            // The plane is off by less than a hundredth.
            guard distance <= radius * 1.01 else { continue }
            if distance < radius * 0.99 || point.geodesic(to: service.position).distance <= radius {
                near.append((service, distance))
            }
        }
        return near.sorted { $0.distance < $1.distance }.map(\.service)
    }
}

extension RoadAhead.Exit {
    fileprivate mutating func add(_ other: RoadAhead.Exit) {
        for place in other.destinations where !destinations.contains(place) { destinations.append(place) }
        for ref in other.refs where !refs.contains(ref) { refs.append(ref) }
    }
}

extension RoadGraph.Road {
    /// Whether it is left by ramps only.
    fileprivate var isClosed: Bool { roadClass == .motorway || isLink }
}

extension RoadGraph {
    /// Returns the exit at the end of an arc of a road; nil if there is none.
    fileprivate func exit(
        after arc: Arc, goingOn next: Arc?, _ refs: Set<Substring>, at distance: Double
    ) -> RoadAhead.Exit? {
        let vertex = end(arc)
        let junction = junctions[UInt32(vertex)]
        let isMotorway = road(arc).roadClass == .motorway && !road(arc).isLink
        let leaving = waysOn(arc).filter { way in
            guard way != next else { return false }
            let road = road(way)
            // The other carriageway, or a part of the road itself.
            if !road.isLink, !refs.isDisjoint(with: self.refs(road)) { return false }
            return junction != nil || isMotorway || road.isLink && [.motorway, .trunk].contains(road.roadClass)
        }
        guard !leaving.isEmpty, road(arc).isLink == false || junction != nil else { return nil }
        let signs = signs(leaving, refs)
        return RoadAhead.Exit(
            number: junction?.number, name: junction?.name,
            destinations: signs.destinations.isEmpty
                ? junction?.exitTo.map(Self.parts) ?? [] : signs.destinations,
            refs: signs.refs, distance: distance.rounded(places: 1), position: vertices[vertex].point, services: [])
    }

    /// Returns what the signs of ramps say, and without any the numbers of the roads that they lead to.
    private func signs(_ ramps: [Arc], _ own: Set<Substring>) -> (destinations: [String], refs: [String]) {
        var destinations: [String] = []
        var (refs, reached): ([String], [String]) = ([], [])
        func add(_ text: String?, to list: inout [String]) {
            for part in text.map(Self.parts) ?? [] where !list.contains(part) { list.append(part) }
        }
        var open = ramps
        var seen = Set(ramps)
        var index = 0
        while index < open.count, index < 200 {
            let arc = open[index]
            index += 1
            let road = road(arc)
            if road.isLink {
                add(text(road.destination), to: &destinations)
                add(text(road.destinationRef), to: &refs)
            } else {
                if own.isDisjoint(with: self.refs(road)) { add(text(road.ref) ?? text(road.name), to: &reached) }
                continue
            }
            // The first sign says it all.
            if road.destination != 0 || road.destinationRef != 0 { continue }
            for next in waysOn(arc) where seen.insert(next).inserted { open.append(next) }
        }
        return (destinations, refs.isEmpty ? reached : refs)
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: ";").map { $0.trimmed() }.filter { !$0.isEmpty }
    }

    /// Returns the services beside a road, in the order of travel.
    fileprivate func stops(
        _ services: [RoadService], beside legs: [RoadFollower.Leg], until limit: Double
    ) -> [RoadAhead.Stop] {
        let alongs = Dictionary(legs.map { ($0.arc.rawValue >> 1, $0) }) { first, _ in first }
        var stops: [RoadAhead.Stop] = []
        for service in services {
            let feet = feet(of: service.position, within: RoadAhead.beside) { edge in
                alongs[UInt32(edge)].map { !self.road($0.arc).isClosed } ?? false
            }
            guard let foot = feet.first, let leg = alongs[foot.edge] else { continue }
            let offset = leg.arc.isReverse ? length(leg.arc) - foot.offset : foot.offset
            let along = leg.along + offset
            guard along >= 0, along <= limit else { continue }
            let path = point(on: leg.arc, at: offset).point.geodesic(to: service.position)
            stops.append(
                RoadAhead.Stop(
                    service: service, distance: path.distance.rounded(places: 1),
                    bearing: path.bearing.rounded(places: 1), along: along.rounded(places: 1)))
        }
        return stops.sorted { $0.along < $1.along }
    }
}
