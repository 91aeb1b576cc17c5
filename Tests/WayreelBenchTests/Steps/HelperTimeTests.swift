import Testing
import WayreelBench
import WayreelCore
import WayreelGauge

@Suite struct HelperTimeTests {
    private typealias Runs = StepRuns

    private func helpers(_ run: Measurement, _ spans: [TraceSpan]) -> [String: [Double]] {
        HelperTime(run, besides: OwnTime.of(spans)).byStep.mapValues(\.amounts)
    }

    private let encoding = Runs.span("encode", 0, 1000, cpu: 300, called: "encode")

    /// Threads of these names take 600 and 400 ms, of which the span includes 150 each.
    @Test func includesTimeOutsideSpans() throws {
        let run = try Runs.run(cpu: 1100, [(500, ["encode": 600]), (1000, ["encode": 1000])])
        let found = helpers(run, [encoding])
        #expect(found.keys.sorted() == ["encode"] && Runs.isClose(found["encode"] ?? [], [450, 250, 0]))
    }

    /// A codec's threads, under any name, belong to the step that they work for: its spans count once.
    @Test(arguments: [
        ("decode", ["av:vp8:df0", "av:vp8:df1"]), ("decode", ["dec0:0:vp8", "av:libdav1:df12"]),
        ("decode", ["dav1d-worker", "decode"]), ("encode", ["enc0:0:libx264", "enc0:1:aac"]),
        ("filter", ["av:scale:ff:0", "av:drawtex:ff:1"]),
    ])
    func knowsCodecsByTheirNames(step: String, threads: [String]) throws {
        let run = try Runs.run(
            cpu: 1000, [(1000, [step: 100, threads[0]: 200].merging([threads[1]: 250], uniquingKeysWith: +))])
        let found = helpers(run, [Runs.span(step, 0, 1000, cpu: 100, called: step)])
        #expect(found.keys.sorted() == [step] && Runs.isClose(found[step] ?? [], [450, 0]))
    }

    /// The kernel keeps 15 bytes.
    @Test func knowsStepsByTheBeginningOfTheirNames() throws {
        let run = try Runs.run(cpu: 1000, [(1000, ["filter and over": 500])])
        let name = "filter and overlay"
        let found = helpers(run, [Runs.span(name, 0, 1000, cpu: 100, called: "filter and over")])
        #expect(found.keys.sorted() == [name] && Runs.isClose(found[name] ?? [], [400, 0]))
    }

    /// Threads whose name matches no step work for the open spans.
    @Test func threadsWithoutAStepWorkForWhatGoesOn() throws {
        let run = try Runs.run(cpu: 1000, [(400, ["task": 100]), (1000, ["task": 800])])
        let spans = [Runs.span("open", 0, 400, cpu: 100), Runs.span("find", 400, 1000, cpu: 100)]
        #expect(Runs.isClose(helpers(run, spans)["find"] ?? [], [0, 600, 0]))
        #expect(helpers(run, spans)["open"]?.allSatisfy { $0 == 0 } ?? true)
        let halves = [Runs.span("a", 0, 250, cpu: 0), Runs.span("b", 250, 1000, cpu: 0)]
        let shared = helpers(try Runs.run(cpu: 1000, [(1000, ["task": 400])]), halves)
        #expect(Runs.isClose(shared["a"] ?? [], [100, 0]) && Runs.isClose(shared["b"] ?? [], [300, 0]))
    }

    /// Time of a thread between its spans is not a step, nor is that of the program itself.
    @Test func dropsNegligibleSteps() throws {
        let names = ["wayreel", "heartbeat", "watch", "gauge", "oot.default-qos", "-qos.overcommit"]
        let threads = Dictionary(uniqueKeysWithValues: names.map { ($0, 100.0) })
        let more = ["join": 300, "idle": 5, "task": 109.0]
        let run = try Runs.run(cpu: 1000, [(1000, threads.merging(more) { $1 })])
        let found = helpers(run, [Runs.span("write", 0, 500, cpu: 100)])
        #expect(found.keys.sorted() == ["join"] && Runs.isClose(found["join"] ?? [], [300, 0]))
    }

    /// Threads are read only occasionally. After the last reading they are assumed to continue as before, within the
    /// CPU time of the process.
    @Test(arguments: [(1000.0, 300.0), (600, 100), (400, 0)])
    func goesOnAfterTheLastReading(cpu: Double, late: Double) throws {
        let readings: [(Double, [String: Double]?)] = [
            (100, nil), (200, nil), (500, ["encode": 400]), (600, nil), (990, nil),
        ]
        let span = Runs.span("encode", 0, 1000, cpu: 200, called: "encode")
        let found = helpers(try Runs.run(cpu: cpu, readings), [span])
        #expect(Runs.isClose(found["encode"] ?? [], [300, late]))
    }

    /// Threads that appear later, and a span after the last reading, which the reading does not include.
    @Test func comparesWithSpansUpToTheLastReading() throws {
        let readings: [(Double, [String: Double]?)] = [(250, ["decode": 10]), (500, ["decode": 10, "encode": 200])]
        let spans = [
            Runs.span("encode", 250, 500, cpu: 50, called: "encode"),
            Runs.span("write", 500, 1000, cpu: 400, called: "encode"),
        ]
        let found = helpers(try Runs.run(cpu: 1000, readings), spans)
        #expect(Runs.isClose(found["encode"] ?? [], [0, 150, 0]))
    }

    /// Spans are treated as evenly distributed, although they are not, and clocks jitter.
    @Test func nothingComesOfUnevenSpans() throws {
        let busyFirst = try Runs.run(cpu: 600, [(500, ["encode": 300]), (1000, ["encode": 300])])
        #expect(helpers(busyFirst, [encoding]).isEmpty)
        let less = try Runs.run(cpu: 600, [(1000, ["encode": 299.9])])
        #expect(helpers(less, [encoding]).isEmpty)
    }

    @Test func needsReadings() throws {
        #expect(helpers(try Runs.run(cpu: 600), [encoding]).isEmpty)
        #expect(helpers(try Runs.run(cpu: 600, [(500, nil)]), [encoding]).isEmpty)
        #expect(helpers(try Runs.run(cpu: 600, [(500, [:])]), []).isEmpty)
    }
}
