internal import WayreelCore
internal import WayreelDrawing

extension PaperSheet {
    private static let fine = RGBColor(red: 0.965, green: 0.80, blue: 0.79)
    private static let heavy = RGBColor(red: 0.90, green: 0.56, blue: 0.55)
    private static let ink = RGBColor(red: 0.06, green: 0.07, blue: 0.10)
    private static let faint = RGBColor(red: 0.10, green: 0.30, blue: 0.70, alpha: 0.4)
    private static let note = RGBColor(red: 0.05, green: 0.25, blue: 0.60)

    func paint(on canvas: PathCanvas) throws(MediaError) {
        canvas.rectangle(Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
        canvas.fill(.white)
        drawGrid(on: canvas)
        let text = try ChartText(font: picture.plot.font, size: 3.2 * Self.millimetre)
        for baseline in baselines { drawCalibration(baseline, on: canvas) }
        if picture.plot.showsRaw {
            for strip in strips { draw(picture.channels[strip.channel].raw, of: strip, Self.faint, on: canvas) }
        }
        for strip in strips { draw(picture.channels[strip.channel].parts, of: strip, Self.ink, on: canvas) }
        for strip in strips { drawBeats(of: strip, on: canvas) }
        try drawMarks(text, on: canvas)
        for strip in strips { try drawName(of: strip, text, on: canvas) }
        try drawTexts(text, on: canvas)
    }

    private func drawGrid(on canvas: PathCanvas) {
        let millimetre = Self.millimetre
        for (step, width, color) in [(1, 0.1, Self.fine), (5, 0.2, Self.heavy)] {
            let distance = Double(step) * millimetre
            for index in 0...Int((grid.width / distance).rounded()) where step == 5 || index % 5 != 0 {
                let x = grid.x + Double(index) * distance
                canvas.addLine([(x, grid.y), (x, grid.maxY)])
            }
            for index in 0...Int((grid.height / distance).rounded()) where step == 5 || index % 5 != 0 {
                let y = grid.y + Double(index) * distance
                canvas.addLine([(grid.x, y), (grid.maxX, y)])
            }
            canvas.stroke(color, width: width * millimetre)
        }
    }

    /// Draws 1 mV for 200 ms, before the traces of a row.
    private func drawCalibration(_ baseline: Double, on canvas: PathCanvas) {
        let (left, width) = (grid.x + 5 * Self.millimetre, 0.2 * Self.secondWidth)
        let (start, top) = (left + 2 * Self.millimetre, baseline - Self.millivoltHeight)
        canvas.addLine([
            (left, baseline), (start, baseline), (start, top), (start + width, top), (start + width, baseline),
            (start + width + 2 * Self.millimetre, baseline),
        ])
        canvas.stroke(Self.ink, width: Self.lineWidth)
    }

    private static let lineWidth = 0.28 * millimetre

    private func draw(_ parts: [SensorTrace.Part], of strip: Strip, _ color: RGBColor, on canvas: PathCanvas) {
        let channel = picture.channels[strip.channel]
        var dots: [(x: Double, y: Double)] = []
        // Of several sheets, each has some of the parts.
        let shown = parts.filter { $0.last.time >= window.lowerBound && $0.first.time <= window.upperBound }
        for run in SensorTrace.runs(shown, usualInterval: channel.usualInterval, gap: picture.plot.gap) {
            let points = run.lazy.flatMap(\.samples).compactMap { point($0, of: strip) }
            if points.count == 1 { dots += Array(points) } else { canvas.addLine(Array(points)) }
        }
        canvas.stroke(color, width: Self.lineWidth)
        for dot in dots { canvas.circle(centerX: dot.x, centerY: dot.y, radius: Self.lineWidth) }
        if !dots.isEmpty { canvas.fill(color) }
    }

    /// The place of a sample; nil if the strip does not show its time.
    private func point(_ sample: SensorTrace.Sample, of strip: Strip) -> (x: Double, y: Double)? {
        let seconds = (Double(sample.time) - Double(window.lowerBound)) / 1e6
        guard strip.seconds.contains(seconds) else { return nil }
        // What leaves the paper is at its edge.
        let height = strip.baseline - sample.value * factors[strip.channel] * Self.millivoltHeight
        return (
            strip.x + (seconds - strip.seconds.lowerBound) * Self.secondWidth, min(max(height, grid.y), grid.maxY)
        )
    }

    /// Draws rings at the beats that a filter has found.
    private func drawBeats(of strip: Strip, on canvas: PathCanvas) {
        let points = picture.channels[strip.channel].beats.flatMap(\.samples).compactMap { point($0, of: strip) }
        guard !points.isEmpty else { return }
        for point in points { canvas.circle(centerX: point.x, centerY: point.y, radius: 0.9 * Self.millimetre) }
        canvas.stroke(Self.note, width: 0.25 * Self.millimetre)
    }

    /// Draws the name of a lead above its strip, and where it takes the place of another one.
    private func drawName(of strip: Strip, _ text: ChartText, on canvas: PathCanvas) throws(MediaError) {
        let millimetre = Self.millimetre
        if strip.seconds.lowerBound > 0 {
            for sign in [-1.0, 1] {
                canvas.addLine([
                    (strip.x, strip.baseline + sign * 4 * millimetre),
                    (strip.x, strip.baseline + sign * 7 * millimetre),
                ])
            }
            canvas.stroke(Self.ink, width: Self.lineWidth)
        }
        let label = try text.label(strip.name, within: 40 * millimetre)
        text.draw(
            label, on: canvas, x: strip.x + 1.5 * millimetre,
            y: strip.baseline - min(pitch * 0.4, 14 * millimetre), color: Self.ink, halo: .white)
    }

    /// Draws marks across the paper, with the texts above it that do not cover each other.
    private func drawMarks(_ text: ChartText, on canvas: PathCanvas) throws(MediaError) {
        let left = grid.x + 15 * Self.millimetre
        var free = left
        for mark in picture.marks(in: window).sorted(by: { $0.seconds < $1.seconds }) {
            let x = left + mark.seconds * Self.secondWidth
            canvas.addLine([(x, grid.y - 2 * Self.millimetre), (x, grid.maxY)])
            canvas.stroke(Self.note, width: 0.15 * Self.millimetre)
            let label = try text.label(mark.text, within: 80 * Self.millimetre)
            let start = min(x, grid.maxX - label.width)
            guard start >= free, label.width > 0 else { continue }
            text.draw(label, on: canvas, x: start, y: grid.y - 4.5 * Self.millimetre, color: Self.note)
            free = start + label.width + 3 * Self.millimetre
        }
    }

    private func drawTexts(_ text: ChartText, on canvas: PathCanvas) throws(MediaError) {
        let millimetre = Self.millimetre
        let bold = try ChartText(font: picture.plot.font + " Bold", size: 4.2 * millimetre)
        let time = try text.label(timeText)
        text.draw(time, on: canvas, x: grid.maxX, anchor: 1, y: 11 * millimetre, color: Self.ink)
        let title = try bold.label(
            picture.title.isEmpty ? "Electrocardiogram" : picture.title,
            within: grid.width - time.width - 5 * millimetre)
        bold.draw(title, on: canvas, x: grid.x, y: 11 * millimetre, color: Self.ink)
        var room = grid.width
        if let numberText {
            let label = try text.label(numberText)
            text.draw(label, on: canvas, x: grid.maxX, anchor: 1, y: grid.maxY + 4 * millimetre, color: Self.ink)
            room -= label.width + 5 * millimetre
        }
        let scale = try text.label(scaleText, within: room)
        text.draw(scale, on: canvas, x: grid.x, y: grid.maxY + 4 * millimetre, color: Self.ink)
        guard !picture.credit.isEmpty else { return }
        let small = try ChartText(font: picture.plot.font, size: 2.6 * millimetre)
        let credit = try small.label(picture.credit, within: grid.width)
        small.draw(credit, on: canvas, x: grid.x, y: grid.maxY + 9 * millimetre, color: Self.ink)
    }
}
