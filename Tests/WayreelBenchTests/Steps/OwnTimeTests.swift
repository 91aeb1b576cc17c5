import Testing
import WayreelBench
import WayreelCore

@Suite struct OwnTimeTests {
    private typealias Runs = StepRuns

    /// Returns name, wall and CPU time of each.
    private func own(_ spans: [TraceSpan]) -> [String] {
        OwnTime.of(spans).map { "\($0.name) \(rounded($0.wall)) \(rounded($0.cpu))" }
    }

    /// Rounds to one decimal.
    private func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    @Test func leavesOutWhatLiesInside() {
        let spans = [
            Runs.span("c", 20, 40, cpu: 15), Runs.span("b", 10, 60, cpu: 30), Runs.span("d", 70, 80, cpu: 10),
            Runs.span("a", 0, 100, cpu: 60),
        ]
        #expect(own(spans) == ["a 40.0 20.0", "b 30.0 15.0", "c 20.0 15.0", "d 10.0 10.0"])
    }

    /// A span that begins at the end of another follows it.
    @Test func touchingSpansLieApart() {
        let spans = [
            Runs.span("all", 0, 30, cpu: 30), Runs.span("a", 0, 10, cpu: 9), Runs.span("b", 10, 20, cpu: 8),
            Runs.span("c", 20, 30, cpu: 7),
        ]
        #expect(own(spans) == ["all 0.0 6.0", "a 10.0 9.0", "b 10.0 8.0", "c 10.0 7.0"])
    }

    @Test func threadsDoNotLieInEachOther() {
        let spans = [
            Runs.span("b", 10, 20, cpu: 5, on: 2, called: "decode"), Runs.span("a", 0, 100, cpu: 50, on: 1),
            Runs.span("b", 30, 40, cpu: 5, on: 3, called: "decode"),
        ]
        #expect(own(spans) == ["a 100.0 50.0", "b 10.0 5.0", "b 10.0 5.0"])
    }

    @Test func takesSpansWithoutLength() {
        let spans = [
            Runs.span("begin", 0, 0, cpu: 0), Runs.span("a", 0, 10, cpu: 5), Runs.span("in", 5, 5, cpu: 1),
            Runs.span("end", 10, 10, cpu: 2), Runs.span("b", 10, 20, cpu: 3),
        ]
        #expect(Set(own(spans)) == ["begin 0.0 0.0", "a 10.0 4.0", "in 0.0 1.0", "end 0.0 2.0", "b 10.0 1.0"])
        #expect(own([Runs.span("alone", 5, 5)]) == ["alone 0.0 0.0"])
        #expect(own([]).isEmpty)
    }

    /// Clocks are read one after the other: a child may have more than its parent, and the next span may begin before
    /// the last one ends.
    @Test func nothingIsNegativeWhereClocksJitter() throws {
        let spans = [
            Runs.span("a", 0, 10, cpu: 9), Runs.span("in a", 1, 10.01, cpu: 9.02),
            Runs.span("b", 9.995, 20, cpu: 8), Runs.span("in b", 10, 20.01, cpu: 7),
            Runs.span("c", 20.005, 20.008, cpu: 0),
        ]
        let own = OwnTime.of(spans)
        #expect(self.own(spans) == ["a 1.0 0.0", "in a 9.0 9.0", "b 0.0 1.0", "in b 10.0 7.0", "c 0.0 0.0"])
        #expect(own.allSatisfy { $0.wall >= 0 && $0.cpu >= 0 && $0.end >= $0.start })
    }

    /// Unmeasured time belongs to the enclosing span.
    @Test func takesSpansWithoutProcessorTime() {
        #expect(own([Runs.span("a", 0, 10, cpu: 6), Runs.span("b", 2, 4)]) == ["a 8.0 6.0", "b 2.0 0.0"])
        #expect(own([Runs.span("a", 0, 10), Runs.span("b", 2, 4, cpu: 2)]) == ["a 8.0 0.0", "b 2.0 2.0"])
    }

    /// The own times of random trees add up to the outermost span.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func sumsUp(seed: UInt64) {
        var random = StepRandom(seed: seed)
        var spans = random.spans(from: 0, to: 1000, depth: 4)
        let (wall, cpu) = (spans[0].milliseconds, spans[0].cpuMilliseconds ?? 0)
        spans.shuffle(using: &random.numbers)
        let own = OwnTime.of(spans)
        #expect(own.count == spans.count && own.allSatisfy { $0.wall >= 0 && $0.cpu >= 0 })
        #expect(Runs.isClose(own.reduce(0) { $0 + $1.wall }, wall))
        #expect(Runs.isClose(own.reduce(0) { $0 + $1.cpu }, cpu))
    }
}
