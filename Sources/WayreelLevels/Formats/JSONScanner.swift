internal import WayreelCore

/// Reads JSON (RFC 8259) as it comes, in constant memory: what its caller does not ask for is passed over.
///
/// Each method throws a `decoding` error that names the byte where the JSON is broken or ends too early.
final class JSONScanner {
    private let bytes: ByteReader
    /// More of a text is not kept: no name or title that is looked for is as long.
    private static let textLimit = 4096
    private static let depthLimit = 64

    init(_ source: any ByteSource) { bytes = ByteReader(source) }

    enum Kind {
        case object, array, text, number, literal
    }

    /// What the next value is.
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

    /// Passes over a byte order mark.
    func skipMark() throws(MediaError) {
        guard try bytes.peek() == 0xEF else { return }
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] {
            guard try bytes.next() == byte else { throw damage("no byte order mark") }
        }
    }

    /// Throws where anything but white space follows.
    func expectEnd() throws(MediaError) {
        while let byte = try bytes.peek() {
            guard Self.isSpace(byte) else { throw damage("more after its end") }
            bytes.skip()
        }
    }

    /// Hands out the names of an object's members; `body` takes the value of each.
    func forEachMember(_ body: (String) throws(MediaError) -> Void) throws(MediaError) {
        try forEachItem(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { () throws(MediaError) in
            let name = try text()
            guard try significant() == UInt8(ascii: ":") else { throw damage("no colon") }
            bytes.skip()
            try body(name)
        }
    }

    /// Calls `body` for each element of an array, which takes it.
    func forEachElement(_ body: () throws(MediaError) -> Void) throws(MediaError) {
        try forEachItem(from: UInt8(ascii: "["), to: UInt8(ascii: "]"), body)
    }

    /// The numbers of an array that holds nothing else. Throws a `limit` error where they are more than `limit`.
    func numbers(limit: Int) throws(MediaError) -> [Float] {
        var numbers: [Float] = []
        try forEachElement { () throws(MediaError) in
            // Nearly all of them, quickly; one that is special is left to the rest of the scanner.
            while numbers.count < limit, let number = bytes.nextListedNumber() { numbers.append(Float(number)) }
            guard numbers.count < limit else {
                throw MediaError(
                    .limit, step: "read", reason: "the JSON holds more than \(limit) levels",
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

    /// A text, cut off beyond 4096 bytes; what is no UTF-8 is replaced.
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

    /// The code unit that stands behind a backslash.
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
                guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw damage("a broken escape") }
                unit = unit << 4 | UInt32(digit)
            }
            return unit
        default: throw damage("a broken escape")
        }
    }

    /// A number, to within a few units in the last place of a Double; infinite where it is beyond one.
    func number() throws(MediaError) -> Double {
        var byte = try significant()
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative {
            bytes.skip()
            byte = try bytes.peek() ?? 0
        }
        // 19 digits go into 64 bits; more change nothing that a Double could hold.
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

    /// What follows an `e`.
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
        // In steps, each of which is exact or ends in zero or infinity; no more than those that matter.
        var (value, rest) = (value, min(abs(exponent), 400))
        while rest > 0 {
            let step = min(rest, powersOfTen.count - 1)
            value = exponent < 0 ? value / powersOfTen[step] : value * powersOfTen[step]
            rest -= step
        }
        return value
    }

    /// Passes over a value, whatever it is.
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

    /// `true`, `false` or, as nil, `null`.
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

    /// The next byte that is no white space, which stays.
    @inline(__always)
    private func significant() throws(MediaError) -> UInt8 {
        while let byte = try bytes.peek() {
            guard Self.isSpace(byte) else { return byte }
            bytes.skip()
        }
        throw truncated
    }

    private func damage(_ what: String) -> MediaError {
        MediaError(.decoding, step: "read", reason: "the JSON is broken at byte \(bytes.offset): \(what)")
    }

    private var truncated: MediaError {
        MediaError(.decoding, step: "read", reason: "the JSON ends too early, after \(bytes.offset) bytes")
    }
}
