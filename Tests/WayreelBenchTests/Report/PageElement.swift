/// An element of a page that is well-formed XML, parsed independently of the writer (XML 1.0, sections 2 and 3).
final class PageElement {
    let name: String
    let attributes: [String: String]
    private(set) var children: [PageElement] = []
    /// The text including that of child elements, with entities resolved.
    private(set) var text = ""

    private init(_ name: String, _ attributes: [String: String]) { (self.name, self.attributes) = (name, attributes) }

    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    /// Returns the `html` element of a page. Throws if the page is not well-formed or continues after the element.
    static func page(_ bytes: [UInt8]) throws -> PageElement {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Fault(description: "no UTF-8") }
        let start = "<!DOCTYPE html>\n"
        guard text.hasPrefix(start) else { throw Fault(description: "no doctype") }
        var reader = Reader(rest: text.dropFirst(start.count))
        let element = try reader.element()
        guard reader.rest.allSatisfy(\.isWhitespace) else { throw Fault(description: "more than one element") }
        return element
    }

    /// The element and all its descendants, in order.
    var all: [PageElement] { [self] + children.flatMap(\.all) }

    func all(_ name: String) -> [PageElement] { all.filter { $0.name == name } }

    /// The rows of cells of a table, the header first.
    var rows: [[String]] { all("tr").map { row in row.children.map(\.text) } }

    private struct Reader {
        var rest: Substring

        mutating func element() throws -> PageElement {
            guard take("<"), let name = takeName() else { throw fault("an element was expected") }
            var attributes: [String: String] = [:]
            while take(" ") {
                guard let key = takeName(), take("=\"") else { throw fault("an attribute was expected") }
                let value = String(rest.prefix { $0 != "\"" })
                rest = rest.dropFirst(value.count)
                guard take("\""), attributes.updateValue(try resolved(value), forKey: key) == nil else {
                    throw fault("the attribute '\(key)' is wrong")
                }
            }
            let element = PageElement(name, attributes)
            if take("/>") { return element }
            guard take(">") else { throw fault("the tag of '\(name)' does not end") }
            while !rest.hasPrefix("</") {
                if rest.hasPrefix("<") {
                    let child = try self.element()
                    element.children.append(child)
                    element.text += child.text
                } else {
                    let text = rest.prefix { $0 != "<" }
                    guard !text.isEmpty else { throw fault("'\(name)' does not end") }
                    rest = rest[text.endIndex...]
                    element.text += try resolved(String(text))
                }
            }
            guard take("</\(name)>") else { throw fault("'\(name)' is not the one that ends") }
            return element
        }

        private mutating func take(_ prefix: String) -> Bool {
            guard rest.hasPrefix(prefix) else { return false }
            rest = rest.dropFirst(prefix.count)
            return true
        }

        private mutating func takeName() -> String? {
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-:".contains($0)) }
            rest = rest[name.endIndex...]
            return name.isEmpty ? nil : String(name)
        }

        private func resolved(_ text: String) throws -> String {
            guard !text.contains("<") else { throw fault("a '<' that is no tag") }
            let controls = text.unicodeScalars.filter {
                $0.value < 0x20 && $0 != "\n" || $0.value >= 0xFFFE && $0.value <= 0xFFFF
            }
            guard controls.isEmpty else { throw fault("a character that is none of XML") }
            let parts = text.split(separator: "&", omittingEmptySubsequences: false)
            return try parts.dropFirst().reduce(into: String(parts[0])) { result, part in
                let entities = ["amp;": "&", "lt;": "<", "gt;": ">", "quot;": "\"", "#39;": "'"]
                guard let entity = entities.first(where: { part.hasPrefix($0.key) }) else {
                    throw fault("a '&' that is no entity")
                }
                result += entity.value + part.dropFirst(entity.key.count)
            }
        }

        private func fault(_ reason: String) -> Fault { Fault(description: "\(reason) at: \(rest.prefix(80))") }
    }
}
