package import CYAML

/// libyaml's parser of a text in UTF-8. The library must be loaded first.
package final class YAMLParser {
    /// The text.
    package let bytes: UnsafeMutableBufferPointer<UInt8>
    /// Whether there is memory for a parser.
    let isReady: Bool
    /// Heap-allocated: libyaml keeps pointers into it.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)

    /// Begins to parse `text` at the offset `start`, which is behind its byte order mark.
    package init(_ text: [UInt8], from start: Int = 0) {
        bytes = .allocate(capacity: max(text.count, 1))
        _ = bytes.initialize(from: text)
        isReady = yaml_parser_initialize(parser) == 1
        guard isReady else { return }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress.map { UnsafePointer($0 + start) }, text.count - start)
    }

    deinit {
        if isReady { yaml_parser_delete(parser) }
        parser.deallocate()
        bytes.deallocate()
    }

    /// Returns the next event, which the caller deletes with `yaml_event_delete`; nil after a mistake.
    package func next() -> yaml_event_t? {
        var event = yaml_event_t()
        return isReady && yaml_parser_parse(parser, &event) == 1 ? event : nil
    }

    /// What libyaml says about the mistake.
    var mistake: yaml_parser_t { parser.pointee }
}
