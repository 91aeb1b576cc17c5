import TestSupport
import Testing
import WayreelCore
import WayreelDrawing
import WayreelStreams

/// The paper of an electrocardiograph, measured in the SVG: 25 mm/s, 10 mm/mV.
@Suite struct PaperSheetTests {
    private static let leads = ["i", "ii", "iii", "avr", "avl", "avf", "v1", "v2", "v3", "v4", "v5", "v6"]

    /// A millimetre in units of the file, from its size on paper and its coordinates.
    private static func millimetre(_ file: SVGFile) throws -> Double {
        let width = try #require(file.root["width"].flatMap { $0.hasSuffix("mm") ? Double($0.dropLast(2)) : nil })
        let box = try #require(file.root["viewBox"]).split(separator: " ").compactMap { Double($0) }
        try #require(box.count == 4)
        return box[2] / width
    }

    /// Leads of 20 s at 250 Hz: a pulse of 1 mV from second 1.0 to 1.2 of each, scaled by `unit`.
    private static func source(
        _ names: [String], unit: String? = "mV", scale: Double = 1,
        head change: (inout RecordingHead) -> Void = { _ in }
    ) -> PlottedSource {
        var head = RecordingHead()
        head.channels = names.map { SensorChannel("ecg", $0, unit: unit, rate: 250) }
        head.notation = .seconds
        change(&head)
        let values = (0..<5000).map { (250..<300).contains($0 % 625) ? scale : 0 }
        return PlottedSource(head, names.indices.map { .even($0, start: 0, rate: 250, values) })
    }

    private static func sheet(_ source: PlottedSource, from start: Double? = nil) throws -> (
        SVGFile, SensorPicture
    ) {
        var plot = SensorPlot(streams: [try SensorSelection(parsing: "ecg.*")])
        plot.paper = .ecg
        plot.start = start.map { .seconds($0) }
        let picture = try plot.picture(of: source, named: "ecg.csv", filters: [])
        return (try #require(SVGFile(try picture.draw(as: .svg))), picture)
    }

    /// The strokes in the ink of traces, the darkest colour, without names, in millimetres.
    private static func strokes(_ file: SVGFile) throws -> [[(x: Double, y: Double)]] {
        let millimetre = try millimetre(file)
        return file.paths.filter { $0.attributes["stroke"] == "#0f121a" }.flatMap(\.parts)
            .map { $0.map { (x: $0.x / millimetre, y: $0.y / millimetre) } }
    }

    /// Those of signals, which are wider than the calibration.
    private static func traces(_ file: SVGFile) throws -> [[(x: Double, y: Double)]] {
        try strokes(file).filter { ($0.last?.x ?? 0) - $0[0].x > 50 }
    }

    @Test func theGridIsMillimetres() throws {
        let (file, _) = try Self.sheet(Self.source(Self.leads))
        let millimetre = try Self.millimetre(file)
        let grids = file.paths.filter { path in
            path.parts.count > 50 && path.parts.allSatisfy { $0.count == 2 }
        }
        #expect(grids.count == 2)
        let columns = grids.map { path in
            path.parts.filter { $0[0].x == $0[1].x }.map { $0[0].x / millimetre }.sorted()
        }
        // Fine lines are 1 mm apart, or 2 where a heavy one is between; heavy ones 5 mm.
        #expect(
            zip(columns[0], columns[0].dropFirst()).allSatisfy {
                abs($1 - $0 - 1) < 0.01 || abs($1 - $0 - 2) < 0.01
            })
        #expect(zip(columns[1], columns[1].dropFirst()).allSatisfy { abs($1 - $0 - 5) < 0.01 })
        #expect(file.root["width"] == "297mm" && file.root["height"] == "210mm")
    }

    /// 1 mV is 10 mm high and 200 ms are 5 mm wide, before each row.
    @Test func theCalibration() throws {
        let (file, _) = try Self.sheet(Self.source(Self.leads))
        let pulses = try Self.strokes(file).filter { $0.count == 6 && $0.allSatisfy { $0.x < 30 } }
        #expect(pulses.count == 4)
        for pulse in pulses {
            let (top, base) = (pulse.map(\.y).min() ?? 0, pulse.map(\.y).max() ?? 0)
            #expect(abs(base - top - 10) < 0.01)
            let roof = pulse.filter { $0.y == top }.map(\.x)
            #expect(abs((roof.max() ?? 0) - (roof.min() ?? 0) - 5) < 0.01)
        }
    }

    /// 2.5 s of each lead in the order of the standard, and 10 s of lead II below.
    @Test func twelveLeads() throws {
        let (file, picture) = try Self.sheet(Self.source(Self.leads))
        #expect(picture.warnings.isEmpty)
        let traces = try Self.traces(file)
        let widths = traces.map { ($0.last?.x ?? 0) - ($0.first?.x ?? 0) }
        #expect(widths.count { abs($0 - 62.5) < 0.2 } == 12 && widths.count { abs($0 - 250) < 0.2 } == 1)
        let starts = Set(traces.map { ($0[0].x * 2).rounded() / 2 })
        #expect(starts == [30, 92.5, 155, 217.5])
        for trace in traces {
            #expect(abs((trace.map(\.y).max() ?? 0) - (trace.map(\.y).min() ?? 0) - 10) < 0.01)
        }
        // Four rows, 40 mm apart.
        let rows = Set(traces.map { ($0.map(\.y).max() ?? 0).rounded() }).sorted()
        #expect(rows.count == 4 && zip(rows, rows.dropFirst()).allSatisfy { $1 - $0 == 40 })
    }

