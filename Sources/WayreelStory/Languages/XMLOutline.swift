/// Where the elements of a well-formed document without a document type declaration begin and end, down to the
/// grandchildren of the root.
struct XMLOutline {
    struct Element {
        /// The name as it is written, with its prefix.
        var name: String
        /// From `<` to behind the last `>`.
        var range: Range<Int>
        /// What is between its tags; empty at the end of the element if it has one tag only.
        var content: Range<Int>
        var children: [Element] = []

        var isSelfClosing: Bool { content.upperBound == range.upperBound }
        /// The name without its prefix.
        var localName: Substring { name.split(separator: ":").last ?? "" }
        /// The prefix with its colon, or nothing.
        var prefix: Substring { name.dropLast(localName.count) }
    }

    private(set) var root: Element?
    private let bytes: [UInt8]
    /// The open elements down to the grandchildren; deeper ones are only counted.
    private var open: [Element] = []
    private var depth = 0

    private static let storedDepth = 3

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var offset = 0
        while let start = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
            offset = read(at: start)
        }
    }

    /// Reads what begins with the `<` at an offset; returns the offset behind it.
    private mutating func read(at start: Int) -> Int {
        for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
            if bytes[start...].starts(with: opening.utf8) { return end(of: closing, from: start + opening.utf8.count) }
        }
        let end = endOfTag(from: start)
        if bytes[start...].starts(with: "</".utf8) {
            close(content: start, end: end)
            return end
        }
        depth += 1
        let name = bytes[(start + 1)..<end].prefix { !" \t\r\n/>".utf8.contains($0) }
        if depth <= Self.storedDepth {
            open.append(
                Element(name: String(decoding: name, as: UTF8.self), range: start..<end, content: end..<end))
        }
        if end - 2 > start, bytes[end - 2] == UInt8(ascii: "/") { close(content: end, end: end) }
        return end
    }

    private mutating func close(content: Int, end: Int) {
        defer { depth -= 1 }
        guard depth <= Self.storedDepth, var element = open.popLast() else { return }
        element.content = element.content.lowerBound..<max(content, element.content.lowerBound)
        element.range = element.range.lowerBound..<end
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    private func end(of closing: String, from start: Int) -> Int {
        bytes[min(start, bytes.count)...].firstRange(of: Array(closing.utf8))?.upperBound ?? bytes.count
    }

    /// Returns the offset behind the `>` that ends a tag; in values of attributes, it is a character.
    private func endOfTag(from start: Int) -> Int {
        var quote: UInt8?
        for index in start..<bytes.count {
            switch bytes[index] {
            case quote: quote = nil
            case UInt8(ascii: "\"") where quote == nil, UInt8(ascii: "'") where quote == nil: quote = bytes[index]
            case UInt8(ascii: ">") where quote == nil: return index + 1
            default: continue
            }
        }
        return bytes.count
    }
}
