public import WayreelCore
public import WayreelEngine
internal import WayreelGround
internal import WayreelStory

/// A recorded drive on roads: where it was, and what lies ahead of its end. In JSON it has `"format": "wayreel-drive"`, and
/// is described by `Documentation/drive.schema.json`.
public struct RoadDrive: Sendable, Encodable {
    /// A stretch on one road.
    public struct Stretch: Hashable, Sendable, Codable {
        public var road: RoadName
        /// The ids of the ways in OpenStreetMap on which there are fixes.
        public var ways: [Int64]
        public var start: Timestamp
        public var end: Timestamp
        public var fixes: Int
    }

    public static let format = "wayreel-drive"
    public static let version = 1

    public private(set) var matches: [RoadMatch]
    public private(set) var stretches: [Stretch]
    /// What lies ahead of the last match; nil if there is none.
    public private(set) var ahead: RoadAhead?

    private enum CodingKeys: CodingKey {
        case format, version, attribution, fixes, matched, stretches, ahead, matches
    }

    /// Matches a track whose points have times.
    ///
    /// Throws a `parameter` error if a point has none, and if no road is near any.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public init(
        _ track: Track, on graph: RoadGraph, mode: TravelMode = .car,
        _ options: RoadAhead.Options = RoadAhead.Options(),
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        matches = try RoadMatcher.matches(of: track, on: graph, mode: mode, cancellation: cancellation)
        stretches = []
        for match in matches {
            guard let road = match.road, let way = match.way else { continue }
            if stretches.last?.road == road {
                let last = stretches.count - 1
                stretches[last].end = match.timestamp
                stretches[last].fixes += 1
                if stretches[last].ways.last != way { stretches[last].ways.append(way) }
            } else {
                stretches.append(
                    Stretch(road: road, ways: [way], start: match.timestamp, end: match.timestamp, fixes: 1))
            }
        }
        guard let last = matches.lastIndex(where: { $0.road != nil }) else {
            throw MediaError(
                .parameter, step: .route, subject: track.name, reason: "no road of the extract is near any fix",
                advice: "give the extract of the area in which the drive was recorded")
        }
        ahead = matches[last].ahead(on: graph, after: Array(matches[..<last].suffix(RoadMatcher.recordedLag)), options)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.format, forKey: .format)
        try container.encode(Self.version, forKey: .version)
        try container.encode(GroundExtract.attribution, forKey: .attribution)
        try container.encode(matches.count, forKey: .fixes)
        try container.encode(matches.count { $0.road != nil }, forKey: .matched)
        try container.encode(stretches, forKey: .stretches)
        try container.encode(ahead, forKey: .ahead)
        try container.encode(matches, forKey: .matches)
    }
}

/// A drive as it happens. Its memory is bounded, however long it takes.
///
///     var drive = RoadLive(roads, RoadAhead.Options(chains: ["Aral"], exits: 3))
///     for fix in fixes { print(drive.add(fix)) }
public struct RoadLive {
    /// What is known after a fix.
    public struct Update: Hashable, Sendable, Encodable {
        /// Where the traveller most probably is; what is said of the last fixes may change.
        public var now: RoadMatch?
        /// What lies ahead; nil until the direction is known.
        public var ahead: RoadAhead?
        /// The fixes that are settled now.
        public var settled: [RoadMatch]
    }

    /// What stands before all updates, in NDJSON as the first line. In JSON it has `"format": "wayreel-drive-live"`.
    public struct Head: Hashable, Sendable, Encodable {
        public let format = "wayreel-drive-live"
        public let version = RoadDrive.version
        public let attribution = GroundExtract.attribution

        public init() {}
    }

    /// How many fixes later one is settled.
    public static let lag = 5
    /// How many settled matches are kept, which say which of two numbers is followed.
    private static let remembered = 300

    private let graph: RoadGraph
    private let options: RoadAhead.Options
    private var matcher: RoadMatcher
    private var before: [RoadMatch] = []

    public init(_ graph: RoadGraph, mode: TravelMode = .car, _ options: RoadAhead.Options = RoadAhead.Options()) {
        (self.graph, self.options) = (graph, options)
        matcher = RoadMatcher(graph, lag: Self.lag, mode: mode)
    }

    public mutating func add(_ fix: Fix) -> Update {
        let settled = matcher.add(fix)
        remember(settled)
        let now = matcher.current
        let ahead = matcher.isDirectionKnown ? now?.ahead(on: graph, after: before, options) : nil
        return Update(now: now, ahead: ahead, settled: settled)
    }

    /// Settles all fixes. The next one begins another drive.
    public mutating func finish() -> Update {
        let settled = matcher.finish()
        remember(settled)
        return Update(now: nil, ahead: nil, settled: settled)
    }

    private mutating func remember(_ settled: [RoadMatch]) {
        before += settled.filter { $0.road != nil }
        if before.count > 2 * Self.remembered { before.removeFirst(before.count - Self.remembered) }
    }
}
