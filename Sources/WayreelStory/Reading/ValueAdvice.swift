internal import WayreelCore

/// Reads values as people write them, to name the value that they probably mean: `38,7` is 38.7, `10 pm` is 22:00.
struct ValueAdvice {
    private let value: String
    private let type: TextRule

    private init(_ value: String, _ type: TextRule) {
        self.value = value
        self.type = type
    }

    /// Returns advice for a value that a type does not allow; nil if nothing like it is.
    static func advice(on value: String, _ type: TextRule) -> String? {
        let bare = value.trimmedQuotes
        if bare != value, type.name != TextRule.text.name {
            // Programs for texts replace " by “ and ”, which YAML takes for a part of the value.
            return "“ and ” are no quotation marks here: write \"\(ValueAdvice(bare, type).meant ?? bare)\""
        }
        return ValueAdvice(value, type).advice
    }

    private var advice: String? {
        if type.name == TextRule.date.name, isDateWithoutDay { return "there is no such day" }
        // YAML 1.1 has numbers to the base 60, with a colon between their digits.
        if type.name == TextRule.timeOfDay.name, let minutes = Int(value), (60...1440).contains(minutes) {
            return
                "did you mean \"\(TimeOfDay(minutes: minutes))\"? Without quotes some programs read that as \(minutes)"
        }
        return meant.map { "did you mean '\($0)'?" }
    }

    /// The value that is probably meant.
    private var meant: String? {
        switch type.name {
        case TextRule.zone.name: TimeZones.isKnown(value) ? value : TimeZones.nearest(to: value)
        case TextRule.timeOfDay.name: time.map(\.description)
        case TextRule.date.name: date
        case TextRule.days.name: days
        case TextRule.latitude.name, TextRule.longitude.name: degrees ?? number
        case TextRule.language.name: value.contains("_") ? value.replacing("_", with: "-") : nil
        case TextRule.id.name: id
        case TextRule.color.name: color
        default: type.base == "xs:decimal" || type.base == "xs:integer" ? number : nil
        }
    }

    // MARK: Numbers

    /// A number with a comma, another minus or a unit: `25,5`, `−9.1`, `10 m`.
    private var number: String? {
        var text = value.withPlainMinus.replacing(",", with: ".").filter { $0 != " " && $0 != "\u{A0}" }
        for unit in ["metres", "meters", "m", "s"] where text.hasSuffix(unit) {
            text.removeLast(unit.count)
            break
        }
        return text != value && text.decimal(isWhole: false) != nil ? text : nil
    }

    /// Degrees with minutes and seconds, or with a letter for the hemisphere: `38°43'20"N`, `9.1393W`.
    private var degrees: String? {
        var text = value.withPlainMinus.uppercased()[...]
        let isNegative = text.hasPrefix("-") || ["S", "W"].contains { text.hasSuffix($0) || text.hasPrefix($0) }
        let isMarked = text.contains { "NSEW°'’′\"”″".contains($0) }
        text = text.drop { "-+NSEW ".contains($0) }
        let parts = text.split { "°'’′\"”″NSEW ".contains($0) }.map { Double($0.replacing(",", with: ".")) }
        guard isMarked, (1...3).contains(parts.count), !parts.contains(nil) else { return nil }
        let numbers = parts.compactMap(\.self)
        guard numbers.allSatisfy({ $0 >= 0 }), numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        var degrees = 0.0
        for number in numbers.reversed() { degrees = degrees / 60 + number }
        guard degrees <= (type.name == TextRule.latitude.name ? 90 : 180) else { return nil }
        return (isNegative ? -degrees : degrees).rounded(places: 5).shortDescription
    }

    // MARK: Times

