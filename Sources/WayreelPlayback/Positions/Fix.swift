public import WayreelStory

/// A measured position, as a phone reports it: the values of the W3C's GeolocationPosition.
public struct Fix: Hashable, Sendable, Codable {
    public var position: GeoPoint
    /// The radius in metres within which the position is with a probability of 95 %; nil where the receiver did not tell.
    public var accuracy: Double?
    /// Metres a second over the ground; nil where unknown.
    public var speed: Double?
    /// The direction of travel, degrees clockwise from true north; nil where unknown, as when standing.
    public var course: Double?
    public var timestamp: Timestamp

    public init(
        _ position: GeoPoint, accuracy: Double? = nil, speed: Double? = nil, course: Double? = nil,
        timestamp: Timestamp
    ) {
        self.position = position
        self.accuracy = accuracy
        self.speed = speed
        self.course = course
        self.timestamp = timestamp
    }

    /// What makes the fix unusable, if anything: a value that is no number or outside of its range.
    public var fault: String? {
        if !(-90...90).contains(position.latitude) {
            return "the latitude \(position.latitude) is not within -90 to 90"
        }
        if !(-180...180).contains(position.longitude) {
            return "the longitude \(position.longitude) is not within -180 to 180"
        }
        if let altitude = position.altitude, !altitude.isFinite { return "the altitude is no number" }
        if let accuracy, !(accuracy >= 0 && accuracy.isFinite) { return "the accuracy \(accuracy) is no distance" }
        if let speed, !(speed >= 0 && speed.isFinite) { return "the speed \(speed) is below 0 or no number" }
        if let course, !course.isFinite { return "the course is no number" }
        return nil
    }
}

/// Where the device points, as its compass reports it.
public struct Heading: Hashable, Sendable, Codable {
    /// Degrees clockwise from true north, 0 ..< 360.
    public var degrees: Double
    /// Degrees by which it may be off; nil where unknown.
    public var accuracy: Double?
    public var timestamp: Timestamp

    public init(degrees: Double, accuracy: Double? = nil, timestamp: Timestamp) {
        self.degrees = degrees
        self.accuracy = accuracy
        self.timestamp = timestamp
    }
}
