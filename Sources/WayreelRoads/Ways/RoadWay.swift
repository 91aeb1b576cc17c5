public import WayreelCore
internal import WayreelEngine
internal import WayreelGround
public import WayreelStory

/// A way on roads over several stops, with its turns. In JSON it has `"format": "wayreel-way"`, and is described by
/// `Documentation/way.schema.json`.
///
///     let way = try roads.way(through: [station, castle], by: .foot)
///     for step in way.steps { print(step.turn, step.road?.name ?? "", step.length) }
public struct RoadWay: Hashable, Sendable, Codable {
    public static let format = "wayreel-way"
    public static let version = 1

    public enum Turn: String, Hashable, Sendable, Codable, CaseIterable {
        case depart, straight, slightLeft, left, sharpLeft, slightRight, right, sharpRight, uTurn, roundabout
        /// At a stop, or at the end.
        case arrive
    }

    /// What is done at a point, and the stretch of road that follows.
    public struct Step: Hashable, Sendable, Codable {
        public var turn: Turn
        /// The exit of a roundabout that is taken, counted from 1.
        public var exit: Int?
        /// The number of the stop at which one arrives, counted from 1 after the start.
        public var stop: Int?
        /// The road that follows.
        public var road: RoadName?
        public var position: GeoPoint
        /// The direction of the road that follows, in degrees clockwise from north.
        public var bearing: Double
        /// The metres and seconds until the next step.
        public var length: Double
        public var duration: Double
    }

    /// A position that was asked for.
    public struct Stop: Hashable, Sendable, Codable {
        public var position: GeoPoint
        /// The nearest point of a road by which it is reached.
        public var road: GeoPoint
        /// The metres between the two, which the way does not count.
        public var beside: Double
        /// The metres of the way until there.
        public var along: Double
    }

    public private(set) var format = Self.format
    public private(set) var version = Self.version
    public private(set) var attribution = GroundExtract.attribution
    public var mode: TravelMode
    /// In metres.
    public var length: Double
    /// In seconds.
    public var duration: Double
    public var stops: [Stop]
    public var steps: [Step]
    /// The line of the way.
    public var line: [GeoPoint]

    init(_ mode: TravelMode) {
        self.mode = mode
        (length, duration, stops, steps, line) = (0, 0, [], [], [])
    }
}

extension RoadGraph {
    /// How many stops a way may have.
    public static let maxStops = 100

    /// Returns the fastest way through positions, in their order: the first is the start.
    ///
    /// Speeds are those of a table by the class of road, and of speed limits. Turns cost no time, and restrictions of turns
    /// are not known.
    ///
    /// Throws a `parameter` error if there are fewer than two positions or more than ``maxStops``, if no road that the mode
    /// may take is within two kilometres of a position, and if no way leads from one to the next.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public func way(through positions: [GeoPoint], by mode: TravelMode) throws(MediaError) -> RoadWay {
        let fault = ErrorSite(.parameter, step: .route)
        guard (2...Self.maxStops).contains(positions.count) else {
            throw fault(
                "a way has 2 to \(Self.maxStops) positions, not \(positions.count)", "give the start and the end")
        }
        let search = WaySearch(self, mode)
        var feet: [[Foot]] = []
        for position in positions {
            guard abs(position.latitude) <= 90, abs(position.longitude) <= 180 else {
                throw fault("\(position.text) is no position", "give latitude,longitude")
            }
            let near = search.feet(of: position)
            guard !near.isEmpty else {
                throw fault(
                    "no road for \(mode.words) is within \(Int(WaySearch.reach / 1000)) km of \(position.text)",
                    "give a position in the extract")
            }
            feet.append(near)
        }
        var legs: [WaySearch.Found] = []
        for index in 1..<positions.count {
            // From a stop on, the way begins on the road by which the stop was reached.
            let start = legs.last.map { [foot(at: $0)] } ?? feet[index - 1]
            guard let found = search.way(from: start, to: feet[index], near: positions[index]) else {
                throw fault(
                    "no way for \(mode.words) leads from \(positions[index - 1].text) to \(positions[index].text)",
                    "the extract may lack the roads between them, or they may be closed to \(mode.words)")
            }
            legs.append(found)
        }
        return WayListing(self, mode, positions, legs).way
    }

    private func foot(at found: WaySearch.Found) -> Foot {
        let arc = found.arcs[found.arcs.count - 1]
        let offset = arc.isReverse ? length(arc) - found.end : found.end
        return Foot(edge: UInt32(arc.edge), offset: offset, distance: 0, bearing: 0)
    }
}

extension TravelMode {
    /// `no road for walkers`
    var words: String {
        switch self {
        case .foot: "walkers"
        case .bicycle: "bicycles"
        case .car: "cars"
        }
    }
}

extension GeoPoint {
    fileprivate var text: String { "\(DecimalNumber.text(latitude)),\(DecimalNumber.text(longitude))" }
}
