/// Where the fields of a story stand in its document, by their keys.
struct FieldLocations: Sendable {
    private var locations: [String: DocumentPosition] = [:]

    init() {}

    init(_ root: Element) { add(root, "story") }

    subscript(key: String) -> DocumentPosition { locations[key] ?? .none }

    private mutating func add(_ element: Element, _ key: String) {
        if locations[key] == nil { locations[key] = element.location }
        for attribute in element.attributes where ["source", "alt"].contains(attribute.name) {
            locations["\(key)/\(attribute.name)"] = attribute.location
        }
        var counts: [String: Int] = [:]
        for child in element.children {
            counts[child.name, default: 0] += 1
            counts["", default: 0] += 1
            let number = counts[child.name] ?? 0
            switch (element.name, child.name) {
            case (_, "translation"), (_, "condition"): continue
            case (_, "chapter"), (_, "event"), (_, "lockbox"), (_, "news"), (_, "section"), (_, "item"):
                add(child, "\(child.name)/\(child[attribute: "id"]?.trimmedSpace ?? "")")
            case ("story", "face"), ("story", "about"), ("story", "arrival"): add(child, child.name)
            case ("radio", "audio"), ("goggles", "pin"), ("quiz", "question"): add(child, "\(key)/\(number)")
            case ("scrapbook", "text"): add(child, "\(key)/\(counts[""] ?? 0)/text")
            case ("scrapbook", _): add(child, "\(key)/\(counts[""] ?? 0)")
            case ("camera", "text"), ("item", "image"), ("lockbox", "hint"), ("question", "choice"):
                add(child, "\(key)/\(child.name)s/\(number)")
            case ("lockbox", "answer"): add(child, "\(key)/answers")
            default: add(child, "\(key)/\(child.name)")
            }
        }
    }
}
