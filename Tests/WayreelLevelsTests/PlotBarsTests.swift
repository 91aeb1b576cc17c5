import Testing
import WayreelCore
import WayreelLevels

@Suite struct PlotBarsTests {
    private func plot(_ width: Int, _ height: Int, bar: Double, gap: Double, radius: Double = 0) -> LevelsPlot {
        var plot = LevelsPlot.bare(.bars, width, height)
        (plot.barWidth, plot.barGap, plot.barRadius) = (bar, gap, radius)
        return plot
    }

    @Test func barsAndGapsAreAsWideAsAsked() throws {
        let pixels = try PlotPixels(plot(96, 40, bar: 6, gap: 4), PlotSamples.mono([1]))
        #expect(pixels.columns(of: .pureRed) == (0..<96).filter { $0 % 10 < 6 })
    }

    /// As many bars as fit, centred.
    @Test(arguments: [(100, 6.0, 4.0, 10), (95, 6, 4, 9), (5, 6, 4, 1), (1, 1, 0, 1), (300, 1, 0, 300)])
    func asManyAsFit(width: Int, bar: Double, gap: Double, count: Int) throws {
        let plot = plot(width, 10, bar: bar, gap: gap)
        #expect(try plot.measurement().grid == .points(count))
        let columns = try PlotPixels(plot, PlotSamples.mono([1])).columns(of: .pureRed)
        let (left, right) = (columns[0], width - 1 - columns[columns.count - 1])
        #expect(abs(left - right) <= 1)
    }

    @Test(arguments: [3, 10, 97], [0, 500, 999])
    func aClickIsNeverLost(bars: Int, index: Int) throws {
        var magnitudes = [Float](repeating: 0, count: 1000)
        magnitudes[index] = 1
        let pixels = try PlotPixels(plot(bars * 3 - 1, 60, bar: 2, gap: 1), PlotSamples.mono(magnitudes))
        for bar in 0..<bars {
            #expect((pixels.rows(of: .pureRed, x: bar * 3).count == 60) == (bar == index * bars / 1000))
        }
    }

    @Test func barEndsAreRound() throws {
        let square = try PlotPixels(plot(40, 100, bar: 40, gap: 0), PlotSamples.mono([0.8]))
        let round = try PlotPixels(plot(40, 100, bar: 40, gap: 0, radius: 20), PlotSamples.mono([0.8]))
        let area = { (pixels: PlotPixels) in (0..<40).reduce(0) { $0 + pixels.rows(of: .pureRed, x: $1).count } }
        #expect(area(square) == 40 * 80)
        // The area that half circles of radius 20 leave of two rectangles, minus the pixels along their edges.
        let missing = Double(area(square) - area(round))
        let corners = (4 - Double.pi) * 400
        #expect(missing > corners && missing < corners + 130)
        #expect(round.rows(of: .pureRed, x: 20).first! <= 11 && round.rows(of: .pureRed, x: 0).count < 42)
    }

    @Test func oneSidedBarsStandOnTheBottom() throws {
        var plot = plot(10, 100, bar: 10, gap: 0)
        plot.isOneSided = true
        #expect(try PlotPixels(plot, PlotSamples.mono([0.5])).rows(of: .pureRed, x: 5) == Array(50..<100))
        // Two lanes.
        let pixels = try PlotPixels(plot, PlotSamples.stereo([1], [1]))
        #expect(pixels.rows(of: .pureRed, x: 5).first == 0 && pixels.rows(of: .pureBlue, x: 5).last == 99)
    }

    @Test func leftIsAboveRight() throws {
        let pixels = try PlotPixels(plot(10, 100, bar: 10, gap: 0), PlotSamples.stereo([0.5], [1]))
        #expect(pixels.rows(of: .pureRed, x: 5) == Array(25..<50))
        #expect(pixels.rows(of: .pureBlue, x: 5) == Array(50..<100))
    }

    @Test func silenceIsVisible() throws {
        #expect(try PlotPixels(plot(10, 100, bar: 10, gap: 0), PlotSamples.mono([0])).columns(of: .pureRed).count == 10)
    }
}
