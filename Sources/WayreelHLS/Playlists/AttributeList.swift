/// The attributes of a playlist tag: `BANDWIDTH=128000,CODECS="avc1.640028"` (RFC 8216, section 4.2).
struct AttributeList: Hashable {
    enum Value: Hashable {
        case plain(String)
        case quoted(String)
    }

    private(set) var values: [(name: String, value: Value)] = []

    init() {}

    static func == (a: AttributeList, b: AttributeList) -> Bool { a.description == b.description }
    func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// The maximum number of attributes, far more than any tag has.
    private static let maxCount = 100

    /// Parses an attribute list. Returns nil if the text is not a list or contains an attribute twice.
    init?(_ text: Substring) {
        var rest = text
        while !rest.isEmpty {
            guard values.count < Self.maxCount else { return nil }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[..<equals].drop { $0 == " " }
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte), self[String(name)] == nil else { return nil }
            rest = rest[rest.index(after: equals)...]
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else { return nil }
                values.append((String(name), .quoted(String(rest[..<end]))))
                rest = rest[rest.index(after: end)...]
            } else {
                let value = rest.prefix { $0 != "," }
                guard !value.isEmpty, !value.contains("\"") else { return nil }
                values.append((String(name), .plain(String(value))))
                rest = rest.dropFirst(value.count)
            }
            guard rest.isEmpty || rest.first == "," else { return nil }
            rest = rest.dropFirst()
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// The text of an attribute, without its quotes.
    subscript(_ name: String) -> String? {
        values.first { $0.name == name }.map {
            switch $0.value {
            case .plain(let text), .quoted(let text): text
            }
        }
    }

    /// The text of an attribute that must not be quoted; nil if it is.
    func plain(_ name: String) -> String? {
        guard case .plain(let text) = values.first(where: { $0.name == name })?.value else { return nil }
        return text
    }

    mutating func add(_ name: String, _ value: String?) {
        if let value { values.append((name, .plain(value))) }
    }

    /// Adds a quoted attribute without quotes and line breaks, which a quoted string cannot contain.
    mutating func add(_ name: String, quoted value: String?) {
        if let value { values.append((name, .quoted(value.filter { !$0.isNewline && $0 != "\"" }))) }
    }

    var description: String {
        values.map { name, value in
            switch value {
            case .plain(let text): "\(name)=\(text)"
            case .quoted(let text): "\(name)=\"\(text)\""
            }
        }.joined(separator: ",")
    }
}
