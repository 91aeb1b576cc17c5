package import WayreelCore
internal import WayreelDrawing

/// Labels for untrusted names: files, programs, tasks.
extension ChartText {
    /// A single-line label of at most `width` pixels. Longer names are shortened in the middle, so that paths keep
    /// their ends.
    ///
    /// Line breaks are escaped, and characters without outlines in any installed font become `\u{FFFD}`. Throws the
    /// errors of ``label(_:)`` if even that cannot be drawn.
    package func label(_ name: String, within width: Double) throws(MediaError) -> Label {
        // Only a prefix is laid out.
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
        text.isEmpty ? text : try TextLayout(text, font: font, size: size).outlinedText
    }
}
