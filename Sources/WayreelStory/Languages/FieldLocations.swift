/// Where the fields of a story stand in its document, by their keys, and what comments say to translators about them.
struct FieldLocations: Sendable {
    private var locations: [String: DocumentPosition] = [:]
    private var notes: [String: [String]] = [:]
    /// The notes of comments by places; see ``IssueLog/notes``.
    private let comments: [DocumentPosition: [String]]

    init() { comments = [:] }

    init(_ root: Element, notes: [DocumentPosition: [String]]) {
        comments = notes
        add(root, "story", notes: [])
    }

    subscript(key: String) -> DocumentPosition { locations[key] ?? .none }

    /// What the comments before a field, and before the parts that it is in, say to translators.
    func notes(for key: String) -> [String] { notes[key] ?? [] }

    /// `notes`: those of the element that this one is in.
    private mutating func add(_ element: Element, _ key: String, notes outer: [String]) {
        if locations[key] == nil { locations[key] = element.location }
        let line = DocumentPosition(line: element.location.line, column: 0)
        let notes = adding([element.location, line], to: outer)
        setNotes(notes, for: key)
        for attribute in element.attributes where ["source", "alt"].contains(attribute.name) {
            locations["\(key)/\(attribute.name)"] = attribute.location
            let line = DocumentPosition(line: attribute.location.line, column: 0)
            setNotes(adding([line], to: notes), for: "\(key)/\(attribute.name)")
        }
        var counts: [String: Int] = [:]
        for child in element.children {
            counts[child.name, default: 0] += 1
            counts["", default: 0] += 1
            let number = counts[child.name] ?? 0
            switch (element.name, child.name) {
            case (_, "translation"), (_, "condition"): continue
            case (_, "chapter"), (_, "event"), (_, "lockbox"), (_, "news"), (_, "section"), (_, "item"),
                (_, "plan"):
                add(child, "\(child.name)/\(child[attribute: "id"]?.trimmedSpace ?? "")", notes: notes)
            case ("story", "face"), ("story", "about"), ("story", "arrival"): add(child, child.name, notes: notes)
            case ("radio", "audio"), ("goggles", "pin"), ("quiz", "question"):
                add(child, "\(key)/\(number)", notes: notes)
            case ("scrapbook", "text"): add(child, "\(key)/\(counts[""] ?? 0)/text", notes: notes)
            case ("scrapbook", _): add(child, "\(key)/\(counts[""] ?? 0)", notes: notes)
            case ("camera", "text"), ("item", "image"), ("lockbox", "hint"), ("question", "choice"):
                add(child, "\(key)/\(child.name)s/\(number)", notes: notes)
            case ("lockbox", "answer"): add(child, "\(key)/answers", notes: notes)
            default: add(child, "\(key)/\(child.name)", notes: notes)
            }
        }
    }

    /// Notes with those at places, each once.
    private func adding(_ places: [DocumentPosition], to notes: [String]) -> [String] {
        guard !comments.isEmpty else { return notes }
        return places.flatMap { comments[$0] ?? [] }.reduce(into: notes) { notes, note in
            if notes.count < TranslatorComment.maxCount, !notes.contains(note) { notes.append(note) }
        }
    }

    /// The items of a list have one key.
    private mutating func setNotes(_ texts: [String], for key: String) {
        guard let known = notes[key] else {
            if !texts.isEmpty { notes[key] = texts }
            return
        }
        notes[key] = Array((known + texts.filter { !known.contains($0) }).prefix(TranslatorComment.maxCount))
    }
}
