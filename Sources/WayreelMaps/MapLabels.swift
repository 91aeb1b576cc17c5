internal import Glibc
internal import WayreelCore
internal import WayreelDrawing

/// Positions names beside markers so that they do not cover other names or markers.
struct MapLabels {
    private let area: Rectangle
    private let em: Double
    /// Areas that labels must not overlap, and points of lines, which they should preferably not cover.
    private var taken: MapGrid
    /// The names so far, which leader lines must not cross.
    private var names: MapGrid

    /// A position for a name.
    struct Position {
        var box: Rectangle
        /// Whether it is so far away that it needs a leader line to the marker.
        var isRemote: Bool
    }

    init(in area: Rectangle, em: Double, avoiding taken: [Rectangle], lines: [(x: Double, y: Double)]) {
        self.area = area.grown(by: -em * 0.25)
        self.em = em
        (self.taken, names) = (MapGrid(cell: em * 4), MapGrid(cell: em * 4))
        for box in taken { self.taken.insert(box) }
        for point in lines { self.taken.insert(x: point.x, y: point.y) }
    }

    /// Returns the best free position for a name of the given size beside a marker of `radius` pixels, or nil if
    /// there is none.
    ///
    /// The eight positions beside the marker are tried first, beginning with the right one. If they are taken,
    /// positions on circles around the marker are tried.
    mutating func place(width: Double, height: Double, x: Double, y: Double, radius: Double) -> Position? {
        let gap = radius + em * 0.55
        func box(_ across: Double, _ down: Double, distance: Double) -> Rectangle {
            // The edge or corner that faces the marker is `distance` away.
            let side = abs(across) < 0.35 ? 0.5 : across < 0 ? 1 : 0
            let (dx, dy) = (across * distance, down * distance)
            let rise = abs(down) < 0.35 ? 0.5 : down < 0 ? 1 : 0
            return Rectangle(x: x + dx - width * side, y: y + dy - height * rise, width: width, height: height)
        }
        let diagonal = 0.78
        let beside: [(Double, Double)] = [
            (1, 0), (-1, 0), (0, 1), (0, -1), (diagonal, diagonal), (-diagonal, diagonal), (diagonal, -diagonal),
            (-diagonal, -diagonal),
        ]
        let near = beside.map { box($0.0, $0.1, distance: gap) }.filter(isFree)
        if let best = least(near) { return keep(Position(box: best, isRemote: false)) }
        for ring in 1...16 {
            let far = (0..<24).map { step in
                let angle = Double(step) * .pi / 12
                return box(cos(angle), sin(angle), distance: gap + Double(ring) * em * 1.2)
            }.filter { box in isFree(box) && !leader(from: (x, y), to: box).contains(where: names.overlaps) }
            if let best = least(far) {
                for part in leader(from: (x, y), to: best) { taken.insert(part) }
                return keep(Position(box: best, isRemote: true))
            }
        }
        return nil
    }

    /// Takes areas for a name of the base map if all are free, and cover no line. Returns whether it took them.
    mutating func take(_ boxes: [Rectangle]) -> Bool {
        guard boxes.allSatisfy({ isFree($0) && taken.countPoints(in: $0) == 0 }) else { return false }
        for box in boxes { taken.insert(box) }
        return true
    }

    private mutating func keep(_ position: Position) -> Position {
        taken.insert(position.box)
        names.insert(position.box)
        return position
    }

    /// Returns small squares along the line from a marker to the nearest point of a name.
    private func leader(from marker: (x: Double, y: Double), to box: Rectangle) -> [Rectangle] {
        let end = (x: min(max(marker.x, box.x), box.maxX), y: min(max(marker.y, box.y), box.maxY))
        return Rectangle.along(from: marker, to: end, step: em * 0.4)
    }

    private func isFree(_ box: Rectangle) -> Bool {
        let grown = box.grown(by: em * 0.15)
        return box.x >= area.x && box.maxX <= area.maxX && box.y >= area.y && box.maxY <= area.maxY
            && !taken.overlaps(grown)
    }

