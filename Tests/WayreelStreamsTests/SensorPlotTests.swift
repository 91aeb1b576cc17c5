import TestSupport
import Testing
import WayreelCore
import WayreelDrawing
import WayreelStreams

@Suite struct SensorPlotTests {
    private static let heading = SensorChannel("heading", "degrees", unit: "°")

    private static func svg(
        _ plot: SensorPlot, _ source: PlottedSource, filters: [String] = []
    ) throws -> SVGFile {
        let filters = try filters.map { try SensorFilter(parsing: $0) }
        let picture = try plot.picture(of: source, named: "walk.ndjson", filters: filters)
        let bytes = try picture.draw(as: .svg)
        return try #require(SVGFile(bytes), "\(String(decoding: bytes, as: UTF8.self).prefix(3000))")
    }

    /// The paths of the line of the first stream: those with its colour and no fill, without the legend's.
    private static func lines(_ file: SVGFile, color: RGBColor = ChartTheme.light.streams[0]) -> [SVGFile.Path] {
        file.paths.filter { $0.attributes["stroke"] == color.hexadecimal && $0.attributes["fill"] == "none" }
    }

    private static func plot(_ selections: String...) throws -> SensorPlot {
        var plot = SensorPlot(streams: try selections.map { try SensorSelection(parsing: $0) })
        plot.size = PixelSize(width: 800, height: 300)
        return plot
    }

    // MARK: Lanes

