internal import WayreelGauge
internal import WayreelCore

/// What a task's time went into, of one run that was traced.
package struct StepCosts: Sendable, Codable {
    package struct Step: Hashable, Sendable, Codable {
        package var name: String
        /// Without the steps inside it; a step that waits takes wall time only.
        package var wallMilliseconds: Double
        /// Of its thread, without the steps inside it, and of the threads that codecs have started for it.
        package var cpuMilliseconds: Double
    }

    /// CPU time of each step over time.
    package struct Timeline: Hashable, Sendable, Codable {
        package struct Layer: Hashable, Sendable, Codable {
            package var name: String
            /// Cores at work between one time and the next.
            package var cores: [Double]
        }

        /// In seconds from the start of the process, one more than there are values.
        package var times: [Double]
        package var layers: [Layer]
    }

    /// In the order in which they began.
    package var steps: [Step]
    package var timeline: Timeline
    /// Of the whole process.
    package var wallMilliseconds: Double
    package var cpuMilliseconds: Double

    /// What belongs to no step: the start of the process, loading libraries, its end.
    package static let rest = "start and end"

    init(of run: Measurement, trace spans: [TraceSpan]) {
        wallMilliseconds = run.wallMilliseconds
        cpuMilliseconds = run.cpuMilliseconds
        let own = OwnTime.of(spans)
        var order: [String] = []
        for span in own.sorted(by: { $0.start < $1.start }) where !order.contains(span.name) { order.append(span.name) }
        let helpers = HelperTime(run.samples, besides: own)
        for name in helpers.names where !order.contains(name) { order.append(name) }
        var steps = order.map { name in
            let mine = own.filter { $0.name == name }
            return Step(
                name: name, wallMilliseconds: mine.reduce(0) { $0 + $1.wall },
                cpuMilliseconds: mine.reduce(0) { $0 + $1.cpu } + helpers.milliseconds(of: name))
        }
        let known = steps.reduce(0) { $0 + $1.cpuMilliseconds }
        steps.append(Step(name: Self.rest, wallMilliseconds: 0, cpuMilliseconds: max(0, cpuMilliseconds - known)))
        self.steps = steps
        timeline = Timeline(run, own, helpers, order: order)
    }
}
