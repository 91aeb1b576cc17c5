package import WayreelCore

/// The font of a chart's labels.
package struct ChartText {
    package let font: String
    /// Font size (em) in pixels.
    package let size: Double
    /// A warning if the requested font is not installed.
    package let warning: String?
    /// Offset of digits below the top of a line, and their height.
    private let digitTop: Double
    private let digitHeight: Double

    /// Width of data lines beside labels of this size.
    var lineWidth: Double { max(1.5, size / 7) }

    /// A laid-out label.
    package struct Label {
        fileprivate let layout: TextLayout?
        package let width: Double

        var text: String { layout?.text ?? "" }
    }

    /// Throws a `parameter` error for an invalid `font` description or `size`.
    package init(font: String, size: Double) throws(MediaError) {
        self.font = font
        self.size = size
        let zero = try TextLayout("0", font: font, size: size)
        warning = zero.substitutionWarning
        (digitTop, digitHeight) = (zero.inkBounds.y, zero.inkBounds.height)
    }

    /// Throws an `unsupported` error if no installed font has outlines for the characters.
    package func label(_ text: String) throws(MediaError) -> Label {
        guard !text.isEmpty else { return Label(layout: nil, width: 0) }
        let layout = try TextLayout(text, font: font, size: size)
        guard layout.missingCharacters.isEmpty, !layout.glyphs.contains(where: \.isColor) else {
            throw MediaError(
                .unsupported, step: .draw, reason: "no installed font has outlines for the label '\(text)'",
                advice: "install a font such as the package fonts-dejavu-core, or draw without labels")
        }
        return Label(layout: layout, width: layout.logicalBounds.width)
    }

    /// Draws a label with its left edge (`anchor` 0), centre (0.5) or right edge (1) at `x`, its digits centred on `y`,
    /// and an outline of `halo` against lines behind it.
    package func draw(
        _ label: Label, on canvas: PathCanvas, x: Double, anchor: Double = 0, y: Double, color: RGBColor,
        halo: RGBColor? = nil
    ) {
        guard let layout = label.layout else { return }
        let left = x - label.width * anchor
        let top = y - digitTop - digitHeight / 2
        if let halo {
            canvas.addOutlines(of: layout, x: left, y: top)
            canvas.stroke(halo, width: size / 4)
        }
        canvas.drawText(layout, x: left, y: top, color: color)
    }

    // MARK: Labels for untrusted names: files, programs, tasks

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

extension MediaError.Step {
    package static let chart = MediaError.Step(rawValue: "chart")
    package static let draw = MediaError.Step(rawValue: "draw")
    package static let plot = MediaError.Step(rawValue: "plot")
}
