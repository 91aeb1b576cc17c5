internal import Glibc
package import WayreelCore

/// A measured quantity and its units.
package struct ChartMeasure: Hashable, Sendable {
    struct Unit: Hashable, Sendable {
        /// Including the space before it.
        let suffix: String
        let size: Double
        /// The smallest number written in this unit.
        let minimum: Double
        /// Whether integers are exact and have no decimals.
        let isCounted: Bool

        init(_ suffix: String, _ size: Double, from minimum: Double? = nil, isCounted: Bool = false) {
            (self.suffix, self.size, self.minimum, self.isCounted) = (suffix, size, minimum ?? size, isCounted)
        }

        var name: String { suffix.first == " " ? String(suffix.dropFirst()) : suffix }
    }

    /// In ascending order; smaller numbers use the first one.
    let units: [Unit]

    package static let seconds = ChartMeasure(units: [
        Unit(" µs", 1e-6), Unit(" ms", 1e-3), Unit(" s", 1), Unit(" min", 60, from: 300),
        Unit(" h", 3600, from: 10_800),
    ])
    /// Powers of 1000 (IEC 80000-13).
    package static let bytes = ChartMeasure(units: [
        Unit(" B", 1, isCounted: true), Unit(" kB", 1e3), Unit(" MB", 1e6), Unit(" GB", 1e9), Unit(" TB", 1e12),
    ])
    /// 1 is 100 %; for CPU, one busy core.
    package static let share = ChartMeasure(units: [Unit(" %", 0.01)])
    /// A factor relative to another value.
    package static let ratio = ChartMeasure(units: [Unit("×", 1)])
    /// A count in one unit: `MP`, `MB/s`, `files`.
    package static func count(_ unit: String) -> ChartMeasure {
        ChartMeasure(units: [Unit(unit.isEmpty ? "" : " " + unit, 1, isCounted: true)])
    }

    /// The largest unit suitable for `value`.
    func unit(for value: Double) -> Unit {
        // Rounded values use the next unit: 999.7 ms is 1.00 s.
        units.last { value.magnitude * 1.0005 >= $0.minimum } ?? units[0]
    }

    /// A number with unit and three digits; in the unit of `largest`, for comparable labels, unless the result would be
    /// too small to read.
    package func text(_ value: Double, besides largest: Double? = nil) -> String {
        var unit = unit(for: largest ?? value)
        if value != 0, value.magnitude < unit.size / 100 { unit = self.unit(for: value) }
        let number = value / unit.size
        return (unit.isCounted ? number.shortDigits : number.threeDigits) + unit.suffix
    }

    /// An axis over `range` with at most `count` round numbers; the last one shows the unit.
    func axis(_ range: ClosedRange<Double>, atMost count: Int) -> ChartAxis {
        let unit = unit(for: max(range.lowerBound.magnitude, range.upperBound.magnitude))
        return .decimal(range, atMost: count, unit: unit.name, size: unit.size)
    }

    /// `range` extended to round numbers in the axis unit.
    func widened(_ range: ClosedRange<Double>, atMost count: Int) -> ClosedRange<Double> {
        let size = unit(for: max(range.lowerBound.magnitude, range.upperBound.magnitude)).size
        let wide = TickSteps.decimal.widened(range.lowerBound / size...range.upperBound / size, atMost: count)
        return wide.lowerBound * size...wide.upperBound * size
    }
}

extension Double {
    /// `0`, `0.123`, `1.20`, `12.3`, `123`, `1234`.
    var threeDigits: String {
        guard self != 0, isFinite else { return decimalText(places: 0) }
        // 9.996 is 10.0, not 10.00.
        let exponent = Int(log10(magnitude * 1.0005).rounded(.down))
        return decimalText(places: min(max(2 - exponent, 0), 9))
    }

    /// The same without decimals for integers.
    var shortDigits: String { self == rounded() ? decimalText(places: 0) : threeDigits }
}

extension ChartAxis {
    /// Moves the unit to the last tick: `600 MB`.
    func withUnitOnLastTick(_ measure: ChartMeasure) -> ChartAxis {
        guard let last = ticks.last, let unit = measure.units.first(where: { $0.name == unit }) else { return self }
        let named = ChartTick(share: last.share, label: last.label + unit.suffix)
        return ChartAxis(unit: "", ticks: ticks.dropLast() + [named])
    }
}

