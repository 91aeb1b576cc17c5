internal import CXML
internal import WayreelCore

/// Checks a tree of elements against the XML Schema with libxml2. A tree from YAML is checked as the equivalent XML.
enum SchemaCheck {
    static func check(_ root: Element, issues: inout IssueLog) throws(MediaError) {
        try XMLEvents.load()
        var writer = XMLWriter()
        writer.write(root, namespace: XMLSchema.namespace)
        let log = ViolationLog(writer.positions, issues)
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
            throw MediaError(.limit, step: "read", reason: "there is no memory to check the story")
        }
        issues = log.issues
    }
}

private final class ViolationLog {
    var issues: IssueLog
    private let positions: [XMLWriter.Position]

    init(_ positions: [XMLWriter.Position], _ issues: IssueLog) {
        self.positions = positions
        self.issues = issues
    }

    func add(code: Int, _ message: String, at offset: Int) {
        let violation = SchemaViolation(code: code, message)
        issues.error(location(of: violation.element, before: offset), violation.message)
    }

    /// Returns the location of the last element of a name whose tag is at or before `offset`: missing content is
    /// detected at its end.
    private func location(of name: String, before offset: Int) -> SourceLocation {
        var (low, high) = (0, positions.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if positions[middle].offset <= offset { low = middle } else { high = middle }
        }
        guard low < positions.count else { return .none }
        let index = positions[...low].lastIndex { $0.name == name } ?? low
        return positions[index].source
    }
}
