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

/// The position in a band with the most room for a label.
package struct LabelPosition {
    /// Centre of the label.
    package let x: Double
    package let y: Double

    /// Searches between two edges from left to right for a label of `width` × `height` pixels; nil if there is no room.
    package init?(
        between upper: [(x: Double, y: Double)], and lower: [(x: Double, y: Double)], width: Double, height: Double
    ) {
        guard let left = upper.first?.x, let right = upper.last?.x, right - left >= width else { return nil }
        let step = 2.0
        let count = Int((right - left) / step) + 1
        let (tops, bottoms) = (Self.heights(upper, step, count), Self.heights(lower, step, count))
        let window = Int((width / step).rounded(.up)) + 1
        guard count >= window else { return nil }
        // The first position with the most room, and the extent of similar ones, to a pixel.
        var best: (starts: ClosedRange<Int>, room: Double, top: Double, bottom: Double)?
        for start in 0...count - window {
            let range = start..<start + window
            let (top, bottom) = (tops[range].max() ?? 0, bottoms[range].min() ?? 0)
            let difference = bottom - top - (best?.room ?? 0)
            let merged =
                best.map { (top: max($0.top, top), bottom: min($0.bottom, bottom)) } ?? (top: top, bottom: bottom)
            if let candidate = best, candidate.starts.upperBound == start - 1, difference <= 1,
                merged.bottom - merged.top >= candidate.room - 1
            {
                best = (candidate.starts.lowerBound...start, candidate.room, merged.top, merged.bottom)
            } else if difference > 0 {
                best = (start...start, bottom - top, top, bottom)
            }
        }
        guard let best, best.bottom - best.top >= height else { return nil }
        x = left + (Double(best.starts.lowerBound + best.starts.upperBound) / 2 + Double(window - 1) / 2) * step
        y = (best.top + best.bottom) / 2
    }

    /// Height of an edge every `step` pixels.
    private static func heights(_ edge: [(x: Double, y: Double)], _ step: Double, _ count: Int) -> [Double] {
        var next = 0
        return (0..<count).map { index in
            let x = edge[0].x + Double(index) * step
            while next < edge.count - 1, edge[next].x < x { next += 1 }
            guard next > 0, edge[next].x > edge[next - 1].x, x < edge[next].x else { return edge[next].y }
            let (a, b) = (edge[next - 1], edge[next])
            return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
        }
    }
}

/// Data points with labels that do not overlap.
struct PositionedLabels {
    let area: Rectangle
    let drawing: ChartDrawing
    private var taken: [Rectangle] = []
    private var texts: [(text: String, x: Double, y: Double)] = []

    init(area: Rectangle, drawing: ChartDrawing) { (self.area, self.drawing) = (area, drawing) }

    private var radius: Double { drawing.lineWidth * 1.5 + 1 }

    mutating func drawPoint(x: Double, y: Double, text: String, color: RGBColor) throws(MediaError) {
        let canvas = drawing.canvas
        canvas.circle(centerX: x, centerY: y, radius: radius)
        canvas.fill(drawing.ground)
        canvas.circle(centerX: x, centerY: y, radius: radius - 1)
        canvas.fill(color)
        taken.append(Rectangle(x: x, y: y, width: 0, height: 0).grown(by: radius))
        texts.append((text, x, y))
    }

    /// Draws each label above its point, or else below, right or left.
    mutating func drawTexts() throws(MediaError) {
        let em = drawing.em
        for (text, x, y) in texts {
            let label = try drawing.text.label(text, within: min(area.width - em, 20 * em))
            guard label.width > 0, area.height >= 6 * em else { continue }
            let (distance, half) = (radius + em * 0.35, label.width / 2)
            let middle = min(max(x, area.x + half + 2), area.maxX - half - 2)
            let positions = [
                (middle, y - distance - em / 2), (middle, y + distance + em / 2), (x + distance + half, y),
                (x - distance - half, y),
            ]
            let boxes = positions.map { position in
                Rectangle(x: position.0 - half, y: position.1 - em * 0.65, width: label.width, height: em * 1.3)
            }
            guard let box = boxes.first(where: isFree) else { continue }
            taken.append(box)
            drawing.text.draw(
                label, on: drawing.canvas, x: box.x, y: box.midY, color: drawing.theme.text, halo: drawing.ground)
        }
    }

    private func isFree(_ box: Rectangle) -> Bool {
        box.x >= area.x && box.maxX <= area.maxX && box.y >= area.y && box.maxY <= area.maxY
            && !taken.contains { !$0.intersection(box).isEmpty }
    }
}
