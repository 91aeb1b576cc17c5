internal import WayreelCore

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
