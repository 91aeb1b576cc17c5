/// Any JSON value, for comparing the output of two programs.
indirect enum JSONValue: Hashable, Sendable, Codable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// Returns whether both are equal; numbers may differ by the tolerance of their key.
    func matches(_ other: JSONValue, within tolerances: [String: Double], key: String = "") -> Bool {
        switch (self, other) {
        case (.number(let a), .number(let b)): abs(a - b) <= tolerances[key] ?? 0
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.matches($1, within: tolerances, key: key) }
        case (.object(let a), .object(let b)):
            a.keys == b.keys
                && a.allSatisfy { name, value in
                    b[name].map { value.matches($0, within: tolerances, key: name) } ?? false
                }
        default: self == other
        }
    }
}
