internal import WayreelGauge

extension StepCosts.Timeline {
    private static let columns = 48

    /// The run in equal intervals; each step's CPU time, scaled by `scale`, is distributed evenly over its spans.
    init(_ run: Measurement, _ own: [OwnTime], _ helpers: HelperTime, order: [String], scale: Double) {
        let (begin, length) = (run.startMilliseconds, max(run.wallMilliseconds, 0.001))
        let width = length / Double(Self.columns)
        let nothing = AmountOverTime(edges: (0...Self.columns).map { Double($0) * width })
        var steps: [String: AmountOverTime] = [:]
        for span in own {
            steps[span.name, default: nothing].add(span.cpu * scale, from: span.start - begin, to: span.end - begin)
        }
        for (name, time) in helpers.byStep {
            for (part, amount) in time.amounts.enumerated() {
                steps[name, default: nothing].add(
                    amount * scale, from: time.edges[part] - begin, to: time.edges[part + 1] - begin)
            }
        }
        let left = max(0, run.cpuMilliseconds - steps.values.reduce(0) { $0 + $1.sum })
        let first = min(max(0, (own.map(\.start).min() ?? begin + length) - begin), length)
        let last = min(max(first, (own.map(\.end).max() ?? begin + length) - begin), length)
        times = nothing.edges.map { $0 / 1000 }
        layers = order.map { Layer(name: $0, steps[$0] ?? nothing, width) }
        layers.append(Layer(name: StepCosts.rest, Self.rest(left, first: first, last: last, nothing), width))
    }

    /// Distributes time outside steps before the first and after the last step, up to one core; the remainder is spread
    /// over the run.
    private static func rest(_ left: Double, first: Double, last: Double, _ nothing: AmountOverTime) -> AmountOverTime {
        var rest = nothing
        let length = nothing.edges[columns]
        let outside = first + length - last
        let apart = min(left, outside)
        if apart > 0 {
            rest.add(apart * (first / outside), from: 0, to: first)
            rest.add(apart * ((length - last) / outside), from: last, to: length)
        }
        rest.add(left - apart, from: 0, to: length)
        return rest
    }
}

extension StepCosts.Timeline.Layer {
    /// From CPU milliseconds in intervals of `width` milliseconds.
    fileprivate init(name: String, _ time: AmountOverTime, _ width: Double) {
        self.init(name: name, cores: time.amounts.map { $0 / width })
    }
}