    /// `7:5`, `9:30`, `8`, `22h00`, `22.00`, `10:30:00`, `10 pm`.
    private var time: TimeOfDay? {
        var text = value.lowercased()[...]
        var afternoon: Int?
        for (ending, hours) in [("am", 0), ("a.m.", 0), ("pm", 12), ("p.m.", 12)] where text.hasSuffix(ending) {
            text = text.dropLast(ending.count)
            afternoon = hours
        }
        if text.hasSuffix("h") { text = text.dropLast() }
        let parts = text.split(omittingEmptySubsequences: false) { ":.h".contains($0) }
            .map { Int($0.filter { $0 != " " }) }
        guard (1...3).contains(parts.count), let first = parts[0], !parts.contains(nil) else { return nil }
        var hours = first
        let minutes = parts.count > 1 ? parts[1] ?? 0 : 0
        if let afternoon {
            guard (1...12).contains(hours) else { return nil }
            hours = hours % 12 + afternoon
        }
        guard (0...24).contains(hours), (0..<60).contains(minutes), hours < 24 || minutes == 0 else { return nil }
        return TimeOfDay(minutes: hours * 60 + minutes)
    }

    // MARK: Dates

    /// The parts of `2026-6-1`, `1.6.2026`, `30/6/2026` or `2026-06-01T00:00:00Z` as year, month and day; nil if they
    /// may be meant in more than one order.
    private var dateParts: [Int]? {
        let day = value.prefix { $0 != "T" }
        let words = day.split(omittingEmptySubsequences: false) { "-./".contains($0) }
        let parts = words.compactMap { Int($0) }
        guard words.count == 3, parts.count == 3, parts.allSatisfy({ $0 > 0 }) else { return nil }
        if words[0].count == 4 { return parts }
        guard words[2].count == 4 else { return nil }
        // With slashes, some countries write the month first.
        let isDayFirst = day.contains(".") || parts[0] > 12
        if isDayFirst { return [parts[2], parts[1], parts[0]] }
        return parts[1] > 12 || parts[0] == parts[1] ? [parts[2], parts[0], parts[1]] : nil
    }

    private var isDateWithoutDay: Bool {
        guard let parts = dateParts else { return false }
        return !Self.isDay(parts)
    }

    private var date: String? {
        guard let parts = dateParts, Self.isDay(parts) else { return nil }
        let text = zip(parts, [4, 2, 2]).map { String($0, paddedTo: $1, radix: 10) }.joined(separator: "-")
        return text == value ? nil : text
    }

    private static func isDay(_ parts: [Int]) -> Bool {
        CalendarDate(year: parts[0], month: parts[1], day: parts[2]) != nil
    }

    /// `Friday`, `fri, sat`, `Fri`.
    private var days: String? {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        let words = value.lowercased().split { ", ".contains($0) }
        let found = words.compactMap { word in
            word.count < 3 ? nil : names.first { $0.hasPrefix(word) || word == "\($0)s" }
        }
        guard !words.isEmpty, found.count == words.count else { return nil }
        return found.map { String($0.prefix(3)) }.joined(separator: " ")
    }

    // MARK: Texts

    /// `0b66c3`, `#abc`.
    private var color: String? {
        let digits = value.hasPrefix("#") ? value.dropFirst() : value[...]
        let text = "#" + (digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits))
        return text != value && TextRule.color.allows(text) ? text : nil
    }

    /// The same with `-` for spaces.
    private var id: String? {
        let text = value.split(separator: " ").joined(separator: "-")
        return text != value && TextRule.id.allows(text) ? text : nil
    }
}

extension String {
    /// The text without typographic quotation marks around it.
    package var trimmedQuotes: String {
        let marks: Set<Character> = ["“", "”", "„", "«", "»", "‘", "’", "‚"]
        guard let first, marks.contains(first) else { return self }
        return String(drop { marks.contains($0) }.reversed().drop { marks.contains($0) }.reversed())
    }

    /// The text with a hyphen-minus for the minus sign and the dash.
    fileprivate var withPlainMinus: String {
        replacing("\u{2212}", with: "-").replacing("\u{2013}", with: "-")
    }
}
