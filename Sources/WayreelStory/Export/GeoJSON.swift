internal import WayreelCore

/// A story's events as GeoJSON (RFC 7946): a point for each event, with its chapter, radius and kind as properties.
enum GeoJSON {
    static func text(of story: Story) -> String {
        let features = story.chapters.flatMap { chapter in
            chapter.events.map { event in
                """
                {"type":"Feature","id":\(event.id.jsonQuoted),"geometry":{"type":"Point","coordinates":\(coordinates(event.position))},\
                "properties":{"name":\(event.name.jsonQuoted),\
                \(event.description.map { "\"description\":\($0.plain.jsonQuoted)," } ?? "")"chapter":\(chapter.id.jsonQuoted),\
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
        "[" + point.coordinates.map(\.description).joined(separator: ",") + "]"
    }
}

extension GeoPoint {
    /// The longitude, the latitude and, if known, the altitude.
    fileprivate var coordinates: [Double] { [longitude, latitude] + [altitude].compactMap(\.self) }
}

extension Element {
    /// Elements that hold the texts which are not nil.
    fileprivate static func texts(_ texts: [(String, String?)]) -> [Element] {
        texts.compactMap { name, text in text.map { Element(name: name, text: $0) } }
    }
}

/// A story's events as GPX 1.1: a waypoint for each event, and a route through each chapter whose events come in
/// sequence.
enum GPX {
    static func text(of story: Story) -> String {
        var root = Element.named("gpx", [("version", "1.1"), ("creator", "Wayreel")])
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
        // The schema has the 180th meridian in the west only.
        let longitude = event.position.longitude == 180 ? -180 : event.position.longitude
        return .named(
            name,
            [("lat", DecimalNumber.text(event.position.latitude)), ("lon", DecimalNumber.text(longitude))],
            Element.texts([
                ("ele", event.position.altitude.map(DecimalNumber.text)), ("name", event.name),
                ("desc", event.description?.plain), ("type", event.content.kind),
            ]))
    }
}

/// A story's events as KML 2.2: a folder for each chapter with a placemark for each event.
enum KML {
    static func text(of story: Story) -> String {
        let folders = story.chapters.map { chapter in
            Element(
                name: "Folder",
                children: Element.texts([("name", chapter.name), ("description", chapter.description?.plain)])
                    + chapter.events.map(placemark))
        }
        let document = Element(
            name: "Document",
            children: Element.texts([("name", story.name), ("description", story.description?.plain)]) + folders)
        var writer = XMLWriter()
        writer.write(Element(name: "kml", children: [document]), namespace: "http://www.opengis.net/kml/2.2")
        return writer.text
    }

    private static func placemark(_ event: Event) -> Element {
        let coordinates = event.position.coordinates.map(DecimalNumber.text).joined(separator: ",")
        let point = Element(name: "Point", children: [Element(name: "coordinates", text: coordinates)])
        return Element(
            name: "Placemark",
            children: Element.texts([("name", event.name), ("description", event.description?.plain)]) + [point])
    }
}
