internal import WayreelCore
internal import WayreelDocument

/// Reads XML into a tree of elements with libxml2.
///
/// Documents are untrusted: a document type declaration is refused, so that there are no entities to expand and
/// nothing to load; the depth and the number of elements are limited.
enum XMLReader {
    /// Parses `bytes` into a tree. Returns nil if the document is not well-formed, which is added to `issues`.
    static func read(_ bytes: [UInt8], issues: inout IssueLog) throws(MediaError) -> Element? {
        try SharedLibrary.libxml2.require(step: .read)
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
    /// An element that has not ended.
    private struct Open {
        var element: Element
        /// Its type, if it is where the vocabulary has it.
        var type: ElementType?
        /// Builds its text if that may have markup.
        var rich: RichTextBuilder?
    }

    private(set) var root: Element?
    var issues: IssueLog
    private var open: [Open] = []
    private var count = 0
    /// Namespaces that are not a story's; each is reported once.
    private var otherSpaces: Set<String> = []
    private let bytes: [UInt8]
    private var lines: LineCursor
    /// Whether there was a comment since the last start tag.
    private var isAfterComment = false

    init(_ bytes: [UInt8], _ issues: IssueLog) {
        self.bytes = bytes
        self.issues = issues
        lines = LineCursor(bytes)
    }

    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool {
        let location = lines.location(of: place.offset)
        if isAfterComment { issues.addNotes(TranslatorComment.notes(before: place.offset, in: bytes), at: location) }
        isAfterComment = false
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
        let attributes = attributes.all.map { name, value in
            Element.Attribute(name: name, value: value, location: location)
        }
        if takesMarkup(name) {
            open[open.count - 1].rich?.start(name, attributes, at: location, &issues)
            return true
        }
        let element = Element(
            name: Vocabulary.formerNames[name] ?? name, attributes: attributes, location: location)
        let type = type(of: element.name)
        let isRich = type.map { $0 == .rich || $0.rule.content.isRichOrList } ?? Vocabulary.richNames.contains(name)
        open.append(
            Open(element: element, type: type, rich: isRich ? RichTextBuilder(element.name, at: location) : nil))
        return true
    }

    /// Whether an element of that name is markup in the text of the innermost one.
    private func takesMarkup(_ name: String) -> Bool {
        guard let last = open.last, let rich = last.rich else { return false }
        let isList = last.type?.rule.content.isRichOrList == true && name == Vocabulary.listedText
        return rich.isInside || !isList
    }

    private func type(of name: String) -> ElementType? {
        let rules = open.isEmpty ? [Vocabulary.root] : open[open.count - 1].type?.rule.children ?? []
        return rules.first { $0.name == name }?.type
    }

    func end() -> Bool {
        if open.last?.rich?.isInside == true {
            open[open.count - 1].rich?.end(&issues)
            return true
        }
        guard var last = open.popLast() else { return false }
        var element = last.element
        if let rich = last.rich?.finish(&issues) {
            if last.rich?.hasMarkup == true { element.text = Paragraphs.written(rich.words) }
            // What is left of it is not missing.
            if last.rich?.hasFaults == true { issues.addUnread(element.name, at: element.location) }
            if element.children.isEmpty { element.rich = rich }
        }
        check(&element, isList: last.rich != nil)
        if open.isEmpty { root = element } else { open[open.count - 1].element.children.append(element) }
        return true
    }

    /// Reports elements in a plain text, and texts beside elements.
    private func check(_ element: inout Element, isList: Bool) {
        guard let child = element.children.first else { return }
        if Vocabulary.textNames.contains(element.name), !isList {
            issues.error(
                child.location,
                "<\(child.name)> is in the text of <\(element.name)>, which has no markup: remove it, or write &lt; for <"
            )
            element.children = []
            return
        }
        if !element.text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
            let shown = "the text '\(element.text.trimmedSpace.prefix(30))'"
            issues.error(
                element.location,
                "<\(element.name)> holds "
                    + (isList ? "\(shown) and <\(Vocabulary.listedText)>, but not both" : "elements only, not \(shown)")
            )
        }
        element.text = ""
    }

