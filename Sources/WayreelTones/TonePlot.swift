internal import Glibc
public import WayreelCore
internal import WayreelDrawing

/// A picture of the first waves of a mixture: its samples as dots on stems, on the continuous wave that they are samples
/// of. Each channel has a lane.
///
/// Where samples do not stand for the wave (``ToneMix/isNaive``, half the sample rate) a second line shows the only wave
/// below half the sample rate that goes through them: what is heard.
public struct TonePlot: Hashable, Sendable {
    public enum FileType: String, Hashable, Sendable, CaseIterable {
        case svg, png
    }

    public enum Theme: String, Hashable, Sendable, CaseIterable {
        case light, dark
    }

    /// In pixels, each side 200 to 16384.
    public var size: PixelSize
    public var theme: Theme

    public init(size: PixelSize = PixelSize(width: 1200, height: 400), theme: Theme = .light) {
        self.size = size
        self.theme = theme
    }

    /// At most this many channels are drawn.
    static let channelLimit = 8

    /// Draws the mixture. Equal mixtures give equal bytes.
    ///
    /// Throws the errors of ``ToneMix/warnings()``, and a `parameter` error for a size out of range and for too many channels.
    public func draw(_ mix: ToneMix, as type: FileType) throws(MediaError) -> [UInt8] {
        _ = try mix.warnings()
        let fault = ErrorSite(.parameter, step: .plot)
        guard size.shorterSide >= 200, size.longerSide <= 16_384, size.pixels <= 64_000_000 else {
            throw fault("a plot's sides are 200 to 16384 pixels, together 64 million, not \(size)")
        }
        guard mix.channelCount <= Self.channelLimit else {
            throw fault(
                "a plot shows at most \(Self.channelLimit) channels, not \(mix.channelCount)", "plot fewer channels")
        }
        let excerpt = ToneExcerpt(mix)
        let sink = MemorySink()
        var file = DrawingFile(type == .svg ? .svg : .png, size: size)
        (file.title, file.summary) = (excerpt.title, excerpt.summary)
        try file.write(to: sink) { (canvas) throws(MediaError) in try paint(excerpt, on: canvas) }
        return sink.bytes
    }

    private func paint(_ excerpt: ToneExcerpt, on canvas: PathCanvas) throws(MediaError) {
        let colors = theme == .dark ? ChartTheme.dark : .light
        let text = try ChartText(font: "DejaVu Sans", size: ChartFrame.textSize(for: size))
        let range = excerpt.range
        var requests = ChartFrame.Requests()
        requests.laneCount = excerpt.lanes.count
        requests.hasLegend = true
        requests.valueLabels = ["\u{2212}0.5"]
        let draft = try ChartFrame(size: size, theme: colors, text: text, requests: requests)
        let tickCount = min(max(draft.valueTickCount(laneHeight: draft.lanes[0].height), 3), 9)
        let bounds = TickSteps.decimal.widened(range, atMost: tickCount)
        let values = ChartAxis.decimal(bounds, atMost: tickCount, unit: "FS")
        requests.valueLabels = values.ticks.map(\.label)
        let frame = try ChartFrame(size: size, theme: colors, text: text, requests: requests)
        frame.drawBackground(colors.background, on: canvas)
        // In seconds or, up to one, in milliseconds.
        let scale = excerpt.seconds.upperBound <= 1 ? 1000.0 : 1
        let times = ChartAxis.decimal(
            excerpt.seconds.lowerBound * scale...excerpt.seconds.upperBound * scale, atMost: frame.timeTickCount,
            unit: scale == 1 ? "s" : "ms")
        try frame.drawAxes(values: excerpt.lanes.map { _ in values }, time: times, on: canvas)
        let (wave, heard, dots) = (colors.color(ofSeries: 0), colors.color(ofSeries: 1), colors.text)
        for (lane, area) in zip(excerpt.lanes, frame.lanes) {
            let scale = LaneScale(
                area: area, values: bounds, count: Double(excerpt.count), density: Double(excerpt.density))
            canvas.addHairline(atY: scale.y(0).rounded(.down), across: area)
            canvas.fill(colors.axis)
            draw(lane.wave, color: wave, scale, on: canvas)
            if let line = lane.heard { draw(line, color: heard, scale, on: canvas) }
            draw(samples: lane.samples, color: dots, scale, on: canvas)
        }
        var legend = [(name: excerpt.waveName, color: wave)]
        if excerpt.lanes.contains(where: { $0.heard != nil }) { legend.append((name: "what is heard", color: heard)) }
        legend.append((name: "\(excerpt.count) samples, \(excerpt.sampleRate) a second", color: dots))
        try frame.drawTopRow(unit: values.unit, legend: legend, on: canvas)
    }

    /// Draws a line through values between samples.
    private func draw(_ line: [Double], color: RGBColor, _ scale: LaneScale, on canvas: PathCanvas) {
        let points = line.enumerated().map { index, value in
            (x: scale.x(Double(index) / scale.density), y: scale.y(value))
        }
        canvas.addLine(points)
        canvas.stroke(color, width: max(1.5, Double(size.height) / 250))
    }

