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
        let elements = [("title", title.onOneLine.xmlText), ("desc", summary.onOneLine.xmlText), ("style", styleSheet)]
        return declaration + root
            + elements.filter { !$1.isEmpty }.map { "<\($0)>\($1)</\($0)>\n" }.joined()
    }
}
