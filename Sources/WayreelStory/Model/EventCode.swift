/// The code of an event, which players scan or type where it hangs: four characters that look like no others.
public enum EventCode {
    /// The characters of codes. Of two that look alike, as 8 and B, the alphabet has one at most.
    public static let alphabet = "23456789ACDEFGHJKMNPQRTVWXY"
    public static let length = 4

    /// What players may read instead of a character of the alphabet.
    private static let alike: [Character: Character] = ["B": "8", "S": "5", "U": "V", "Z": "2"]

    /// Returns the code that a text means: letters of either case, spaces and hyphens, and what looks like a character of
    /// the alphabet. A text that means none is returned as it is.
    public static func meant(by text: String) -> String {
        // Longer texts, such as hashes, are no codes.
        guard text.utf8.count <= 16 else { return text }
        let characters = text.filter { $0 != " " && $0 != "-" }.map { character -> Character in
            let upper = character.isASCII ? Character(character.uppercased()) : character
            return alike[upper] ?? upper
        }
        return isCode(characters) ? String(characters) : text
    }

    /// Whether it is a code as documents have it.
    package static func isCode(_ characters: some Collection<Character>) -> Bool {
        characters.count == length && characters.allSatisfy { alphabet.contains($0) }
    }

    /// Returns so many random codes that are not among `used`, each once.
    ///
    /// `count` is at most 1000, so that codes that are free are found soon.
    public static func random(
        _ count: Int, notIn used: Set<String> = [], using generator: inout some RandomNumberGenerator
    ) -> [String] {
        var (codes, seen) = ([String](), used)
        let characters = Array(alphabet)
        while codes.count < min(count, 1000), seen.count < 100_000 {
            let code = String(
                (0..<length).map { _ in characters[Int.random(in: characters.indices, using: &generator)] })
            if seen.insert(code).inserted { codes.append(code) }
        }
        return codes
    }
}

/// How the codes of a bundle are hashed: one salt for a story, so that a code that a player enters is hashed once and
/// compared with those of all events.
public struct CodeHashing: Hashable, Sendable, Codable {
    /// The key derivation function of RFC 8018 with HMAC-SHA-256, of which WebCrypto computes 32 bytes.
    public static let pbkdf2 = "PBKDF2-HMAC-SHA256"

    /// The function: ``pbkdf2``.
    public var function: String
    /// How often it is iterated, above 0 and at most 10 million.
    public var iterations: Int
    /// The salt in hexadecimal digits.
    public var salt: String

    public init(function: String = pbkdf2, iterations: Int, salt: String) {
        self.function = function
        self.iterations = iterations
        self.salt = salt
    }
}