/// A number format: text around one `printf` placeholder, `%[0][width][.precision]f` or `%[0][width]d` (rounded to an
/// integer); `%%` is a percent sign.
package struct LabelFormat: Hashable, Sendable {
    private let before: String
    private let after: String
    private let isPaddedWithZeros: Bool
    private let width: Int
    private let places: Int

    /// Throws a `parameter` error unless `text` has exactly one supported placeholder, at most 100 characters, a width
    /// up to 20 and up to 9 decimals.
    package init(_ text: String) throws(MediaError) {
        let fault = ErrorSite(
            .parameter, step: .plot, subject: text,
            advice: "write one as '%.1f dB': text around %[0][width][.precision]f or %d"
        ) { "the label format \($0)" }
        guard text.unicodeScalars.count <= 100 else { throw fault("is longer than 100 characters") }
        guard !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
            throw fault("contains a control character")
        }
        var literals = [""]
        var placeholder: (zeros: Bool, width: Int, places: Int)?
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "%" else {
                literals[literals.count - 1].append(character)
                continue
            }
            if rest.first == "%" {
                literals[literals.count - 1].append(rest.removeFirst())
                continue
            }
            let zeros = rest.first == "0"
            let width = rest.popNumber()
            var places: Int? = nil
            if rest.first == "." {
                rest.removeFirst()
                // As in C, a point without digits means no decimals.
                places = rest.popNumber() ?? 0
            }
            switch rest.popFirst() {
            case "f": break
            case "d" where places == nil: places = 0
            default: throw fault("has a placeholder that is neither %f nor %d")
            }
            guard placeholder == nil else { throw fault("has two placeholders") }
            placeholder = (zeros, width ?? 0, places ?? 6)
            literals.append("")
        }
        guard let placeholder else { throw fault("has no placeholder for the number") }
        guard placeholder.width <= 20, placeholder.places <= 9 else {
            throw fault("has a width over 20 or more than 9 decimals")
        }
        (before, after) = (literals[0], literals[1])
        (isPaddedWithZeros, width, places) = (placeholder.zeros, placeholder.width, placeholder.places)
    }

    package func text(for value: Double, minus: String = "\u{2212}") -> String {
        let sign = value < 0 ? minus : ""
        var number = value.decimalText(places: places, minus: sign)
        let missing = max(0, width - number.count)
        if isPaddedWithZeros {
            let hasSign = !sign.isEmpty && number.hasPrefix(sign)
            let digits = hasSign ? String(number.dropFirst(sign.count)) : number
            number = (hasSign ? sign : "") + String(repeating: "0", count: missing) + digits
        } else {
            number = String(repeating: " ", count: missing) + number
        }
        return before + number + after
    }

    /// Returns the text with `word`, which is not a number, in place of the placeholder, as wide as a number.
    package func text(forWord word: String) -> String {
        before + String(repeating: " ", count: max(0, width - word.count)) + word + after
    }
}

extension Substring {
    /// Removes leading digits; nil if there are none; at most 1000.
    fileprivate mutating func popNumber() -> Int? {
        let digits = prefix { ("0"..."9").contains($0) }
        removeFirst(digits.count)
        return digits.isEmpty ? nil : digits.reduce(0) { Swift.min($0 * 10 + ($1.wholeNumberValue ?? 0), 1000) }
    }
}

/// The notation of times on an axis, as short as range and step allow.
package struct TimeNotation: Hashable, Sendable {
    /// Notation: `s`, `min:s`, `h:min` or `h:min:s`.
    package let unit: String
    private let parts: [Int]
    private let places: Int
    /// Digits of the first part, at least.
    private let firstDigits: Int

    /// For multiples of `step` seconds up to `end` seconds.
    package init(end: Double, step: Double) {
        places = step < 1 ? TickSteps.places(for: step) : 0
        switch (end, step) {
        case (..<60, _): (unit, parts) = ("s", [1])
        case (..<3600, _): (unit, parts) = ("min:s", [60, 1])
        case (_, 60...): (unit, parts) = ("h:min", [3600, 60])
        default: (unit, parts) = ("h:min:s", [3600, 60, 1])
        }
        firstDigits = 1
    }

    /// Times of a day, in steps of less than a day: `17:05`, or with seconds `17:05:09`.
    init(clockWithStep step: Double) {
        places = step < 1 ? TickSteps.places(for: step) : 0
        (unit, parts) = step >= 60 ? ("h:min", [3600, 60]) : ("h:min:s", [3600, 60, 1])
        firstDigits = 2
    }

    /// Formats a non-negative time; `1:05` for 65 seconds in `min:s`.
    package func text(for seconds: Double) -> String {
        let scale = pow(10, Double(places))
        var rest = Int(min((seconds * scale).rounded(), 1e18))
        let unitCount = Int(scale)
        var texts: [String] = []
        for part in parts {
            let value = rest / (part * unitCount)
            rest -= value * part * unitCount
            texts.append(String(value, paddedTo: texts.isEmpty ? firstDigits : 2))
        }
        return texts.joined(separator: ":") + (places == 0 ? "" : ".\(String(rest, paddedTo: places))")
    }
}