    func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !open.isEmpty else { return true }
        let text = String(decoding: bytes, as: UTF8.self)
        open[open.count - 1].rich?.text(text)
        if open[open.count - 1].rich?.isInside != true { open[open.count - 1].element.text += text }
        return true
    }

    func doctype(at place: XMLPlace) -> Bool {
        issues.error(
            lines.location(of: place.offset),
            "there is a document type declaration; a story has none, and its entities are not read")
        return false
    }

    func comment(line: Int) {
        issues.addComment(line: line)
        isAfterComment = true
    }

    func fault(_ message: String, line: Int, column: Int) {
        issues.error(DocumentPosition(line: line, column: column), message)
    }
}

/// Converts increasing byte offsets to lines and columns: each byte is scanned once, however long a line is.
struct LineCursor {
    private let bytes: [UInt8]
    private var offset = 0
    private var location = DocumentPosition(line: 1, column: 1)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the location of an offset; the column counts characters, not bytes.
    mutating func location(of target: Int) -> DocumentPosition {
        if target < offset { (offset, location) = (0, DocumentPosition(line: 1, column: 1)) }
        while offset < min(target, bytes.count) {
            if bytes[offset] == UInt8(ascii: "\n") {
                location = DocumentPosition(line: location.line + 1, column: 1)
            } else if bytes[offset] & 0xC0 != 0x80 {
                location.column += 1
            }
            offset += 1
        }
        return location
    }
}

/// Converts XML in UTF-16 and ISO-8859-1 to UTF-8, so that locations refer to its characters. libxml2 handles other
/// encodings.
enum XMLEncoding {
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if let form = UTF16Form.of(bytes) { return undeclared(form.utf8(bytes)) }
        guard let range = declaration(in: bytes),
            String(decoding: bytes[range], as: UTF8.self).lowercased().contains("iso-8859-1")
        else { return bytes }
        return undeclared(utf8(latin1: bytes))
    }

    /// The characters of ISO-8859-1 are the first 256 of Unicode.
    static func utf8(latin1 bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    }

    /// Overwrites the encoding declaration, which is no longer true, with spaces.
    private static func undeclared(_ bytes: [UInt8]) -> [UInt8] {
        guard let range = declaration(in: bytes) else { return bytes }
        var bytes = bytes
        for index in range { bytes[index] = UInt8(ascii: " ") }
        return bytes
    }

    /// Returns the encoding that a document in a superset of ASCII declares; nil if it declares none.
    static func declared(in bytes: [UInt8]) -> String? {
        declaration(in: bytes).flatMap { range in
            String(decoding: bytes[range], as: UTF8.self).split { "\"'".contains($0) }.last.map(String.init)
        }
    }

    /// Returns the range of `encoding="…"` in `<?xml version="1.0" encoding="…"?>`.
    private static func declaration(in bytes: [UInt8]) -> Range<Int>? {
        let head = bytes.prefix(200)
        guard head.starts(with: Array("<?xml".utf8)), let start = head.firstRange(of: Array("encoding".utf8)),
            let end = head.firstIndex(of: UInt8(ascii: ">")), start.upperBound < end,
            let first = head[start.upperBound..<end].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
            let last = head[(first + 1)..<end].firstIndex(of: head[first])
        else { return nil }
        return start.lowerBound..<(last + 1)
    }
}

/// How a document is written in UTF-16.
struct UTF16Form {
    let isBigEndian: Bool
    let hasMark: Bool

    private static let beginnings: [(bytes: [UInt8], form: UTF16Form)] = [
        ([0xFF, 0xFE], UTF16Form(isBigEndian: false, hasMark: true)),
        ([0xFE, 0xFF], UTF16Form(isBigEndian: true, hasMark: true)),
        // `<?` without a byte order mark.
        ([0x3C, 0, 0x3F, 0], UTF16Form(isBigEndian: false, hasMark: false)),
        ([0, 0x3C, 0, 0x3F], UTF16Form(isBigEndian: true, hasMark: false)),
    ]

    /// The form that the first bytes show; nil if they are those of another encoding.
    static func of(_ bytes: [UInt8]) -> UTF16Form? { beginnings.first { bytes.starts(with: $0.bytes) }?.form }

    /// Converts a document in this form to UTF-8, without its byte order mark.
    func utf8(_ bytes: [UInt8]) -> [UInt8] {
        let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
