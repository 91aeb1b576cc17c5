/// The texts and files of a story in another language than its own, by the fields that they stand for.
public struct Translation: Hashable, Sendable, Codable {
    /// A translated field.
    public struct Entry: Hashable, Sendable, Codable {
        /// The field, such as `event/bell/name`.
        public var key: String
        /// The first 12 hexadecimal digits of the SHA-256 of the source when it was translated; nil if nothing watches
        /// it.
        public var hash: String?
        public var value: Value

        public init(key: String, hash: String? = nil, value: Value) {
            self.key = key
            self.hash = hash
            self.value = value
        }

        private enum CodingKeys: String, CodingKey {
            case key, hash
            case value = "text"
        }
    }

    public enum Value: Hashable, Sendable, Codable {
        /// A text without markup, or a path.
        case plain(String)
        case rich(RichText)
        /// Texts that stand for a list, such as accepted answers.
        case list([String])
    }

    /// The BCP 47 language tag.
    public var language: String
    public var entries: [Entry]

    public init(language: String, entries: [Entry] = []) {
        self.language = language
        self.entries = entries
    }

    private enum CodingKeys: String, CodingKey {
        case language
        case entries = "texts"
    }
}

extension Translation.Value {
    /// Reads a string, a list of strings, or the blocks of a rich text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .plain(text)
        } else if let list = try? container.decode([String].self) {
            self = .list(list)
        } else {
            self = .rich(try container.decode(RichText.self))
        }
    }

    /// Writes a rich text without markup as a string, so that it is read as a plain one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .plain(let text): try container.encode(text)
        case .rich(let text): try container.encode(text)
        case .list(let texts): try container.encode(texts)
        }
    }
}
