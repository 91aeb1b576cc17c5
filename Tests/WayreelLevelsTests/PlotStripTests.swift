import TestSupport
import Testing
import WayreelCore
import WayreelLevels

@Suite struct PlotStripTests {
    private func bare(_ width: Int = 202, _ height: Int = 122, lower: Double? = -60, upper: Double? = 0) -> LevelsPlot {
        var plot = LevelsPlot.bare(.strip, width, height)
        (plot.lowerLimit, plot.upperLimit) = (lower, upper)
        return plot
    }

    /// Half the line's width is around the plot: 200 × 120 pixels from (1, 1).
    private func y(_ decibels: Double) -> Double { 1 + 120 * -decibels / 60 }

    /// Returns the middle of a line 2 pixels wide.
    private func middle(_ pixels: PlotPixels, _ color: RGBColor, _ x: Int) -> Double? {
        let rows = pixels.rows(of: color, x: x)
        return rows.isEmpty ? nil : Double(rows[0] + rows[rows.count - 1] + 1) / 2
    }

    @Test(arguments: [0.0, -6.0206, -20, -45, -60, -90])
    func heightsAreDecibels(level: Double) throws {
        let pixels = try PlotPixels(bare(), PlotSamples.mono([Float(power(10, level / 20))]))
        for x in [3, 100, 198] {
            #expect(abs(try #require(middle(pixels, .pureRed, x)) - y(max(level, -60))) <= 0.51)
        }
    }

