import FoundationEssentials

/// Converts values to JSON and back.
enum JSON {
    static func encode(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }

    static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }

    /// Returns the members of an object, which are numbers, texts or anything else.
    static func object(_ value: some Encodable) throws -> [String: (any Sendable)?] {
        try JSONDecoder().decode([String: Anything].self, from: encode(value)).mapValues(\.value)
    }

    private struct Anything: Decodable {
        var value: (any Sendable)?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
            } else if let text = try? container.decode(String.self) {
                value = text
            } else if let list = try? container.decode([Anything].self) {
                value = list.map(\.value)
            } else if let object = try? container.decode([String: Anything].self) {
                value = object.mapValues(\.value)
            }
        }
    }
}
