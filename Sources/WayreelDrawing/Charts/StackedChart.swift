package import WayreelCore

/// Stacked areas over time, such as the CPU use of each step of a task.
package struct StackedChart: Chart, Hashable {
    package struct Layer: Hashable, Sendable {
        package var name: String
        /// Not negative; the same number in every layer.
        package var values: [Double]

        package init(name: String, values: [Double]) { (self.name, self.values) = (name, values) }
    }

    package var title: String
    package var measure: ChartMeasure
    /// Ascending seconds from the start, not negative. With as many times as values, edges are interpolated between
    /// samples; with one more, each value holds from one time to the next.
    package var times: [Double]
    /// From the lowest.
    package var layers: [Layer]

    package init(title: String = "", measure: ChartMeasure, times: [Double], layers: [Layer]) {
        (self.title, self.measure, self.times, self.layers) = (title, measure, times, layers)
    }

    /// `encode: 62.1 %; decode: 37.9 %`, from the top layer as in the legend.
    package var summary: String { shares.reversed().map { "\($0.name): \($0.share)" }.joined(separator: "; ") }

    package func check() throws(MediaError) {
        try ChartLimits.check(count: layers.count, of: "layers")
        try ChartLimits.check(times: times, of: title.isEmpty ? "layers" : title)
        for layer in layers {
            let count = layer.values.count
            guard count == times.count || count + 1 == times.count || (count == 0 && times.isEmpty),
                count == layers[0].values.count
            else {
                throw chartFault(
                    "the layer '\(layer.name)' has \(count) values for \(times.count) times",
                    "use one value per time in every layer, or one less")
            }
            for value in layer.values {
                try ChartLimits.check(value, of: layer.name, in: 0...ChartLimits.magnitude)
            }
        }
    }

    package func height(textSize: Double) -> Int { Int((textSize * 25).rounded()) }

    package func paint(_ drawing: ChartDrawing) throws(MediaError) {
        let entries = legend(drawing.theme)
        let column = try LegendColumn(entries, title: title, drawing)
        let head = try ChartHead(title: title, legend: column == nil ? entries : [], in: drawing.bounds, drawing)
        var area = head.rest
        if let column { area.width -= column.width }
        let edges = edges
        let scene = try TimeScene(
            area: area, measure: measure, values: 0...(edges.last?.max() ?? 0), end: times.last ?? 0, drawing)
        head.draw(drawing)
        try column?.draw(beside: scene.frame.plot, drawing)
        guard edges.count > 1, !edges[0].isEmpty else {
            return try drawing.drawNote("no samples", in: scene.frame.plot)
        }
        try scene.drawAxes()
        try drawLayers(edges, in: scene)
        scene.drawBaseline()
    }

    // MARK: Sums

    /// Cumulative sums of the layers, from zero to the total.
    private var edges: [[Double]] {
        guard let first = layers.first else { return [] }
        return layers.reduce(into: [[Double](repeating: 0, count: first.values.count)]) { edges, layer in
            edges.append(zip(edges[edges.count - 1], layer.values).map(+))
        }
    }

    private var isStepped: Bool { times.count == (layers.first?.values.count ?? 0) + 1 }

    /// Each layer's fraction of the total area.
    private var shares: [(name: String, share: String)] {
        let areas = layers.map(area)
        let whole = areas.reduce(0, +)
        return zip(layers, areas).map { layer, area in
            (layer.name, whole > 0 ? (area / whole * 100).decimalText(places: 1) + " %" : "")
        }
    }

    private func area(of layer: Layer) -> Double {
        let values = layer.values
        guard values.count > 1 || isStepped else { return values.first ?? 0 }
        return zip(times, times.dropFirst()).enumerated().reduce(0) { sum, span in
            let (index, (start, end)) = span
            return sum + (end - start) * (isStepped ? values[index] : (values[index] + values[index + 1]) / 2)
        }
    }

    // MARK: Drawing

    /// From the top layer.
    private func legend(_ theme: ChartTheme) -> [ChartLegend.Entry] {
        shares.enumerated().reversed().map { index, layer in
            ChartLegend.Entry(
                name: layer.name, detail: layer.share, key: .area, color: theme.layers[index % theme.layers.count])
        }
    }

    private func drawLayers(_ edges: [[Double]], in scene: TimeScene) throws(MediaError) {
        let canvas = scene.drawing.canvas
        let outlines = edges.map { outline($0, in: scene) }
        for index in layers.indices {
            canvas.addLine(outlines[index + 1] + outlines[index].reversed())
            canvas.closePath()
            canvas.fill(scene.theme.layers[index % scene.theme.layers.count])
        }
        canvas.addLine(outlines[layers.count])
        canvas.stroke(scene.theme.axisText, width: max(1, scene.drawing.em / 12))
        for index in layers.indices {
            try drawName(of: index, upper: outlines[index + 1], lower: outlines[index], in: scene)
        }
    }

    /// Draws a layer's name into it if there is room, for readers who cannot rely on colours.
    private func drawName(
        of index: Int, upper: [(x: Double, y: Double)], lower: [(x: Double, y: Double)], in scene: TimeScene
    ) throws(MediaError) {
        let em = scene.drawing.em
        let plot = scene.frame.plot
        // The full name if it fits, otherwise shortened to a third of the width.
        for width in [plot.width - em, plot.width / 3] {
            let label = try scene.drawing.text.label(layers[index].name, within: width)
            let position = LabelPosition(between: upper, and: lower, width: label.width + em, height: 1.5 * em)
            guard label.width > 0, let position else { continue }
            return scene.drawing.text.draw(
                label, on: scene.drawing.canvas, x: position.x, anchor: 0.5, y: position.y, color: scene.theme.layerText
            )
        }
    }

    /// An edge from left to right with at most two points per pixel column; stacked layers are sampled at the same
    /// positions.
    private func outline(_ values: [Double], in scene: TimeScene) -> [(x: Double, y: Double)] {
        let columns = TimeColumns(times: times, isStepped: isStepped, in: scene.frame.plot, x: scene.x)
        return columns.outline(values).map { (x: $0.x, y: scene.y($0.value)) }
    }
}
