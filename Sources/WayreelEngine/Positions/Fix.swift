public import WayreelStory

/// A measured position, as reported by a phone: the values of the W3C's GeolocationPosition.
public struct Fix: Hashable, Sendable, Codable {
    public var position: GeoPoint
    /// The radius in metres that contains the true position with a probability of 95 %; nil if the receiver did not
    /// report it.
    public var accuracy: Double?
    /// The speed over the ground in metres a second; nil if unknown.
    public var speed: Double?
    /// The direction of travel in degrees clockwise from true north; nil if unknown, for example at rest.
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

    /// The reason why the fix is unusable, or nil: a value that is not a number or is out of its range.
    public var fault: String? {
        if !(-90...90).contains(position.latitude) {
            return "the latitude \(position.latitude) is not within -90 to 90"
        }
        if !(-180...180).contains(position.longitude) {
            return "the longitude \(position.longitude) is not within -180 to 180"
        }
        if let altitude = position.altitude, !altitude.isFinite { return "the altitude is not a number" }
        if let accuracy, !(accuracy >= 0 && accuracy.isFinite) { return "the accuracy \(accuracy) is not a distance" }
        if let speed, !(speed >= 0 && speed.isFinite) {
            return "invalid speed \(speed): must be a number of at least 0"
        }
        if let course, !course.isFinite { return "the course is not a number" }
        return nil
    }
}

/// The direction in which the device points, as reported by its compass.
public struct Heading: Hashable, Sendable, Codable {
    /// The direction in degrees clockwise from true north, 0 ..< 360.
    public var degrees: Double
    /// The possible error in degrees; nil if unknown.
    public var accuracy: Double?
    public var timestamp: Timestamp

    public init(degrees: Double, accuracy: Double? = nil, timestamp: Timestamp) {
        self.degrees = degrees
        self.accuracy = accuracy
        self.timestamp = timestamp
    }
}
