package import WayreelCore
package import WayreelGauge

/// Breakdown of a traced run by step.
package struct StepCosts: Sendable, Codable {
    package struct Step: Hashable, Sendable, Codable {
        package var name: String
        /// The wall time without nested steps; waiting takes only wall time.
        package var wallMilliseconds: Double
        /// The CPU time of the step's thread without nested steps, and of threads that codecs started for it.
        package var cpuMilliseconds: Double
    }

    /// CPU time of each step over time.
    package struct Timeline: Hashable, Sendable, Codable {
        package struct Layer: Hashable, Sendable, Codable {
            package var name: String
            /// Busy cores between consecutive times.
            package var cores: [Double]
        }

        /// Seconds since process start, one more than values.
        package var times: [Double]
        package var layers: [Layer]
    }

    /// The steps in order of their start.
    package var steps: [Step]
    package var timeline: Timeline
    /// The wall time of the whole process.
    package var wallMilliseconds: Double
    package var cpuMilliseconds: Double

    /// Time outside steps: process start, library loading, exit, and unattributed time.
    package static let rest = "outside steps"

    /// The steps and ``rest`` sum to the CPU time of the run.
    package init(of run: Measurement, trace spans: [TraceSpan]) {
        wallMilliseconds = run.wallMilliseconds
        cpuMilliseconds = run.cpuMilliseconds
        let own = OwnTime.of(spans)
        let helpers = HelperTime(run, besides: own)
        var order: [String] = []
        var sums: [String: (wall: Double, cpu: Double)] = [:]
        for span in own.sorted(by: { $0.start < $1.start }) {
            if sums[span.name] == nil { order.append(span.name) }
            let sum = sums[span.name] ?? (0, 0)
            sums[span.name] = (sum.wall + span.wall, sum.cpu + span.cpu)
        }
        order += helpers.byStep.keys.filter { sums[$0] == nil }.sorted()
        for (name, time) in helpers.byStep { sums[name, default: (0, 0)].cpu += time.sum }
        let known = sums.values.reduce(0) { $0 + $1.cpu }
        // Thread clocks may slightly exceed the kernel's count for the process.
        let scale = known > cpuMilliseconds ? cpuMilliseconds / known : 1
        steps = order.map { name in
            let sum = sums[name] ?? (0, 0)
            return Step(name: name, wallMilliseconds: sum.wall, cpuMilliseconds: sum.cpu * scale)
        }
        let rest = max(0, cpuMilliseconds - known)
        steps.append(Step(name: Self.rest, wallMilliseconds: 0, cpuMilliseconds: rest))
        timeline = Timeline(run, own, helpers, order: order, scale: scale)
    }
}

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
