/// Something wrong with a story document, or worth a look.
public struct StoryIssue: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The document cannot be used.
        case error
        /// The story can be played, but probably not as it was meant.
        case warning
    }

    public var severity: Severity
    /// The document's path.
    public var file: String
    /// From 1; 0 where the issue is of the whole document.
    public var line: Int
    public var column: Int
    /// What is wrong and what was expected, without a full stop.
    public var message: String

    /// `story.xml:12:8: error: …`, as compilers write it.
    public var description: String {
        let place = line > 0 ? "\(file):\(line):\(column)" : file
        return "\(place): \(severity.rawValue): \(message)"
    }
}
