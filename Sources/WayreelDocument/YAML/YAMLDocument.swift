internal import CYAML
package import WayreelCore

/// Parses YAML 1.1 with libyaml, which includes JSON.
///
/// Safe for untrusted input: size, depth and number of values are limited, aliases count with their content and cannot
/// be recursive, and repeated keys, tags and multiple documents are rejected.
package enum YAMLDocument {
    /// Max size in bytes, unless the caller has other limits.
    package static let sizeLimit = 1 << 20

    /// The limits of a document's cost.
    package struct Limits: Sendable {
        /// Max size in bytes.
        var size: Int
        var depth: Int
        var values: Int

        package init(size: Int = sizeLimit, depth: Int = 32, values: Int = 20_000) {
            self.size = size
            self.depth = depth
            self.values = values
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A comment.
    package struct Comment: Sendable {
        /// From its `#` to the end of the line.
        package var text: String
        package var location: DocumentLocation
        /// Whether it follows a text without quotes on its line, so that it may have been meant as part of the text.
        package var followsText: Bool
    }

    /// Parses `bytes`; nil if they contain only comments. `onComment` is called for each comment, `onUnusedAnchor` for
    /// each anchor without an alias.
    ///
    /// Throws a `parameter` error with the line of the mistake, or a `limit` error. `location` describes the source.
    package static func parse(
        _ bytes: [UInt8], at location: DocumentLocation, limits: Limits = Limits(),
        onComment: ((Comment) -> Void)? = nil, onUnusedAnchor: ((String, DocumentLocation) -> Void)? = nil
    ) throws(MediaError) -> YAMLNode? {
        guard bytes.count <= limits.size else {
            throw location.fault(
                "\(bytes.count) bytes are more than \(location.kind.noun) may have, \(limits.size)", kind: .limit)
        }
        try SharedLibrary.libyaml.require(step: location.kind.step)
        let text = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        let builder = YAMLTreeBuilder(
            JSONEscapes.joiningSurrogates(text), location: location, limits: limits, onComment: onComment)
        let root = try builder.document()
        if let onUnusedAnchor { for (name, location) in builder.unusedAnchors { onUnusedAnchor(name, location) } }
        return root
    }
}

/// Builds a tree from libyaml's events.
private final class YAMLTreeBuilder {
    private let parser: YAMLParser
    private let start: DocumentLocation
    private let limits: YAMLDocument.Limits
    private var anchors: [String: YAMLNode] = [:]
    /// Anchors without an alias so far, with their places.
    private var unused: [String: DocumentLocation] = [:]
    /// Anchors of collections still being read: an alias to one would be recursive.
    private var openAnchors: Set<String> = []
    private var values = 0
    private var comments: YAMLComments?

    init(
        _ bytes: [UInt8], location: DocumentLocation, limits: YAMLDocument.Limits,
        onComment: ((YAMLDocument.Comment) -> Void)?
    ) {
        start = location
        self.limits = limits
        if let onComment, bytes.contains(UInt8(ascii: "#")) { comments = YAMLComments(bytes, location, onComment) }
        parser = YAMLParser(bytes)
    }

    func document() throws(MediaError) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try next()
            switch event.type {
            case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
                return root
            case YAML_DOCUMENT_START_EVENT where root != nil:
                throw event.location.fault("a second document starts here", "use one document per file")
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT:
                continue
            default:
                let node = try node(from: event, depth: 1)
                root = node
            }
        }
    }

    /// The anchors without an alias, in the order of the document.
    var unusedAnchors: [(name: String, location: DocumentLocation)] {
        unused.map { (name: $0.key, location: $0.value) }
            .sorted { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) }
    }

    private func node(from event: YAMLEvent, depth: Int) throws(MediaError) -> YAMLNode {
        try check(depth: depth, at: event.location)
        guard event.tag == nil else {
            throw event.location.fault(
                "tags ('\(event.tag ?? "")') are not supported", "put a text that begins with ! in quotes")
        }
        try count(1, at: event.location)
        if let anchor = event.anchor, event.type != YAML_ALIAS_EVENT { openAnchors.insert(anchor) }
        var node = YAMLNode(try content(of: event, depth: depth), at: event.location)
        node.isFolded = event.isFolded
        if let anchor = event.anchor, event.type != YAML_ALIAS_EVENT {
            openAnchors.remove(anchor)
            anchors[anchor] = node
            unused[anchor] = event.location
        }
        return node
    }

    private func content(of event: YAMLEvent, depth: Int) throws(MediaError) -> YAMLNode.Content {
        switch event.type {
        case YAML_SCALAR_EVENT:
            guard !event.text.utf8.contains(0) else {
                throw event.location.fault("a text may not hold a NUL character")
            }
            return .scalar(event.text, isPlain: event.isPlain)
        case YAML_SEQUENCE_START_EVENT:
            var items: [YAMLNode] = []
            while true {
                let item = try next()
                if item.type == YAML_SEQUENCE_END_EVENT { return .sequence(items) }
                items.append(try node(from: item, depth: depth + 1))
            }
        case YAML_MAPPING_START_EVENT:
            return .mapping(try fields(depth: depth))
        case YAML_ALIAS_EVENT:
            let name = event.anchor ?? ""
            guard !openAnchors.contains(name) else { throw event.location.fault("'*\(name)' would contain itself") }
            guard let target = anchors[name] else { throw event.location.fault("unknown anchor '&\(name)'") }
            unused[name] = nil
            try count(target.count, at: event.location)
            try check(depth: depth + target.depth - 1, at: event.location)
            return target.content
        default:
            throw event.location.fault("a value is expected here")
        }
    }

    private func fields(depth: Int) throws(MediaError) -> [YAMLNode.Field] {
        var fields: [YAMLNode.Field] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try next()
            if event.type == YAML_MAPPING_END_EVENT { return fields }
            let key = try node(from: event, depth: depth + 1)
            guard let name = key.text else { throw key.location.fault("a key must be a plain word, not \(key.shown)") }
            if let line = lines.updateValue(key.location.line, forKey: name) {
                throw key.location.fault("'\(name)' is given twice, first on line \(line)")
            }
            let value = try node(from: try next(), depth: depth + 1)
            fields.append(YAMLNode.Field(key: name, keyLocation: key.location, value: value))
        }
    }

    private func check(depth: Int, at location: DocumentLocation) throws(MediaError) {
        guard depth <= limits.depth else {
            throw location.fault("nested more than \(limits.depth) deep", kind: .limit)
        }
    }

    private func count(_ more: Int, at location: DocumentLocation) throws(MediaError) {
        values += more
        guard values <= limits.values else {
            throw location.fault("more than \(limits.values) values", kind: .limit)
        }
    }

    private func next() throws(MediaError) -> YAMLEvent {
        guard parser.isReady else { throw start.fault("no memory for a parser", kind: .io) }
        guard var event = parser.next() else {
            throw YAMLMistake(parser.mistake, in: parser.bytes, at: start).error
        }
        defer { yaml_event_delete(&event) }
        comments?.read(event)
        return YAMLEvent(event, file: start)
    }
}

