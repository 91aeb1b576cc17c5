import Testing
import WayreelBench
import WayreelCore
import WayreelGauge

@Suite struct StepCostsTests {
    private typealias Runs = StepRuns

    /// The spans have 10, 50 and 150 of 1000 ms without nested spans, and the encoder's threads 600 more.
    @Test func addsUpToTheRun() throws {
        let run = try Runs.run(cpu: 1000, [(1000, ["wayreel": 20, "task": 10, "encode": 800])])
        let spans = [
            Runs.span("encode", 200, 800, cpu: 150, on: 2, called: "encode"),
            Runs.span("scale", 100, 900, cpu: 200, on: 2, called: "encode"),
            Runs.span("transcode", 10, 990, cpu: 10),
        ]
        let costs = StepCosts(of: run, trace: spans)
        #expect(costs.steps.map(\.name) == ["transcode", "scale", "encode", StepCosts.rest])
        #expect(Runs.isClose(costs.steps.map(\.wallMilliseconds), [980, 200, 600, 0]))
        #expect(Runs.isClose(costs.steps.map(\.cpuMilliseconds), [10, 50, 750, 190]))
        #expect(costs.timeline.layers.map(\.name) == costs.steps.map(\.name))
        #expect(costs.cpuMilliseconds == 1000 && costs.wallMilliseconds == 1000)
    }

    /// Steps of the same name that began at different times are merged.
    @Test func joinsSpansOfOneName() throws {
        let spans = (0..<10).flatMap {
            let start = Double($0) * 10
            return [Runs.span("read", start, start + 2, cpu: 1), Runs.span("decode", start + 2, start + 10, cpu: 7)]
        }
        let steps = StepCosts(of: try Runs.run(wall: 100, cpu: 100), trace: spans).steps
        #expect(steps.map(\.name) == ["read", "decode", StepCosts.rest])
        #expect(Runs.isClose(steps.map(\.cpuMilliseconds), [10, 70, 20]))
        #expect(Runs.isClose(steps.map(\.wallMilliseconds), [20, 80, 0]))
    }

    /// If the threads' clocks exceed the kernel's total, the total is divided among them.
    @Test func doesNotExceedTheRun() throws {
        let spans = [Runs.span("a", 0, 500, cpu: 600), Runs.span("b", 500, 1000, cpu: 600)]
        let costs = StepCosts(of: try Runs.run(cpu: 1000), trace: spans)
        #expect(Runs.isClose(costs.steps.map(\.cpuMilliseconds), [500, 500, 0]))
        #expect(Runs.isClose(area(costs), 1000))
    }

    @Test func takesARunWithoutSpans() throws {
        let steps = StepCosts(of: try Runs.run(cpu: 30), trace: []).steps
        #expect(steps.map(\.name) == [StepCosts.rest] && steps[0].cpuMilliseconds == 30)
        let none = StepCosts(of: try Runs.run(wall: 0, cpu: 0), trace: [])
        #expect(none.steps[0].cpuMilliseconds == 0 && area(none) == 0)
    }

    /// Returns the area in milliseconds; all columns are equally wide.
    private func area(_ costs: StepCosts) -> Double {
        let cores = costs.timeline.layers.flatMap(\.cores).reduce(0, +)
        return cores * (costs.timeline.times[1] - costs.timeline.times[0]) * 1000
    }

    /// For any measured values, the sum is right in total and in each step, and nothing is negative.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func isWholeAnyWasMeasured(seed: UInt64) throws {
        var random = StepRandom(seed: seed)
        var spans: [TraceSpan] = []
        for (thread, name) in ["task", "decode", "encode", "wayreel"].enumerated() {
            let start = random.number(-50...500)
            spans += random.spans(
                from: start, to: start + random.number(0...700), depth: 3, on: thread, called: name)
        }
        var threads: [String: Double] = [:]
        let readings = (0..<8).map { index -> (Double, [String: Double]?) in
            for name in ["wayreel", "task", "decode", "encode", "av:h264:df0", "x"] where random.number(0...1) < 0.6 {
                threads[name, default: 0] += random.number(0...300)
            }
            return (Double(index) * random.number(100...140), random.number(0...1) < 0.5 ? threads : nil)
        }
        let cpu = random.number(0...3000)
        let costs = StepCosts(of: try Runs.run(cpu: cpu, readings.sorted { $0.0 < $1.0 }), trace: spans)
        #expect(Runs.isClose(costs.steps.reduce(0) { $0 + $1.cpuMilliseconds }, cpu))
        #expect(costs.steps.allSatisfy { $0.cpuMilliseconds >= 0 && $0.wallMilliseconds >= 0 })
        #expect(Runs.isClose(area(costs), cpu))
        let width = (costs.timeline.times[1] - costs.timeline.times[0]) * 1000
        for (step, layer) in zip(costs.steps, costs.timeline.layers) {
            #expect(step.name == layer.name && Runs.isClose(layer.cores.reduce(0, +) * width, step.cpuMilliseconds))
            #expect(layer.cores.allSatisfy { $0 >= 0 })
        }
    }
}
