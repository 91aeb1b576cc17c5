internal import WayreelCore

/// What stands in an SVG before its first path.
package struct SVGPreamble: Sendable {
    /// In an HTML page, where there is no XML declaration.
    package var isInline = false
    /// What a reader that speaks says instead of showing the drawing; browsers show the title under the pointer.
    package var title = ""
    package var summary = ""
    /// CSS for this file.
    package var styleSheet = ""

    package init() {}

    func text(for size: PixelSize) -> String {
        let declaration = isInline ? "" : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let role = title.isEmpty ? "" : " role=\"img\""
        let root =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.width)\" height=\"\(size.height)\" "
            + "viewBox=\"0 0 \(size.width) \(size.height)\"\(role)>\n"
        let elements = [("title", Self.escaped(title)), ("desc", Self.escaped(summary)), ("style", styleSheet)]
        return declaration + root
            + elements.filter { !$1.isEmpty }.map { "<\($0)>\($1)</\($0)>\n" }.joined()
    }

    /// Also without the two code points that are no characters of XML (XML 1.0, section 2.2) and not escaped already.
    private static func escaped(_ text: String) -> String {
        let entities: [Character: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\u{FFFE}": "\u{FFFD}", "\u{FFFF}": "\u{FFFD}",
        ]
        return text.onOneLine.map { entities[$0] ?? String($0) }.joined()
    }
}
