internal import WayreelCore

/// The allowed values of a text or an attribute.
struct TextRule: Sendable {
    /// The name of the type in the XML Schema.
    let name: String
    /// The base type; ``facets`` are lines of XML Schema that restrict it.
    let base: String
    let facets: [String]
    /// The expected value in error messages: `degrees from -90 to 90`.
    let expectation: String
    let maxLength: Int
    private let bounds: ClosedRange<Double>
    private let bound: Double?
    private let words: [String]
    private let form: (@Sendable (String) -> Bool)?

    /// `form` says the same as the base type and the pattern, of types that are neither numbers nor keywords.
    private init(
        name: String, base: String, facets: [String] = [], expectation: String,
        form: (@Sendable (String) -> Bool)? = nil
    ) {
        func number(_ facet: String) -> Double? {
            facets.first { $0.hasPrefix(facet + " ") }.flatMap { Double($0.dropFirst(facet.count + 1)) }
        }
        self.name = name
        self.base = base
        self.facets = facets
        self.expectation = expectation
        self.form = form
        maxLength = number("maxLength").map { Int($0) } ?? .max
        bounds = (number("minInclusive") ?? -.infinity)...(number("maxInclusive") ?? .infinity)
        bound = base == "xs:positiveInteger" ? 0 : number("minExclusive")
        words = facets.filter { $0.hasPrefix("enumeration ") }.map { String($0.dropFirst("enumeration ".count)) }
    }

    /// Whether it allows a value: a text as it is, others with white space as in xs:token.
    func allows(_ value: String) -> Bool {
        if isNumber {
            guard let number = value.decimal(isWhole: base != "xs:decimal") else { return false }
            return bounds.contains(number) && bound.map { number > $0 } ?? true
        }
        if !words.isEmpty { return words.contains(value) }
        return !value.isEmpty && (form?(value) ?? true) && !value.isLonger(than: maxLength)
    }

    private var isNumber: Bool { ["xs:decimal", "xs:integer", "xs:positiveInteger"].contains(base) }

    /// Whether values are numbers, or true and false.
    var isNumberOrFlag: Bool { isNumber || base == "xs:boolean" }

    /// The value of a facet, such as the pattern; nil if the rule has none of that name.
    func facet(_ name: String) -> String? { facets(name).first }

    /// The values of all facets of a name.
    func facets(_ name: String) -> [String] {
        facets.filter { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count + 1)) }
    }
}

extension String {
    /// The number, as XML Schema writes it: without an exponent.
    func decimal(isWhole: Bool) -> Double? {
        let digits = utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        guard digits.count >= utf8.count - 1, digits.contains(where: \.isDigit),
            digits.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") && !isWhole }),
            digits.count(where: { $0 == UInt8(ascii: ".") }) <= 1
        else { return nil }
        return Double(self)
    }

    /// Whether it has more characters than a limit, of which a text of few bytes needs no count.
    func isLonger(than limit: Int) -> Bool { utf8.count > limit && unicodeScalars.count > limit }

    fileprivate var isDay: Bool {
        let parts = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(\.isDigit) else { return false }
        return !hasPrefix("0000") && CalendarDate(self) != nil
    }
}

extension StringProtocol {
    /// Whether it consists of parts of 1 to `length` ASCII letters, digits and `others`; a single one without a
    /// separator.
    func isOfParts(separatedBy separator: UInt8? = nil, _ length: Int, others: String = "") -> Bool {
        utf8.split(omittingEmptySubsequences: false) { $0 == separator }.allSatisfy { part in
            (1...length).contains(part.count)
                && part.allSatisfy { $0.isLetter || $0.isDigit || others.utf8.contains($0) }
        }
    }
}

