import Glibc
import TestSupport
import Testing
import WayreelEngine
import WayreelStory

/// Stories and helpers for tests of walks.
enum WalkSamples {
    static func sampleStory() throws -> Story {
        try #require(try StoryDocument.read(path: Fixture.media("story/story.xml")).story)
    }

    static func event(
        _ id: String, _ latitude: Double, _ longitude: Double, radius: Double = 20,
        trigger: Activation.Trigger = .enter, window: TimeWindow? = nil, condition: Condition? = nil
    ) -> Event {
        Event(
            id: id, name: id, position: GeoPoint(latitude: latitude, longitude: longitude),
            activation: Activation(radius: radius, trigger: trigger), window: window, condition: condition,
            content: .scrapbook(ScrapbookContent(items: [.text("T")])))
    }

    static func story(_ events: [Event], order: Chapter.Order = .free) -> Story {
        Story(
            id: "s", language: "en", name: "S", chapters: [Chapter(id: "c", name: "C", order: order, events: events)])
    }

    /// Returns the metres between two points that are near each other, by the radii of curvature of WGS 84 at the
    /// latitude between them (Snyder 1987, 4-18 and 4-20): accurate to a millimetre in a hundred metres.
    static func metres(_ a: GeoPoint, _ b: GeoPoint) -> Double {
        let latitude = (a.latitude + b.latitude) / 2 * .pi / 180
        let w = 1 - 0.00669437999014 * sin(latitude) * sin(latitude)
        let north = (b.latitude - a.latitude) * .pi / 180 * 6_378_137 * (1 - 0.00669437999014) / (w * w.squareRoot())
        let east = (b.longitude - a.longitude) * .pi / 180 * 6_378_137 / w.squareRoot() * cos(latitude)
        return (north * north + east * east).squareRoot()
    }
}
