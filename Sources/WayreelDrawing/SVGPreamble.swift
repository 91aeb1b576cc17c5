internal import WayreelCore

/// The start of an SVG file before its first path.
package struct SVGPreamble: Sendable {
    /// Inside an HTML page, without XML declaration.
    package var isInline = false
    /// Title for screen readers; browsers show it as a tooltip.
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

    /// Also drops code points that XML does not allow (XML 1.0, section 2.2) and that are not escaped.
    private static func escaped(_ text: String) -> String {
        let entities: [Character: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\u{FFFE}": "\u{FFFD}", "\u{FFFF}": "\u{FFFD}",
        ]
        return text.onOneLine.map { entities[$0] ?? String($0) }.joined()
    }
}
