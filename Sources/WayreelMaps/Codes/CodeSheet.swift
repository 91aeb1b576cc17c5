internal import WayreelCore
internal import WayreelDrawing

/// One sheet of A4 with codes, in tenths of a millimetre.
struct CodeSheet {
    static let millimetre = 10.0
    static let size = PixelSize(width: 2100, height: 2970)

    let kit: CodeKit
    let layout: CodeKit.Layout
    let cards: [CodeKit.Card]

    private static let ink = RGBColor(red: 0.06, green: 0.09, blue: 0.11)
    private static let soft = RGBColor(red: 0.36, green: 0.40, blue: 0.43)
    private static let cut = RGBColor(red: 0.70, green: 0.72, blue: 0.74)
    private static let font = "Sans"

    func paint(on canvas: PathCanvas) throws(MediaError) {
        canvas.rectangle(Rectangle(x: 0, y: 0, width: Double(Self.size.width), height: Double(Self.size.height)))
        canvas.fill(.white)
        switch layout {
        case .page: try cards.first.map { (card) throws(MediaError) in try paintPage(card, on: canvas) }
        case .sheet: try paintSheet(on: canvas)
        }
    }

    /// One code, to be seen from a few metres.
    private func paintPage(_ card: CodeKit.Card, on canvas: PathCanvas) throws(MediaError) {
        let (left, width) = (200.0, 1700.0)
        var y = 190.0
        y += try draw(kit.title, 60, Self.soft, most: 1, at: (left, y), width, .center, canvas) + 30
        y += try draw(card.name, 130, Self.ink, bold: true, most: 2, at: (left, y), width, .center, canvas) + 40
        if !card.text.isEmpty {
            try draw(card.text, 62, Self.ink, most: 4, at: (left, y), width, .center, canvas)
        }
        let side = 1240.0
        try draw(card.link, in: Rectangle(x: 430, y: 1010, width: side, height: side), on: canvas)
        try drawCharacters(card.code, 290, at: (left, 2290), width, .center, canvas)
        try draw(kit.address, 50, Self.soft, most: 2, at: (left, 2700), width, .center, canvas)
    }

    /// Two columns of four codes, with lines to cut along.
    private func paintSheet(on canvas: PathCanvas) throws(MediaError) {
        let (width, height) = (Double(Self.size.width) / 2, Double(Self.size.height) / 4)
        canvas.move(toX: width, y: 0)
        canvas.line(toX: width, y: 4 * height)
        for row in 1...3 {
            canvas.move(toX: 0, y: Double(row) * height)
            canvas.line(toX: 2 * width, y: Double(row) * height)
        }
        canvas.stroke(Self.cut, width: 2)
        for (index, card) in cards.enumerated() {
            let (x, y) = (Double(index % 2) * width, Double(index / 2) * height)
            let side = 500.0
            let area = Rectangle(x: x + 70, y: y + (height - side) / 2, width: side, height: side)
            try draw(card.link, in: area, on: canvas)
            let (left, room) = (x + 600, width - 670)
            var top = y + 100
            top += try draw(card.name, 48, Self.ink, bold: true, most: 3, at: (left, top), room, .start, canvas) + 14
            if !card.text.isEmpty {
                try draw(card.text, 30, Self.ink, most: 4, at: (left, top), room, .start, canvas)
            }
            try drawCharacters(card.code, 120, at: (left, y + 450), room, .left, canvas)
            try draw(kit.address, 24, Self.soft, most: 2, at: (left, y + 610), room, .left, canvas)
        }
    }

    /// Draws the code of a link with its quiet zone of four modules within a square.
    private func draw(_ link: String, in area: Rectangle, on canvas: PathCanvas) throws(MediaError) {
        let code = try QRCode(link)
        let module = area.width / Double(code.side + 8)
        for run in code.runs {
            canvas.rectangle(
                Rectangle(
                    x: area.x + Double(run.x + 4) * module, y: area.y + Double(run.y + 4) * module,
                    width: Double(run.length) * module, height: module))
        }
        canvas.fill(.black)
    }

    private func drawCharacters(
        _ code: String, _ size: Double, at place: (x: Double, y: Double), _ width: Double,
        _ alignment: TextLayout.Alignment, _ canvas: PathCanvas
    ) throws(MediaError) {
        let layout = try TextLayout(code, font: "Monospace Bold", size: size, width: width, alignment: alignment)
        canvas.drawText(layout, x: place.x, y: place.y, color: Self.ink)
    }

    /// Draws a text of so many lines at most, and returns its height.
    @discardableResult
    private func draw(
        _ text: String, _ size: Double, _ color: RGBColor, bold: Bool = false, most lines: Int,
        at place: (x: Double, y: Double), _ width: Double, _ alignment: TextLayout.Alignment, _ canvas: PathCanvas
    ) throws(MediaError) -> Double {
        guard let layout = try Self.layout(text, size, bold, lines, width, alignment) else { return 0 }
        canvas.drawText(layout, x: place.x, y: place.y, color: color)
        return layout.logicalBounds.height
    }

    /// The longest beginning of a text that fits, with an ellipsis if something is left out; nil for nothing to draw.
    private static func layout(
        _ text: String, _ size: Double, _ bold: Bool, _ lines: Int, _ width: Double, _ alignment: TextLayout.Alignment
    ) throws(MediaError) -> TextLayout? {
        // More than what fits, of the narrowest letters.
        let scalars = text.replacing("\0", with: "").unicodeScalars.prefix(lines * Int(6 * width / size))
        let words = String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace)
        let whole = words.joined(separator: " ")
        guard !whole.isEmpty else { return nil }
        func laid(_ text: String) throws(MediaError) -> TextLayout {
            try TextLayout(
                text, font: bold ? "\(font) Bold" : font, size: size, width: width, alignment: alignment)
        }
        let full = try laid(whole)
        if full.lineCount <= lines { return full }
        let characters = Array(whole)
        var (fits, tooLong) = (0, characters.count)
        while tooLong - fits > 1 {
            let middle = (fits + tooLong) / 2
            let lineCount = try laid("\(String(characters[..<middle]))…").lineCount
            if lineCount <= lines { fits = middle } else { tooLong = middle }
        }
        let beginning = String(characters[..<fits])
        let end = beginning.lastIndex(of: " ") ?? beginning.endIndex
        return try laid("\(beginning[..<end])…")
    }
}
