/// A value of a YAML or JSON document, and where it was written.
package struct YAMLNode: Hashable, Sendable {
    package indirect enum Content: Hashable, Sendable {
        /// A text as it is meant, without quotes and escapes. Plain is one that had no quotes: `0.8` or `true`, say.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// In the order of the document; no key comes twice.
        case mapping([Field])
    }

    /// One `key: value`.
    package struct Field: Hashable, Sendable {
        package var key: String
        package var keyPlace: SourcePlace
        package var value: YAMLNode
    }

    package var content: Content
    package var place: SourcePlace

    package init(_ content: Content, at place: SourcePlace) {
        self.content = content
        self.place = place
    }

    /// The text of a scalar.
    package var text: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The items of a sequence.
    package var items: [YAMLNode]? {
        guard case .sequence(let items) = content else { return nil }
        return items
    }

    /// The fields of a mapping.
    package var fields: [Field]? {
        guard case .mapping(let fields) = content else { return nil }
        return fields
    }

    /// Whether nothing was written: `key:`, `null` or `~`.
    package var isNothing: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// What is there, for an error: `'abc'`, `a list`, `a mapping`, `nothing`.
    package var shown: String {
        switch content {
        case .scalar(let text, _): isNothing ? "nothing" : "'\(text.count > 60 ? text.prefix(60) + "…" : text[...])'"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// What to do where a value seems to be missing because its `#` made a comment of it.
    package var quotingAdvice: String? { isNothing ? "put a value that begins with # in quotes" : nil }

    /// How many values it holds, itself included.
    package var count: Int {
        switch content {
        case .scalar: 1
        case .sequence(let items): items.reduce(1) { $0 + $1.count }
        case .mapping(let fields): fields.reduce(1) { $0 + $1.value.count }
        }
    }

    /// How many levels it has: 1 for a scalar.
    package var depth: Int {
        switch content {
        case .scalar: 1
        case .sequence(let items): 1 + (items.map(\.depth).max() ?? 0)
        case .mapping(let fields): 1 + (fields.map(\.value.depth).max() ?? 0)
        }
    }
}
