extension SensorChannel {
    /// Whether a pattern means this channel: a stream, or `stream.component`; `*` stands for any characters.
    package func matches(_ pattern: String) -> Bool { Self.matches(name, pattern) || Self.matches(stream, pattern) }

    /// Whether a pattern means the component, of whatever stream.
    func hasComponent(_ pattern: String) -> Bool { Self.matches(component, pattern) }

    /// Takes the length of one times that of the other at most.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        let (letters, signs) = (Array(text.utf8), Array(pattern.utf8))
        var star: (after: Int, from: Int)?
        var (index, sign) = (0, 0)
        while index < letters.count {
            if sign < signs.count, signs[sign] == UInt8(ascii: "*") {
                star = (sign + 1, index)
                sign += 1
            } else if sign < signs.count, signs[sign] == letters[index] {
                (index, sign) = (index + 1, sign + 1)
            } else if let last = star {
                star = (last.after, last.from + 1)
                (index, sign) = (last.from + 1, last.after)
            } else {
                return false
            }
        }
        return signs[sign...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
