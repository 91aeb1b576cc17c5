public import ArgumentParser
public import WayreelMedia

// Library types as option values.
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
extension VideoSettings.Deinterlacing: ExpressibleByArgument {}
extension VideoCodec: ExpressibleByArgument {}

extension QualityTarget: ExpressibleByArgument {
    private static let names: [String: QualityTarget] = ["low": .low, "medium": .medium, "high": .high]

    public init?(argument: String) {
        guard let target = Self.names[argument] ?? Double(argument).map({ .ssim($0) }) else { return nil }
        self = target
    }
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

extension RGBColor: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
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
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3, let last = parts.last.flatMap({ Self.number($0) }) else { return nil }
        var seconds = 0.0
        for part in parts.dropLast() {
            guard let whole = Int(part), whole >= 0 else { return nil }
            seconds = (seconds + Double(whole)) * 60
        }
        guard parts.count == 1 || last < 60 else { return nil }
        self.seconds = seconds + last
    }

    private static func number(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }) else { return nil }
        return Double(text)
    }
}

/// `8m`, `8`, `1.5km`: metres, from 0 on.
struct Metres: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        guard let value = argument.quantity(["km": 1000, "m": 1]) else { return nil }
        self.value = value
    }
}

/// `30s`, `30`, `2min`, `1h`: seconds, from 0 on.
struct Seconds: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        guard let value = argument.quantity(["min": 60, "h": 3600, "s": 1]) else { return nil }
        self.value = value
    }
}

/// `2%`, `0.02`: a share, from 0 to 1.
struct Share: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        guard let value = argument.quantity(["%": 0.01]), value <= 1 else { return nil }
        self.value = value
    }
}

/// `35.28,-120.66`: latitude and longitude in degrees.
struct Place: ExpressibleByArgument {
    let point: GeoPoint

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1], abs(latitude) <= 90,
            abs(longitude) <= 180
        else { return nil }
        point = GeoPoint(latitude: latitude, longitude: longitude)
    }
}

extension String {
    /// A number that is not below 0, perhaps with one of the units, in which case it is multiplied by that one's factor.
    fileprivate func quantity(_ units: KeyValuePairs<String, Double>) -> Double? {
        let unit = units.first { hasSuffix($0.key) }
        let digits = dropLast(unit?.key.count ?? 0)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }), let number = Double(digits)
        else { return nil }
        return number * (unit?.value ?? 1)
    }
}