    /// The pulse of each 2.5 s begins at 1.0 s and ends at 1.2 s: 25 mm and 30 mm after the strip's start.
    @Test(arguments: [nil, 0.5]) func timesAreAtTheirPlace(start: Double?) throws {
        let (file, _) = try Self.sheet(Self.source(Self.leads), from: start)
        let rhythm = try #require(
            try Self.strokes(file).max { ($0.last?.x ?? 0) - $0[0].x < ($1.last?.x ?? 0) - $1[0].x })
        let base = rhythm.map(\.y).max() ?? 0
        let high = rhythm.filter { $0.y < base - 5 }.map(\.x)
        let begin = 30 + (1 - (start ?? 0)) * 25
        #expect(abs((high.first ?? 0) - begin) < 0.11)
        #expect(high.contains { abs($0 - begin - 4.9) < 0.11 })
    }

    @Test(arguments: [("V", 0.001), ("mV", 1), ("µV", 1000), ("uV", 1000)])
    func voltagesOfAnyUnit(unit: String, scale: Double) throws {
        let (file, _) = try Self.sheet(Self.source(["ii"], unit: unit, scale: scale))
        let trace = try #require(try Self.strokes(file).max { $0.count < $1.count })
        #expect(abs((trace.map(\.y).max() ?? 0) - (trace.map(\.y).min() ?? 0) - 10) < 0.01)
    }

    @Test func otherLeadsAreRows() throws {
        let (file, _) = try Self.sheet(Self.source(["a", "b", "c"]))
        let traces = try Self.traces(file)
        #expect(traces.count == 3 && traces.allSatisfy { abs(($0.last?.x ?? 0) - $0[0].x - 250) < 0.2 })
        // More than eight rows are a larger sheet.
        let (large, _) = try Self.sheet(Self.source((0..<12).map { "c\($0)" }))
        #expect(large.root["width"] == "297mm" && large.root["height"] == "420mm")
        #expect(throws: MediaError.self) { try Self.sheet(Self.source((0..<38).map { "c\($0)" })) }
    }

    @Test func saysTheScaleAndWhatIsMissing() throws {
        let source = Self.source(Self.leads + ["rhythm"], unit: nil) { $0.credit = "PTB, ODC-By" }
        let (file, picture) = try Self.sheet(source)
        #expect(picture.warnings.count == 2)
        #expect(picture.warnings[0].contains("taken for mV") && picture.warnings[1].contains("ecg.rhythm"))
        let summary = try #require(file.texts["desc"])
        #expect(summary.hasPrefix("Electrocardiogram at 25 mm/s and 10 mm/mV; 13 channels from 0 s to 10 s"))
        #expect(summary.hasSuffix("PTB, ODC-By"))
        // The PDF has the texts as letters; its title is that of the file.
        #expect(String(decoding: try picture.draw(as: .pdf), as: UTF8.self).contains("(ecg.csv)"))
    }

    @Test func onlyVoltages() throws {
        #expect { try Self.sheet(Self.source(["ii"], unit: "°")) } throws: { "\($0)".contains("is in °") }
        var plot = SensorPlot()
        (plot.paper, plot.seconds) = (.ecg, 30)
        for type in [SensorPlot.FileType.svg, .png] {
            #expect { try plot.picture(of: Self.source(["ii"]), named: "a", filters: []).draw(as: type) } throws: {
                "\($0)".contains("a sheet holds 10 s") && "\($0)".contains("write a PDF")
            }
        }
        plot.seconds = 301
        #expect { try plot.picture(of: Self.source(["ii"]), named: "a", filters: []) } throws: {
            "\($0)".contains("30 sheets hold 300 s")
        }
    }

    /// The pages of a PDF.
    private static func pages(_ source: PlottedSource, seconds: Double?) throws -> Int {
        var plot = SensorPlot(streams: [try SensorSelection(parsing: "ecg.*")])
        (plot.paper, plot.seconds) = (.ecg, seconds)
        let bytes = try plot.picture(of: source, named: "ecg.csv", filters: []).draw(as: .pdf)
        return String(decoding: bytes, as: UTF8.self).matches(of: /\/Type \/Page[^s]/).count
    }

    /// There is a sheet for each 10 s that were begun, up to the last sample.
    @Test(arguments: [(nil, 1), (10, 1), (10.5, 2), (20, 2), (300, 2)] as [(Double?, Int)])
    func aSheetForTenSeconds(seconds: Double?, count: Int) throws {
        #expect(try Self.pages(Self.source(Self.leads), seconds: seconds) == count)
        #expect(try Self.pages(Self.source(["a", "b"]), seconds: seconds) == count)
    }
}
