internal import WayreelCore
internal import WayreelDrawing
internal import WayreelImage

/// Positions labels beside pins so that no two labels overlap.
struct PinLabels {
    private let size: PixelSize
    /// The bounds of the visible pins.
    private let images: [Rectangle]
    private var taken: [Rectangle] = []
    /// The font size in pixels.
    private let em: Double

    private static let font = "DejaVu Sans Bold"
    /// The maximum number of lines of a name, above the distance.
    private static let maxLines = 2

    init(on size: PixelSize, around images: [Rectangle]) {
        self.size = size
        self.images = images
        em = max(11, (Double(size.shorterSide) * 0.02).rounded())
    }

    /// Returns the label of a pin with the given bounds, or nil if no free position is left.
    ///
    /// Positions are tried in a fixed order: below, above, right, left, inside the visible part, at the corners, then
    /// farther away. Positions that cover no pin are preferred; no label covers the middle of another pin.
    mutating func place(
        name: String?, distance: Double, at pin: Rectangle
    ) throws(MediaError) -> (label: GogglesScene.Label, overlay: TextOverlay)? {
        let text = try text(name: name, distance: distance)
        let lines = try balancedBounds(of: text)
        let (padding, gap) = ((em * 0.55).rounded(), em * 0.45)
        let (width, height) = (lines.width.rounded(.up) + 2 + 2 * padding, lines.height + 2 * padding)
        let image = Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let seen = pin.intersection(image)
        let middle = (seen.midX - width / 2, seen.midY - height / 2)
        let places = [
            (middle.0, pin.maxY + gap), (middle.0, pin.y - gap - height), (pin.maxX + gap, middle.1),
            (pin.x - gap - width, middle.1), (middle.0, seen.maxY - gap - height), (middle.0, seen.y + gap),
            (pin.maxX + gap, pin.maxY + gap), (pin.maxX + gap, pin.y - gap - height),
            (pin.x - gap - width, pin.maxY + gap), (pin.x - gap - width, pin.y - gap - height),
            (middle.0, pin.maxY + 2 * gap + height), (middle.0, pin.y - 2 * (gap + height)), middle,
        ]
        let boxes = places.map { place in
            // Move a label that would extend beyond the image into it.
            let x = min(max(place.0, gap), Double(size.width) - gap - width)
            let y = min(max(place.1, gap), Double(size.height) - gap - height)
            return Rectangle(x: x.rounded(), y: y.rounded(), width: width, height: height)
        }.filter { box in
            box.grown(by: gap - 1).isInside(image) && !taken.contains { $0.overlaps(box.grown(by: gap)) }
        }
        let free = boxes.first { box in !images.contains { $0.overlaps(box) } }
        let others = images.filter { $0 != pin }
        let covering = boxes.filter { box in !others.contains { $0.middle.overlaps(box) } }
            .map { box in (box: box, area: others.reduce(0) { $0 + $1.intersection(box).area }) }
        guard let box = free ?? covering.min(by: { $0.area < $1.area })?.box else { return nil }
        taken.append(box)
        let label = GogglesScene.Label(text: text, x: box.x, y: box.y, width: box.width, height: box.height)
        let overlay = TextOverlay(
            text, font: Self.font, size: .pixels(em), color: .white, gravity: .northWest, marginX: .pixels(box.x),
            marginY: .pixels(box.y), width: .pixels(width - 2 * padding), alignment: .center, shadow: nil,
            box: TextOverlay.Box(
                color: RGBColor(red: 0.04, green: 0.06, blue: 0.09, alpha: 0.74), padding: .pixels(padding),
                radius: .pixels(padding)))
        return (label, overlay)
    }

    private var maxWidth: Double { max(8 * em, min(Double(size.width) * 0.42, 13 * em)) }

    /// Returns the bounds of the text in lines of about equal length.
    private func balancedBounds(of text: String) throws(MediaError) -> Rectangle {
        func layout(_ share: Double) throws(MediaError) -> TextLayout {
            try TextLayout(text, font: Self.font, size: em, width: maxWidth * share, alignment: .center)
        }
        let widest = try layout(1)
        for share in [0.5, 0.6, 0.7, 0.8, 0.9] {
            let tried = try layout(share)
            if tried.lineCount == widest.lineCount { return tried.logicalBounds }
        }
        return widest.logicalBounds
    }

    /// Returns the name in at most two lines, and the distance on a separate line.
    private func text(name: String?, distance: Double) throws(MediaError) -> String {
        let metres = distance.asLabel
        // The part before the first comma names the object.
        let clause = name?.onOneDrawnLine.prefix(400).split { ",;:".contains($0) }.first
        guard var words = clause?.split(separator: " "), !words.isEmpty else { return metres }
        var shortened = words.joined(separator: " ")
        while try TextLayout(shortened, font: Self.font, size: em, width: maxWidth).lineCount > Self.maxLines,
            words.count > 1
        {
            words.removeLast()
            shortened = words.joined(separator: " ").trimmingPunctuation + "…"
        }
        return "\(shortened)\n\(metres)"
    }
}

extension Rectangle {
    fileprivate var area: Double { width * height }

    /// The middle half in both directions, at least a pixel.
    fileprivate var middle: Rectangle {
        let (width, height) = (max(1, width / 2), max(1, height / 2))
        return Rectangle(x: midX - width / 2, y: midY - height / 2, width: width, height: height)
    }

    fileprivate func overlaps(_ other: Rectangle) -> Bool { !intersection(other).isEmpty }

    fileprivate func isInside(_ other: Rectangle) -> Bool {
        x >= other.x && y >= other.y && maxX <= other.maxX && maxY <= other.maxY
    }
}

extension Double {
    /// The distance in metres as text: `8 m`, `240 m`, `1.2 km`.
    fileprivate var asLabel: String {
        if self < 999.5 { return "\(Int(rounded())) m" }
        let kilometres = (self / 100).rounded() / 10
        return "\(kilometres < 100 ? kilometres.shortDescription : String(Int(kilometres.rounded()))) km"
    }
}

extension String {
    fileprivate var trimmingPunctuation: String {
        var text = self
        while let last = text.last, last.isPunctuation || last.isWhitespace { text.removeLast() }
        return text
    }
}
