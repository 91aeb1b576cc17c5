internal import WayreelCore
internal import WayreelStory

/// The times of a bent track, see ``Track/bent(through:times:)-([WalkStop],_)``.
public enum BentTimes: Hashable, Sendable {
    /// Each leg keeps its speed, and a rest its duration. If the track moves faster than a walker at 1.4 m/s, all
    /// legs are slowed by the same factor. A track without times, or with a constant time, gets the times of such a
    /// walker.
    case walking
    /// Times for a constant speed in metres per second.
    case steady(speed: Double)
    /// The original times, regardless of the resulting speed; none if the track had none.
    case original
}

/// The points of a bent track while their times are computed.
struct BentWalk {
    private struct Step {
        var point: Track.Point
        /// The distance along the original track in metres.
        var along: Double
        /// Whether the point is part of the path; otherwise it is an outlier.
        var isUsed: Bool
        var segment: Int
        /// The seconds that the walker has stayed here since the previous step.
        var stay = 0.0
    }

    private var steps: [Step] = []

    /// A speed in metres a second below which a leg is the noise of a rest.
    private static let rest = 0.3
    private static let walker = 1.4
    /// The longest interval between two points, in seconds.
    private static let longestInterval = 30.0

    mutating func append(_ point: Track.Point, along: Double, isUsed: Bool, segment: Int) {
        steps.append(Step(point: point, along: along, isUsed: isUsed, segment: segment))
    }

    /// Adds a stay of so many seconds at the last point.
    mutating func stay(_ seconds: Double) {
        guard seconds > 0, var step = steps.last else { return }
        step.stay = seconds
        steps.append(step)
    }

    /// Returns the points with their new times. Throws a `limit` error if there are too many of them.
    func segments(_ times: BentTimes) throws(MediaError) -> [[Track.Point]] {
        let timed: BentWalk
        switch times {
        case .original: timed = self
        case .steady(let speed): timed = retimed { $0.newMetres / speed }
        case .walking:
            let (hasTimes, haste) = (hasTimes, max(1, movingSpeed / Self.walker))
            timed = retimed { leg in
                guard hasTimes, let seconds = leg.seconds else { return leg.newMetres / Self.walker }
                guard seconds > 0 else { return seconds }
                if leg.metres / seconds < Self.rest { return max(seconds, leg.newMetres / Self.walker) }
                return seconds * haste * leg.newMetres / leg.metres
            }
        }
        return try timed.filled(beside: self)
    }

    // MARK: Times

    /// The leg from one step of the path to the next one.
    private struct Leg {
        var metres: Double
        var newMetres: Double
        /// The duration in seconds; nil if it is unknown.
        var seconds: Double?
        /// Whether the leg leads from one segment to the next.
        var isGap: Bool
    }

    private func leg(_ a: Step, _ b: Step) -> Leg {
        let seconds = a.point.timestamp.flatMap { start in b.point.timestamp?.seconds(since: start) }
        return Leg(
            metres: b.along - a.along, newMetres: a.point.position.geodesic(to: b.point.position).distance,
            seconds: seconds, isGap: a.segment != b.segment)
    }

    /// Whether all points have times, and the last one is later than the first.
    private var hasTimes: Bool {
        let times = steps.map(\.point.timestamp)
        guard !times.contains(nil), let first = times.first ?? nil, let last = times.last ?? nil else { return false }
        return last > first
    }

    /// The speed in metres a second over all legs that are not rests; 0 if there are none.
    private var movingSpeed: Double {
        let path = steps.filter(\.isUsed)
        var (metres, seconds) = (0.0, 0.0)
        for leg in zip(path, path.dropFirst()).map(leg) where !leg.isGap {
            guard let time = leg.seconds, time > 0, leg.metres / time >= Self.rest else { continue }
            (metres, seconds) = (metres + leg.metres, seconds + time)
        }
        return seconds > 0 ? metres / seconds : 0
    }

    /// Returns the walk with new times. `duration` is in seconds. Points that are not part of the path keep their
    /// relative position between those that are.
    private func retimed(_ duration: (Leg) -> Double) -> BentWalk {
        var walk = self
        let path = steps.indices.filter { steps[$0].isUsed }
        guard let first = path.first, let last = path.last else { return self }
        let start = steps[first].point.timestamp ?? WalkOptions.defaultStart
        var elapsed = 0.0
        func set(_ index: Int, _ seconds: Double) {
            walk.steps[index].point.timestamp = start.advanced(by: seconds)
        }
        func seconds(_ a: Int, _ b: Int) -> Double {
            leg(steps[a], steps[b]).seconds ?? Double(b - a)
        }
        for index in 0..<first { set(index, -seconds(index, first)) }
        set(first, 0)
        for (a, b) in zip(path, path.dropFirst()) {
            let leg = leg(steps[a], steps[b])
            let whole = (leg.isGap ? leg.seconds ?? 0 : duration(leg)) + steps[b].stay
            for index in a + 1..<b {
                let old = seconds(a, b)
                let share = old > 0 ? seconds(a, index) / old : Double(index - a) / Double(b - a)
                set(index, elapsed + whole * share)
            }
            elapsed += whole
            set(b, elapsed)
        }
        for index in last + 1..<steps.count { set(index, elapsed + seconds(last, index)) }
        return walk
    }

    // MARK: Points between

    /// Adds points to long legs. `original`: the same points with their old times.
    private func filled(beside original: BentWalk) throws(MediaError) -> [[Track.Point]] {
        var segments: [[Track.Point]] = []
        var count = 0
        for (index, step) in steps.enumerated() {
            if index == 0 || steps[index - 1].segment != step.segment {
                segments.append([])
            } else {
                let last = steps[index - 1]
                let interval = max(
                    original.leg(original.steps[index - 1], original.steps[index]).seconds ?? 0, Self.longestInterval)
                let seconds = leg(last, step).seconds ?? 0
                let between = last.isUsed && step.isUsed ? Int(max(0, (seconds / interval).rounded(.up) - 1)) : 0
                count += between + 1
                guard count <= TrackLimits.points else {
                    throw MediaError(
                        .limit, code: .tooLong, step: .move,
                        reason: "the track would have more than \(TrackLimits.points) points",
                        advice: "give a longer track, or a shorter story")
                }
                segments[segments.count - 1] += Self.points(between, from: last.point, to: step.point, seconds)
            }
            segments[segments.count - 1].append(step.point)
        }
        return segments
    }

    private static func points(
        _ count: Int, from start: Track.Point, to end: Track.Point, _ seconds: Double
    ) -> [Track.Point] {
        guard count > 0 else { return [] }
        let line = start.position.geodesic(to: end.position)
        return (1...count).map { number in
            let share = Double(number) / Double(count + 1)
            let place = start.position.moved(by: line.distance * share, bearing: line.bearing).roundedToCentimetres
            return Track.Point(
                GeoPoint(latitude: place.latitude, longitude: place.longitude),
                timestamp: start.timestamp?.advanced(by: seconds * share), accuracy: start.accuracy)
        }
    }
}
