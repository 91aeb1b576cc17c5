internal import Glibc
package import WayreelCore
internal import WayreelDrawing

/// Time, memory or other quantities against input size on logarithmic axes, where power laws are straight lines.
package struct ScalingChart: Chart, Hashable {
    /// One quantity; panels share the sizes.
    package struct Panel: Hashable, Sendable {
        package var name: String
        package var measure: ChartMeasure
        package var series: [Series]

        package init(name: String, measure: ChartMeasure, series: [Series]) {
            (self.name, self.measure, self.series) = (name, measure, series)
        }
    }

    package struct Series: Hashable, Sendable {
        package var name: String
        package var points: [Point]
        /// Drawn as a line from the smallest to the largest size.
        package var fit: Fit?

        package init(name: String, points: [Point], fit: Fit? = nil) {
            (self.name, self.points, self.fit) = (name, points, fit)
        }
    }

    /// Both are positive.
    package struct Point: Hashable, Sendable {
        package var size: Double
        package var value: Double

        package init(size: Double, value: Double) { (self.size, self.value) = (size, value) }
    }

    package var title: String
    /// Unit of sizes: `.count("MP")`, `.bytes`.
    package var size: ChartMeasure
    package var panels: [Panel]

    package init(title: String = "", size: ChartMeasure, panels: [Panel]) {
        (self.title, self.size, self.panels) = (title, size, panels)
    }

    /// `time: Wayreel ∝ n^1.02 (0.98–1.05); memory: …`.
    package var summary: String {
        panels.map { panel in
            let series = panel.series.map {
                [$0.name, $0.fit?.text ?? "\($0.points.count) points"].joined(separator: " ")
            }
            return "\(panel.name): \(series.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    package func check() throws(MediaError) {
        try ChartLimits.check(count: panels.reduce(panels.count) { $0 + $1.series.count }, of: "series")
        for series in panels.lazy.flatMap(\.series) {
            for point in series.points {
                for number in [point.size, point.value] {
                    guard number >= Self.minimum, number <= ChartLimits.magnitude else {
                        throw chartFault(
                            "a logarithmic axis cannot show \(number) of '\(series.name)'", advice: "remove it")
                    }
                }
            }
            guard let fit = series.fit else { continue }
            guard fit.coefficient > 0, fit.coefficient.isFinite, fit.exponent.magnitude <= 100 else {
                throw chartFault("the fit of '\(series.name)' is not a drawable power law")
            }
        }
    }

    /// The smallest number that counts as a measurement.
    private static let minimum = 1e-15

    package func paint(_ drawing: ChartDrawing) throws(MediaError) {
        let head = try ChartHead(title: title, in: drawing.bounds, drawing)
        head.draw(drawing)
        guard let sizes = Self.extremes(panels.flatMap { $0.series.flatMap { $0.points.map(\.size) } }) else {
            return try drawing.drawNote("no points", in: head.rest)
        }
        for (panel, area) in zip(panels, Self.areas(of: head.rest, count: panels.count, em: drawing.em)) {
            try ScalingPanel(panel: panel, size: size, sizes: sizes, area: area, drawing: drawing).draw()
        }
    }

    static func extremes(_ numbers: [Double]) -> ClosedRange<Double>? {
        guard let minimum = numbers.min(), let maximum = numbers.max() else { return nil }
        return minimum...maximum
    }

    /// Side by side if that makes the areas closer to squares.
    private static func areas(of area: Rectangle, count: Int, em: Double) -> [Rectangle] {
        let (across, down) = (area.width / Double(count), area.height / Double(count))
        let isRow = abs(log(across / area.height)) <= abs(log(area.width / down)) || down < 8 * em
        return (0..<count).map { index in
            isRow
                ? Rectangle(x: area.x + Double(index) * across, y: area.y, width: across, height: area.height)
                : Rectangle(x: area.x, y: area.y + Double(index) * down, width: area.width, height: down)
        }
    }
}
