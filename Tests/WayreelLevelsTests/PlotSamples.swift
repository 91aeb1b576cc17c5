import TestSupport
import WayreelCore
import WayreelDrawing
import WayreelLevels

/// Synthetic levels and the pixels of images, for the tests of plots.
enum PlotSamples {
    /// Returns levels with one reading per `1 / rate` second at 48 kHz; every channel is given as (minimum, maximum)
    /// for each reading. The RMS is half the magnitude.
    static func levels(_ channels: [[(Float, Float)]], rate: Int = 30, names: [AudioChannel]? = nil) -> Levels {
        var log = LevelLog(columnCount: channels.count * 3)
        let count = channels.first?.count ?? 0
        for row in 0..<count {
            try? log.append(
                channels.flatMap { channel in
                    let (low, high) = channel[row]
                    return [low, high, max(high, -low) / 2]
                })
        }
        return Levels(
            format: AudioFormat(
                sampleRate: 48_000, channels: names ?? AudioChannel.unnamed(count: channels.count)),
            grid: .rate(Rational(rate)!), sampleCount: count * 48_000 / rate, fields: [.minimum, .maximum, .rms],
            log: log)
    }

    /// Returns one symmetric channel.
    static func mono(_ magnitudes: [Float], rate: Int = 30) -> Levels {
        levels([magnitudes.map { (-$0, $0) }], rate: rate)
    }

    static func stereo(_ left: [Float], _ right: [Float]) -> Levels {
        levels([left.map { (-$0, $0) }, right.map { (-$0, $0) }])
    }
}

/// The pixels of a plot as red, green and blue.
struct PlotPixels {
    let size: PixelSize
    private let rows: [[UInt32]]

    init(_ plot: LevelsPlot, _ levels: Levels) throws {
        let surface = try PixelSurface(size: plot.size)
        let canvas = Canvas(on: surface)
        try plot.draw(levels, on: canvas)
        try canvas.finish()
        size = plot.size
        rows = surface.withBytes { bytes in
            (0..<surface.size.height).map { y in
                (0..<surface.size.width).map {
                    bytes.load(fromByteOffset: y * surface.stride + 4 * $0, as: UInt32.self)
                }
            }
        }
    }

    /// The pixel as 0xAARRGGBB, premultiplied.
    subscript(_ x: Int, _ y: Int) -> UInt32 { rows[y][x] }

    /// Returns the rows of column `x` in which a pixel is exactly `color`, which is opaque.
    func rows(of color: RGBColor, x: Int) -> [Int] {
        let value = Self.pixel(color)
        return (0..<size.height).filter { self[x, $0] == value }
    }

    /// Returns the columns that have a pixel of `color`.
    func columns(of color: RGBColor) -> [Int] {
        let value = Self.pixel(color)
        return (0..<size.width).filter { x in (0..<size.height).contains { self[x, $0] == value } }
    }

    static func pixel(_ color: RGBColor) -> UInt32 {
        [color.red, color.green, color.blue].reduce(255) { $0 << 8 | UInt32(($1 * 255).rounded()) }
    }
}

extension LevelsPlot {
    /// Returns a plot without anything around its lanes, in red and blue on white.
    static func bare(_ style: Style, _ width: Int, _ height: Int) -> LevelsPlot {
        var plot = LevelsPlot(style: style, size: PixelSize(width: width, height: height))
        plot.showsAxes = false
        plot.colors = [.pureRed, .pureBlue]
        if style == .waveform { plot.showsRMS = false }
        if style == .strip {
            plot.showsDot = false
            plot.label = ""
            plot.lineWidth = 2
        }
        return plot
    }
}

extension RGBColor {
    static let pureRed = RGBColor(red: 1, green: 0, blue: 0)
    static let pureBlue = RGBColor(red: 0, green: 0, blue: 1)
    static let pureGreen = RGBColor(red: 0, green: 1, blue: 0)
}
