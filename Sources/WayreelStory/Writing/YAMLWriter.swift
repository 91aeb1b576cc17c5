internal import CYAML
internal import WayreelCore
internal import WayreelDocument

/// Writes a tree of elements as YAML with libyaml. See ``Vocabulary`` for the correspondence of XML and YAML.
struct YAMLWriter: ~Copyable {
    private let emitter = UnsafeMutablePointer<yaml_emitter_t>.allocate(capacity: 1)
    private let output = Output()

    private final class Output {
        var bytes: [UInt8] = []
    }

    static func text(_ root: Element) throws(MediaError) -> String {
        try SharedLibrary.libyaml.require(step: .write)
        var writer = try YAMLWriter()
        try writer.document(root)
        return String(decoding: writer.output.bytes, as: UTF8.self)
    }

    /// Returns the lines of a mapping, without indentation.
    static func lines(of element: Element, _ type: ElementType) throws(MediaError) -> [String] {
        try SharedLibrary.libyaml.require(step: .write)
        var writer = try YAMLWriter()
        try writer.emit { yaml_stream_start_event_initialize($0, YAML_UTF8_ENCODING) }
        try writer.emit { yaml_document_start_event_initialize($0, nil, nil, nil, 1) }
        try writer.value(element, type.rule)
        try writer.emit { yaml_document_end_event_initialize($0, 1) }
        try writer.emit { yaml_stream_end_event_initialize($0) }
        return String(decoding: writer.output.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private init() throws(MediaError) {
        guard yaml_emitter_initialize(emitter) == 1 else {
            throw MediaError(.limit, step: .write, reason: "there is no memory to write YAML")
        }
        yaml_emitter_set_unicode(emitter, 1)
        yaml_emitter_set_width(emitter, 120)
        yaml_emitter_set_output(
            emitter,
            { user, bytes, count in
                let output = Unmanaged<Output>.fromOpaque(user!).takeUnretainedValue()
                output.bytes += UnsafeBufferPointer(start: bytes, count: count)
                return 1
            }, Unmanaged.passUnretained(output).toOpaque())
    }

    deinit {
        yaml_emitter_delete(emitter)
        emitter.deallocate()
    }

    private mutating func document(_ root: Element) throws(MediaError) {
        try emit { yaml_stream_start_event_initialize($0, YAML_UTF8_ENCODING) }
        try emit { yaml_document_start_event_initialize($0, nil, nil, nil, 1) }
        try mapping { (writer) throws(MediaError) in
            try writer.scalar(root.name)
            try writer.value(root, Vocabulary.root.type.rule)
        }
        try emit { yaml_document_end_event_initialize($0, 1) }
        try emit { yaml_stream_end_event_initialize($0) }
    }

    private mutating func value(_ element: Element, _ rule: ElementRule) throws(MediaError) {
        switch rule.content {
        case .text(let type) where element.attributes.isEmpty:
            try scalar(element.text, type)
        case .rich where element.attributes.isEmpty: try scalar(Self.text(of: element), .commonMark)
        case .list(let rules, let count):
            if count.upperBound == 1 { return try items(of: element, rules) }
            try sequence { (writer) throws(MediaError) in try writer.items(of: element, rules) }
        case .text, .rich, .richOrList, .empty, .sequence:
            try mapping { (writer) throws(MediaError) in try writer.fields(of: element, rule) }
        }
    }

    /// Writes each child as a mapping with one key.
    private mutating func items(of element: Element, _ rules: [ChildRule]) throws(MediaError) {
        for child in element.children {
            guard let rule = rules.first(where: { $0.name == child.name })?.type.rule else { continue }
            try mapping { (writer) throws(MediaError) in
                try writer.scalar(child.name)
                try writer.value(child, rule)
            }
        }
    }

    private mutating func fields(of element: Element, _ rule: ElementRule) throws(MediaError) {
        for attribute in element.attributes {
            try scalar(attribute.name)
            let type = rule.attributes.first { $0.name == attribute.name }?.type
            if type?.name == TextRule.days.name {
                try sequence(YAML_FLOW_SEQUENCE_STYLE) { (writer) throws(MediaError) in
                    for day in attribute.value.split(separator: " ") { try writer.scalar(String(day)) }
                }
            } else {
                try scalar(attribute.value, type)
            }
        }
        switch rule.content {
        case .text(let type):
            try scalar(YAMLReader.textKey)
            try scalar(element.text, type)
        case .rich:
            try scalar(YAMLReader.textKey)
            try scalar(Self.text(of: element), .commonMark)
        case .richOrList(let child):
            try scalar(YAMLReader.textKey)
            if element.children.isEmpty { return try scalar(Self.text(of: element), .commonMark) }
            try sequence { (writer) throws(MediaError) in
                for item in element.children { try writer.value(item, child.type.rule) }
            }
        case .sequence(let rules):
            for child in rules {
                let elements = element.children(child.name)
                guard let first = elements.first else { continue }
                try scalar(child.plural ?? child.name)
                if child.plural == nil {
                    try value(first, child.type.rule)
                } else {
                    try sequence { (writer) throws(MediaError) in
                        for element in elements { try writer.value(element, child.type.rule) }
                    }
                }
            }
        case .empty, .list: break
        }
    }

    /// A rich text, so that it may be a literal: libyaml writes texts with some characters in quotes, where each line
    /// break begins a paragraph.
    private static func text(of element: Element) -> String {
        guard let rich = element.rich else { return element.text }
        let text = rich.commonMark
        return text.contains("\n") ? rich.commonMark(\.isPrintedByYAML) : text
    }

    // MARK: Events

    private mutating func mapping(_ body: (inout YAMLWriter) throws(MediaError) -> Void) throws(MediaError) {
        try emit { yaml_mapping_start_event_initialize($0, nil, nil, 1, YAML_BLOCK_MAPPING_STYLE) }
        try body(&self)
        try emit { yaml_mapping_end_event_initialize($0) }
    }

    private mutating func sequence(
        _ style: yaml_sequence_style_t = YAML_BLOCK_SEQUENCE_STYLE,
        _ body: (inout YAMLWriter) throws(MediaError) -> Void
    ) throws(MediaError) {
        try emit { yaml_sequence_start_event_initialize($0, nil, nil, 1, style) }
        try body(&self)
        try emit { yaml_sequence_end_event_initialize($0) }
    }

    /// Writes a key, or a value of a type.
    private mutating func scalar(_ text: String, _ type: TextRule? = nil) throws(MediaError) {
        let isText = type.map { !$0.isNumberOrFlag } ?? false
        let style =
            isText && text.isTypedInYAML
            ? YAML_DOUBLE_QUOTED_SCALAR_STYLE
            : text.contains("\n") ? YAML_LITERAL_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE
        var bytes = Array(text.utf8)
        let count = Int32(clamping: bytes.count)
        try emit { yaml_scalar_event_initialize($0, nil, nil, &bytes, count, 1, 1, style) }
    }

    private mutating func emit(_ make: (UnsafeMutablePointer<yaml_event_t>) -> Int32) throws(MediaError) {
        var event = yaml_event_t()
        guard make(&event) == 1, yaml_emitter_emit(emitter, &event) == 1 else {
            throw MediaError(.encoding, step: .write, reason: "the story cannot be written as YAML")
        }
    }
}

extension Unicode.Scalar {
    /// Whether libyaml writes the character as it is, and does not take it for a line break.
    fileprivate var isPrintedByYAML: Bool {
        switch value {
        case 0x0A, 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD: ![0x2028, 0x2029, 0xFEFF].contains(value)
        default: false
        }
    }
}

extension String {
    /// Whether YAML 1.1 or 1.2 reads the text as something else if it is not in quotes: a number, also to the base 60 as
    /// `22:00`, a date, a truth value, or nothing.
    fileprivate var isTypedInYAML: Bool {
        let words: Set = ["", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "="]
        if words.contains(lowercased()) { return true }
        let body = utf8.drop { [UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0) }
        if [".inf", ".nan"].contains(String(Substring(body)).lowercased()) { return true }
        guard let first = body.first, (0x30...0x39).contains(first) || first == UInt8(ascii: ".") else { return false }
        return body.allSatisfy { "0123456789abcdefABCDEFxo_:.+-tTzZ ".utf8.contains($0) }
    }
}
