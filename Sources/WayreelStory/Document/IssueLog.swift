/// Collects the issues of a document.
struct IssueLog {
    let file: String
    private(set) var issues: [StoryIssue] = []
    /// The lines of the document's comments, which a conversion does not keep.
    private(set) var commentLines: [Int] = []

    /// Elements and attributes whose values could not be read, so that they seem to be missing.
    private var unread: Set<Unread> = []

    private struct Unread: Hashable {
        var element: String
        var location: SourceLocation
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

    /// Adds that the value of an element, or of its attribute, could not be read.
    mutating func addUnread(_ element: String, at location: SourceLocation, _ attribute: String? = nil) {
        unread.insert(Unread(element: element, location: location, attribute: attribute))
    }

    /// Whether the value of an element, or of its attribute, could not be read.
    func isUnread(_ element: String, at location: SourceLocation, _ attribute: String?) -> Bool {
        unread.contains(Unread(element: element, location: location, attribute: nil))
            || attribute != nil && unread.contains(Unread(element: element, location: location, attribute: attribute))
    }

    mutating func error(_ location: SourceLocation, _ message: String) { add(.error, location, message) }

    mutating func warning(_ location: SourceLocation, _ message: String) { add(.warning, location, message) }

    private mutating func add(_ severity: StoryIssue.Severity, _ location: SourceLocation, _ message: String) {
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
