internal import WayreelCore

/// Collects the issues of a document.
package struct IssueLog {
    let file: String
    private(set) var issues: [StoryIssue] = []
    /// The lines of the document's comments, which a conversion does not keep.
    private(set) var commentLines: [Int] = []

    /// What comments say to translators, by the places of the elements that they stand before. In YAML they stand before
    /// all that is in a line: the column is 0.
    private(set) var notes: [DocumentPosition: [String]] = [:]

    /// Elements and attributes whose values could not be read, so that they seem to be missing.
    private var unread: Set<Unread> = []

    private struct Unread: Hashable {
        var element: String
        var location: DocumentPosition
        /// nil for the whole element.
        var attribute: String?
    }

    init(file: String, _ issues: [StoryIssue] = []) {
        self.file = file
        self.issues = issues
    }

    var hasErrors: Bool { issues.contains { $0.severity == .error } }

    /// Whether no more issues are collected.
    var isFull: Bool { issues.count >= DocumentLimits.issues }

    mutating func addComment(line: Int) { commentLines.append(line) }

    /// Adds what comments say to translators about the element at a place.
    mutating func addNotes(_ texts: [String], at place: DocumentPosition) {
        guard !texts.isEmpty else { return }
        notes[place] = Array(((notes[place] ?? []) + texts).prefix(TranslatorComment.maxCount))
    }

    /// Adds that the value of an element, or of its attribute, could not be read.
    mutating func addUnread(_ element: String, at location: DocumentPosition, _ attribute: String? = nil) {
        unread.insert(Unread(element: element, location: location, attribute: attribute))
    }

    /// Whether the value of an element, or of its attribute, could not be read.
    func isUnread(_ element: String, at location: DocumentPosition, _ attribute: String?) -> Bool {
        unread.contains(Unread(element: element, location: location, attribute: nil))
            || attribute != nil && unread.contains(Unread(element: element, location: location, attribute: attribute))
    }

    package mutating func error(_ location: DocumentPosition, _ message: String) { add(.error, location, message) }

    package mutating func warning(_ location: DocumentPosition, _ message: String) { add(.warning, location, message) }

    mutating func add(_ severity: StoryIssue.Severity, _ location: DocumentPosition, _ message: String) {
        guard !isFull else { return }
        issues.append(
            StoryIssue(
                severity: severity, file: file, line: location.line, column: location.column,
                message: String(message.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(1000))))
    }
}

extension IssueLog {
    /// The issues in the order of the document, without duplicates.
    var sorted: [StoryIssue] {
        var seen: Set<StoryIssue> = []
        return issues.filter { seen.insert($0).inserted }.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}

/// The limits for story documents.
enum DocumentLimits {
    static let bytes = 64 << 20
    static let depth = 64
    static let elements = 2_000_000
    /// The maximum number of values in YAML. Keys count too: an element with its attributes has several.
    static let values = 6_000_000
    /// The maximum number of issues that are collected.
    static let issues = 1000
}

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
        return "\(place): \(severity.rawValue): \(message)".onOneLine
    }
}

/// An element of a story document, from XML or YAML, with its location.
struct Element: Hashable, Sendable {
    struct Attribute: Hashable, Sendable {
        var name: String
        var value: String
        var location: DocumentPosition
    }

    var name: String
    var attributes: [Attribute] = []
    var children: [Element] = []
    /// The element's own text, without that of its children. Of a rich text of YAML it is what the document has.
    var text = ""
    /// The line of the document in which the text begins, if its lines are lines of the document.
    var textLine: Int?
    /// What a rich text says, as read from XML or to be written.
    var rich: RichText?
    var location: DocumentPosition = .none

    subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.value }

    func child(_ name: String) -> Element? { children.first { $0.name == name } }

    func children(_ name: String) -> [Element] { children.filter { $0.name == name } }
}

/// A line and a column of a document, counted from 1.
package struct DocumentPosition: Hashable, Sendable, Comparable {
    package static let none = DocumentPosition(line: 0, column: 0)

    package var line: Int
    package var column: Int

    package static func < (a: DocumentPosition, b: DocumentPosition) -> Bool { (a.line, a.column) < (b.line, b.column) }
}
