public import ArgumentParser
public import Wayreel

// The library's choices, as values of options.
extension Fit: ExpressibleByArgument {}
extension Gravity: ExpressibleByArgument {}
extension DamageTolerance: ExpressibleByArgument {}
extension ExistingOutput: ExpressibleByArgument {}
extension Encoding.Format: ExpressibleByArgument {}
extension Encoding.Subsampling: ExpressibleByArgument {}
extension Encoding.Metadata: ExpressibleByArgument {}
extension ChannelSelection: ExpressibleByArgument {}
extension LevelReading: ExpressibleByArgument {}
extension LevelsPlot.Layout: ExpressibleByArgument {}
extension LevelsPlot.Scale: ExpressibleByArgument {}
extension LevelsPlot.Style: ExpressibleByArgument {}
extension LevelsPlot.Theme: ExpressibleByArgument {}
extension LevelUnit: ExpressibleByArgument {}
extension MeterBallistics: ExpressibleByArgument {}

extension AmplitudeScale: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension PixelSize: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Rational: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension RGBColor: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// `500MB`, `512KiB`, `200000`.
struct ByteCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        guard let value = Quantity.bytes.parse(argument) else { return nil }
        self.value = value
    }
}

/// `150MP`, `150000000`.
struct PixelCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        guard let value = Quantity.pixels.parse(argument) else { return nil }
        self.value = value
    }
}
