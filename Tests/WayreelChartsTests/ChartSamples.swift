import TestSupport
import WayreelCore
import WayreelDrawing

/// Charts for tests: ordinary ones, and charts of data that are hard to draw.
enum ChartSamples {
    static let longName =
        "a name that is far too long for any legend, margin or title that there is room for in a chart"

    static func series(_ count: Int, samples: Int = 40, names: (Int) -> String = { "series \($0)" }) -> SeriesChart {
        SeriesChart(
            title: "Memory", measure: .bytes,
            series: (0..<count).map { index in
                SeriesChart.Series(
                    name: names(index),
                    samples: (0..<samples).map { position in
                        SeriesChart.Sample(
                            time: Double(position) * 0.5,
                            value: 1e8 * (Double(index) + 1 + sine(Double(position) / 5 + Double(index))))
                    })
            })
    }

    static func bars(_ groups: Int, _ bars: Int, name: String = "peer") -> BarsChart {
        BarsChart(
            title: "Time", measure: .seconds,
            groups: (0..<groups).map { group in
                BarsChart.Group(
                    name: groups == 1 ? "" : "task \(group)",
                    bars: (0..<bars).map { bar in
                        let value = Double(group + 1) * Double(bar + 1) / 10
                        return BarsChart.Bar(
                            name: "\(name) \(bar)", value: value, interval: value * 0.9...value * 1.2,
                            isHighlighted: bar == 0)
                    })
            })
    }

    static let ordinary: [any Chart] = [
        series(1), series(4), series(10), bars(1, 5), bars(3, 4),
    ]

    static let awkward: [any Chart] = [
        SeriesChart(measure: .bytes, series: []),
        SeriesChart(measure: .bytes, series: [.init(name: "", samples: [])]),
        SeriesChart(title: longName, measure: .seconds, series: [.init(name: longName, samples: [sample(0, 0)])]),
        SeriesChart(measure: .share, series: [.init(name: "zeros", samples: [sample(0, 0), sample(1e9, 0)])]),
        SeriesChart(measure: .ratio, series: [.init(name: "same", samples: [sample(1, 3), sample(2, 3)])]),
        SeriesChart(
            measure: .count("x"),
            series: [.init(name: "range", samples: [sample(0, -1e18), sample(1e-9, 1e-18), sample(1e18, 1e18)])]),
        SeriesChart(
            measure: .bytes,
            series: [
                .init(name: "gaps", samples: [sample(0, .nan), sample(1, 2), sample(2, .infinity), sample(3, 4)]),
                .init(name: "none", samples: [sample(0, .nan)]),
            ]),
        series(1, samples: 100_000), series(30, names: { "\($0) \(longName)" }),
        BarsChart(measure: .seconds, groups: []),
        BarsChart(measure: .seconds, groups: [.init(name: "empty", bars: [])]),
        BarsChart(
            title: longName, measure: .bytes,
            groups: [
                .init(
                    name: longName,
                    bars: [
                        .init(name: longName, value: nil, note: longName), .init(name: "", value: 0),
                        .init(name: "huge", value: 1e18, interval: 0...1e18),
                        .init(name: "tiny", value: 1e-18), .init(name: "line\nbreak\u{0}🎬", value: 5),
                    ])
            ], reference: 1),
        bars(20, 5, name: longName), bars(1, 1),
        BarsChart(measure: .ratio, groups: [.init(bars: [.init(name: "same", value: 1)])], reference: 1),
    ]

    private static func sample(_ time: Double, _ value: Double) -> SeriesChart.Sample {
        SeriesChart.Sample(time: time, value: value)
    }
}

extension Chart {
    func bytes(
        _ image: ChartImage = ChartImage(size: PixelSize(width: 600, height: 300))
    ) throws -> [UInt8] {
        let sink = MemorySink()
        try draw(image, to: sink)
        return sink.bytes
    }

    func svg(width: Int = 600, height: Int = 300) throws -> SVGFile? {
        SVGFile(try bytes(ChartImage(size: PixelSize(width: width, height: height))))
    }
}

extension SVGFile {
    /// Returns the paths that are filled in one of these colours.
    func filled(_ colors: String...) -> [Path] { paths.filter { colors.contains($0.attributes["fill"] ?? "") } }

    func stroked(_ color: String) -> [Path] { paths.filter { $0.attributes["stroke"] == color } }
}
