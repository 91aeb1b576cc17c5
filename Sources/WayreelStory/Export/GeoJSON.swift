/// A story's places as GeoJSON (RFC 7946): a point for each event, with its chapter, radius and kind as properties.
enum GeoJSON {
    static func text(of story: Story) -> String {
        let features = story.chapters.flatMap { chapter in
            chapter.events.map { event in
                """
                {"type":"Feature","id":\(event.id.json),"geometry":{"type":"Point","coordinates":\(coordinates(event.position))},\
                "properties":{"name":\(event.name.json),\
                \(event.description.map { "\"description\":\($0.json)," } ?? "")"chapter":\(chapter.id.json),\
                "kind":"\(event.content.kind)","radius":\(event.activation.radius),\
                "trigger":"\(event.activation.trigger.rawValue)"}}
                """
            }
        }
        return """
            {"type":"FeatureCollection","name":\(story.name.json),"features":[
            \(features.joined(separator: ",\n"))
            ]}

            """
    }

    /// Longitude first, then latitude and altitude.
    private static func coordinates(_ point: GeoPoint) -> String {
        let numbers = [point.longitude, point.latitude] + [point.altitude].compactMap(\.self)
        return "[" + numbers.map(\.description).joined(separator: ",") + "]"
    }
}

extension String {
    /// As a string of JSON (RFC 8259).
    fileprivate var json: String {
        unicodeScalars.reduce(into: "\"") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        } + "\""
    }
}
