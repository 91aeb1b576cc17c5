internal import WayreelGauge

extension StepCosts.Timeline {
    private static let columns = 48

    /// The time of the run in equal parts, each step's processor time spread evenly over its spans, `scale` of it.
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

    /// What no step accounts for lies before the first and after the last, as much of it as one core can do there; of what is
    /// more nobody knows where.
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
    /// Of milliseconds of processor time in parts of `width` milliseconds.
    fileprivate init(name: String, _ time: AmountOverTime, _ width: Double) {
        self.init(name: name, cores: time.amounts.map { $0 / width })
    }
}
