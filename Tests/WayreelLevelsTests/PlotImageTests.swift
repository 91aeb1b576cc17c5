import TestSupport
import Testing
import WayreelCore
import WayreelLevels

@Suite struct PlotImageTests {
    private static func music(channels: Int = 2, count: Int = 4000) -> Levels {
        var random = SeededRandom(seed: 11)
        return PlotSamples.levels(
            (0..<channels).map { _ in
                (0..<count).map { _ in
                    (-Float.random(in: 0...1, using: &random), Float.random(in: 0...1, using: &random))
                }
            })
    }

    private func bytes(_ plot: LevelsPlot, _ levels: Levels, _ type: LevelsPlot.FileType) throws -> [UInt8] {
        let sink = MemorySink()
        try plot.draw(levels, as: type, to: sink)
        return sink.bytes
    }

    /// In every style and at every size, everything is drawn inside the image.
    @Test(arguments: [
        (1, 1), (2, 2), (1, 500), (500, 1), (3, 40), (40, 3), (64, 64), (97, 31), (120, 45), (200, 60), (201, 61),
        (333, 111), (400, 100), (1200, 300), (1201, 299), (300, 1200), (3000, 800),
    ])
    func nothingIsCutOff(width: Int, height: Int) throws {
        for style in LevelsPlot.Style.allCases {
            for channels in [1, 2, 6] {
                for layout in LevelsPlot.Layout.allCases {
                    var plot = LevelsPlot(style: style, size: PixelSize(width: width, height: height))
                    plot.showsAxes = true
                    plot.layout = layout
                    let file = try #require(
                        SVGFile(try bytes(plot, Self.music(channels: channels, count: 300), .svg)))
                    for path in file.paths {
                        // A line extends half its width beyond its points.
                        let half = path.attributes["stroke-width"].map { Double("0" + $0)! / 2 } ?? 0
                        let margin = width < 40 || height < 40 ? 8.0 : 0.011
                        #expect(path.minX >= half - margin && path.maxX <= Double(width) - half + margin)
                        #expect(path.minY >= half - margin && path.maxY <= Double(height) - half + margin)
                    }
                }
            }
        }
    }

    /// No labels overlap.
    @Test(arguments: [(120, 45), (200, 60), (223, 97), (400, 100), (300, 1200), (1200, 300), (3000, 800)])
    func labelsKeepApart(width: Int, height: Int) throws {
        // The colours of the light theme's labels.
        let colors: Set = ["#1b2430", "#5a6675"]
        for style in LevelsPlot.Style.allCases {
            for (channels, count) in [(1, 1), (2, 40), (2, 20_000), (7, 900)] {
                var plot = LevelsPlot(style: style, size: PixelSize(width: width, height: height))
                plot.showsAxes = true
                let svg = try bytes(plot, Self.music(channels: channels, count: count), .svg)
                let labels = try #require(SVGFile(svg)).paths.filter { colors.contains($0.attributes["fill"] ?? "") }
                #expect(width < 200 || labels.count >= 3)
                for (index, a) in labels.enumerated() {
                    for b in labels[..<index] {
                        #expect(a.maxX < b.minX || b.maxX < a.minX || a.maxY < b.minY || b.maxY < a.minY)
                    }
                }
            }
        }
    }

    @Test(arguments: LevelsPlot.Style.allCases, LevelsPlot.FileType.allCases)
    func equalPlotsHaveEqualBytes(style: LevelsPlot.Style, type: LevelsPlot.FileType) throws {
        let plot = LevelsPlot(style: style)
        let levels = Self.music()
        #expect(try bytes(plot, levels, type) == bytes(plot, levels, type))
    }

    @Test(arguments: LevelsPlot.Style.allCases)
    func filesAreSmall(style: LevelsPlot.Style) throws {
        let plot = LevelsPlot(style: style)
        let svg = try bytes(plot, Self.music(), .svg)
        #expect(svg.count < 200_000)
        let root = try #require(SVGFile(svg)).root
        #expect(root["width"] == "1200" && root["height"] == "300")
        let png = try bytes(plot, Self.music(), .png)
        #expect(ImageFileHeader(png) == ImageFileHeader("png", 1200, 300))
        #expect(png.count < 250_000)
    }

    @Test func writesAlphaOnlyForTranslucentPlots() throws {
        var plot = LevelsPlot(style: .bars, size: PixelSize(width: 50, height: 20))
        // The colour type in IHDR: RGB, RGBA.
        #expect(try bytes(plot, Self.music(), .png)[25] == 2)
        plot.background = .clear
        #expect(try bytes(plot, Self.music(), .png)[25] == 6)
        #expect(try PlotPixels(plot, PlotSamples.mono([0]))[0, 0] == 0)
    }

    @Test func themesHaveTheirBackgrounds() throws {
        let levels = PlotSamples.mono([0])
        #expect(try PlotPixels(LevelsPlot(style: .strip, theme: .light), levels)[0, 0] == 0xFFFF_FFFF)
        #expect(try PlotPixels(LevelsPlot(style: .strip, theme: .dark), levels)[0, 0] == 0xFF10_151C)
    }

    /// Absurd readings, which a file may contain, are drawn at the edge.
    @Test(arguments: LevelsPlot.Style.allCases)
    func drawsAnyTheLevels(style: LevelsPlot.Style) throws {
        let huge = Float.greatestFiniteMagnitude
        for magnitudes in [[0], [huge], [Float.leastNonzeroMagnitude, huge], [1e-8, 0, 1]] {
            for type in LevelsPlot.FileType.allCases {
                #expect(!(try bytes(LevelsPlot(style: style), PlotSamples.mono(magnitudes), type)).isEmpty)
            }
        }
        let many = Self.music(channels: 64, count: 50)
        #expect(!(try bytes(LevelsPlot(style: style), many, .svg)).isEmpty)
        #expect(throws: MediaError.self) { try bytes(LevelsPlot(style: style), PlotSamples.mono([]), .png) }
    }

    @Test func throwsTheSinksError() throws {
        for type in LevelsPlot.FileType.allCases {
            #expect { try LevelsPlot(style: .strip).draw(Self.music(), as: type, to: FailingSink(after: 0)) } throws: {
                ($0 as? MediaError) == FailingSink.fault
            }
        }
    }
}