/// A copied libyaml event.
private struct YAMLEvent {
    let type: yaml_event_type_t
    var location: DocumentLocation
    var text = ""
    var isPlain = false
    var isFolded = false
    var anchor: String?
    var tag: String?

    init(_ event: yaml_event_t, file: DocumentLocation) {
        type = event.type
        location = file
        location.line = Int(event.start_mark.line) + 1
        location.column = Int(event.start_mark.column) + 1
        func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? { text.map { String(cString: $0) } }
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            isFolded = scalar.style != YAML_LITERAL_SCALAR_STYLE
            (anchor, tag) = (string(scalar.anchor), string(scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            (anchor, tag) = (string(event.data.sequence_start.anchor), string(event.data.sequence_start.tag))
        case YAML_MAPPING_START_EVENT:
            (anchor, tag) = (string(event.data.mapping_start.anchor), string(event.data.mapping_start.tag))
        case YAML_ALIAS_EVENT:
            anchor = string(event.data.alias.anchor)
        default: break
        }
    }
}

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
    package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

    /// The items of a sequence.
    package var items: [YAMLNode]? { if case .sequence(let items) = content { items } else { nil } }

    /// The fields of a mapping.
    package var fields: [Field]? { if case .mapping(let fields) = content { fields } else { nil } }

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

/// Converts the only JSON syntax that YAML lacks: characters beyond U+FFFF escaped as two UTF-16 surrogates.
enum JSONEscapes {
    /// Replaces each surrogate pair (`\ud83d\udd14`) by YAML's escape (`\U0001f514`).
    ///
    /// Applies only to documents that start with a bracket: in JSON, backslashes occur only inside quoted strings.
    static func joiningSurrogates(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            bytes.contains(backslash)
        else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            if let high = escapedUnit(bytes, at: i), UTF16.isLeadSurrogate(high),
                let low = escapedUnit(bytes, at: i + 6), UTF16.isTrailSurrogate(low)
            {
                let scalar = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
                output += "\\U\(String(scalar, paddedTo: 8, radix: 16))".utf8
                i += 12
            } else {
                // Escapes are skipped as a whole, so that `\\ud83d` is a backslash followed by letters.
                let length = bytes[i] == backslash ? min(2, bytes.count - i) : 1
                output += bytes[i..<i + length]
                i += length
            }
        }
        return output
    }

    private static let backslash = UInt8(ascii: "\\")

    /// Returns the code unit of a `\uXXXX` at `index`.
    private static func escapedUnit(_ bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == backslash, bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = String(decoding: bytes[index + 2..<index + 6], as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? UInt16(digits, radix: 16) : nil
    }
}

extension SharedLibrary {
    package static let libyaml = SharedLibrary("libyaml", packages: "libyaml-0-2", load: yaml_load)
}
