package import WayreelCore

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
        func fault(_ reason: String) -> MediaError {
            MediaError(
                .parameter, step: "plot", subject: text, reason: "the label format \(reason)",
                advice: "write one as '%.1f dB': text around %[0][width][.precision]f or %d")
        }
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
