import Testing
import WayreelBench
import WayreelCore
import WayreelGauge

/// Timelines of runs of 480 ms, so that each of the 48 columns has 10 ms.
@Suite struct TimelineTests {
    private typealias Runs = StepRuns

    private func timeline(cpu: Double, _ spans: [TraceSpan]) throws -> StepCosts.Timeline {
        StepCosts(of: try Runs.run(wall: 480, cpu: cpu), trace: spans).timeline
    }

    private func cores(_ values: [Int: Double]) -> [Double] { (0..<48).map { values[$0] ?? 0 } }

    @Test func timesAreThoseOfTheRun() throws {
        let times = try timeline(cpu: 10, []).times
        #expect(Runs.isClose(times, (0...48).map { Double($0) / 100 }))
    }

    /// Spans in the first column, across two, and in the last.
    @Test func spansLieWhereTheyWere() throws {
        let layers = try timeline(
            cpu: 18,
            [Runs.span("a", 0, 10, cpu: 5), Runs.span("b", 95, 105, cpu: 8), Runs.span("c", 470, 480, cpu: 5)]
        ).layers
        #expect(layers.map(\.name) == ["a", "b", "c", StepCosts.rest])
        #expect(Runs.isClose(layers[0].cores, cores([0: 0.5])))
        #expect(Runs.isClose(layers[1].cores, cores([9: 0.4, 10: 0.4])))
        #expect(Runs.isClose(layers[2].cores, cores([47: 0.5])))
        #expect(Runs.isClose(layers[3].cores, cores([:])))
    }

    /// Time that clocks place outside of the run is kept.
    @Test func spansLongerThanTheRunKeepTheirTime() throws {
        let whole = try timeline(cpu: 480, [Runs.span("a", -100, 600, cpu: 480)]).layers
        #expect(Runs.isClose(whole[0].cores, [Double](repeating: 1, count: 48)))
        let spans = [Runs.span("before", -20, -10, cpu: 3), Runs.span("after", 490, 500, cpu: 4)]
        let outside = try timeline(cpu: 7, spans).layers
        #expect(Runs.isClose(outside[0].cores, cores([0: 0.3])) && Runs.isClose(outside[1].cores, cores([47: 0.4])))
    }

    @Test func spansWithoutLengthLieInOneColumn() throws {
        let layers = try timeline(
            cpu: 3, [Runs.span("a", 20, 20, cpu: 1), Runs.span("end", 480, 480, cpu: 2)]
        ).layers
        #expect(Runs.isClose(layers[0].cores, cores([2: 0.1])) && Runs.isClose(layers[1].cores, cores([47: 0.2])))
    }

    @Test func helpersLieBetweenTheirReadings() throws {
        let run = try Runs.run(wall: 480, cpu: 300, [(240, ["encode": 60]), (480, ["encode": 300])])
        let layer = StepCosts(of: run, trace: [Runs.span("encode", 0, 480, called: "encode")]).timeline.layers[0]
        let expected = (0..<48).map { $0 < 24 ? 0.25 : 1 }
        #expect(Runs.isClose(layer.cores, expected))
    }

    /// Before the first step and after the last, the rest is distributed up to one core; the remainder is distributed
    /// over all columns.
    @Test func theRestLiesOutside() throws {
        let step = Runs.span("a", 10, 460, cpu: 100)
        let little = try #require(try timeline(cpu: 115, [step]).layers.last)
        #expect(Runs.isClose(little.cores, cores([0: 0.5, 46: 0.5, 47: 0.5])))
        let much = try #require(try timeline(cpu: 100 + 30 + 96, [step]).layers.last)
        #expect(Runs.isClose(much.cores, (0..<48).map { [0, 46, 47].contains($0) ? 1.2 : 0.2 }))
        let nowhere = try #require(try timeline(cpu: 148, [Runs.span("a", 0, 480, cpu: 100)]).layers.last)
        #expect(Runs.isClose(nowhere.cores, [Double](repeating: 0.1, count: 48)))
        let all = try #require(try timeline(cpu: 48, []).layers.last)
        #expect(Runs.isClose(all.cores, [Double](repeating: 0.1, count: 48)))
    }
}
