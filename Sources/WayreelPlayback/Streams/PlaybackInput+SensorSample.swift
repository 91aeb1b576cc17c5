internal import WayreelStory

extension PlaybackInput {
    /// Converts a sample of the stream `position` (`latitude`, `longitude`, and if known `altitude`, `accuracy`,
    /// `speed`, `course`) to a fix, and a sample of the stream `heading` (`degrees`, and if known `accuracy`) to a
    /// heading. Returns nil for other samples.
    public init?(_ sample: SensorSample) {
        let values = sample.values
        switch sample.stream {
        case "position":
            guard let latitude = values["latitude"], let longitude = values["longitude"] else { return nil }
            let position = GeoPoint(latitude: latitude, longitude: longitude, altitude: values["altitude"])
            self = .fix(
                Fix(
                    position, accuracy: values["accuracy"], speed: values["speed"], course: values["course"],
                    timestamp: sample.time.timestamp))
        case "heading":
            guard let degrees = values["degrees"] else { return nil }
            self = .heading(
                Heading(
                    degrees: degrees.asCompassDegrees, accuracy: values["accuracy"], timestamp: sample.time.timestamp))
        default: return nil
        }
    }
}
