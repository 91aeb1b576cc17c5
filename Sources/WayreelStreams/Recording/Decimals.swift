internal import WayreelCore

/// Reads decimal numbers from bytes, exactly rounded.
///
/// A number of at most 19 digits is w · 10ᵉ with a whole w below 2⁶⁴. If w is below 2⁵³ and |e| is at most 22, both are
/// doubles, and one multiplication or division rounds once (W. D. Clinger, "How to Read Floating Point Numbers
/// Accurately", 1990). If e is from -27 to -1, the quotient of w and 5⁻ᵉ is taken to 63 bits or more, with a bit for a
/// remainder, and is rounded once. Other numbers are read by Swift.
struct Decimals {
    /// A number without its decimal point: ±`digits` · 10^`exponent`.
    struct Scanned {
        var isNegative: Bool
        var digits: UInt64
        var exponent: Int
    }

    /// A second character that stands for the decimal point; 0 for none.
    var comma: UInt8 = 0

    /// Scans a number that begins at `index`, and moves `index` behind it. Returns nil, and leaves `index`, for what is
    /// no such number or has more than 19 digits.
    @inline(__always)
    func scan(_ bytes: Span<UInt8>, _ index: inout Int, _ end: Int) -> Scanned? {
        var at = index
        guard at < end else { return nil }
        let isNegative = bytes[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        var (digits, count): (UInt64, Int) = (0, 0)
        while at < end, case let digit = bytes[at] &- 0x30, digit < 10 {
            digits = digits &* 10 &+ UInt64(digit)
            count += digits == 0 ? 0 : 1
            at += 1
        }
        // JSON has digits before the point, and no zeros before them.
        let whole = at - index - (isNegative ? 1 : 0)
        guard whole > 0, whole == 1 || bytes[at - whole] != 0x30 else { return nil }
        var exponent = 0
        if at < end, bytes[at] == UInt8(ascii: ".") || (comma != 0 && bytes[at] == comma) {
            at += 1
            let begin = at
            while at < end, case let digit = bytes[at] &- 0x30, digit < 10 {
                digits = digits &* 10 &+ UInt64(digit)
                count += digits == 0 ? 0 : 1
                at += 1
            }
            guard at > begin else { return nil }
            exponent = begin - at
        }
        guard count <= 19 else { return nil }
        if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            var isBelow = false
            if at < end, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
                isBelow = bytes[at] == UInt8(ascii: "-")
                at += 1
            }
            let begin = at
            var power = 0
            while at < end, case let digit = bytes[at] &- 0x30, digit < 10 {
                power = min(power * 10 + Int(digit), 100_000)
                at += 1
            }
            guard at > begin else { return nil }
            exponent += isBelow ? -power : power
        }
        index = at
        return Scanned(isNegative: isNegative, digits: digits, exponent: exponent)
    }

    /// The number; nil if it needs more than one division.
    @inline(__always)
    static func value(_ number: Scanned) -> Double? {
        let (digits, exponent) = (number.digits, number.exponent)
        var value: Double
        if digits < 1 << 53, (-22...22).contains(exponent) {
            value = Double(digits)
            if exponent < 0 { value /= powers[-exponent] } else if exponent > 0 { value *= powers[exponent] }
        } else if digits == 0 || exponent == 0 {
            value = Double(digits)
        } else if (-27 ... -1).contains(exponent) {
            let divisor = powersOfFive[-exponent]
            let (shift, divisorShift) = (digits.leadingZeroBitCount, divisor.leadingZeroBitCount)
            let scaled = digits << UInt64(shift)
            let (quotient, rest) = (divisor << UInt64(divisorShift)).dividingFullWidth((scaled >> 1, scaled << 63))
            // |the power of two| is below 200.
            let power = 1023 - 63 + divisorShift - shift + exponent
            value = Double(quotient | (rest == 0 ? 0 : 1)) * Double(bitPattern: UInt64(power) << 52)
        } else {
            return nil
        }
        return number.isNegative ? -value : value
    }

    /// Reads the number that the bytes from `start` to `end` are. Returns nil if they are none.
    @inline(__always)
    func number(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Double? {
        var index = start
        if let scanned = scan(bytes, &index, end), index == end, let value = Self.value(scanned) { return value }
        return slowNumber(bytes, start, end)
    }

    @inline(never)
    private func slowNumber(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Double? {
        var text = bytes.text(start, end)
        if comma != 0, let other = text.firstIndex(of: Character(Unicode.Scalar(comma))) {
            text.replaceSubrange(other...other, with: ".")
        }
        // Swift reads only what is before a NUL, and hexadecimal numbers.
        guard !text.utf8.contains(where: { $0 == 0 || $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
        return Double(text)
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private static let powersOfFive: [UInt64] = (1...27).reduce(into: [1]) { powers, _ in
        powers.append(powers[powers.count - 1] * 5)
    }
}

extension Span<UInt8> {
    /// The text of the bytes from `start` to `end`, in which what is not UTF-8 is replaced.
    func text(_ start: Int, _ end: Int) -> String {
        extracting(start..<end).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the bytes from `start` on, as far as `end`, are `other`.
    @inline(__always)
    func matches(_ other: [UInt8], _ start: Int, _ end: Int) -> Bool {
        guard end - start == other.count else { return false }
        for index in 0..<other.count where self[start + index] != other[index] { return false }
        return true
    }
}

/// Reads times from bytes. Keeps the last day, because most times are of the same one.
struct TimeScanner {
    private var date: UInt64 = 0
    private var rest: UInt16 = 0
    private var startOfDay: Int64 = 0

    /// Reads an RFC 3339 date and time, with its fraction rounded down to microseconds. With `isUTC`, one without a zone
    /// is in UTC.
    mutating func date(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, isUTC: Bool = false) -> SensorTime? {
        if let time = fast(bytes, start, end) { return time }
        let text = bytes.text(start, end)
        return SensorTime(date: text) ?? (isUTC ? SensorTime(date: text + "Z") : nil)
    }

    /// Reads `2026-11-23T17:05:09.250125Z`.
    private mutating func fast(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> SensorTime? {
        guard end - start >= 20, bytes[end - 1] == UInt8(ascii: "Z"), bytes[start + 10] == UInt8(ascii: "T"),
            bytes[start + 13] == UInt8(ascii: ":"), bytes[start + 16] == UInt8(ascii: ":"),
            let hour = Self.pair(bytes, start + 11), let minute = Self.pair(bytes, start + 14),
            let second = Self.pair(bytes, start + 17), hour < 24, minute < 60, second < 60
        else { return nil }
        var first: UInt64 = 0
        for index in 0..<8 { first = first << 8 | UInt64(bytes[start + index]) }
        let second8 = UInt16(bytes[start + 8]) << 8 | UInt16(bytes[start + 9])
        if first != date || second8 != rest {
            guard let day = SensorTime(date: bytes.text(start, start + 10) + "T00:00:00Z") else { return nil }
            (date, rest, startOfDay) = (first, second8, day.microseconds)
        }
        var (fraction, scale): (Int64, Int64) = (0, 100_000)
        if end - start > 20 {
            guard bytes[start + 19] == UInt8(ascii: "."), end - start > 21 else { return nil }
            for index in start + 20..<end - 1 {
                let digit = bytes[index] &- 0x30
                guard digit < 10 else { return nil }
                fraction += Int64(digit) * scale
                scale /= 10
            }
        }
        return SensorTime(microseconds: startOfDay + ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction)
    }

    private static func pair(_ bytes: Span<UInt8>, _ index: Int) -> Int64? {
        let (high, low) = (bytes[index] &- 0x30, bytes[index + 1] &- 0x30)
        return high < 10 && low < 10 ? Int64(high) * 10 + Int64(low) : nil
    }
}
