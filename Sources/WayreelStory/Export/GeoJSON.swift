internal import WayreelCore

/// A story's events as GeoJSON (RFC 7946): a point for each event, with its chapter, radius and kind as properties.
enum GeoJSON {
    static func text(of story: Story) -> String {
        let features = story.chapters.flatMap { chapter in
            chapter.events.map { event in
                """
                {"type":"Feature","id":\(event.id.jsonQuoted),"geometry":{"type":"Point","coordinates":\(coordinates(event.position))},\
                "properties":{"name":\(event.name.jsonQuoted),\
                \(event.description.map { "\"description\":\($0.jsonQuoted)," } ?? "")"chapter":\(chapter.id.jsonQuoted),\
                "kind":"\(event.content.kind)","radius":\(event.activation.radius),\
                "trigger":"\(event.activation.trigger.rawValue)"}}
                """
            }
        }
        return """
            {"type":"FeatureCollection","name":\(story.name.jsonQuoted),"features":[
            \(features.joined(separator: ",\n"))
            ]}

            """
    }

    /// Returns the longitude first, then latitude and altitude.
    private static func coordinates(_ point: GeoPoint) -> String {
        let numbers = [point.longitude, point.latitude] + [point.altitude].compactMap(\.self)
        return "[" + numbers.map(\.description).joined(separator: ",") + "]"
    }
}

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

/// A story's events as KML 2.2: a folder for each chapter with a placemark for each event.
enum KML {
    static func text(of story: Story) -> String {
        let folders = story.chapters.map { chapter in
            Element(
                name: "Folder",
                children: texts([("name", chapter.name), ("description", chapter.description)])
                    + chapter.events.map(placemark))
        }
        let document = Element(
            name: "Document", children: texts([("name", story.name), ("description", story.description)]) + folders)
        var writer = XMLWriter()
        writer.write(Element(name: "kml", children: [document]), namespace: "http://www.opengis.net/kml/2.2")
        return writer.text
    }

    private static func placemark(_ event: Event) -> Element {
        let numbers =
            [event.position.longitude, event.position.latitude] + [event.position.altitude].compactMap(\.self)
        let point = Element(
            name: "Point",
            children: texts([("coordinates", numbers.map(DecimalNumber.text).joined(separator: ","))]))
        return Element(
            name: "Placemark", children: texts([("name", event.name), ("description", event.description)]) + [point])
    }

    private static func texts(_ texts: [(String, String?)]) -> [Element] {
        texts.compactMap { name, text in text.map { Element(name: name, text: $0) } }
    }
}
