internal import CYAML
package import WayreelCore

/// Reads YAML 1.1 as libyaml knows it, which takes in JSON.
///
/// A document from anywhere may be handed in: its size, its depth and the number of its values are limited, an alias counts as
/// all that it stands for and cannot stand for itself, and a key given twice, a tag or a second document is refused.
package enum YAMLDocument {
    /// In bytes, of a recipe.
    package static let sizeLimit = 1 << 20

    /// What a document may cost.
    package struct Limits: Sendable {
        /// In bytes.
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

    /// The tree of `bytes`; nil where there is nothing but comments.
    ///
    /// Throws a `parameter` error with the line of the mistake, or a `limit` error. `place` says what is being read from where.
    package static func parse(_ bytes: [UInt8], at place: SourcePlace, limits: Limits = Limits()) throws(MediaError) -> YAMLNode? {
        guard bytes.count <= limits.size else {
            throw place.fault(
                "\(bytes.count) bytes are more than a \(place.step) may have, \(limits.size)", kind: .limit)
        }
        try SharedLibrary.check(yaml_load(), "libyaml", packages: "libyaml-0-2", step: place.step)
        let text = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        return try YAMLTreeBuilder(JSONEscapes.joiningSurrogates(text), place: place, limits: limits).document()
    }
}

/// Owns libyaml's parser and turns its events into a tree.
private final class YAMLTreeBuilder {
    /// At an address of its own: libyaml keeps a pointer from it to itself.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let isReady: Bool
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let start: SourcePlace
    private let limits: YAMLDocument.Limits
    private var anchors: [String: YAMLNode] = [:]
    /// Anchors of the collections that are being read: an alias to one would never end.
    private var openAnchors: Set<String> = []
    private var values = 0

    init(_ bytes: [UInt8], place: SourcePlace, limits: YAMLDocument.Limits) {
        start = place
        self.limits = limits
        self.bytes = .allocate(capacity: max(bytes.count, 1))
        _ = self.bytes.initialize(from: bytes)
        isReady = yaml_parser_initialize(parser) == 1
        if isReady {
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, self.bytes.baseAddress, bytes.count)
        }
    }

    deinit {
        if isReady { yaml_parser_delete(parser) }
        parser.deallocate()
        bytes.deallocate()
    }

    func document() throws(MediaError) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try next()
            switch event.kind {
            case .streamEnd:
                return root
            case .documentStart where root != nil:
                throw event.place.fault("a second document begins here", "keep to one document a file")
            case .streamStart, .documentStart, .documentEnd:
                continue
            default:
                let node = try node(from: event, depth: 1)
                root = node
            }
        }
    }

    private func node(from event: YAMLEvent, depth: Int) throws(MediaError) -> YAMLNode {
        try check(depth: depth, at: event.place)
        guard event.tag == nil else { throw event.place.fault("tags ('\(event.tag ?? "")') are not supported") }
        try count(1, at: event.place)
        if let anchor = event.anchor, event.kind != .alias { openAnchors.insert(anchor) }
        let node = YAMLNode(try content(of: event, depth: depth), at: event.place)
        if let anchor = event.anchor, event.kind != .alias {
            openAnchors.remove(anchor)
            anchors[anchor] = node
        }
        return node
    }

    private func content(of event: YAMLEvent, depth: Int) throws(MediaError) -> YAMLNode.Content {
        switch event.kind {
        case .scalar:
            guard !event.text.utf8.contains(0) else { throw event.place.fault("a text may not hold a NUL character") }
            return .scalar(event.text, isPlain: event.isPlain)
        case .sequenceStart:
            var items: [YAMLNode] = []
            while true {
                let item = try next()
                if item.kind == .sequenceEnd { return .sequence(items) }
                items.append(try node(from: item, depth: depth + 1))
            }
        case .mappingStart:
            return .mapping(try fields(depth: depth))
        case .alias:
            let name = event.anchor ?? ""
            guard !openAnchors.contains(name) else { throw event.place.fault("'*\(name)' would contain itself") }
            guard let target = anchors[name] else { throw event.place.fault("there is no anchor '&\(name)' above") }
            try count(target.count, at: event.place)
            try check(depth: depth + target.depth - 1, at: event.place)
            return target.content
        default:
            throw event.place.fault("a value is expected here")
        }
    }

    private func fields(depth: Int) throws(MediaError) -> [YAMLNode.Field] {
        var fields: [YAMLNode.Field] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try next()
            if event.kind == .mappingEnd { return fields }
            let key = try node(from: event, depth: depth + 1)
            guard let name = key.text else { throw key.place.fault("a key must be a plain word, not \(key.shown)") }
            if let line = lines.updateValue(key.place.line, forKey: name) {
                throw key.place.fault("'\(name)' is given twice, first on line \(line)")
            }
            let value = try node(from: try next(), depth: depth + 1)
            fields.append(YAMLNode.Field(key: name, keyPlace: key.place, value: value))
        }
    }

    private func check(depth: Int, at place: SourcePlace) throws(MediaError) {
        guard depth <= limits.depth else {
            throw place.fault("nested more than \(limits.depth) deep", kind: .limit)
        }
    }

    private func count(_ more: Int, at place: SourcePlace) throws(MediaError) {
        values += more
        guard values <= limits.values else {
            throw place.fault("more than \(limits.values) values", kind: .limit)
        }
    }

    private func next() throws(MediaError) -> YAMLEvent {
        var event = yaml_event_t()
        guard isReady else { throw start.fault("there is no memory for a parser", kind: .io) }
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure(of: parser.pointee) }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event, file: start)
    }

    /// What libyaml says about its last failure.
    private func failure(of parser: yaml_parser_t) -> MediaError {
        var place = start
        let problem = parser.problem.map { String(cString: $0) } ?? "out of memory"
        guard parser.error != YAML_READER_ERROR else {
            // The reader knows a byte, the rest of libyaml a line.
            let before = bytes.prefix(parser.problem_offset)
            place.line = 1 + before.count { $0 == UInt8(ascii: "\n") }
            return place.fault("this is not UTF-8 text (\(problem))")
        }
        // What is missing at the end is missed one line further on.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        place.line = min(Int(parser.problem_mark.line) + 1, max(lines.count, 1))
        place.column = Int(parser.problem_mark.column) + 1
        let indent = lines.isEmpty ? [] : lines[place.line - 1].prefix { $0 == UInt8(ascii: " ") || $0 == tab }
        let context = parser.context.map { " " + String(cString: $0) } ?? ""
        return place.fault("\(problem)\(context)", indent.contains(tab) ? "indent with spaces" : nil)
    }
}

private let tab = UInt8(ascii: "\t")

/// One of libyaml's events, copied.
private struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case scalar, alias, sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }

    var kind: Kind
    var place: SourcePlace
    var text = ""
    var isPlain = false
    var anchor: String?
    var tag: String?

    init(_ event: yaml_event_t, file: SourcePlace) {
        place = file
        place.line = Int(event.start_mark.line) + 1
        place.column = Int(event.start_mark.column) + 1
        func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? { text.map { String(cString: $0) } }
        switch event.type {
        case YAML_SCALAR_EVENT:
            kind = .scalar
            let scalar = event.data.scalar
            text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            (anchor, tag) = (string(scalar.anchor), string(scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequenceStart
            (anchor, tag) = (string(event.data.sequence_start.anchor), string(event.data.sequence_start.tag))
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            (anchor, tag) = (string(event.data.mapping_start.anchor), string(event.data.mapping_start.tag))
        case YAML_ALIAS_EVENT:
            kind = .alias
            anchor = string(event.data.alias.anchor)
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_STREAM_START_EVENT: kind = .streamStart
        default: kind = .streamEnd
        }
    }
}
