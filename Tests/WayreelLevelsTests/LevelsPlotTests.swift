internal import FoundationEssentials
import Testing
import WayreelCore
import WayreelDrawing
import WayreelLevels

@Suite struct LevelsPlotTests {
    private static let wrong: [(String, LevelsPlot.Style, @Sendable (inout LevelsPlot) -> Void)] = [
        ("no size", .strip, { $0.size = PixelSize(width: 0, height: 10) }),
        ("a size below 0", .strip, { $0.size = PixelSize(width: 10, height: -1) }),
        ("too long a side", .bars, { $0.size = PixelSize(width: 40_000, height: 1) }),
        ("too many pixels", .bars, { $0.size = PixelSize(width: 20_000, height: 20_000) }),
        ("limits upside down", .strip, { ($0.lowerLimit, $0.upperLimit) = (0, -20) }),
        ("equal limits", .strip, { ($0.lowerLimit, $0.upperLimit) = (-20, -20) }),
        ("an upper limit below the default lower one", .waveform, { ($0.scale, $0.upperLimit) = (.decibels, -70) }),
        ("a limit that is not a number", .strip, { $0.upperLimit = .nan }),
        ("a limit out of reach", .strip, { $0.lowerLimit = -1000 }),
        ("a lower limit of the linear scale", .waveform, { $0.lowerLimit = -60 }),
        ("a baseline outside the limits", .strip, { ($0.upperLimit, $0.baseline) = (-10, -5) }),
        ("a capacity of nothing", .strip, { $0.capacity = 0 }),
        ("a capacity for bars", .bars, { $0.capacity = 100 }),
        ("a dot for a waveform", .waveform, { $0.showsDot = true }),
        ("a bar's width for a strip", .strip, { $0.barWidth = 3 }),
        ("a meter for bars", .bars, { $0.meter = .vu }),
        ("an RMS core for bars", .bars, { $0.showsRMS = true }),
        ("a one-sided strip", .strip, { $0.isOneSided = true }),
        ("one-sided and mirrored", .bars, { ($0.isOneSided, $0.layout) = (true, .mirrored) }),
        ("a baseline's colour alone", .strip, { $0.baselineColor = .white }),
        ("a separators' colour alone", .strip, { $0.separatorColor = .white }),
        ("a separator before the audio", .strip, { $0.separators = [-1] }),
        ("a label that is not a format", .strip, { $0.label = "%s" }),
        ("a line without width", .strip, { $0.lineWidth = 0 }),
        ("an endless bar", .bars, { $0.barWidth = .infinity }),
        ("text too small", .strip, { $0.textSize = 0 }),
        ("a font with a size", .strip, { $0.font = "Sans 12" }),
        ("a colour out of range", .strip, { $0.colors = [RGBColor(red: 2, green: 0, blue: 0)] }),
        ("a background that is none", .bars, { $0.background = RGBColor(red: 0, green: .nan, blue: 0) }),
    ]

    @Test(arguments: wrong.indices)
    func rejects(index: Int) throws {
        let (name, style, change) = Self.wrong[index]
        var plot = LevelsPlot(style: style)
        try plot.check()
        change(&plot)
        let isRefused = { (error: any Error) in
            guard let error = error as? MediaError else { return false }
            return [.parameter, .limit].contains(error.kind) && error.step == .plot || error.step == .text
        }
        #expect("\(name)") { try plot.check() } throws: { isRefused($0) }
        #expect("\(name)") { try plot.measurement() } throws: { isRefused($0) }
        #expect("\(name)") { try plot.draw(PlotSamples.mono([1]), as: .svg, to: MemorySink()) } throws: {
            isRefused($0)
        }
    }

    @Test func warnsAboutMissingFonts() throws {
        var plot = LevelsPlot(style: .strip)
        #expect(try plot.warnings().isEmpty)
        plot.font = "No Such Typeface"
        #expect(try plot.warnings().map(\.message).first?.hasPrefix("no font 'No Such Typeface' is installed") == true)
    }

    /// A private-use character, and one that fonts have only in colour or not at all.
    @Test(arguments: ["%.1f \u{10FFFD}", "%.1f \u{1F680}\u{FE0F}"])
    func rejectsLabelsWithoutOutlines(label: String) {
        var plot = LevelsPlot(style: .strip)
        plot.label = label
        #expect {
            try plot.draw(PlotSamples.mono([1]), as: .svg, to: MemorySink())
        } throws: {
            ($0 as? MediaError)?.kind == .unsupported
        }
    }

    @Test func isKeptAsJSON() throws {
        var plot = LevelsPlot(style: .strip, size: PixelSize(width: 640, height: 120), theme: .dark)
        plot.colors = [.pureRed, RGBColor(red: 0, green: 0.5, blue: 1, alpha: 0.5)]
        plot.capacity = 100
        plot.label = "%0.1f dB"
        plot.meter = .apple
        plot.separators = [1.5]
        let data = try JSONEncoder().encode(plot)
        #expect(try JSONDecoder().decode(LevelsPlot.self, from: data) == plot)
    }
}
