public import WayreelCore
public import WayreelStory

/// The placement of a moved track.
public struct TrackPlacement: Hashable, Sendable, Codable {
    /// The new position of the track's first point.
    public var start: GeoPoint
    /// The clockwise rotation about the first point, in degrees.
    public var rotation: Double
    /// The factor for all distances.
    public var scale: Double

    public init(start: GeoPoint, rotation: Double = 0, scale: Double = 1) {
        self.start = start
        self.rotation = rotation
        self.scale = scale
    }
}

extension Track {
    /// Returns the track at another position: each point keeps its distance from the first one, scaled, and its
    /// bearing from there, rotated.
    ///
    /// The track keeps its shape, pauses, errors, times and accuracies. Speeds are scaled and courses are rotated.
    ///
    /// Throws a `parameter` error if the scale is not within 0.001 to 1000, or a value is not a number.
    public func moved(to placement: TrackPlacement) throws(MediaError) -> Track {
        guard (0.001...1000).contains(placement.scale), placement.rotation.isFinite,
            Fix(placement.start, timestamp: Timestamp(milliseconds: 0)).fault == nil
        else {
            throw MediaError(
                .parameter, step: .move, reason: "the place, the rotation or the scale is out of its range",
                advice:
                    "give a latitude within -90 to 90, a longitude within -180 to 180 and a scale within 0.001 to 1000")
        }
        guard let origin = points.first?.position else { return self }
        return changing { point in
            let line = origin.geodesic(to: point.position)
            let altitude = point.position.altitude
            point.position =
                placement.start.moved(
                    by: line.distance * placement.scale, bearing: line.bearing + placement.rotation
                ).roundedToCentimetres
            point.position.altitude = altitude
            point.speed = point.speed.map { ($0 * placement.scale).rounded(toMultipleOf: 0.01) }
            point.course = point.course.map { ($0 + placement.rotation).rounded(toMultipleOf: 0.1).asCompassDegrees }
        }
    }

    /// Returns the same points with the times of a walk at `speed` metres a second that begins at `start`, for tracks
    /// and routes without times.
    public func timed(from start: Timestamp, speed: Double) -> Track {
        var metres = 0.0
        var last: GeoPoint?
        return changing { point in
            metres += last.map { $0.geodesic(to: point.position).distance } ?? 0
            last = point.position
            point.timestamp = start.advanced(by: metres / speed)
        }
    }

    /// Returns the same track with times shifted so that the first one is `start`.
    public func starting(at start: Timestamp) -> Track {
        guard let first = points.lazy.compactMap(\.timestamp).first else { return self }
        return changing { point in
            point.timestamp = point.timestamp.map { start.advanced(by: $0.seconds(since: first)) }
        }
    }

    private func changing(_ change: (inout Point) -> Void) -> Track {
        var track = self
        for segment in segments.indices {
            for index in segments[segment].indices { change(&track.segments[segment][index]) }
        }
        return track
    }
}
