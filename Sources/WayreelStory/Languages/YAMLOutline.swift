internal import CYAML
internal import WayreelCore
internal import WayreelDocument

/// Where the parts of a story's translations stand in a document in YAML, which was read without errors.
struct YAMLOutline {
    /// A value. Offsets are in bytes.
    struct Node {
        enum Content {
            case other
            case mapping([(key: String, value: Node)])
            case sequence([Node])
        }

        /// From its first character to behind its last one, without white space and comments behind it.
        var range: Range<Int>
        /// The column at which it begins, counted from 0.
        var column: Int
        /// Whether it is a mapping or sequence in block style.
        var isBlock: Bool
        /// What is in it, as far as that was wanted.
        var content: Content = .other

        /// The value of the key that is one of `keys`.
        func value(_ keys: [String]) -> Node? {
            if case .mapping(let fields) = content { fields.first { keys.contains($0.key) }?.value } else { nil }
        }

        var items: [Node]? { if case .sequence(let items) = content { items } else { nil } }
    }

    /// The keys of translations, and of their texts: a list may have the name of its items.
    static let translations = ["translations", "translation"]
    static let texts = ["texts", "text"]

    /// The value of the document's one key, the story; nil if it is no mapping.
    private(set) var story: Node?

    /// Throws an `io` error if libyaml is missing, and a `parameter` error if the text cannot be parsed.
    init(_ text: [UInt8], name: String) throws(MediaError) {
        try SharedLibrary.libyaml.require(step: .story)
        var parser = OutlineParser(text)
        do {
            story = try parser.story()
        } catch {
            throw MediaError(.parameter, step: .story, subject: name, reason: "cannot be parsed")
        }
    }
}

private struct OutlineParser {
    private struct Failure: Error {}

    private typealias Node = YAMLOutline.Node

    private let parser: YAMLParser
    /// The offset of the character that libyaml counts as its `index`.
    private var place: (index: Int, offset: Int)
    private let start: Int

    init(_ bytes: [UInt8]) {
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        place = (0, start)
        parser = YAMLParser(bytes, from: start)
    }

    mutating func story() throws -> YAMLOutline.Node? {
        while true {
            let event = try next()
            switch event.type {
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: continue
            case YAML_MAPPING_START_EVENT:
                let root = try node(event, depth: 0, isKept: true)
                guard case .mapping(let fields) = root.content else { return nil }
                return fields.first?.value
            default: return nil
            }
        }
    }

    /// `isKept`: whether the node's content is wanted; of the story itself, only the places of its values and what is in
    /// its translations.
    private mutating func node(_ event: Event, depth: Int, isKept: Bool) throws -> Node {
        guard depth <= DocumentLimits.depth else { throw Failure() }
        var node = Node(range: event.start..<event.end, column: event.column, isBlock: event.isBlock)
        switch event.type {
        case YAML_MAPPING_START_EVENT:
            var fields: [(key: String, value: Node)] = []
            while true {
                let key = try next()
                if key.type == YAML_MAPPING_END_EVENT { return ended(node, key, .mapping(fields)) }
                _ = try self.node(key, depth: depth + 1, isKept: false)
                // The root's value is the story, whose translations are kept whole.
                let value = try self.node(
                    next(), depth: depth + 1,
                    isKept: isKept && (depth != 1 || YAMLOutline.translations.contains(key.text)))
                node.range = node.range.lowerBound..<max(node.range.upperBound, value.range.upperBound)
                if isKept { fields.append((key.text, value)) }
            }
        case YAML_SEQUENCE_START_EVENT:
            var items: [Node] = []
            while true {
                let item = try next()
                if item.type == YAML_SEQUENCE_END_EVENT { return ended(node, item, .sequence(items)) }
                let value = try self.node(item, depth: depth + 1, isKept: isKept)
                node.range = node.range.lowerBound..<max(node.range.upperBound, value.range.upperBound)
                if isKept { items.append(value) }
            }
        default: return node
        }
    }

    /// A collection in block style ends with its last value, one in flow style with its bracket.
    private func ended(_ node: Node, _ end: Event, _ content: Node.Content) -> Node {
        var node = node
        if !node.isBlock { node.range = node.range.lowerBound..<end.end }
        node.content = content
        return node
    }

    // MARK: Events

    private struct Event {
        var type: yaml_event_type_t
        var text = ""
        var start: Int
        var end: Int
        var column: Int
        var isBlock = false
    }

    private mutating func next() throws -> Event {
        guard var event = parser.next() else { throw Failure() }
        defer { yaml_event_delete(&event) }
        let start = offset(of: event.start_mark)
        var new = Event(
            type: event.type, start: start, end: offset(of: event.end_mark), column: Int(event.start_mark.column))
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            new.text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            // The white space behind a block scalar belongs to it, as far as the next line.
            while new.end > start, parser.bytes[new.end - 1] <= UInt8(ascii: " ") { new.end -= 1 }
        case YAML_SEQUENCE_START_EVENT: new.isBlock = event.data.sequence_start.style != YAML_FLOW_SEQUENCE_STYLE
        case YAML_MAPPING_START_EVENT: new.isBlock = event.data.mapping_start.style != YAML_FLOW_MAPPING_STYLE
        default: break
        }
        // The mark of a collection in block style is that of its first item.
        if new.isBlock { new.end = start }
        return new
    }

    /// Marks count characters; they increase but for the ends of block scalars.
    private mutating func offset(of mark: yaml_mark_t) -> Int {
        let (index, text) = (Int(mark.index), parser.bytes)
        while place.index > index {
            place.offset -= 1
            while place.offset > start, text[place.offset] & 0xC0 == 0x80 { place.offset -= 1 }
            place.index -= 1
        }
        while place.index < index, place.offset < text.count {
            place.offset += 1
            while place.offset < text.count, text[place.offset] & 0xC0 == 0x80 { place.offset += 1 }
            place.index += 1
        }
        return place.offset
    }
}
