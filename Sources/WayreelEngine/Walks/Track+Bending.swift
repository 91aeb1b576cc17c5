public import WayreelCore
public import WayreelStory

extension Track {
    /// Returns the track at another position, scaled to the length of a path through `stops` and bent so that it
    /// passes each of them, in order.
    ///
    /// The track is cut where the stops are along the path. Each point is displaced by an interpolation of the
    /// displacements of its two cuts, in proportion to the length between them, so that it keeps its small bends and
    /// errors. Fixes that no ``Playback`` would use, such as jumps, are displaced with the path but are not part of
    /// it. A segment begins where the previous one ends. Speeds and courses become unknown.
    ///
    /// If a leg takes longer than it did, and longer than 30 s, points are added to it at that interval, because
    /// devices record more often. Unless the times are the original ones, the track rests at the stops that ask for it.
    ///
    /// Throws a `parameter` error if there are no two distinct stops, or no two distinct points, and a `limit` error
    /// if the track would have more than 10 million points.
    public func bent(through stops: [WalkStop], times: BentTimes = .walking) throws(MediaError) -> Track {
        let (stops, stays) = (stops.map(\.position), stops.map { times == .original ? 0 : $0.stay })
        var line = TrackLine(self, filtering: true)
        // If the time does not advance, or there are only few points, no path may be found by times; then the
        // positions alone define it.
        if line.length == 0 || line.usedCount * 2 < line.marks.count { line = TrackLine(self, filtering: false) }
        guard line.length > 0 else {
            throw MediaError(
                .parameter, step: .move, reason: "the track has no two points that differ",
                advice: "give a track with at least two different points")
        }
        var distances = [0.0]
        for (a, b) in zip(stops, stops.dropFirst()) {
            distances.append(distances[distances.count - 1] + a.geodesic(to: b).distance)
        }
        guard let start = stops.first, let whole = distances.last, whole > 0 else {
            throw MediaError(.parameter, step: .move, reason: "there are no two places to pass that differ")
        }
        let scale = whole / line.length
        let cuts = distances.dropLast().map { $0 / scale } + [line.length]
        let displacements = zip(stops, cuts).map { stop, cut in
            PlaneVector(start.geodesic(to: stop)) - line.plane(at: cut) * scale
        }

        /// Returns the new position of a point. `cut`: the number of the first cut after it, if any.
        func place(_ plane: PlaneVector, at along: Double, before cut: Int) -> GeoPoint {
            let (first, second) = (max(0, min(cut, cuts.count - 1) - 1), min(cut, cuts.count - 1))
            let length = cuts[second] - cuts[first]
            let share = length > 0 ? min(max((along - cuts[first]) / length, 0), 1) : 1
            let bent = plane * scale + displacements[first] * (1 - share) + displacements[second] * share
            return start.moved(by: bent.length, bearing: bent.bearing).roundedToCentimetres
        }

        var walk = BentWalk()
        var cut = 0
        for (number, mark) in line.marks.enumerated() {
            if mark.isUsed, let last = line.marks[..<number].last(where: \.isUsed) {
                // Stops between two points are added as points, so that the path does not cut the corner.
                while cut < cuts.count, cuts[cut] < mark.along {
                    defer { cut += 1 }
                    guard cuts[cut] > last.along else { continue }
                    let share = (cuts[cut] - last.along) / (mark.along - last.along)
                    let plane = last.plane * (1 - share) + mark.plane * share
                    let point = Point(
                        place(plane, at: cuts[cut], before: cut + 1), timestamp: last.time(to: mark, share),
                        accuracy: last.point.accuracy)
                    walk.append(point, along: cuts[cut], isUsed: true, segment: mark.segment)
                    walk.stay(stays[cut])
                }
            }
            var point = Point(
                place(mark.plane, at: mark.along, before: max(cut, 1)), timestamp: mark.point.timestamp,
                accuracy: mark.point.accuracy)
            point.position.altitude = mark.point.position.altitude
            walk.append(point, along: mark.along, isUsed: mark.isUsed, segment: mark.segment)
            while mark.isUsed, cut < cuts.count, cuts[cut] <= mark.along {
                walk.stay(stays[cut])
                cut += 1
            }
        }
        return Track(name: name, segments: try walk.segments(times))
    }

    /// Returns the track bent through positions at which it does not rest.
    public func bent(through stops: [GeoPoint], times: BentTimes = .walking) throws(MediaError) -> Track {
        try bent(through: stops.map { WalkStop($0) }, times: times)
    }
}

/// A position that a walk passes.
public struct WalkStop: Hashable, Sendable {
    public var position: GeoPoint
    /// The seconds that the walker stays there.
    public var stay: Double

    public init(_ position: GeoPoint, stay: Double = 0) { (self.position, self.stay) = (position, stay) }
}

/// The path of a track on a plane, in metres.
private struct TrackLine {
    struct Mark {
        var point: Track.Point
        var segment: Int
        var plane: PlaneVector
        /// The distance along the path in metres; for a point that is not part of it, that of the last one that is.
        var along: Double
        var isUsed: Bool

        /// Returns the time at a fraction of the path to another point.
        func time(to other: Mark, _ share: Double) -> Timestamp? {
            guard let start = point.timestamp, let end = other.point.timestamp else { return nil }
            return start.advanced(by: end.seconds(since: start) * share)
        }
    }

    private(set) var marks: [Mark] = []
    private(set) var length = 0.0
    private(set) var usedCount = 0
    /// The indices of the marks that are used.
    private var used: [Int] = []

    /// Uses all points. Each segment is moved to the end of the previous one, because the path between them is
    /// unknown.
    ///
    /// `filtering`: whether points that no ``Playback`` would use are excluded from the path.
    init(_ track: Track, filtering: Bool) {
        guard let origin = track.points.first?.position else { return }
        var filter = filtering ? TrackFilter(track) : nil
        var shift = PlaneVector.zero
        for (segment, points) in track.segments.enumerated() {
            var isAnew = true
            for point in points {
                let judgement = filter?.judge(point) ?? .part
                let plane = PlaneVector(origin.geodesic(to: point.position))
                if judgement != .outlier {
                    let last = used.last.map { marks[$0] }
                    if isAnew || judgement == .anew {
                        if let last { shift = last.plane - plane }
                    } else if let last {
                        length += last.point.position.geodesic(to: point.position).distance
                    }
                    isAnew = false
                    used.append(marks.count)
                }
                marks.append(
                    Mark(
                        point: point, segment: segment, plane: plane + shift, along: length,
                        isUsed: judgement != .outlier))
            }
            filter?.lose()
        }
        usedCount = used.count
    }

    /// Returns the point at a distance along the path.
    func plane(at along: Double) -> PlaneVector {
        var (low, high) = (0, used.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[used[middle]].along <= along { low = middle } else { high = middle }
        }
        let start = marks[used[low]]
        guard low + 1 < used.count else { return start.plane }
        let end = marks[used[low + 1]]
        guard end.along > start.along else { return start.plane }
        let share = min(max((along - start.along) / (end.along - start.along), 0), 1)
        return start.plane * (1 - share) + end.plane * share
    }
}

extension GeoPoint {
    /// The position rounded to seven digits of a degree, as in GPX, so that small differences in floating-point results
    /// between machines do not show.
    var roundedToCentimetres: GeoPoint {
        GeoPoint(
            latitude: latitude.rounded(toMultipleOf: 1e-7), longitude: longitude.rounded(toMultipleOf: 1e-7),
            altitude: altitude)
    }
}
