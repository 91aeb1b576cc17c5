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
