package import WayreelCore

/// A value of a YAML or JSON document and its source location.
package struct YAMLNode: Hashable, Sendable {
    package indirect enum Content: Hashable, Sendable {
        /// Text without quotes and escapes. Plain means unquoted: `0.8` or `true`.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// In document order; keys are unique.
        case mapping([Field])
    }

    /// One `key: value`.
    package struct Field: Hashable, Sendable {
        package var key: String
        package var keyLocation: DocumentLocation
        package var value: YAMLNode
    }

    package var content: Content
    package var location: DocumentLocation
    /// Whether a single line break of the document is a space in the text, so that those in the text are empty lines or
    /// `\n`.
    package var isFolded = false

    package init(_ content: Content, at location: DocumentLocation) {
        self.content = content
        self.location = location
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

    /// Whether it is empty: `key:`, `null` or `~`.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// A description for errors: `'abc'`, `a list`, `a mapping`, `nothing`.
    package var shown: String {
        guard case .scalar(let text, _) = content, !isNull else { return kind }
        return "'\(text.count > 60 ? text.prefix(60) + "…" : text[...])'"
    }

    /// The same without its text.
    package var kind: String {
        switch content {
        case .scalar: isNull ? "nothing" : "a text"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// Advice for a value that may be missing because its `#` started a comment.
    package var quotingAdvice: MediaError.Advice? { isNull ? "put a value that begins with # in quotes" : nil }

    /// Number of values, including itself.
    package var count: Int {
        switch content {
        case .scalar: 1
        case .sequence(let items): items.reduce(1) { $0 + $1.count }
        case .mapping(let fields): fields.reduce(1) { $0 + $1.value.count }
        }
    }

    /// Number of levels; 1 for a scalar.
    package var depth: Int {
        switch content {
        case .scalar: 1
        case .sequence(let items): 1 + (items.map(\.depth).max() ?? 0)
        case .mapping(let fields): 1 + (fields.map(\.value.depth).max() ?? 0)
        }
    }
}
