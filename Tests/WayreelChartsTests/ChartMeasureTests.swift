import TestSupport
import Testing
import WayreelDrawing

@Suite struct ChartMeasureTests {
    @Test(arguments: [
        (0.0, "0 µs"), (12.3e-6, "12.3 µs"), (0.0612, "61.2 ms"), (0.9994, "999 ms"), (0.9997, "1.00 s"),
        (1.234, "1.23 s"), (9.996, "10.0 s"), (99.96, "100 s"), (250, "250 s"), (300, "5.00 min"), (4800, "80.0 min"),
        (36_000, "10.0 h"), (1e9, "277778 h"),
    ])
    func writesTimes(seconds: Double, text: String) { #expect(ChartMeasure.seconds.text(seconds) == text) }

    @Test(arguments: [
        (0.0, "0 B"), (512, "512 B"), (84_000, "84.0 kB"), (1_270_000, "1.27 MB"), (999_999, "1.00 MB"),
        (12.3e9, "12.3 GB"), (4e15, "4000 TB"), (-5e6, "\u{2212}5.00 MB"),
    ])
    func writesBytes(bytes: Double, text: String) { #expect(ChartMeasure.bytes.text(bytes) == text) }

    @Test func writesOthers() {
        #expect(ChartMeasure.share.text(1.873) == "187 %")
        #expect(ChartMeasure.share.text(0.5) == "50.0 %")
        #expect(ChartMeasure.ratio.text(1) == "1.00×")
        #expect(ChartMeasure.ratio.text(0.934) == "0.934×")
        #expect(ChartMeasure.count("MP").text(12) == "12 MP")
        #expect(ChartMeasure.count("MP").text(12.25) == "12.2 MP")
        #expect(ChartMeasure.count("").text(7) == "7")
    }

    /// Numbers use the largest one's unit, unless they would become unreadable.
    @Test(arguments: [(0.213, "0.213 s"), (0.048, "0.0480 s"), (0.004, "4.00 ms"), (0, "0 s")])
    func numbersThatStandTogetherShareAUnit(seconds: Double, text: String) {
        #expect(ChartMeasure.seconds.text(seconds, besides: 2.5) == text)
    }

    @Test func takesAnyNumber() {
        for measure in [ChartMeasure.seconds, .bytes, .share, .ratio, .count("x")] {
            for value in [Double.nan, .infinity, -.infinity, 1e300, 1e-300, -1e18, .leastNonzeroMagnitude] {
                #expect(!measure.text(value).isEmpty)
                #expect(!measure.text(1, besides: value).isEmpty)
            }
        }
    }
}
