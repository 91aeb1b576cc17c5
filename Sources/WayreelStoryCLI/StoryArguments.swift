public import ArgumentParser
public import Wayreel
internal import WayreelCLI
internal import WayreelCore

extension CodeKit.Layout: ExpressibleByArgument {}
extension MapImage.Theme: ExpressibleByArgument {}
extension MapImage.WalkStyle: ExpressibleByArgument {}
extension SensorPlot.Paper: ExpressibleByArgument {}
extension SensorPlot.Theme: ExpressibleByArgument {}
extension SensorPlot.TimeAxis: ExpressibleByArgument {}
extension TravelMode: ExpressibleByArgument {}

/// A date and time of RFC 3339.
extension Timestamp: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// A local date and time without a zone: `2026-11-27T14:05`.
extension LocalMinute: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// A distance in metres, at least 0: `8m`, `8`, `1.5km`.
struct Metres: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        guard let value = argument.quantity(["km": 1000, "m": 1]) else { return nil }
        self.value = value
    }
}

/// A duration in seconds, at least 0: `30s`, `30`, `2min`, `1h`.
struct Seconds: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        guard let value = argument.quantity(["min": 60, "h": 3600, "s": 1]) else { return nil }
        self.value = value
    }
}

/// A fraction, 0 to 1: `2%`, `0.02`.
struct Share: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        guard let value = argument.quantity(["%": 0.01]), value <= 1 else { return nil }
        self.value = value
    }
}

/// A position: `35.3050,-120.6625` or `35.3050,-120.6625,100`.
struct GeoPosition: ExpressibleByArgument {
    let point: GeoPoint

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { DecimalNumber.value($0.trimmingPrefix { $0 == " " }) }
        let numbers = parts.compactMap(\.self)
        guard (2...3).contains(parts.count), numbers.count == parts.count, (-90...90).contains(numbers[0]),
            (-180...180).contains(numbers[1])
        else { return nil }
        point = GeoPoint(
            latitude: numbers[0], longitude: numbers[1], altitude: numbers.count == 3 ? numbers[2] : nil)
    }
}

/// A latitude and a longitude in degrees: `35.28,-120.66`.
struct Place: ExpressibleByArgument {
    let point: GeoPoint

    init?(argument: String) {
        guard let position = GeoPosition(argument: argument), position.point.altitude == nil else { return nil }
        point = position.point
    }
}

extension String {
    /// Parses a non-negative number with an optional unit, and multiplies it by the factor of the unit.
    fileprivate func quantity(_ units: KeyValuePairs<String, Double>) -> Double? {
        let unit = units.first { hasSuffix($0.key) }
        let digits = dropLast(unit?.key.count ?? 0)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }), let number = Double(digits)
        else { return nil }
        return number * (unit?.value ?? 1)
    }
}

extension Story {
    /// Opens the whole story of a document or a bundle, as it is played in a language; nil for its own.
    static func opening(_ path: String, language: String? = nil) throws -> Story {
        guard StoryDocument.Format(path: path) != nil else {
            return try StoryBundle.open(path).wholeStory(language: language)
        }
        let story = try document(at: path)
        let localized = try language.map { (language) throws(MediaError) in try story.localized(strictly: language) }
        return (localized ?? story).accepting(story.answersInAllLanguages)
    }
}

/// The language in which a command shows a story's names and texts.
struct StoryLanguage: ParsableArguments {
    @Option(help: "The language of names and texts: one of the story's, or qps. (default: the story's own)")
    var language: String?
}

extension Track {
    /// Reads a GPX file, and prints what is damaged and left out.
    static func readingDamaged(_ path: String) throws(MediaError) -> Track {
        try read(path: path) { warning in
            Console.error("warning: \(path == "-" ? "standard input" : path): \(warning.message)".onOneLine)
        }
    }
}
