internal import WayreelCore
internal import WayreelDocument
internal import WayreelPages

/// The JSON Schemas of `Documentation/`, as components of the description of the service.
enum OpenAPISchemas {
    /// The files, and the names of their schemas. A part `#/$defs/part` of a file is `Name.part`; those of the file without
    /// a name have their own names.
    private static let files = [
        ("service", ""), ("problem", "Problem"), ("story-json", "Story"), ("manifest", "Manifest"),
        ("journal", "Journal"), ("journal-changes", "JournalChanges"), ("levels", "Levels"),
    ]

    private static let prefix = "#/components/schemas/"

    static func reference(_ name: String) -> OrderedJSON { ["$ref": .text(prefix + name)] }

    /// Returns the schemas to which a document refers, and those to which they refer.
    static func named(in document: OrderedJSON) throws(MediaError) -> [OrderedJSON.Member] {
        let all = try all()
        var wanted: Set<String> = []
        var new = [document]
        while let value = new.popLast() {
            for reference in references(in: value) where wanted.insert(reference).inserted {
                new += all.filter { $0.key == reference }.map(\.value)
            }
        }
        return all.filter { wanted.contains($0.key) }
    }

    /// The names of the schemas to which a value refers.
    private static func references(in value: OrderedJSON) -> [String] {
        if let reference = value["$ref"].text {
            return reference.dropFirst(prefix.count).split(separator: "/").prefix(1).map(String.init)
        }
        return (value.items + value.members.map(\.value)).flatMap { references(in: $0) }
    }

    private static func all() throws(MediaError) -> [OrderedJSON.Member] {
        var all: [OrderedJSON.Member] = []
        for (file, name) in files {
            let schema = try OrderedJSON.document("\(file).schema.json").replacingReferences { located($0, in: name) }
            if !name.isEmpty {
                all.append((name, .object(schema.members.filter { $0.key != "$schema" && $0.key != "$defs" })))
            }
            all += schema["$defs"].members.map { (name.isEmpty ? $0.key : "\(name).\($0.key)", $0.value) }
        }
        return all
    }

    /// Returns the place in the document of a reference `file.schema.json#/$defs/part`; the file is its own if it names none.
    private static func located(_ reference: String, in own: String) -> String {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let name = files.first { "\($0.0).schema.json" == parts[0] }?.1 ?? own
        let pointer = parts.count > 1 ? parts[1] : ""
        guard pointer.hasPrefix("/$defs/") else { return prefix + name + pointer }
        let part = pointer.dropFirst("/$defs/".count)
        return prefix + (name.isEmpty ? String(part) : "\(name).\(part)")
    }
}

extension OrderedJSON {
    /// Reads a file of `Documentation/` that is embedded in the program, in YAML or JSON.
    static func document(_ name: String) throws(MediaError) -> OrderedJSON {
        let location = DocumentLocation(.settings, file: name)
        guard let node = try YAMLDocument.parse(PageFile.documents[name] ?? [], at: location) else {
            throw location.fault("it is missing")
        }
        return OrderedJSON(node)
    }

    /// The items, with those of lists in their places.
    var joinedItems: [OrderedJSON] {
        items.flatMap { item in if case .array = item { item.joinedItems } else { [item] } }
    }

    /// Returns the value with other references in its schemas.
    fileprivate func replacingReferences(_ replace: (String) -> String) -> OrderedJSON {
        switch self {
        case .object(let members):
            .object(
                members.map { key, value in
                    guard key == "$ref", let reference = value.text else {
                        return (key, value.replacingReferences(replace))
                    }
                    return (key, .text(replace(reference)))
                })
        case .array(let items): .array(items.map { $0.replacingReferences(replace) })
        case .text, .literal: self
        }
    }
}

extension OrderedJSON? {
    var joinedItems: [OrderedJSON] { self?.joinedItems ?? [] }
}
