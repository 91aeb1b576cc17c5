internal import Glibc
public import WayreelCore
public import WayreelEngine
internal import WayreelStory

/// Finds the roads of a drive by a hidden Markov model (Newson and Krumm 2009, "Hidden Markov Map Matching Through Noise
/// and Sparseness").
///
///     var matcher = RoadMatcher(roads, lag: 5)
///     for fix in fixes {
///         let settled = matcher.add(fix)
///         print(matcher.current?.road?.ref ?? "?", settled)
///     }
///     let rest = matcher.finish()
///
/// The states are the near points of roads, in the directions in which these may be travelled. A point is as probable as
/// its distance from the fix is under a normal distribution; a step from one point to the next, as the difference between
/// the way on the roads and the distance of the fixes is under an exponential distribution. The Viterbi algorithm finds the
/// most probable sequence; a fix is settled `lag` fixes later.
///
/// The first position of a receiver is an old one, and is not used.
public struct RoadMatcher {
    /// The lag of recorded drives, over which sequences become one.
    public static let recordedLag = 300

    /// The standard deviation in metres of a fix that does not say how accurate it is, and the smallest one.
    static let sigma = (usual: 7.0, smallest: 4.0, largest: 50.0)
    /// The metres by which way and distance differ, for each second between two fixes.
    static let betaPerSecond = 3.0
    /// How far roads may be from a fix, in standard deviations and at least in metres.
    static let reach = (sigmas: 4.0, smallest: 50.0, largest: 200.0)
    static let maxStates = 24
    /// Nobody is faster, in metres a second.
    static let topSpeed = 83.0
    /// How many fixes in a row may be jumps, and for how many seconds, until the drive begins anew.
    static let patience = (fixes: 3, seconds: 10.0)
    /// The logarithm of the probability of turning round on a road.
    static let turningRound = -6.0

    private struct State {
        var place: RoadGraph.Place
        var distance: Double
        /// The logarithm of the probability of the best sequence that ends here, less that of the column's best.
        var score: Double
        /// Its state in the column before; -1 at the begin of a drive.
        var previous: Int32
    }

    /// A fix that is not settled yet. It has no states if it is not used.
    private struct Column {
        var fix: Fix
        var states: [State]
        var unused: RoadMatch.Unused?
    }

    private let graph: RoadGraph
    private let mode: TravelMode
    private let lag: Int
    private var search: TransitionSearch
    private var columns: [Column] = []
    private var jumps = 0
    /// The number of used fixes since the drive began.
    private var used = 0
    private var first: GeoPointKey?
    private var isStarted = false
    private var lastTime: Timestamp?
    /// Where the drive began, and whether it has moved far enough since to have a direction.
    private var origin: Fix?
    private var hasMoved = false

    private struct GeoPointKey: Equatable {
        var latitude: Double
        var longitude: Double

        init(_ fix: Fix) { (latitude, longitude) = (fix.position.latitude, fix.position.longitude) }
    }

    public init(_ graph: RoadGraph, lag: Int = RoadMatcher.recordedLag, mode: TravelMode = .car) {
        (self.graph, self.mode, self.lag) = (graph, mode, min(max(lag, 0), 3600))
        search = TransitionSearch(graph, mode)
    }

    /// Takes the next fix; returns those that are settled now, in order.
    public mutating func add(_ fix: Fix) -> [RoadMatch] {
        guard fix.fault == nil, lastTime.map({ $0 < fix.timestamp }) ?? true else { return skip(fix, .invalid) }
        lastTime = fix.timestamp
        if !isStarted {
            // What a receiver says before its position changes is old.
            if first == nil { first = GeoPointKey(fix) }
            guard first != GeoPointKey(fix) else { return skip(fix, .first) }
            isStarted = true
        }
        var states = states(of: fix)
        guard !states.isEmpty else { return skip(fix, .offRoad) }
        guard let before = columns.last(where: { !$0.states.isEmpty }) else { return begin(fix, states) }
        let isPossible = step(from: before, to: fix, &states)
        guard isPossible else {
            jumps += 1
            // After one fix only, that may be the wrong one.
            let seconds = fix.timestamp.seconds(since: before.fix.timestamp)
            let isNew = used == 1 || jumps >= Self.patience.fixes || seconds > Self.patience.seconds
            return isNew ? settle(all: true) + begin(fix, states) : skip(fix, .jump)
        }
        jumps = 0
        used += 1
        columns.append(Column(fix: fix, states: states))
        notice(fix)
        return settle(all: false)
    }

    /// Returns the fixes that are not settled yet. The next fix begins another drive.
    public mutating func finish() -> [RoadMatch] {
        let rest = settle(all: true)
        (used, jumps, origin, hasMoved) = (0, 0, nil, false)
        return rest
    }

    /// Where the traveller most probably is now, by the fixes until now. Its direction may be wrong until
    /// ``isDirectionKnown``.
    public var current: RoadMatch? {
        guard let column = columns.last(where: { !$0.states.isEmpty }), let best = best(column) else { return nil }
        let state = column.states[best]
        return RoadMatch(column.fix, at: state.place, distance: state.distance, in: graph)
    }

    /// Whether the traveller has moved far enough to have a direction: three positions that differ, and 20 metres.
    public var isDirectionKnown: Bool { used >= 2 && hasMoved }

    // MARK: The model

    private static func sigma(_ fix: Fix) -> Double {
        // The accuracy is the radius that two normal distributions stay within in 95 % of all cases.
        let told = fix.accuracy.map { $0 / 2.4477 } ?? sigma.usual
        return min(max(told, sigma.smallest), sigma.largest)
    }

