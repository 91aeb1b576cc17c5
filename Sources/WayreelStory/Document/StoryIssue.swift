/// An error or warning about a story document.
public struct StoryIssue: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The document cannot be used.
        case error
        /// The story can be played, but probably not as intended.
        case warning
    }

    public var severity: Severity
    /// The document's path.
    public var file: String
    /// The line, counted from 1; 0 if the issue applies to the whole document.
    public var line: Int
    public var column: Int
    /// The problem and the expected content, without a full stop.
    public var message: String

    /// The issue in the format of compilers: `story.xml:12:8: error: …`.
    public var description: String {
        let place = line > 0 ? "\(file):\(line):\(column)" : file
        return "\(place): \(severity.rawValue): \(message)"
    }
}