    /// Returns the first of the boxes that cover the fewest points of lines.
    private func least(_ boxes: [Rectangle]) -> Rectangle? {
        boxes.map { ($0, taken.countPoints(in: $0)) }.min { $0.1 < $1.1 }?.0
    }
}

extension Rectangle {
    /// Returns small squares along a line, `step` pixels apart.
    static func along(from start: (x: Double, y: Double), to end: (x: Double, y: Double), step: Double) -> [Rectangle] {
        let count = max(1, Int(hypot(end.x - start.x, end.y - start.y) / step))
        return (0..<count).map { number in
            let share = (Double(number) + 0.5) / Double(count)
            return Rectangle(
                x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share, width: 0, height: 0
            ).grown(by: step * 0.25)
        }
    }
}

/// A laid-out text of a map.
struct MapText {
    private let layout: TextLayout
    private let size: Double
    let width: Double
    let height: Double

    /// Whether a font has outlines for the whole text. Characters without are drawn as `\u{FFFD}`.
    static func isDrawn(_ text: String) throws(MediaError) -> Bool {
        let plain = text.onOneDrawnLine
        if plain.isEmpty { return true }
        return try TextLayout(plain, font: "DejaVu Sans", size: 16).outlinedText == plain
    }

    /// The maximum length; longer text is cut.
    static let maxCharacters = 90

    /// `width`: the line width in pixels at which text is wrapped.
    init(
        _ text: String, size: Double, isBold: Bool = false, width: Double? = nil,
        alignment: TextLayout.Alignment = .start
    ) throws(MediaError) {
        let plain = text.onOneDrawnLine
        let cut = plain.count > Self.maxCharacters ? "\(plain.prefix(Self.maxCharacters - 1))…" : plain
        let font = isBold ? "DejaVu Sans Bold" : "DejaVu Sans"
        let asked = try TextLayout(
            cut.isEmpty ? " " : cut, font: font, size: size, width: width, alignment: alignment)
        let shown = asked.outlinedText
        layout =
            shown == asked.text
            ? asked : try TextLayout(shown, font: font, size: size, width: width, alignment: alignment)
        self.size = size
        let bounds = layout.logicalBounds
        (self.width, height) = (bounds.width.rounded(.up), bounds.height)
        left = bounds.x
    }

    /// Lays out text in lines of about equal length, of at most `limit` pixels.
    init(
        balanced text: String, size: Double, isBold: Bool = false, width limit: Double,
        alignment: TextLayout.Alignment = .start
    ) throws(MediaError) {
        try self.init(text, size: size, isBold: isBold, width: limit, alignment: alignment)
        let lines = layout.lineCount
        for share in [0.5, 0.6, 0.7, 0.8, 0.9] where lines > 1 {
            let tried = try MapText(text, size: size, isBold: isBold, width: limit * share, alignment: alignment)
            if tried.layout.lineCount == lines {
                self = tried
                return
            }
        }
    }

    /// Lays out text on one line of at most `space` pixels, shortened if it is too long.
    init(_ text: String, size: Double, isBold: Bool = false, within space: Double) throws(MediaError) {
        var kept = text.prefix(Self.maxCharacters)
        try self.init(text, size: size, isBold: isBold)
        while width > space, kept.count > 1 {
            kept = kept.dropLast(max(1, kept.count / 12))
            try self.init("\(kept)…", size: size, isBold: isBold)
        }
    }

    /// The start of the widest line: centred lines begin inside the layout's width.
    private let left: Double

    func draw(on canvas: PathCanvas, x: Double, y: Double, color: RGBColor, halo: RGBColor? = nil) {
        canvas.addOutlines(of: layout, x: x - left, y: y)
        if let halo { canvas.stroke(halo, width: size * 0.34, keepingPath: true) }
        canvas.fill(color)
    }
}
