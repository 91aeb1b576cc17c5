import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct ChartThemeTests {
    /// Returns the "contrast ratio" of WCAG 2.1, with its "relative luminance".
    private func ratio(_ a: RGBColor, _ b: RGBColor) -> Double {
        func luminance(_ color: RGBColor) -> Double {
            let parts = [color.red, color.green, color.blue].map {
                $0 <= 0.03928 ? $0 / 12.92 : power(($0 + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let (light, dark) = (max(luminance(a), luminance(b)), min(luminance(a), luminance(b)))
        return (light + 0.05) / (dark + 0.05)
    }

    @Test(arguments: [ChartTheme.light, .dark])
    func everythingCanBeMadeOut(theme: ChartTheme) {
        // As many as 7.1 has channels.
        #expect(theme.series.count == 8 && Set(theme.series).count == 8)
        for color in theme.series { #expect(ratio(color, theme.background) >= 4.5) }
        #expect(ratio(theme.text, theme.background) >= 7)
        #expect(ratio(theme.axisText, theme.background) >= 4.5)
        #expect(ratio(theme.axis, theme.background) >= 3)
        #expect(ratio(theme.excess, theme.background) >= 4.5)
        // Grid lines stay less visible than the values.
        #expect((1.1...1.6).contains(ratio(theme.grid, theme.background)))
    }

    /// The first two colours as seen with one kind of cone missing (Viénot, Brettel and Mollon 1999, on linear light).
    @Test(arguments: [ChartTheme.light, .dark])
    func leftAndRightDifferForEveryEye(theme: ChartTheme) {
        func linear(_ color: RGBColor) -> [Double] { [color.red, color.green, color.blue].map { power($0, 2.2) } }
        let views: [[[Double]]] = [
            [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
            [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
        ]
        for view in views {
            let seen = theme.series.prefix(2).map { color in
                view.map { row in power(max(0, zip(row, linear(color)).reduce(0) { $0 + $1.0 * $1.1 }), 1 / 2.2) }
            }
            let distance = zip(seen[0], seen[1]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
            #expect(distance > 0.4)
        }
    }

    @Test(arguments: ["#ffff00", "#ffffff", "#000000", "#777777", "#0b66c3"], [ChartTheme.light, .dark])
    func labelsInAnyColourCanBeRead(color: String, theme: ChartTheme) throws {
        let color = try #require(RGBColor(color))
        let legible = color.legible(on: theme.background, towards: theme.text)
        #expect(ratio(legible, theme.background) >= 4.5)
        if ratio(color, theme.background) >= 4.5 { #expect(legible == color) }
    }

    /// The 60th series has the colour of the fourth: 59 = 7 · 8 + 3.
    @Test(arguments: [ChartTheme.light, .dark]) func coloursBeginAnewAfterEight(theme: ChartTheme) {
        #expect(theme.color(ofSeries: 59) == theme.series[3])
    }
}
