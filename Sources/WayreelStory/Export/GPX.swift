internal import WayreelCore

/// A story's events as GPX 1.1: a waypoint for each event, and a route through each chapter whose events come in
/// sequence.
enum GPX {
    static func text(of story: Story) -> String {
        var root = Element(name: "gpx")
        root.attributes = [("version", "1.1"), ("creator", "Wayreel")].map {
            Element.Attribute(name: $0, value: $1, location: .none)
        }
        root.children = [Element(name: "metadata", children: [Element(name: "name", text: story.name)])]
        // The schema requires all waypoints before the routes.
        root.children += story.chapters.flatMap(\.events).map { point("wpt", $0) }
        root.children += story.chapters.filter { $0.order == .sequence && !$0.events.isEmpty }.map { chapter in
            Element(
                name: "rte",
                children: [Element(name: "name", text: chapter.name)] + chapter.events.map { point("rtept", $0) })
        }
        var writer = XMLWriter()
        writer.write(root, namespace: "http://www.topografix.com/GPX/1/1")
        return writer.text
    }

    private static func point(_ name: String, _ event: Event) -> Element {
        var element = Element(name: name)
        // The schema has the 180th meridian in the west only.
        let longitude = event.position.longitude == 180 ? -180 : event.position.longitude
        element.attributes = [("lat", event.position.latitude), ("lon", longitude)].map {
            Element.Attribute(name: $0, value: DecimalNumber.text($1), location: .none)
        }
        let texts = [
            ("ele", event.position.altitude.map(DecimalNumber.text)), ("name", event.name), ("desc", event.description),
            ("type", event.content.kind),
        ]
        for case (let name, let text?) in texts { element.children.append(Element(name: name, text: text)) }
        return element
    }
}