    @Test(arguments: [1, 3, 50, 202, 777], [0, 1, 5000, 9876, 9999])
    func aClickIsNeverLost(width: Int, index: Int) throws {
        var magnitudes = [Float](repeating: 0.001, count: 10_000)
        magnitudes[index] = 1
        var plot = bare(width, 122)
        plot.lineWidth = 1
        let pixels = try PlotPixels(plot, PlotSamples.mono(magnitudes))
        let top = (0..<width).filter { x in (0..<4).contains { pixels[x, $0] != 0xFFFF_FFFF } }
        #expect(!top.isEmpty)
        for x in top { #expect(abs(x - index * width / 10_000) <= 2) }
    }

    /// The newest reading is at the right edge, and a partially filled strip starts empty.
    @Test func fillsFromTheRight() throws {
        var plot = bare()
        plot.capacity = 100
        let levels = PlotSamples.mono([Float](repeating: 0.1, count: 25))
        let columns = try PlotPixels(plot, levels).columns(of: .pureRed)
        #expect(columns[0] >= 150 && columns[0] <= 152 && columns[columns.count - 1] >= 199)
    }

    @Test func scrollsWhenFull() throws {
        var plot = bare()
        plot.capacity = 100
        let old = [Float](repeating: 1, count: 900), new = (0..<100).map { Float($0 + 1) / 100 }
        let scrolled = try PlotPixels(plot, PlotSamples.mono(old + new))
        plot.capacity = nil
        let alone = try PlotPixels(plot, PlotSamples.mono(new))
        for x in 0..<202 { #expect(scrolled.rows(of: .pureRed, x: x) == alone.rows(of: .pureRed, x: x)) }
    }

    @Test func dotIsOnTheLatestValue() throws {
        var plot = bare(220, 140)
        plot.showsDot = true
        plot.lineWidth = 4
        let pixels = try PlotPixels(plot, PlotSamples.mono([0.001, 0.001, 0.001, 0.1]))
        // Two thirds of the height, which is 140 less the dot's 7 pixels on either side.
        let center = 7 + (140 - 14) / 3
        let right = pixels.columns(of: .pureRed).last!
        #expect((212...218).contains(right))
        let rows = pixels.rows(of: .pureRed, x: 212)
        #expect(abs((rows[0] + rows[rows.count - 1]) / 2 - center) <= 1)
        #expect(rows.count >= 9)
    }

    /// A dot marks the newest reading, even if other readings share its column.
    @Test func theNewestValueIsNotTheLoudestOfItsColumn() throws {
        var plot = bare()
        plot.showsDot = true
        var magnitudes = [Float](repeating: 1, count: 10_000)
        magnitudes[9999] = 0.001
        let pixels = try PlotPixels(plot, PlotSamples.mono(magnitudes))
        #expect(pixels[196, 117] == 0xFFFF_0000)
    }

    /// Limits follow the visible readings, and shrink again with them.
    @Test func automaticLimitsFollowTheReadings() throws {
        var plot = bare(lower: nil, upper: nil)
        // −40 and −30 dBFS: the range is at most −42 to −30, so that both are well apart.
        let quiet: [Float] = [0.01, 0.0316]
        let shown = try PlotPixels(plot, PlotSamples.mono(quiet))
        let span = try #require(middle(shown, .pureRed, 50)) - (try #require(middle(shown, .pureRed, 199)))
        #expect(span > 60)
        // A loud beginning widens the limits until it has scrolled away.
        let loud = try PlotPixels(plot, PlotSamples.mono([1, 1] + quiet))
        #expect(abs(try #require(middle(loud, .pureRed, 199)) - 61) > 1)
        plot.capacity = 2
        let scrolled = try PlotPixels(plot, PlotSamples.mono([1, 1] + quiet))
        for x in 0..<202 { #expect(scrolled.rows(of: .pureRed, x: x) == shown.rows(of: .pureRed, x: x)) }
    }

    /// Silence is at the lower end of an automatic axis, which is 60 dB below the loudest reading: −36 dBFS, 12 below, is
    /// a fifth of the way down at most. Without silence, it is at the lower end.
    @Test func silenceIsFarBelowTheRest() throws {
        let plot = bare(lower: nil, upper: nil)
        let (loud, quiet) = (Float(power(10, -24.0 / 20)), Float(power(10, -36.0 / 20)))
        let pixels = try PlotPixels(plot, PlotSamples.mono([loud, quiet, 0, 0]))
        #expect(try #require(middle(pixels, .pureRed, 100)) < 1 + 120 * 0.25)
        #expect(abs(try #require(middle(pixels, .pureRed, 199)) - 121) <= 1)
        let without = try PlotPixels(plot, PlotSamples.mono([loud, quiet]))
        #expect(try #require(middle(without, .pureRed, 199)) > 1 + 120 * 0.75)
    }

    /// Lines that coincide are drawn in turn, in about equal parts, with any number of readings; apart, each is whole.
    @Test(arguments: [2, 20, 1000])
    func identicalChannelsAreBothVisible(count: Int) throws {
        let wave = [Float](repeating: 0.25, count: count)
        let pixels = try PlotPixels(bare(), PlotSamples.stereo(wave, wave))
        let (red, blue) = (pixels.columns(of: .pureRed), pixels.columns(of: .pureBlue))
        #expect(red.count >= 60 && blue.count >= 60)
        let apart = try PlotPixels(bare(), PlotSamples.stereo(wave.map { $0 / 4 }, wave))
        #expect(apart.columns(of: .pureRed).count >= 195 && apart.columns(of: .pureBlue).count >= 195)
    }

    @Test func silenceHasLimitsToo() throws {
        let pixels = try PlotPixels(bare(lower: nil, upper: nil), PlotSamples.mono([0, 0, 0]))
        #expect(abs(try #require(middle(pixels, .pureRed, 100)) - 121) <= 0.51)
    }

    @Test func baselineIsAtItsValue() throws {
        var plot = bare()
        plot.baseline = -30
        plot.baselineColor = .pureGreen
        let pixels = try PlotPixels(plot, PlotSamples.mono([0.5]))
        #expect(pixels.rows(of: .pureGreen, x: 100) == [61])
    }

    /// Lines are at 2 of 4 seconds and at 0; a time after the end has none.
    @Test func separatorsAreAtTheirTimes() throws {
        var plot = bare()
        plot.separators = [2, 0, 9]
        plot.separatorColor = .pureGreen
        let pixels = try PlotPixels(plot, PlotSamples.mono([Float](repeating: 0.5, count: 120)))
        #expect(pixels.columns(of: .pureGreen) == [1, 101])
        // The lines scroll with the readings: of the last two seconds, second 2 is the first.
        plot.capacity = 60
        let scrolled = try PlotPixels(plot, PlotSamples.mono([Float](repeating: 0.5, count: 120)))
        #expect(scrolled.columns(of: .pureGreen) == [1])
    }

    @Test func channelsHaveTheirColours() throws {
        let pixels = try PlotPixels(bare(), PlotSamples.stereo([0.5], [0.01]))
        #expect(abs(try #require(middle(pixels, .pureRed, 100)) - y(-6.02)) <= 0.51)
        #expect(abs(try #require(middle(pixels, .pureBlue, 100)) - y(-40)) <= 0.51)
    }

    @Test func drawsMetersOnRequest() throws {
        var plot = bare()
        plot.meter = .ppm2
        let measurement = try plot.measurement(rate: 60)
        #expect(measurement.grid == .rate(60) && measurement.meter == .ppm2)
        #expect(try bare().measurement().grid == .rate(30))
        var log = LevelLog(columnCount: 4)
        try log.append([-1, 1, 0.1, 0.5])
        let levels = Levels(
            format: AudioFormat(sampleRate: 48_000, channels: [.mono]), grid: .rate(30), sampleCount: 1600,
            fields: [.minimum, .maximum, .meter, .hold], log: log)
        #expect(abs(try #require(middle(try PlotPixels(plot, levels), .pureRed, 100)) - y(-20)) <= 0.51)
        #expect(throws: MediaError.self) { try PlotPixels(plot, PlotSamples.mono([1])) }
    }

    @Test func areasLieUnderTheLine() throws {
        var plot = bare()
        plot.layout = .split
        let pixels = try PlotPixels(plot, PlotSamples.mono([0.1]))
        #expect(pixels[100, 20] == 0xFFFF_FFFF && pixels[100, 100] != 0xFFFF_FFFF)
    }
}
