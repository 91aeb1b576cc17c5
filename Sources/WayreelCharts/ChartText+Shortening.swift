package import WayreelCore
internal import WayreelDrawing

/// Names that come from outside: of files, programs, tasks.
extension ChartText {
    /// A label of one line that is at most `width` pixels wide: what is longer loses its middle, so that paths keep their ends.
    ///
    /// What would break the line is written as an escape, and what no installed font has outlines for as `\u{FFFD}`.
    /// Throws as ``label(_:)`` does where not even that can be drawn.
    package func label(_ name: String, within width: Double) throws(MediaError) -> Label {
        // No name is read beyond that.
        let text = try drawable(String(name.prefix(300)).onOneLine)
        let whole = try label(text)
        guard whole.width > width else { return whole }
        var (shortest, longest) = (0, text.count - 1)
        var fitting = try label("")
        while shortest <= longest {
            let middle = (shortest + longest) / 2
            let end = text.suffix(middle / 3).drop { $0 == " " }
            var start = text.prefix(middle - middle / 3)
            while start.last == " " { start.removeLast() }
            let candidate = try label(start + "…" + end)
            if candidate.width <= width {
                (fitting, shortest) = (candidate, middle + 1)
            } else {
                longest = middle - 1
            }
        }
        return fitting
    }

    private func drawable(_ text: String) throws(MediaError) -> String {
        guard !text.isEmpty else { return text }
        let layout = try TextLayout(text, font: font, size: size)
        let pictures = Set(layout.glyphs.filter(\.isColor).map(\.textOffset))
        let missing = Set(layout.missingCharacters)
        guard !pictures.isEmpty || !missing.isEmpty else { return text }
        var offset = 0
        return text.reduce(into: "") { result, character in
            let bytes = character.utf8.count
            let isDrawn =
                !(offset..<offset + bytes).contains(where: pictures.contains)
                && !character.unicodeScalars.contains(where: missing.contains)
            result.append(isDrawn ? character : "\u{FFFD}")
            offset += bytes
        }
    }
}
