internal import WayreelGauge

extension StepCosts.Timeline {
    private static let columns = 48

    /// The time of the run in equal parts, each step's processor time spread evenly over its spans; what no step accounts for
    /// lies before the first and after the last.
    init(_ run: Measurement, _ own: [OwnTime], _ helpers: HelperTime, order: [String]) {
        let (begin, length) = (run.startMilliseconds, max(run.wallMilliseconds, 0.001))
        let width = length / Double(Self.columns)
        times = (0...Self.columns).map { Double($0) * width / 1000 }
        layers = order.map { Layer(name: $0, cores: [Double](repeating: 0, count: Self.columns)) }
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        for span in own {
            guard let place = places[span.name] else { continue }
            layers[place].spread(span.cpu, from: span.start - begin, to: span.end - begin, width: width)
        }
        for name in helpers.names {
            guard let place = places[name] else { continue }
            let whole = helpers.milliseconds(of: name)
            for column in 0..<Self.columns {
                let start = Double(column) * width
                layers[place].cores[column] += whole * helpers.share(of: name, from: start, to: start + width) / width
            }
        }
        layers.append(rest(run, own, width: width))
    }

    /// What remains, where there is no step.
    private func rest(_ run: Measurement, _ own: [OwnTime], width: Double) -> Layer {
        var layer = Layer(name: StepCosts.rest, cores: [Double](repeating: 0, count: Self.columns))
        let known = layers.reduce(0) { $0 + $1.cores.reduce(0, +) * width }
        let left = max(0, run.cpuMilliseconds - known)
        let first = (own.map(\.start).min() ?? run.startMilliseconds) - run.startMilliseconds
        let last = (own.map(\.end).max() ?? run.startMilliseconds) - run.startMilliseconds
        let outside = (before: max(0, first), after: max(0, run.wallMilliseconds - last))
        let whole = outside.before + outside.after
        guard whole > 0 else { return layer }
        layer.spread(left * outside.before / whole, from: 0, to: first, width: width)
        layer.spread(left * outside.after / whole, from: last, to: run.wallMilliseconds, width: width)
        return layer
    }
}

extension StepCosts.Timeline.Layer {
    /// Spreads milliseconds of processor time over columns of `width` milliseconds.
    fileprivate mutating func spread(_ cpu: Double, from start: Double, to end: Double, width: Double) {
        let last = cores.count - 1
        guard end > start else {
            guard cpu > 0 else { return }
            let column = min(max(0, Int(start / width)), last)
            return cores[column] += cpu / width
        }
        let columns = min(max(0, Int(start / width)), last)...min(max(0, Int(end / width)), last)
        for column in columns {
            let overlap = min(end, Double(column + 1) * width) - max(start, Double(column) * width)
            cores[column] += cpu * max(0, overlap) / (end - start) / width
        }
    }
}