    /// Draws dots on stems, as far as there is room for them between the samples.
    private func draw(samples: [Double], color: RGBColor, _ scale: LaneScale, on canvas: PathCanvas) {
        let distance = scale.area.width / Double(max(samples.count, 1))
        guard distance >= 2 else { return }
        let radius = min(max(distance / 5, 1), max(3, Double(size.height) / 90))
        if distance >= 5 {
            for (index, value) in samples.enumerated() {
                canvas.move(toX: scale.x(Double(index)), y: scale.y(0))
                canvas.line(toX: scale.x(Double(index)), y: scale.y(value))
            }
            canvas.stroke(color.withAlpha(0.45), width: max(1, radius / 3))
        }
        for (index, value) in samples.enumerated() {
            canvas.circle(centerX: scale.x(Double(index)), centerY: scale.y(value), radius: radius)
        }
        canvas.fill(color)
    }
}

/// Maps samples and values to positions in a lane.
private struct LaneScale {
    let area: Rectangle
    let values: ClosedRange<Double>
    /// Samples from the left edge to the right.
    let count: Double
    /// Values of a line to a sample.
    let density: Double

    func x(_ sample: Double) -> Double { area.x + sample / count * area.width }

    func y(_ value: Double) -> Double {
        let share = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return area.maxY - min(max(share, 0), 1) * area.height
    }
}

/// The first waves of a mixture.
struct ToneExcerpt {
    struct Lane {
        var samples: [Double]
        /// The continuous wave, with as many values per sample as the excerpt has.
        var wave: [Double]
        /// The wave below half the sample rate through the samples, if that is another one.
        var heard: [Double]?
    }

    let sampleRate: Int
    /// Number of the first sample in the mixture, and samples from there.
    let first: Int
    let count: Int
    /// Values of the waves to a sample: more where samples are few.
    let density: Int
    private(set) var lanes: [Lane] = []
    let title: String
    /// What the lines show: `sine:440 + sine:554.37`.
    let waveName: String

    /// Samples on each side from which a value between samples is interpolated.
    private static let reach = 32
    private static let countLimit = 4096

    /// The mixture is checked.
    init(_ mix: ToneMix) {
        let sounding = mix.tones.filter { $0.wave != .silence }
        sampleRate = mix.sampleRate
        first = min(Int(((sounding.map(\.start).min() ?? 0) * Double(mix.sampleRate)).rounded()), mix.frameCount - 1)
        let lowest = sounding.compactMap(\.wave.hertz).min()
        let waves = lowest.map { 3 * Double(mix.sampleRate) / $0 } ?? 64
        count = min(max(Int(min(waves, Double(Self.countLimit)).rounded(.up)), 12), mix.frameCount - first)
        density = min(max(4096 / count, 4), 64)
        let names = mix.tones.map { $0.wave.description }
        waveName = names.prefix(3).joined(separator: " + ") + (names.count > 3 ? " + …" : "")
        title = "Samples of \(waveName)"
        let after = min(Self.reach, mix.frameCount - first - count)
        let samples = Self.values(of: mix, from: first, count: count + after)
        let dense = Self.values(of: mix, from: first * density, count: count * density, oversampling: density)
        let nyquist = Double(mix.sampleRate) / 2
        for channel in 0..<mix.channelCount {
            let tones = sounding.filter { $0.channels.isEmpty || $0.channels.contains(channel + 1) }
            let heard = Self.interpolated(samples[channel], count: count, density: density)
            // Noise and clicks are only known at their samples.
            let isContinuous = tones.allSatisfy(\.wave.isContinuous)
            let isAnother =
                isContinuous
                && tones.contains { mix.isNaive && $0.wave.hasHarmonics || ($0.wave.hertz ?? 0) >= nyquist }
            lanes.append(
                Lane(
                    samples: Array(samples[channel].prefix(count)), wave: isContinuous ? dense[channel] : heard,
                    heard: isAnother ? heard : nil))
        }
    }

    /// From the first sample to the end of the excerpt.
    var seconds: ClosedRange<Double> {
        Double(first) / Double(sampleRate)...Double(first + count) / Double(sampleRate)
    }

    /// All values, and 0.
    var range: ClosedRange<Double> {
        let reach = lanes.flatMap { $0.samples + $0.wave + ($0.heard ?? []) }.reduce(0) { max($0, $1.magnitude) }
        return reach > 0 ? -reach * 1.05...reach * 1.05 : -1...1
    }

    var summary: String {
        let peaks = lanes.enumerated().map { index, lane in
            let peak = lane.samples.reduce(0) { max($0, $1.magnitude) }
            return "channel \(index + 1): samples up to \(peak.formatted(3)) of full scale"
        }
        return "\(count) samples at \(sampleRate) Hz; \(peaks.joined(separator: "; "))"
    }

    /// Returns a stretch of all channels.
    private static func values(of mix: ToneMix, from start: Int, count: Int, oversampling: Int = 1) -> [[Double]] {
        let renderer = ToneRenderer(mix, oversampling: oversampling, from: start)
        var values = [[Double]](repeating: [], count: mix.channelCount)
        while values[0].count < count {
            let size = renderer.next()
            guard size > 0 else { break }
            let wanted = min(size, count - values[0].count)
            for channel in values.indices { values[channel] += renderer.planes[channel].prefix(wanted) }
        }
        return values
    }

    /// Returns values between samples, by a sinc function with a Hann window; samples before the first one are 0.
    private static func interpolated(_ samples: [Double], count: Int, density: Int) -> [Double] {
        (0..<count * density).map { place in
            let (whole, part) = (place / density, Double(place % density) / Double(density))
            guard part > 0 else { return samples[whole] }
            return (1 - reach...reach).reduce(0) { sum, offset in
                guard samples.indices.contains(whole + offset) else { return sum }
                let distance = part - Double(offset)
                let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach))
                return sum + samples[whole + offset] * window * sin(.pi * distance) / (.pi * distance)
            }
        }
    }
}