/// Classes of ASCII.
extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension TextRule {
    static let text = TextRule(
        name: "Text", base: "xs:string", facets: ["pattern [ \\t\\r\\n]*[^ \\t\\r\\n][\\s\\S]*", "maxLength 100000"],
        expectation: "a text"
    ) { !$0.utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
    /// A text in CommonMark's syntax, whose marks may take as much as its words.
    static let commonMark = TextRule(
        name: "CommonMark", base: "xs:string",
        facets: ["pattern [ \\t\\r\\n]*[^ \\t\\r\\n][\\s\\S]*", "maxLength \(2 * RichText.maxLength)"],
        expectation: "a text in CommonMark's syntax: paragraphs, lists, > quotes, *emphasis*, **strong emphasis**, "
            + "[links](https://example.org)"
    ) { !$0.utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
    static let line = TextRule(
        name: "Line", base: "xs:token", facets: ["minLength 1", "maxLength 4000"], expectation: "a line of text")
    static let id = TextRule(
        name: "Identifier", base: "xs:token", facets: ["pattern [A-Za-z0-9][A-Za-z0-9._\\-]{0,99}"],
        expectation: "up to 100 letters, digits, '.', '_' and '-', beginning with a letter or a digit"
    ) { id in
        id.isOfParts(100, others: "._-") && id.utf8.first.map { $0.isLetter || $0.isDigit } == true
    }
    static let path = TextRule(
        name: "Path", base: "xs:token", facets: ["minLength 1", "maxLength 4000"],
        expectation: "a path in the story's folder, such as images/tower.jpg")
    static let color = TextRule(
        name: "Color", base: "xs:token", facets: ["pattern #[0-9A-Fa-f]{6}"],
        expectation: "a colour: # and six hexadecimal digits, such as \"#0b66c3\""
    ) { $0.utf8.count == 7 && $0.hasPrefix("#") && $0.utf8.dropFirst().allSatisfy { $0.hexDigit != nil } }
    /// The pattern of a host and a port; ``WebHost`` knows more.
    private static let host = #"([^ /?#@:\\\[\]%]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{0,5})?"#
    static let address = TextRule(
        name: "Address", base: "xs:token", facets: ["pattern https?://\(host)([/?#][^ \\\\]*)?", "maxLength 4000"],
        expectation: "an address on the web, such as https://example.org/bells"
    ) { address in
        ["https://", "http://"].contains(where: address.hasPrefix) && LinkAddress.fault(address, ofAtMost: 4000) == nil
    }
    static let language = TextRule(
        name: "Language", base: "xs:language", facets: ["pattern \(LanguageTag.pattern)"],
        expectation: "a language tag such as en or de-AT"
    ) { LanguageTag.isWellFormed($0) }
    static let hash = TextRule(
        name: "Hash", base: "xs:token", facets: ["pattern [0-9A-Fa-f]{12}"],
        expectation: "the 12 hexadecimal digits that wayreel story translate writes"
    ) { $0.utf8.count == SourceHash.digits && $0.utf8.allSatisfy { $0.hexDigit != nil } }
    static let code = TextRule(
        name: "Code", base: "xs:token", facets: ["pattern [\(EventCode.alphabet)]{\(EventCode.length)}"],
        expectation: "four of the characters \(EventCode.alphabet), such as 7KQ2"
    ) { EventCode.isCode($0) }
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
    static let pixels = number("Pixels", from: 0, to: 100_000, "pixels from 0 to 100000")
    static let level = number("Level", from: -100, to: 300, "a floor from -100 to 300, 0 at the street")
    static let share = number("Share", above: 0, to: 1, "a share above 0, at most 1")
    static let points = TextRule(
        name: "Points", base: "xs:integer", facets: ["minInclusive 0", "maxInclusive 1000"],
        expectation: "a whole number from 0 to 1000")
    /// The number of the first item of a list in a text.
    static let listStart = TextRule(
        name: "ListStart", base: "xs:integer",
        facets: ["minInclusive \(RichText.starts.lowerBound)", "maxInclusive \(RichText.starts.upperBound)"],
        expectation: "a whole number from \(RichText.starts.lowerBound) to \(RichText.starts.upperBound)")
    /// Where a link in a text leads to.
    static let link = TextRule(
        name: "LinkAddress", base: "xs:token",
        facets: [
            "pattern [Hh][Tt][Tt][Pp][Ss]?://\(host)([/?#][^ \\\\]*)?"
                + "|([Mm][Aa][Ii][Ll][Tt][Oo]|[Tt][Ee][Ll]|[Gg][Ee][Oo]):[^ \\\\]+",
            "maxLength \(LinkAddress.maxLength)",
        ], expectation: LinkAddress.expectation
    ) { LinkAddress.fault($0) == nil }
    static let flag = TextRule(
        name: "Flag", base: "xs:boolean", expectation: "true or false"
    ) { ["true", "false", "1", "0"].contains($0) }
    static let timeOfDay = TextRule(
        name: "TimeOfDay", base: "xs:token", facets: ["pattern ([01][0-9]|2[0-3]):[0-5][0-9]|24:00"],
        expectation: "a time from 00:00 to 24:00"
    ) { TimeOfDay($0)?.description == $0 }
    static let date = TextRule(
        name: "Date", base: "xs:date", facets: ["pattern [0-9]{4}-[0-9]{2}-[0-9]{2}"],
        expectation: "a date such as 2026-06-01"
    ) { $0.isDay }
    static let days = TextRule(
        name: "Days", base: "xs:token",
        facets: ["pattern (mon|tue|wed|thu|fri|sat|sun)( (mon|tue|wed|thu|fri|sat|sun))*"],
        expectation: "days such as 'fri sat'"
    ) { $0.split(separator: " ").allSatisfy { TimeWindow.Day(rawValue: String($0)) != nil } }
    static let zone = TextRule(
        name: "Zone", base: "xs:token", facets: ["pattern [A-Za-z0-9_+\\-]+(/[A-Za-z0-9_+\\-]+)*", "maxLength 100"],
        expectation: "a time zone such as America/Los_Angeles"
    ) { $0.isOfParts(separatedBy: UInt8(ascii: "/"), 100, others: "_+-") }

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
