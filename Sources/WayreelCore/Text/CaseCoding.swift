/// Reads a value of an enum from JSON: an object whose `type` is the name of the case, with the members of its value.
///
///     {"type": "camera", "clue": "Take the bells."}        {"type": "found", "event": "tower"}
///
/// Earlier versions wrote `{"camera": {"_0": {"clue": "Take the bells."}}}`, which is read as well.
package struct CaseDecoder {
    package let name: String
    private let decoder: any Decoder
    private let members: KeyedDecodingContainer<CaseKey>
    /// Whether it is of an earlier version.
    private let isEarlier: Bool

    package init(_ decoder: any Decoder) throws {
        self.decoder = decoder
        let object = try decoder.container(keyedBy: CaseKey.self)
        if object.contains("type") {
            name = try object.decode(String.self, forKey: "type")
            (members, isEarlier) = (object, false)
        } else {
            guard object.allKeys.count == 1, let key = object.allKeys.first else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "there is no type"))
            }
            name = key.stringValue
            (members, isEarlier) = (try object.nestedContainer(keyedBy: CaseKey.self, forKey: key), true)
        }
    }

    /// The value of the case, whose members are beside the type.
    package func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try isEarlier ? members.decode(Value.self, forKey: "_0") : Value(from: decoder)
    }

    /// A member of the case, which had another name in earlier versions.
    package func member<Value: Decodable>(_ key: CaseKey, before earlier: CaseKey = "_0") throws -> Value {
        try members.decode(Value.self, forKey: isEarlier ? earlier : key)
    }

    /// A member of the case that may be missing.
    package func member<Value: Decodable>(ifPresent key: CaseKey) throws -> Value? {
        try members.decodeIfPresent(Value.self, forKey: key)
    }

    /// The error for a name that is none of a case.
    package var unknownName: DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "there is no type '\(name)'"))
    }
}

extension Encoder {
    /// Writes the name of a case as `type`, and returns the container of its members.
    package func container(ofCase name: String) throws -> KeyedEncodingContainer<CaseKey> {
        var container = container(keyedBy: CaseKey.self)
        try container.encode(name, forKey: "type")
        return container
    }

    /// Writes a case with one member.
    package func encode(case name: String, _ key: CaseKey, _ member: some Encodable) throws {
        var container = try container(ofCase: name)
        try container.encode(member, forKey: key)
    }

    /// Writes a case whose value's members are beside the type; none of them is named `type`.
    package func encode(case name: String, _ value: some Encodable) throws {
        _ = try container(ofCase: name)
        try value.encode(to: self)
    }
}

/// The key of a member of a case, or of another JSON object whose keys are known by their text.
package struct CaseKey: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init(stringLiteral value: String) { stringValue = value }
    package init?(intValue: Int) { nil }
}

// MARK: Text

extension Decoder {
    /// Reads a value that is written as a text. `noun` is what the text has to be, for the error: `a colour`.
    package func value<Value>(_ noun: String, parsing parse: (String) -> Value?) throws -> Value {
        let text = try singleValueContainer().decode(String.self)
        guard let value = parse(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "'\(text)' is not \(noun)"))
        }
        return value
    }
}

extension Encoder {
    /// Writes a value as a text.
    package func encode(text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
