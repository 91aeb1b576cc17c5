internal import CYAML
internal import WayreelCore

/// Writes a tree of elements as YAML with libyaml. See ``Vocabulary`` for the correspondence of XML and YAML.
struct YAMLWriter: ~Copyable {
    private let emitter = UnsafeMutablePointer<yaml_emitter_t>.allocate(capacity: 1)
    private let output = Output()

    private final class Output {
        var bytes: [UInt8] = []
    }

    static func text(_ root: Element) throws(MediaError) -> String {
        try SharedLibrary.check(yaml_load(), "libyaml", packages: "libyaml-0-2", step: "write")
        var writer = try YAMLWriter()
        try writer.document(root)
        return String(decoding: writer.output.bytes, as: UTF8.self)
    }

    private init() throws(MediaError) {
        guard yaml_emitter_initialize(emitter) == 1 else {
            throw MediaError(.limit, step: "write", reason: "there is no memory to write YAML")
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
        case .text where element.attributes.isEmpty:
            try scalar(element.text)
        case .list(let rules, _):
            try sequence { (writer) throws(MediaError) in
                for child in element.children {
                    guard let rule = rules.first(where: { $0.name == child.name })?.type.rule else { continue }
                    try writer.mapping { (writer) throws(MediaError) in
                        try writer.scalar(child.name)
                        try writer.value(child, rule)
                    }
                }
            }
        case .text, .empty, .sequence:
            try mapping { (writer) throws(MediaError) in try writer.fields(of: element, rule) }
        }
    }

    private mutating func fields(of element: Element, _ rule: ElementRule) throws(MediaError) {
        for attribute in element.attributes {
            try scalar(attribute.name)
            try scalar(attribute.value)
        }
        switch rule.content {
        case .text:
            try scalar(YAMLReader.textKey)
            try scalar(element.text)
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

    // MARK: Events

    private mutating func mapping(_ body: (inout YAMLWriter) throws(MediaError) -> Void) throws(MediaError) {
        try emit { yaml_mapping_start_event_initialize($0, nil, nil, 1, YAML_BLOCK_MAPPING_STYLE) }
        try body(&self)
        try emit { yaml_mapping_end_event_initialize($0) }
    }

    private mutating func sequence(_ body: (inout YAMLWriter) throws(MediaError) -> Void) throws(MediaError) {
        try emit { yaml_sequence_start_event_initialize($0, nil, nil, 1, YAML_BLOCK_SEQUENCE_STYLE) }
        try body(&self)
        try emit { yaml_sequence_end_event_initialize($0) }
    }

    private mutating func scalar(_ text: String) throws(MediaError) {
        // Quoted, because YAML would read these texts as null.
        let style =
            ["", "~", "null", "Null", "NULL"].contains(text)
            ? YAML_DOUBLE_QUOTED_SCALAR_STYLE
            : text.contains("\n") ? YAML_LITERAL_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE
        var bytes = Array(text.utf8)
        let count = Int32(clamping: bytes.count)
        try emit { yaml_scalar_event_initialize($0, nil, nil, &bytes, count, 1, 1, style) }
    }

    private mutating func emit(_ make: (UnsafeMutablePointer<yaml_event_t>) -> Int32) throws(MediaError) {
        var event = yaml_event_t()
        guard make(&event) == 1, yaml_emitter_emit(emitter, &event) == 1 else {
            throw MediaError(.encoding, step: "write", reason: "the story cannot be written as YAML")
        }
    }
}
