import Testing
import WayreelCharts

@Suite struct ScalingFitTests {
    @Test func usesScientificNotation() {
        let fit = ScalingChart.Fit(coefficient: 1, exponent: 1.021, interval: 0.98...1.052)
        #expect(fit.text == "∝ n^1.02 (0.98–1.05)")
        #expect(ScalingChart.Fit(coefficient: 1, exponent: -0.5).text == "∝ n^\u{2212}0.50")
    }
}
