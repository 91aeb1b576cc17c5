internal import WayreelCore

/// Scans JSON (RFC 8259) in constant memory; callers skip what they do not need.
///
/// Each method throws a `decoding` error with the byte offset if the JSON is invalid or truncated.
final class JSONScanner {
    private let bytes: ByteReader
    /// Longer strings are truncated: all relevant names are shorter.
    private static let textLimit = 4096
    private static let depthLimit = 64

    init(_ source: any ByteSource) { bytes = ByteReader(source) }

    enum Kind {
        case object, array, text, number, literal
    }

    /// Returns the kind of the next value.
    func kind() throws(MediaError) -> Kind {
        switch try significant() {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .text
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): .literal
        default: throw damage("no value")
        }
    }

    /// Skips a byte order mark.
    func skipMark() throws(MediaError) {
        guard try bytes.peek() == 0xEF else { return }
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] {
            guard try bytes.next() == byte else { throw damage("no byte order mark") }
        }
    }

    /// Throws unless only white space follows.
    func expectEnd() throws(MediaError) {
        while let byte = try bytes.peek() {
            guard Self.isSpace(byte) else { throw damage("more after its end") }
            bytes.skip()
        }
    }

    /// Passes each member name to `body`, which consumes the value.
    func forEachMember(_ body: (String) throws(MediaError) -> Void) throws(MediaError) {
        try forEachItem(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { () throws(MediaError) in
            let name = try text()
            guard try significant() == UInt8(ascii: ":") else { throw damage("no colon") }
            bytes.skip()
            try body(name)
        }
    }

    /// Calls `body` for each array element, which consumes it.
    func forEachElement(_ body: () throws(MediaError) -> Void) throws(MediaError) {
        try forEachItem(from: UInt8(ascii: "["), to: UInt8(ascii: "]"), body)
    }

    /// Returns the elements of an array of numbers. Throws a `limit` error for more than `limit`.
    func numbers(limit: Int) throws(MediaError) -> [Float] {
        var numbers: [Float] = []
        try forEachElement { () throws(MediaError) in
            // Fast path; other syntax falls through to the general scanner.
            while numbers.count < limit, let number = bytes.nextListedNumber() { numbers.append(Float(number)) }
            guard numbers.count < limit else {
                throw MediaError(
                    .limit, step: .read, reason: "the JSON contains more than \(limit) levels",
                    advice: "use a .dat, which has no such limit")
            }
            numbers.append(Float(try number()))
        }
        return numbers
    }

    @inline(__always)
    private func forEachItem(
        from opening: UInt8, to closing: UInt8, _ body: () throws(MediaError) -> Void
    ) throws(MediaError) {
        guard try significant() == opening else { throw damage("no '\(Character(UnicodeScalar(opening)))'") }
        bytes.skip()
        if try significant() == closing { return bytes.skip() }
        while true {
            try body()
            let byte = try significant()
            bytes.skip()
            if byte == closing { return }
            guard byte == UInt8(ascii: ",") else { throw damage("no comma") }
        }
    }

    /// Returns a string, truncated after 4096 bytes; invalid UTF-8 is replaced.
    func text() throws(MediaError) -> String {
        guard try significant() == UInt8(ascii: "\"") else { throw damage("no text") }
        bytes.skip()
        var units: [UInt8] = []
        var surrogate: UInt32?
        while true {
            guard let byte = try bytes.next() else { throw truncated }
            var scalar: UInt32?
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
            case 0..<0x20: throw damage("a control character in a text")
            case UInt8(ascii: "\\"): scalar = try escape()
            default: if units.count < Self.textLimit { units.append(byte) }
            }
            guard var code = scalar else {
                surrogate = nil
                continue
            }
            if let high = surrogate, (0xDC00...0xDFFF).contains(code) {
                code = 0x10000 + (high - 0xD800) << 10 + (code - 0xDC00)
            }
            surrogate = (0xD800...0xDBFF).contains(code) ? code : nil
            if let unicode = Unicode.Scalar(code), units.count < Self.textLimit {
                units += String(Character(unicode)).utf8
            }
        }
    }

    /// Returns the code unit of an escape sequence.
    private func escape() throws(MediaError) -> UInt32 {
        guard let byte = try bytes.next() else { throw truncated }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(byte)
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"):
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let byte = try bytes.next() else { throw truncated }
                guard let digit = byte.hexDigit else { throw damage("a broken escape") }
                unit = unit << 4 | UInt32(digit)
            }
            return unit
        default: throw damage("a broken escape")
        }
    }

    /// Returns a number with an error of a few ulp; infinite on overflow.
    func number() throws(MediaError) -> Double {
        var byte = try significant()
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative {
            bytes.skip()
            byte = try bytes.peek() ?? 0
        }
        // 19 digits fit into 64 bits; further digits do not change a Double.
        var mantissa: UInt64 = 0
        var exponent = 0
        var digits = 0
        while let digit = try takeDigit() {
            digits += 1
            if mantissa < 1_000_000_000_000_000_000 { mantissa = mantissa * 10 + digit } else { exponent += 1 }
        }
        guard digits > 0 else { throw damage("no number") }
        if try bytes.peek() == UInt8(ascii: ".") {
            bytes.skip()
            digits = 0
            while let digit = try takeDigit() {
                digits += 1
                guard mantissa < 1_000_000_000_000_000_000 else { continue }
                mantissa = mantissa * 10 + digit
                exponent -= 1
            }
            guard digits > 0 else { throw damage("no digit after the point") }
        }
        if let mark = try bytes.peek(), mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
            bytes.skip()
            exponent += try tenthPower()
        }
        let value = Self.scale(Double(mantissa), byPowerOfTen: exponent)
        return isNegative ? -value : value
    }

    @inline(__always)
    private func takeDigit() throws(MediaError) -> UInt64? {
        guard let byte = try bytes.peek(), byte &- UInt8(ascii: "0") < 10 else { return nil }
        bytes.skip()
        return UInt64(byte &- UInt8(ascii: "0"))
    }

    /// Returns the exponent after an `e`.
    private func tenthPower() throws(MediaError) -> Int {
        let sign = try bytes.peek()
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { bytes.skip() }
        var power = 0
        var digits = 0
        while let digit = try takeDigit() {
            digits += 1
            power = min(power * 10 + Int(digit), 100_000)
        }
        guard digits > 0 else { throw damage("no digit in an exponent") }
        return sign == UInt8(ascii: "-") ? -power : power
    }

    private static let powersOfTen: [Double] = (0...22).reduce(into: []) { powers, index in
        powers.append(index == 0 ? 1 : powers[index - 1] * 10)
    }

    private static func scale(_ value: Double, byPowerOfTen exponent: Int) -> Double {
        if exponent == 0 || value == 0 { return value }
        // Each step is exact or ends in zero or infinity; the number of steps is bounded.
        var (value, rest) = (value, min(abs(exponent), 400))
        while rest > 0 {
            let step = min(rest, powersOfTen.count - 1)
            value = exponent < 0 ? value / powersOfTen[step] : value * powersOfTen[step]
            rest -= step
        }
        return value
    }

    /// Skips a value of any kind.
    func skipValue() throws(MediaError) { try skipValue(depth: 0) }

    private func skipValue(depth: Int) throws(MediaError) {
        guard depth < Self.depthLimit else { throw damage("values nested deeper than \(Self.depthLimit)") }
        switch try kind() {
        case .object: try forEachMember { (_) throws(MediaError) in try skipValue(depth: depth + 1) }
        case .array: try forEachElement { () throws(MediaError) in try skipValue(depth: depth + 1) }
        case .text: _ = try text()
        case .number: _ = try number()
        case .literal: _ = try literal()
        }
    }

    /// Returns `true`, `false`, or nil for `null`.
    func literal() throws(MediaError) -> Bool? {
        var word: [UInt8] = []
        while word.count < 6, let byte = try bytes.peek(), byte &- UInt8(ascii: "a") < 26 {
            word.append(byte)
            bytes.skip()
        }
        switch String(decoding: word, as: UTF8.self) {
        case "true": return true
        case "false": return false
        case "null": return nil
        default: throw damage("no value")
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Returns the next byte after white space, without consuming it.
    @inline(__always)
    private func significant() throws(MediaError) -> UInt8 {
        while let byte = try bytes.peek() {
            guard Self.isSpace(byte) else { return byte }
            bytes.skip()
        }
        throw truncated
    }

    private func damage(_ what: String) -> MediaError {
        MediaError(.decoding, step: .read, reason: "the JSON is invalid at byte \(bytes.offset): \(what)")
    }

    private var truncated: MediaError {
        MediaError(.decoding, step: .read, reason: "the JSON is truncated after \(bytes.offset) bytes")
    }
}
