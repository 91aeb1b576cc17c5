import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct ChartImageTests {
    private static let sizes = [
        (200, 120), (320, 180), (97, 300), (300, 97), (600, 300), (401, 1200), (1200, 600), (2400, 1200),
    ]

    /// For any data and size, everything painted is inside the image.
    @Test(arguments: sizes + [(1, 1), (2, 500), (500, 2), (40, 30), (64, 64)])
    func nothingIsCutOff(width: Int, height: Int) throws {
        for (index, chart) in (ChartSamples.ordinary + ChartSamples.awkward).enumerated() {
            let file = try #require(try chart.svg(width: width, height: height))
            for path in file.paths {
                // A line extends half its width beyond its points.
                let half = path.attributes["stroke-width"].map { Double("0" + $0)! / 2 } ?? 0
                let margin = width < 80 || height < 80 ? 8.0 : 0.011
                #expect(path.minX >= half - margin && path.maxX <= Double(width) - half + margin, "chart \(index)")
                #expect(path.minY >= half - margin && path.maxY <= Double(height) - half + margin, "chart \(index)")
            }
        }
    }

    /// No texts overlap.
    @Test(arguments: sizes)
    func textsKeepApart(width: Int, height: Int) throws {
        for (index, chart) in (ChartSamples.ordinary + ChartSamples.awkward).enumerated() {
            let file = try #require(try chart.svg(width: width, height: height))
            // The text colours of the light theme; a reference line has one too.
            let texts = file.filled("#1b2430", "#5a6675", "#000000").filter { $0.maxX - $0.minX > 2.5 }
            for (number, a) in texts.enumerated() {
                for b in texts[..<number] {
                    let isApart = a.maxX < b.minX || b.maxX < a.minX || a.maxY < b.minY || b.maxY < a.minY
                    #expect(isApart, "chart \(index): \(a.minX) \(a.minY), \(b.minX) \(b.minY)")
                }
            }
        }
    }

    @Test func ordinaryChartsHaveTexts() throws {
        for chart in ChartSamples.ordinary {
            #expect(try #require(try chart.svg()).filled("#1b2430", "#5a6675").count >= 8)
            #expect(try #require(try chart.svg(width: 200, height: 120)).filled("#1b2430", "#5a6675").count >= 4)
        }
    }

    @Test func equalChartsHaveEqualBytes() throws {
        for chart in ChartSamples.ordinary {
            let image = ChartImage(size: PixelSize(width: 300, height: 200))
            #expect(try chart.bytes(image) == chart.bytes(image))
        }
    }

    @Test func filesAreSmall() throws {
        for chart in ChartSamples.ordinary + ChartSamples.awkward {
            #expect(try chart.bytes().count < 400_000)
        }
    }

    /// The style sheet maps each colour of the light theme to the dark one's, which is the only difference.
    @Test func oneFileHasBothThemes() throws {
        let size = PixelSize(width: 500, height: 300)
        let rule =
            /\[fill="(#[0-9a-f]{6})"\]\{fill:(#[0-9a-f]{6})\}\[stroke="(#[0-9a-f]{6})"\]\{stroke:(#[0-9a-f]{6})\}/
        var colors: [String: String] = [:]
        for match in ChartTheme.darkStyleSheet.matches(of: rule) {
            #expect(match.1 == match.3 && match.2 == match.4)
            // Each colour maps to one colour only.
            #expect(colors.updateValue(String(match.2), forKey: String(match.1)) == nil)
        }
        #expect(colors["#ffffff"] == "#10151c")
        for chart in ChartSamples.ordinary {
            let light = String(decoding: try chart.bytes(ChartImage(size: size)), as: UTF8.self)
            let dark = String(decoding: try chart.bytes(ChartImage(size: size, theme: .dark)), as: UTF8.self)
            let turned = light.replacing(/#[0-9a-f]{6}/) { colors[String($0.0)] ?? String($0.0) }
            #expect(turned == dark)
            let both = try chart.bytes(ChartImage(size: size, theme: .followingReader))
            let file = try #require(SVGFile(both))
            #expect(file.texts["style"] == ChartTheme.darkStyleSheet)
            #expect(
                String(decoding: both, as: UTF8.self)
                    .replacing("<style>\(ChartTheme.darkStyleSheet)</style>\n", with: "") == light)
        }
    }

    @Test func textsAreEscaped() throws {
        let chart = SeriesChart(
            title: "a < b & c > \"d\"\n", measure: .bytes, series: [.init(name: "<e>&\u{1}\u{FFFE}", samples: [])])
        let file = try #require(try chart.svg())
        #expect(file.texts["title"] == "a &lt; b &amp; c &gt; \"d\"\\n")
        #expect(file.texts["desc"] == "&lt;e&gt;&amp;\\u{01}\u{FFFD}: no samples")
    }

    @Test func rejectsImages() {
        let chart = ChartSamples.series(2)
        for (width, height) in [(0, 10), (10, -1), (40_000, 10), (30_000, 30_000)] {
            let image = ChartImage(size: PixelSize(width: width, height: height))
            #expect { try chart.bytes(image) } throws: { ($0 as? MediaError)?.kind == .limit }
        }
        for size in [0, -3, Double.nan, .infinity, 1000] {
            var image = ChartImage(size: PixelSize(width: 300, height: 200))
            image.textSize = size
            #expect { try chart.bytes(image) } throws: { ($0 as? MediaError)?.kind == .parameter }
        }
    }

    @Test func throwsTheSinksError() {
        #expect {
            try ChartSamples.series(2).draw(
                ChartImage(size: PixelSize(width: 300, height: 200)), to: FailingSink(after: 200))
        } throws: {
            ($0 as? MediaError) == FailingSink.fault
        }
    }
}