    @Test func describesWhatIsInIt() throws {
        var head = RecordingHead()
        head.channels = [Self.heading, SensorChannel("position", "accuracy", unit: "m")]
        head.notation = .seconds
        head.marks = [SensorMark(SensorTime(microseconds: 2_000_000), text: "turned <left>")]
        head.credit = "A database, ODC-By"
        let file = try Self.svg(
            try Self.plot("*"),
            PlottedSource(
                head,
                [
                    .samples(0, [(0, 10), (1, 350), (2, 20), (10, 30)]),
                    .samples(1, [(0, 5), (1, 5), (2, 7.5)]),
                ]))
        #expect(file.root["role"] == "img" && file.texts["title"] == "walk.ndjson")
        #expect(
            file.texts["desc"]
                == """
                2 channels from 0 s to 10 s; heading.degrees: 4 samples, 10° at 0 s to 350° at 1 s, 1 gap; \
                position.accuracy: 3 samples, 5 m at 0 s to 7.5 m at 2 s; marks: turned &lt;left&gt; at 2 s; \
                A database, ODC-By
                """)
    }

    @Test func drawsNoLineOverAGap() throws {
        let samples = [0, 1, 2, 3, 10, 11, 12].map { (Double($0), Double($0)) }
        var plot = try Self.plot("heading.degrees")
        let parted = Self.lines(try Self.svg(plot, PlottedSource(Self.heading, samples)))
        #expect(parted.map(\.parts.count) == [1, 2] || parted.map(\.parts.count) == [2, 1])
        plot.gap = nil
        let whole = Self.lines(try Self.svg(plot, PlottedSource(Self.heading, samples)))
        #expect(whole.map(\.parts.count) == [1, 1])
    }

    /// A heading that turns past north is broken there, also as steps; what is no angle, and what a filter has made a
    /// difference, is not.
    @Test(arguments: [
        ("degrees", "°", "*", [] as [String], 3), ("alpha", "°", "*", [], 3), ("alpha", "deg", "*", [], 3),
        ("degrees", nil, "*", [], 3), ("degrees", "°", "*:line=steps", [], 3), ("alpha", nil, "*", [], 1),
        ("degrees", "°C", "*", [], 1), ("alpha", "rad", "*", [], 3),
        ("degrees", "°", "*", ["degrees:derivative=0s"], 1),
    ])
    func anAngleThatBeginsAgain(
        component: String, unit: String?, selection: String, filters: [String], count: Int
    ) throws {
        // From 300° by 8° a sample past north, and back.
        let turns = (0..<15).map { 300 + 8 * Double($0) } + (0..<15).map { 412 - 8 * Double($0) }
        let degrees = turns.map { $0 >= 360 ? $0 - 360 : $0 }
        let values = unit == "rad" ? degrees.map { $0 * Double.pi / 180 } : degrees
        var plot = try Self.plot(selection)
        plot.showsRaw = false
        let channel = SensorChannel("phone", component, unit: unit)
        let samples = values.enumerated().map { (Double($0.offset) / 50, $0.element) }
        let file = try Self.svg(plot, PlottedSource(channel, samples), filters: filters)
        let line = try #require(Self.lines(file).max { $0.maxX - $0.minX < $1.maxX - $1.minX })
        #expect(line.parts.count == count)
        guard count == 3 else { return }
        // No part is higher than the 56° of one side, of the 352° that all have.
        let height = line.maxY - line.minY
        for part in line.parts {
            let ys = part.map(\.y)
            #expect((ys.max() ?? 0) - (ys.min() ?? 0) < 0.2 * height)
        }
    }

    /// Even samples that are missing interrupt the line also after a filter, however short the gap is.
    @Test func drawsNoLineOverAGapAfterAFilter() throws {
        var head = RecordingHead()
        (head.channels, head.notation) = ([SensorChannel("a", "x", rate: 10)], .seconds)
        let values = (0..<60).map { $0 == 20 || $0 == 40 ? Double.nan : Double($0) }
        var plot = try Self.plot("a.x")
        plot.showsRaw = false
        for filters in [["a.x:clamp=0..50"], ["a.x:clamp=0..50", "a.x:median=3"], []] {
            let source = PlottedSource(head, [.even(0, start: 0, rate: 10, values)])
            let file = try Self.svg(plot, source, filters: filters)
            let line = try #require(Self.lines(file).max { $0.maxX - $0.minX < $1.maxX - $1.minX })
            #expect(line.parts.count == 3, "\(filters)")
        }
    }

    /// The highest point of a plot of a million samples is the spike.
    @Test func drawsASpike() throws {
        var head = RecordingHead()
        (head.channels, head.notation) = ([SensorChannel("a", "x", rate: 1000)], .seconds)
        var values = [Double](repeating: 0, count: 1_000_000)
        values[654_321] = 5
        let plot = try Self.plot("a.x:range=0..5")
        let file = try Self.svg(plot, PlottedSource(head, [.even(0, start: 0, rate: 1000, values)]))
        let line = try #require(Self.lines(file).max { $0.maxX - $0.minX < $1.maxX - $1.minX })
        let points = line.parts.joined()
        let top = try #require(points.min { $0.y < $1.y })
        #expect(points.count { $0.y < line.maxY - 1 } == 1)
        // The line is as wide as the plot.
        #expect(abs((top.x - line.minX) / (line.maxX - line.minX) - 654_321.0 / 999_999) < 0.002)
        #expect(line.parts.count == 1 && points.count < 4 * 800)
    }

    @Test func showsFilteredAndDroppedSamples() throws {
        let samples = (0..<60).map { (Double($0), Double($0 % 10 == 5 ? 80 : 5)) }
        let source = { PlottedSource(SensorChannel("position", "accuracy"), samples) }
        let file = try Self.svg(try Self.plot("accuracy"), source(), filters: ["accuracy:max=50"])
        let faint = Self.lines(file, color: ChartTheme.light.unfiltered)
        #expect(faint.count == 1 && faint[0].maxY - faint[0].minY > 100)
        let crosses = file.paths.filter { $0.attributes["stroke"] == ChartTheme.light.excess.hexadecimal }
        // Six, of two strokes each.
        #expect(crosses.count == 1 && crosses[0].parts.count == 12)
        var plot = try Self.plot("accuracy")
        plot.showsRaw = false
        let plain = try Self.svg(plot, source(), filters: ["accuracy:max=50"])
        #expect(Self.lines(plain, color: ChartTheme.light.unfiltered).isEmpty)
        #expect(!plain.paths.contains { $0.attributes["stroke"] == ChartTheme.light.excess.hexadecimal })
        let idle = try Self.plot("accuracy").picture(
            of: source(), named: "-", filters: [SensorFilter(parsing: "speed:max=5")])
        #expect(idle.warnings == ["the recording has no 'speed': the filter 'max' has done nothing"])
    }

    /// A time beyond a threshold is a part that is marked in the lane, also one that has not ended.
    @Test func timesBeyondAThreshold() throws {
        let values = (0..<60).map { Double((10..<20).contains($0) || $0 >= 50 ? 80 : 5) }
        let source = { PlottedSource(Self.heading, values.enumerated().map { (Double($0.offset), $0.element) }) }
        let file = try Self.svg(try Self.plot("*"), source(), filters: ["heading.degrees:above=50"])
        #expect(file.texts["desc"]?.hasSuffix("; marks: above at 10 s, above at 50 s") == true)
        // The samples are as they were: there is one line.
        #expect(file.texts["desc"]?.hasPrefix("1 channel from 0 s to 59 s; heading.degrees: 60 samples, ") == true)
        #expect(Self.lines(file, color: ChartTheme.light.unfiltered).isEmpty)
        let lane = try Self.plot("heading-above.above", "heading-above.seconds").picture(
            of: source(), named: "a", filters: [SensorFilter(parsing: "heading.degrees:above=50")])
        let text = String(decoding: try lane.draw(as: .svg), as: UTF8.self)
        #expect(text.contains("heading-above.above: 3 samples, 0 at 20 s to 1 at 10 s"))
        #expect(text.contains("heading-above.seconds: 1 sample, 10 s at 20 s to 10 s at 20 s"))
    }

    /// Beats are rings on the line that they were found in, at its peaks; their rate has a lane if one asks for it.
    @Test func beatsOfAnElectrocardiogram() throws {
        let path = Fixture.media("streams/ecg-12-lead.csv")
        let filters = [try SensorFilter(parsing: "ecg.ii:peaks=200ms")]
        var found: [SensorSample] = []
        var chain = try SensorFilterChain(filters)
        let reader = try SensorReader(path)
        while let sample = try reader.next() { try chain.apply(sample, to: &found) }
        try chain.finish(to: &found)
        let beats = found.filter { $0.stream == "ecg-beats" }
        try #require(beats.count > 10)

        let plot = try Self.plot("ecg.ii", "ecg-beats.bpm")
        let picture = try plot.picture(of: path, filters: filters)
        let file = try #require(SVGFile(try picture.draw(as: .svg)))
        let summary = try #require(file.texts["desc"])
        #expect(summary.contains("ecg.ii: 5000 samples") && summary.contains(", \(beats.count) beats"))
        #expect(summary.contains("ecg-beats.bpm: \(beats.count - 1) samples") && summary.contains(" bpm at "))
        let rings = file.paths.filter {
            $0.attributes["stroke"] == ChartTheme.light.text.hexadecimal && $0.parts.count == beats.count
        }
        #expect(rings.count == 1)
        #expect(Self.lines(file, color: ChartTheme.light.unfiltered).isEmpty)
        // All streams of the recording: those of the filter have no lanes.
        let all = try Self.plot("*").picture(of: path, filters: filters)
        #expect(!String(decoding: try all.draw(as: .svg), as: UTF8.self).contains("ecg-beats"))
        var paper = SensorPlot(streams: [SensorSelection("ecg.*")])
        paper.paper = .ecg
        let (with, without) = (try paper.picture(of: path, filters: filters), try paper.picture(of: path))
        #expect(try with.draw(as: .svg) != without.draw(as: .svg))
    }

    @Test func marksWhatIsBeyondTheRange() throws {
        let samples = (0..<10).map { (Double($0), $0 == 4 ? 9.0 : 0) }
        let file = try Self.svg(
            try Self.plot("heading:range=-1..1,threshold=0.5"), PlottedSource(Self.heading, samples))
        let excess = ChartTheme.light.excess.hexadecimal
        let marks = file.paths.filter { $0.attributes["fill"] == excess }
        // The mark, and the number of the threshold.
        #expect(marks.count == 2)
        #expect(file.paths.contains { $0.attributes["stroke"] == excess && $0.maxX - $0.minX > 600 })
    }

    @Test func severalChannelsInALane() throws {
        var head = RecordingHead()
        head.channels = ["x", "y", "z"].map { SensorChannel("a", $0) }
        head.notation = .seconds
        let pieces = (0..<3).map { PlottedSource.Piece.samples($0, [(0, Double($0)), (1, 2)]) }
        let one = try Self.plot("a.*:lane=acceleration,unit=m/s²").picture(
            of: PlottedSource(head, pieces), named: "a", filters: [])
        let three = try Self.plot("a").picture(of: PlottedSource(head, pieces), named: "a", filters: [])
        #expect(try one.draw(as: .svg) != three.draw(as: .svg))
        let file = try #require(SVGFile(try one.draw(as: .svg)))
        // All lines end at the same point.
        let ends = ChartTheme.light.streams.prefix(3).compactMap { color in
            Self.lines(file, color: color).max { $0.maxX < $1.maxX }?.parts.last?.last
        }
        #expect(ends.count == 3 && ends.allSatisfy { abs($0.x - ends[0].x) < 0.1 && abs($0.y - ends[0].y) < 0.1 })
    }

    @Test func unitsAreConverted() throws {
        let source = PlottedSource(SensorChannel("ecg", "ii", unit: "µV"), [(0, 1500), (1, -250)])
        let picture = try Self.plot("ecg.ii:unit=mV").picture(of: source, named: "a", filters: [])
        let text = String(decoding: try picture.draw(as: .svg), as: UTF8.self)
        #expect(text.contains("-0.25 mV at 1 s to 1.5 mV at 0 s"))
    }

    @Test func filesOfAllKindsAreEqualEachTime() throws {
        let picture = try Self.plot("*").picture(
            of: PlottedSource(Self.heading, [(0, 1), (1, 3)]), named: "a.csv", filters: [])
        for type in SensorPlot.FileType.allCases { #expect(try picture.draw(as: type) == picture.draw(as: type)) }
        #expect(try picture.draw(as: .png).starts(with: PNGFile.signature))
        #expect(try picture.draw(as: .pdf).starts(with: Array("%PDF-".utf8)))
    }

    /// Whatever the size, there is a picture.
    @Test(arguments: ["1x1", "30x20", "90x60", "200x2000", "2000x40"]) func anySize(size: String) throws {
        var plot = try Self.plot("*")
        plot.size = PixelSize(size)
        plot.marks = [SensorPlot.Mark(.seconds(0.5), "mark")]
        let file = try Self.svg(plot, PlottedSource(Self.heading, [(0, 1), (1, 3), (2, -4)]))
        #expect("\(file.root["width"] ?? "")x\(file.root["height"] ?? "")" == size)
    }

    // MARK: Times

    /// A stream that starts late and ends early has its line there, under the time axis of all.
    @Test func aStreamThatStartsLateAndEndsEarly() throws {
        var head = RecordingHead()
        (head.channels, head.notation) = ([SensorChannel("a", "x"), SensorChannel("b", "y")], .seconds)
        let long = (0...100).map { (seconds: Double($0), value: Double($0 % 5)) }
        let short = (25...50).map { (seconds: Double($0), value: Double($0 % 3)) }
        let file = try Self.svg(try Self.plot("*"), PlottedSource(head, [.samples(0, long), .samples(1, short)]))
        func widest(_ index: Int) -> SVGFile.Path? {
            Self.lines(file, color: ChartTheme.light.streams[index]).max { $0.maxX - $0.minX < $1.maxX - $1.minX }
        }
        let (all, part) = (try #require(widest(0)), try #require(widest(1)))
        let quarter = (all.maxX - all.minX) / 4
        #expect(abs(part.minX - (all.minX + quarter)) < 1.5)
        #expect(abs(part.maxX - (all.minX + 2 * quarter)) < 1.5)
        #expect(file.texts["desc"]?.hasPrefix("2 channels from 0 s to 100 s") == true)
    }

    /// A recorder whose clock stands still gives a moment, with what is lowest and highest in it.
    @Test func aClockThatStandsStill() throws {
        var samples = [(Double, Double)](repeating: (7, 0), count: 5000)
        (samples[3000].1, samples[4000].1) = (9, -9)
        let file = try Self.svg(try Self.plot("*"), PlottedSource(Self.heading, samples))
        #expect(
            file.texts["desc"]?.contains("heading.degrees: 5000 samples, -9° at 0 s to 9° at 0 s") == true,
            "\(file.texts["desc"] ?? "")")
    }

    /// A source that stops for a minute leaves a gap of that length.
    @Test func aSourceThatStopsForAMinute() throws {
        let samples = (0..<100).map { index -> (Double, Double) in
            let pause = index < 50 ? 0.0 : 60
            return (Double(index) / 10 + pause, Double(index % 7))
        }
        let file = try Self.svg(try Self.plot("*"), PlottedSource(Self.heading, samples))
        #expect(file.texts["desc"]?.contains("100 samples") == true && file.texts["desc"]?.contains("1 gap") == true)
        let parts = Self.lines(file).flatMap(\.parts).filter { $0.count > 10 }.map { $0.map(\.x).sorted() }
        try #require(parts.count == 2)
        let ends = parts.flatMap { [$0[0], $0[$0.count - 1]] }.sorted()
        // 4.9 s, 60.1 s and 4.9 s of 69.9 s.
        #expect(abs((ends[2] - ends[1]) / (ends[3] - ends[0]) - 60.1 / 69.9) < 0.01)
    }

    @Test func thePartFromTwoSecondsForThree() throws {
        var plot = try Self.plot("*")
        (plot.start, plot.seconds) = (.seconds(2), 3)
        // The recorder's clock begins at 100 s.
        let samples = (0..<100).map { (100 + Double($0) / 10, Double($0)) }
        let picture = try plot.picture(of: PlottedSource(Self.heading, samples), named: "a", filters: [])
        let text = String(decoding: try picture.draw(as: .svg), as: UTF8.self)
        #expect(text.contains("1 channel from 2 s to 5 s; heading.degrees: 31 samples, 20° at 2 s to 50° at 5 s"))
    }

    @Test func aSingleSampleIsInTheMiddle() throws {
        let file = try Self.svg(try Self.plot("*"), PlottedSource(Self.heading, [(7, 5)]))
        let dot = try #require(
            file.paths.filter { $0.attributes["fill"] == ChartTheme.light.streams[0].hexadecimal }.first)
        #expect(abs((dot.minX + dot.maxX) / 2 - 400) < 40)
    }

    // MARK: Bad input

    @Test(arguments: [
        ("hedding", "did you mean 'heading'?"), ("speed", "it has heading.degrees"),
    ])
    func streamsThatAreNotThere(pattern: String, words: String) throws {
        let plot = try Self.plot(pattern)
        #expect {
            try plot.picture(of: PlottedSource(Self.heading, [(0, 1)]), named: "a", filters: [])
        } throws: { error in
            "\(error)".contains("no channel matches '\(pattern)'") && "\(error)".contains(words)
        }
    }

    @Test func anEmptyRecording() throws {
        let plot = try Self.plot("*")
        #expect { try plot.picture(of: PlottedSource(RecordingHead(), []), named: "a", filters: []) } throws: {
            "\($0)".contains("the recording has no samples")
        }
        var late = plot
        late.start = .seconds(100)
        #expect { try late.picture(of: PlottedSource(Self.heading, [(0, 1)]), named: "a", filters: []) } throws: {
            "\($0)".contains("no samples in the chosen time")
        }
    }

    @Test(arguments: [
        "", "a b", "heading:", "heading:unit", "heading:unit=", "heading:unti=m", "heading:range=1",
        "heading:range=2..1",
        "heading:range=nan..1", "heading:color=blurple", "heading:scale=cubic", "heading:threshold=x",
        "heading:unit=a,unit=b", "a.b.c", "heading:range=0..1e999", "heading:range=0\0..1", "heading:threshold=1\0",
    ])
    func wrongSelections(text: String) {
        #expect(throws: MediaError.self) { try SensorSelection(parsing: text) }
    }

    @Test(arguments: [
        ("heading:range=-1e308..1e308", "the range '-1e308..1e308' goes beyond ±1e+300"),
        ("heading:threshold=-1e301", "the threshold '-1e301' is beyond ±1e+300"),
    ])
    func numbersBeyondAllPlots(text: String, reason: String) throws {
        let error = try #require(throws: MediaError.self) { try SensorSelection(parsing: text) }
        #expect(error.reason == reason)
    }

    @Test(arguments: [
        ("ecg.*", true), ("ecg", true), ("*.ii", true), ("ii", true), ("e*g.i*", true), ("*", true), ("ec", false),
        ("ecg.i", false), ("ecg2.*", false), ("*.v*", false), ("**.ii", true),
    ])
    func patterns(pattern: String, isMatched: Bool) throws {
        #expect(try SensorSelection(parsing: pattern).includes(SensorChannel("ecg", "ii")) == isMatched)
    }

    /// Texts of a recording that no font can draw do not fail a plot.
    @Test func textsOfStrangers() throws {
        var head = RecordingHead()
        head.channels = [SensorChannel("a", "x", unit: "\u{E000}\u{1F600}\n<b>")]
        (head.title, head.credit) = ("\u{1}&\u{10FFFF}", "\u{202E}credit\nof two lines")
        head.marks = [
            SensorMark(SensorTime(microseconds: 0), seconds: .infinity, text: "\u{1F600}"),
            SensorMark(SensorTime(microseconds: 1), seconds: -5, text: "", channel: "b.y"),
        ]
        let file = try Self.svg(
            try Self.plot("*"), PlottedSource(head, [.samples(0, [(0, 1), (1, 1e308), (2, -1e308)])]))
        #expect(file.texts["title"]?.contains("&amp;") == true)
    }

    @Test func momentsBeyondAllRecordings() throws {
        for moment in [SensorPlot.Moment.seconds(.nan), .seconds(1e300), .time(SensorTime(microseconds: .max))] {
            var plot = try Self.plot("*")
            plot.start = moment
            #expect(throws: MediaError.self) {
                try plot.picture(of: PlottedSource(Self.heading, [(0, 1)]), named: "a", filters: [])
            }
        }
    }

    @Test func tooManyChannels() throws {
        var head = RecordingHead()
        head.channels = (0..<200).map { SensorChannel("s", "c\($0)") }
        let pieces = (0..<200).map { PlottedSource.Piece.samples($0, [(0, 1)]) }
        let plot = try Self.plot("*")
        #expect { try plot.picture(of: PlottedSource(head, pieces), named: "a", filters: []) } throws: {
            ($0 as? MediaError)?.kind == .limit
        }
        // A selection of them has room.
        _ = try Self.plot("c1*").picture(of: PlottedSource(head, pieces), named: "a", filters: []).draw(as: .svg)
    }
}