    /// Returns the states of a fix with the logarithms of their own probabilities.
    private func states(of fix: Fix) -> [State] {
        let sigma = Self.sigma(fix)
        let radius = min(max(Self.reach.sigmas * sigma, Self.reach.smallest), Self.reach.largest)
        let feet = graph.feet(of: fix.position, within: radius) { edge in
            let arc = RoadGraph.Arc(edge: UInt32(edge), isReverse: false)
            return graph.allows(arc, mode) || graph.allows(arc.reversed, mode)
        }
        var states: [State] = []
        for foot in feet {
            for isReverse in [false, true] {
                let arc = RoadGraph.Arc(edge: foot.edge, isReverse: isReverse)
                guard graph.allows(arc, mode) else { continue }
                let off = foot.distance / sigma
                var score = -off * off / 2
                if let course = fix.course, (fix.speed ?? 0) >= 3 {
                    let turn = (course - foot.bearing - (isReverse ? 180 : 0)).asTurn / 30
                    score -= min(turn * turn / 2, 8)
                }
                let offset = isReverse ? graph.length(arc) - foot.offset : foot.offset
                states.append(
                    State(
                        place: RoadGraph.Place(arc: arc, offset: offset), distance: foot.distance, score: score,
                        previous: -1))
            }
            if states.count >= Self.maxStates { break }
        }
        return states
    }

    /// Gives each state its best predecessor; returns whether any has one. Those without are removed.
    private mutating func step(from before: Column, to fix: Fix, _ states: inout [State]) -> Bool {
        let straight = before.fix.position.geodesic(to: fix.position).distance
        let seconds = fix.timestamp.seconds(since: before.fix.timestamp)
        let sigma = Self.sigma(fix)
        let beta = Self.betaPerSecond * min(seconds, 60) + sigma / 2
        let limit = min(straight + max(300, straight), straight + 6000, Self.topSpeed * seconds + 100)
        guard straight <= limit else { return false }
        var scores = [Double](repeating: -.infinity, count: states.count)
        var previous = [Int32](repeating: -1, count: states.count)
        let targets = states.map(\.place)
        for (index, state) in before.states.enumerated() {
            let ways = search.ways(from: state.place, to: targets, within: limit)
            for (target, way) in ways.enumerated() {
                guard let way else { continue }
                var score = state.score - abs(way.metres - straight) / beta
                if way.turnsRound { score += Self.turningRound }
                if score > scores[target] { (scores[target], previous[target]) = (score, Int32(index)) }
            }
        }
        var kept: [State] = []
        for (index, var state) in states.enumerated() where previous[index] >= 0 {
            state.score += scores[index]
            state.previous = previous[index]
            kept.append(state)
        }
        guard let best = kept.map(\.score).max() else { return false }
        for index in kept.indices { kept[index].score -= best }
        states = kept
        return true
    }

    // MARK: Sequences

    private mutating func begin(_ fix: Fix, _ states: [State]) -> [RoadMatch] {
        (used, jumps, origin, hasMoved) = (1, 0, fix, false)
        columns.append(Column(fix: fix, states: states))
        return settle(all: false)
    }

    private mutating func skip(_ fix: Fix, _ reason: RoadMatch.Unused) -> [RoadMatch] {
        columns.append(Column(fix: fix, states: [], unused: reason))
        return settle(all: false)
    }

    private mutating func notice(_ fix: Fix) {
        guard !hasMoved, let origin else { return }
        let path = origin.position.geodesic(to: fix.position)
        hasMoved = path.distance >= max(20, 2 * Self.sigma(fix))
    }

    private func best(_ column: Column) -> Int? {
        column.states.indices.max { column.states[$0].score < column.states[$1].score }
    }

    /// Returns the fixes that are more than `lag` fixes old, or all, by the best sequence until now.
    private mutating func settle(all: Bool) -> [RoadMatch] {
        guard !columns.isEmpty, all || columns.count > lag + 1 else { return [] }
        // The states along the best sequence, from its end.
        var chosen = [Int](repeating: -1, count: columns.count)
        var state: Int?
        for index in columns.indices.reversed() where !columns[index].states.isEmpty {
            let at = state ?? best(columns[index]) ?? 0
            chosen[index] = at
            let previous = Int(columns[index].states[at].previous)
            state = previous >= 0 ? previous : nil
        }
        let count = all ? columns.count : columns.count - lag - 1
        let settled = (0..<count).map { index in
            let column = columns[index]
            guard chosen[index] >= 0 else { return RoadMatch(column.fix, unused: column.unused ?? .offRoad) }
            let state = column.states[chosen[index]]
            return RoadMatch(column.fix, at: state.place, distance: state.distance, in: graph)
        }
        columns.removeFirst(count)
        return settled
    }
}

extension RoadMatcher {
    /// Returns the matches of a recorded drive, one for each of its points.
    ///
    /// Throws a `parameter` error if a point has no time.
    public static func matches(
        of track: Track, on graph: RoadGraph, mode: TravelMode = .car, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> [RoadMatch] {
        var matcher = RoadMatcher(graph, mode: mode)
        var matches: [RoadMatch] = []
        for point in track.points {
            if cancellation.isCancelled { throw .cancelled(step: .route) }
            guard let fix = Fix(point) else {
                throw MediaError(
                    .parameter, step: .route, subject: track.name, reason: "there are points without a time",
                    advice: "give a recorded drive; 'wayreel walk --track' gives times to a drawn one")
            }
            matches += matcher.add(fix)
        }
        return matches + matcher.finish()
    }
}

extension Fix {
    /// The point of a track as a fix; nil if it has no time.
    fileprivate init?(_ point: Track.Point) {
        guard let timestamp = point.timestamp else { return nil }
        self.init(
            point.position, accuracy: point.accuracy, speed: point.speed, course: point.course, timestamp: timestamp)
    }
}
