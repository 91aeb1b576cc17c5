import TestSupport
import Testing
import WayreelCore
import WayreelLevels

@Suite struct PlotWaveformTests {
    /// A click in one of 10 000 readings is visible in exactly the column of its time, at its full height.
    @Test(arguments: [1, 7, 100, 333, 1200], [0, 1, 4999, 7654, 9999])
    func aClickIsNeverLost(width: Int, index: Int) throws {
        var magnitudes = [Float](repeating: 0, count: 10_000)
        magnitudes[index] = 1
        let pixels = try PlotPixels(.bare(.waveform, width, 40), PlotSamples.mono(magnitudes))
        let column = index * width / 10_000
        #expect(pixels.rows(of: .pureRed, x: column).count == 40)
        for x in 0..<width where abs(x - column) > 1 { #expect(pixels.rows(of: .pureRed, x: x).count <= 1) }
    }

    /// With fewer readings than pixels, each is as wide as its duration.
    @Test func fewReadingsAreWide() throws {
        let pixels = try PlotPixels(.bare(.waveform, 100, 40), PlotSamples.mono([0.5, 1, 0.25, 0]))
        #expect(pixels.rows(of: .pureRed, x: 0).count == 20 && pixels.rows(of: .pureRed, x: 24).count == 20)
        #expect(pixels.rows(of: .pureRed, x: 25).count == 40 && pixels.rows(of: .pureRed, x: 49).count == 40)
        #expect(pixels.rows(of: .pureRed, x: 50).count == 10 && pixels.rows(of: .pureRed, x: 74).count == 10)
    }

    /// Both halves reach the edge, also with an odd height.
    @Test(arguments: [200, 201])
    func fullScaleTouchesTopAndBottom(height: Int) throws {
        let pixels = try PlotPixels(.bare(.waveform, 9, height), PlotSamples.stereo([1], [1]))
        #expect(pixels.rows(of: .pureRed, x: 4).first == 0)
        #expect(pixels.rows(of: .pureBlue, x: 4).last == height - 1)
        #expect(pixels.rows(of: .pureRed, x: 4).count + pixels.rows(of: .pureBlue, x: 4).count == height)
    }

    /// Levels from a file have no root mean square.
    @Test func needsOnlyTheExtremes() throws {
        var log = LevelLog(columnCount: 2)
        try log.append([-0.5, 0.5])
        let levels = Levels(
            format: AudioFormat(sampleRate: 8000, channels: [.mono]), grid: .samples(256), sampleCount: 256,
            fields: [.minimum, .maximum], log: log)
        var plot = LevelsPlot.bare(.waveform, 9, 200)
        plot.showsRMS = nil
        #expect(try PlotPixels(plot, levels).rows(of: .pureRed, x: 4) == Array(50..<150))
    }

    @Test(arguments: [(1.0, 100), (0.5, 50), (0.25, 25), (0.01, 1), (0, 1)])
    func heightsAreAmplitudes(magnitude: Double, height: Int) throws {
        let levels = PlotSamples.stereo([Float(magnitude)], [0])
        let pixels = try PlotPixels(.bare(.waveform, 9, 200), levels)
        #expect(pixels.rows(of: .pureRed, x: 4) == Array(100 - height..<100))
        #expect(pixels.rows(of: .pureBlue, x: 4) == [100])
    }

    /// Samples above the limit are cut, which is marked at the edge that cuts them; those that reach it are not.
    @Test(arguments: [
        (-0.5, 1.7, true, false), (-1.2, 0.5, false, true), (-1.01, 1.01, true, true), (-1, 1, false, false),
    ])
    func marksWhatIsCut(low: Double, high: Double, isCutAbove: Bool, isCutBelow: Bool) throws {
        var plot = LevelsPlot.bare(.waveform, 9, 200)
        plot.theme = .light
        let mark = try #require(RGBColor("#d6001c"))
        let pixels = try PlotPixels(plot, PlotSamples.levels([[(Float(low), Float(high))]]))
        let rows = pixels.rows(of: mark, x: 4)
        #expect(rows.contains(0) == isCutAbove && rows.contains(199) == isCutBelow)
        #expect(rows.allSatisfy { $0 < 4 || $0 >= 196 })
    }

    /// The root mean square of a signal without negative samples, of 0.5 to 0.9 here, is not below zero, nor outside of
    /// its extremes.
    @Test func theRootMeanSquareIsInsideOfTheExtremes() throws {
        var plot = LevelsPlot.bare(.waveform, 9, 200)
        plot.showsRMS = true
        var log = LevelLog(columnCount: 3)
        try log.append([0.5, 0.9, 0.72])
        let levels = Levels(
            format: AudioFormat(sampleRate: 8000, channels: [.mono]), grid: .samples(256), sampleCount: 256,
            fields: [.minimum, .maximum, .rms], log: log)
        let pixels = try PlotPixels(plot, levels)
        // 0.9 and 0.5 of the upper half of 200 rows, in two tones that meet at 0.72.
        let drawn = (0..<200).filter { pixels[4, $0] != 0xFFFF_FFFF }
        #expect(drawn == Array(10..<50))
        #expect(pixels.rows(of: .pureRed, x: 4) == Array(10..<28))
    }

    /// 20·log10(0.1) = −20 dBFS is two thirds of the way up from −60.
    @Test func heightsAreDecibels() throws {
        var plot = LevelsPlot.bare(.waveform, 9, 120)
        plot.scale = .decibels
        plot.layout = .split
        plot.isOneSided = true
        let pixels = try PlotPixels(plot, PlotSamples.mono([0.1]))
        #expect(pixels.rows(of: .pureRed, x: 4) == Array(40..<120))
    }

    @Test func anUpperLimitEnlarges() throws {
        var plot = LevelsPlot.bare(.waveform, 9, 200)
        plot.upperLimit = -6.0206
        #expect(try PlotPixels(plot, PlotSamples.stereo([0.25], [0])).rows(of: .pureRed, x: 4) == Array(50..<100))
    }

    @Test func leftAndRightAreMirrored() throws {
        var random = SeededRandom(seed: 3)
        let magnitudes = (0..<150).map { _ in Float.random(in: 0...1, using: &random) }
        let plot = LevelsPlot.bare(.waveform, 150, 90)
        let pixels = try PlotPixels(plot, PlotSamples.stereo(magnitudes, magnitudes))
        for x in 0..<150 {
            #expect(pixels.rows(of: .pureRed, x: x) == pixels.rows(of: .pureBlue, x: x).map { 89 - $0 }.reversed())
        }
    }

    /// One lane per channel, with values below zero below its middle.
    @Test func lanesAreApart() throws {
        var plot = LevelsPlot.bare(.waveform, 20, 215)
        plot.layout = .split
        let levels = PlotSamples.levels([[(0, 1)], [(-1, 0)]])
        let pixels = try PlotPixels(plot, levels)
        let (red, blue) = (pixels.rows(of: .pureRed, x: 10), pixels.rows(of: .pureBlue, x: 10))
        #expect(red.first == 0 && blue.last == 214)
        #expect(abs(red.count - 50) <= 2 && abs(blue.count - 50) <= 2)
        #expect(blue[0] - red[red.count - 1] > 100)
    }

    @Test func oddChannelsGoBothWays() throws {
        let pixels = try PlotPixels(
            .bare(.waveform, 10, 230), PlotSamples.levels([[(-1, 1)], [(-1, 1)], [(-1, 1)]]))
        // The third channel has the first one's colour and a separate lane.
        #expect(pixels.rows(of: .pureRed, x: 5).count > pixels.rows(of: .pureBlue, x: 5).count * 2)
    }

    /// Consecutive columns are connected in both directions.
    @Test func outlineHasNoGaps() throws {
        let levels = PlotSamples.levels([[(0.8, 0.9), (-0.9, -0.8), (0.1, 0.2)]])
        let pixels = try PlotPixels(.bare(.waveform, 3, 100), levels)
        let columns = (0..<3).map { pixels.rows(of: .pureRed, x: $0) }
        for (a, b) in zip(columns, columns.dropFirst()) {
            #expect(max(a[0], b[0]) <= min(a[a.count - 1], b[b.count - 1]) + 1)
        }
    }

    @Test func theCoreShowsTheRootMeanSquare() throws {
        var plot = LevelsPlot.bare(.waveform, 10, 100)
        plot.showsRMS = true
        // The sample levels' RMS is half their magnitude.
        let pixels = try PlotPixels(plot, PlotSamples.mono([0.8]))
        let outline = pixels.rows(of: .pureRed, x: 5)
        #expect(outline == Array(10..<30) + Array(70..<90))
    }

    @Test func aAudioOfAnyLengthIsMeasuredInPixels() throws {
        let grid = try LevelsPlot.bare(.waveform, 640, 80).measurement().grid
        #expect(grid == .points(640))
        let measurement = try LevelsPlot(style: .waveform).measurement(rate: 10)
        guard case .points(let count) = measurement.grid else { return #expect(Bool(false), "points") }
        #expect((1000..<1200).contains(count))
        #expect(measurement.readsRMS && measurement.meter == nil)
    }
}
