internal import WayreelCore

/// Reads XML into a tree of elements with libxml2.
///
/// Documents are untrusted: a document type declaration is refused, so that there are no entities to expand and
/// nothing to load; the depth and the number of elements are limited.
enum XMLReader {
    /// Parses `bytes` into a tree. Returns nil if the document is not well-formed, which is added to `issues`.
    static func read(_ bytes: [UInt8], issues: inout IssueLog) throws(MediaError) -> Element? {
        try XMLEvents.load()
        guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else {
            issues.error(.none, "there is nothing in it")
            return nil
        }
        let bytes = XMLEncoding.utf8(bytes)
        let builder = TreeBuilder(bytes, issues)
        let isWhole = bytes.withUnsafeBytes { XMLEvents.parse($0, to: builder) }
        issues = builder.issues
        if !isWhole, !issues.hasErrors { issues.error(.none, "the document cannot be parsed") }
        return isWhole ? builder.root : nil
    }
}

private final class TreeBuilder: XMLEventReceiver {
    private(set) var root: Element?
    var issues: IssueLog
    private var open: [Element] = []
    private var count = 0
    /// Namespaces that are not a story's; each is reported once.
    private var otherSpaces: Set<String> = []
    private var lines: LineCursor

    init(_ bytes: [UInt8], _ issues: IssueLog) {
        self.issues = issues
        lines = LineCursor(bytes)
    }

    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool {
        let location = lines.location(of: place.offset)
        count += 1
        guard open.count < DocumentLimits.depth else {
            issues.error(location, "elements are nested more than \(DocumentLimits.depth) deep")
            return false
        }
        guard count <= DocumentLimits.elements else {
            issues.error(location, "there are more than \(DocumentLimits.elements) elements")
            return false
        }
        if let space, space != XMLSchema.namespace, otherSpaces.insert(space).inserted {
            issues.error(
                location, "<\(name)> is in the namespace '\(space)'; a story's is '\(XMLSchema.namespace)', or none")
        }
        var element = Element(name: Vocabulary.formerNames[name] ?? name, location: location)
        element.attributes = attributes.all.map { name, value in
            Element.Attribute(name: name, value: value, location: location)
        }
        open.append(element)
        return true
    }

    func end() -> Bool {
        guard var element = open.popLast() else { return false }
        if let markup = element.children.first, Vocabulary.textNames.contains(element.name) {
            issues.error(
                markup.location,
                "<\(markup.name)> is in the text of <\(element.name)>; texts have no markup: remove it, or write &lt; for <"
            )
            element.children = []
        }
        if !element.children.isEmpty, !element.text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }),
            let stray = element.text.firstIndex(where: { !$0.isWhitespace })
        {
            issues.error(
                element.location,
                "<\(element.name)> holds elements only, not the text '\(element.text[stray...].prefix(30))'")
        }
        if !element.children.isEmpty { element.text = "" }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        return true
    }

    func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if !open.isEmpty { open[open.count - 1].text += String(decoding: bytes, as: UTF8.self) }
        return true
    }

    func doctype(at place: XMLPlace) -> Bool {
        issues.error(
            lines.location(of: place.offset),
            "there is a document type declaration; a story has none, and its entities are not read")
        return false
    }

    func comment(line: Int) { issues.addComment(line: line) }

    func fault(_ message: String, line: Int, column: Int) {
        issues.error(SourceLocation(line: line, column: column), message)
    }
}

/// Converts increasing byte offsets to lines and columns: each byte is scanned once, however long a line is.
struct LineCursor {
    private let bytes: [UInt8]
    private var offset = 0
    private var location = SourceLocation(line: 1, column: 1)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the location of an offset; the column counts characters, not bytes.
    mutating func location(of target: Int) -> SourceLocation {
        if target < offset { (offset, location) = (0, SourceLocation(line: 1, column: 1)) }
        while offset < min(target, bytes.count) {
            if bytes[offset] == UInt8(ascii: "\n") {
                location = SourceLocation(line: location.line + 1, column: 1)
            } else if bytes[offset] & 0xC0 != 0x80 {
                location.column += 1
            }
            offset += 1
        }
        return location
    }
}
