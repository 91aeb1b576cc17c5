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
        let isText = Vocabulary.textNames.contains(element.name)
        if isText, let markup = element.children.first(where: { $0.name != Vocabulary.listedText }) {
            issues.error(
                markup.location,
                "<\(markup.name)> is in the text of <\(element.name)>; texts have no markup: remove it, or write &lt; for <"
            )
            element.children = []
        }
        if !element.children.isEmpty, !element.text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
            let shown = "the text '\(element.text.trimmedSpace.prefix(30))'"
            issues.error(
                element.location,
                "<\(element.name)> holds "
                    + (isText
                        ? "\(shown) and <\(Vocabulary.listedText)>, but not both" : "elements only, not \(shown)"))
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
        if bytes.starts(with: [0xFF, 0xFE]) { return undeclared(utf16(bytes.dropFirst(2)) { $0 | $1 << 8 }) }
        if bytes.starts(with: [0xFE, 0xFF]) { return undeclared(utf16(bytes.dropFirst(2)) { $0 << 8 | $1 }) }
        // `<?` without a byte order mark.
        if bytes.starts(with: [0x3C, 0, 0x3F, 0]) { return undeclared(utf16(bytes[...]) { $0 | $1 << 8 }) }
        if bytes.starts(with: [0, 0x3C, 0, 0x3F]) { return undeclared(utf16(bytes[...]) { $0 << 8 | $1 }) }
        guard let range = declaration(in: bytes),
            String(decoding: bytes[range], as: UTF8.self).lowercased().contains("iso-8859-1")
        else { return bytes }
        // The characters of ISO-8859-1 are the first 256 of Unicode.
        return undeclared(bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] })
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt16, UInt16) -> UInt16) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            units.append(unit(UInt16(bytes[index]), UInt16(bytes[index + 1])))
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Overwrites the encoding declaration, which is no longer true, with spaces.
    private static func undeclared(_ bytes: [UInt8]) -> [UInt8] {
        guard let range = declaration(in: bytes) else { return bytes }
        var bytes = bytes
        for index in range { bytes[index] = UInt8(ascii: " ") }
        return bytes
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
