internal import CXML
internal import WayreelCore
internal import WayreelDocument

/// Checks a tree of elements against the XML Schema with libxml2. A tree from YAML is checked as the equivalent XML.
enum SchemaCheck {
    static func check(_ root: Element, _ words: DocumentWords, issues: inout IssueLog) throws(MediaError) {
        try XMLEvents.load()
        var writer = XMLWriter()
        writer.write(root, namespace: XMLSchema.namespace)
        let log = ViolationLog(writer.positions, root, words, issues)
        let (schema, text) = (Array(XMLSchema.text.utf8), Array(writer.text.utf8))
        let status = withExtendedLifetime(log) {
            schema.withUnsafeBytes { schema in
                text.withUnsafeBytes { text in
                    var handler = cxml_handler()
                    handler.user = Unmanaged.passUnretained(log).toOpaque()
                    handler.violation = { user, code, message, offset in
                        Unmanaged<ViolationLog>.fromOpaque(user!).takeUnretainedValue()
                            .add(code: Int(code), String(cString: message!), at: offset)
                    }
                    return cxml_validate(
                        schema.baseAddress?.assumingMemoryBound(to: CChar.self), schema.count,
                        text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, &handler)
                }
            }
        }
        guard status == 0 else {
            throw MediaError(.limit, step: .read, reason: "there is no memory to check the story")
        }
        issues = log.issues
    }
}

private final class ViolationLog {
    var issues: IssueLog
    private let positions: [XMLWriter.Position]
    private let root: Element
    private let words: DocumentWords

    /// The elements in the order of the positions, each with the number of the one that it is in.
    private lazy var elements: [(element: Element, parent: Int?)] = {
        var all: [(element: Element, parent: Int?)] = []
        func add(_ element: Element, in parent: Int?) {
            let number = all.count
            all.append((element, parent))
            for child in element.children { add(child, in: number) }
        }
        add(root, in: nil)
        return all
    }()

    init(_ positions: [XMLWriter.Position], _ root: Element, _ words: DocumentWords, _ issues: IssueLog) {
        self.positions = positions
        self.root = root
        self.words = words
        self.issues = issues
    }

    func add(code: Int, _ message: String, at offset: Int) {
        guard !issues.isFull else { return }
        let violation = SchemaViolation(code: code, message)
        guard let number = number(of: violation.element, before: offset) else {
            return issues.error(.none, violation.message(nil, in: nil, words))
        }
        // What could not be read was reported as it was read, and is missing now.
        guard !issues.isUnread(violation.element, at: positions[number].source, violation.missingAttribute) else {
            return
        }
        let (element, parent) = elements[number]
        if let parent, violation.isOfParent(elements[parent].element) {
            let lacking = elements[parent].element
            return issues.error(positions[parent].source, violation.messageOfParent(lacking, words))
        }
        issues.error(
            positions[number].source,
            violation.message(element, in: parent.map { elements[$0].element }, words))
    }

    /// Returns the number of the last element of a name whose tag is at or before `offset`: missing content is
    /// detected at its end.
    private func number(of name: String, before offset: Int) -> Int? {
        var (low, high) = (0, positions.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if positions[middle].offset <= offset { low = middle } else { high = middle }
        }
        guard low < positions.count else { return nil }
        return positions[...low].lastIndex { $0.name == name } ?? low
    }
}
