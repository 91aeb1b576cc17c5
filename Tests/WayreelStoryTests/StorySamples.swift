import TestSupport
import Testing
import WayreelStory

/// Stories that tests read.
enum StorySamples {
    static func path(_ name: String) -> String { "\(Fixture.root)/Tests/WayreelStoryTests/Fixtures/\(name)" }

    /// The beginning of an image.
    static let gif = Array("GIF89a".utf8)

    /// Returns a story of one chapter that contains these elements.
    static func chapter(_ elements: String, attributes: String = "") -> String {
        """
        <story id="s" language="en"><name>S</name><chapter id="c"\(attributes)><name>C</name>
        \(elements)
        </chapter></story>
        """
    }

    /// Returns an event with a text at a point.
    static func event(
        _ id: String, at point: (Double, Double) = (35, -120), radius: Double = 5, _ more: String = "",
        content: String = "<scrapbook><text>T</text></scrapbook>"
    ) -> String {
        """
        <event id="\(id)"><name>E</name><position latitude="\(point.0)" longitude="\(point.1)"/>\
        <activation radius="\(radius)"/>\(more)\(content)</event>
        """
    }

    static func read(_ xml: String) throws -> StoryDocument {
        try StoryDocument.read(Array(xml.utf8), as: .xml, name: "s.xml")
    }
}
