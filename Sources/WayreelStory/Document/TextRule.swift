internal import WayreelCore

/// The allowed values of a text or an attribute.
struct TextRule: Sendable {
    /// The name of the type in the XML Schema.
    var name: String
    /// The base type; ``facets`` are lines of XML Schema that restrict it.
    var base: String
    var facets: [String] = []
    /// The expected value in error messages: `degrees from -90 to 90`.
    var expectation: String
}

extension TextRule {
    /// Whether values are numbers, or true and false.
    var isNumberOrFlag: Bool {
        ["xs:decimal", "xs:integer", "xs:positiveInteger", "xs:boolean"].contains(base)
    }

    /// The value of a facet, such as the pattern; nil if the rule has none of that name.
    func facet(_ name: String) -> String? { facets(name).first }

    /// The values of all facets of a name.
    func facets(_ name: String) -> [String] {
        facets.filter { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count + 1)) }
    }

    static let text = TextRule(
        name: "Text", base: "xs:string", facets: ["pattern [ \\t\\r\\n]*[^ \\t\\r\\n][\\s\\S]*", "maxLength 100000"],
        expectation: "a text")
    static let line = TextRule(
        name: "Line", base: "xs:token", facets: ["minLength 1", "maxLength 4000"], expectation: "a line of text")
    static let id = TextRule(
        name: "Identifier", base: "xs:token", facets: ["pattern [A-Za-z0-9][A-Za-z0-9._\\-]{0,99}"],
        expectation: "up to 100 letters, digits, '.', '_' and '-', beginning with a letter or a digit")
    static let path = TextRule(
        name: "Path", base: "xs:token", facets: ["minLength 1", "maxLength 4000"],
        expectation: "a path in the story's folder, such as images/tower.jpg")
    static let language = TextRule(
        name: "Language", base: "xs:language", expectation: "a language tag such as en or de-AT")
    static let version = TextRule(
        name: "Version", base: "xs:positiveInteger", facets: ["maxInclusive 1"],
        expectation: "1, the only version there is")
    static let latitude = number("Latitude", from: -90, to: 90, "degrees from -90 to 90")
    static let longitude = number("Longitude", from: -180, to: 180, "degrees from -180 to 180")
    static let altitude = number("Altitude", from: -11_000, to: 100_000, "metres from -11000 to 100000")
    static let radius = number("Radius", above: 0, to: 100_000, "metres above 0, at most 100000")
    static let seconds = number("Seconds", above: 0, to: 86_400, "seconds above 0, at most 86400")
    static let size = number("Size", above: 0, to: 10_000, "metres above 0, at most 10000")
    static let rate = number("Rate", above: 0, to: 1000, "a number above 0, at most 1000")
    static let share = number("Share", above: 0, to: 1, "a share above 0, at most 1")
    static let points = TextRule(
        name: "Points", base: "xs:integer", facets: ["minInclusive 0", "maxInclusive 1000"],
        expectation: "a whole number from 0 to 1000")
    static let flag = TextRule(name: "Flag", base: "xs:boolean", expectation: "true or false")
    static let timeOfDay = TextRule(
        name: "TimeOfDay", base: "xs:token", facets: ["pattern ([01][0-9]|2[0-3]):[0-5][0-9]|24:00"],
        expectation: "a time from 00:00 to 24:00")
    static let date = TextRule(
        name: "Date", base: "xs:date", facets: ["pattern [0-9]{4}-[0-9]{2}-[0-9]{2}"],
        expectation: "a date such as 2026-06-01")
    static let days = TextRule(
        name: "Days", base: "xs:token",
        facets: ["pattern (mon|tue|wed|thu|fri|sat|sun)( (mon|tue|wed|thu|fri|sat|sun))*"],
        expectation: "days such as 'fri sat'")
    static let zone = TextRule(
        name: "Zone", base: "xs:token", facets: ["pattern [A-Za-z0-9_+\\-]+(/[A-Za-z0-9_+\\-]+)*", "maxLength 100"],
        expectation: "a time zone such as America/Los_Angeles")

    static func oneOf(_ name: String, _ keywords: [String]) -> TextRule {
        TextRule(
            name: name, base: "xs:token", facets: keywords.map { "enumeration \($0)" },
            expectation: keywords.alternatives)
    }

    static func keywords<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> TextRule {
        oneOf("\(type)", Value.allCases.map(\.rawValue))
    }

    private static func number(
        _ name: String, from minimum: Double? = nil, above bound: Double? = nil, to maximum: Double,
        _ expectation: String
    ) -> TextRule {
        let facets = [
            minimum.map { "minInclusive \($0)" }, bound.map { "minExclusive \($0)" }, "maxInclusive \(maximum)",
        ]
        return TextRule(name: name, base: "xs:decimal", facets: facets.compactMap(\.self), expectation: expectation)
    }
}
