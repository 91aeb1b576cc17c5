public import ArgumentParser
public import WayreelMedia

// Library types as option values.
extension Fit: ExpressibleByArgument {}
extension Gravity: ExpressibleByArgument {}
extension Framing.Flip: ExpressibleByArgument {}
extension DamageTolerance: ExpressibleByArgument {}
extension ExistingOutput: ExpressibleByArgument {}
extension Encoding.Format: ExpressibleByArgument {}
extension Encoding.Subsampling: ExpressibleByArgument {}
extension TranslationFormat: ExpressibleByArgument {}
extension Encoding.Metadata: ExpressibleByArgument {}
extension ChannelSelection: ExpressibleByArgument {}
extension LevelReading: ExpressibleByArgument {}
extension LevelsPlot.Layout: ExpressibleByArgument {}
extension LevelsPlot.Scale: ExpressibleByArgument {}
extension LevelsPlot.Style: ExpressibleByArgument {}
extension LevelsPlot.Theme: ExpressibleByArgument {}
extension LevelUnit: ExpressibleByArgument {}
extension MeterBallistics: ExpressibleByArgument {}
extension VideoSettings.Deinterlacing: ExpressibleByArgument {}
extension VideoCodec: ExpressibleByArgument {}

extension QualityTarget: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension AmplitudeScale: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension PixelSize: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Rational: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// Throws a usage error for a value of an option that is not above 0, or not finite.
package func requirePositive(_ option: String, _ value: Double?) throws {
    if let value, !(value > 0 && value.isFinite) { throw ValidationError("\(option) takes a positive number") }
}

extension RGBColor {
    /// Parses the value of an option. Throws a usage error that says what a colour looks like.
    package static func parse(_ argument: String) throws -> RGBColor {
        guard let color = RGBColor(argument) else {
            throw ValidationError("'\(argument)' is not a colour; use #fff, #ffffff, #ffffff80 or a name such as white")
        }
        return color
    }
}

/// `500MB`, `512KiB`, `200000`.
package struct ByteCount: ExpressibleByArgument {
    package let value: Int

    package init?(argument: String) {
        guard let value = Quantity.bytes.parse(argument) else { return nil }
        self.value = value
    }
}

/// `150MP`, `150000000`.
package struct PixelCount: ExpressibleByArgument {
    package let value: Int

    package init?(argument: String) {
        guard let value = Quantity.pixels.parse(argument) else { return nil }
        self.value = value
    }
}

/// `128k`, `128000`: bits per second.
package struct BitRate: ExpressibleByArgument {
    package let value: Int

    package init?(argument: String) {
        guard let value = Quantity.bits.parse(argument) else { return nil }
        self.value = value
    }
}

/// `90`, `1:30`, `00:01:30.5`.
package struct Moment: ExpressibleByArgument {
    package let seconds: Double

    package init?(argument: String) {
        guard let seconds = TimeRange.seconds(argument) else { return nil }
        self.seconds = seconds
    }
}

extension Framing.Crop: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Framing.Rotation: ExpressibleByArgument {
    public static var allValueStrings: [String] { ["90", "180", "270"] }
}
