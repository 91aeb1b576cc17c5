public import WayreelStory

/// An ordered list of positions: the content of a track or route in a GPX file.
public struct Track: Hashable, Sendable, Codable {
    public struct Point: Hashable, Sendable, Codable {
        public var position: GeoPoint
        /// The time of the point; nil in a route, or if the device did not record it.
        public var timestamp: Timestamp?
        public var accuracy: Double?
        public var speed: Double?
        public var course: Double?

        public init(
            _ position: GeoPoint, timestamp: Timestamp? = nil, accuracy: Double? = nil, speed: Double? = nil,
            course: Double? = nil
        ) {
            self.position = position
            self.timestamp = timestamp
            self.accuracy = accuracy
            self.speed = speed
            self.course = course
        }
    }

    public var name: String?
    /// The segments. The signal was lost between one segment and the next.
    public var segments: [[Point]]

    public init(name: String? = nil, segments: [[Point]]) {
        self.name = name
        self.segments = segments
    }

    /// All points, in order.
    public var points: [Point] { segments.flatMap(\.self) }

    /// Returns the track without the points of the given numbers, which are counted from 0 over all segments.
    package func removing(_ numbers: Set<Int>) -> Track {
        var track = self
        var number = 0
        track.segments = segments.map { segment in
            segment.filter { _ in
                defer { number += 1 }
                return !numbers.contains(number)
            }
        }
        return track
    }
}
