internal import WayreelCore
internal import WayreelStory

/// A sentence of NMEA 0183, as receivers of satellites send it: `$GPRMC,…*6A`.
public struct NMEASentence {
    /// What it says about the position; nil if it is no RMC, or the receiver has none.
    public let fix: Fix?

    /// Parses a line. Returns nil if it is no sentence, or its checksum is wrong.
    public init?(_ line: String) {
        let text = line.trimmed()
        // The standard has 82 characters; receivers send some more.
        guard text.utf8.count <= 255, text.hasPrefix("$"), let star = text.lastIndex(of: "*") else { return nil }
        let body = text[text.index(after: text.startIndex)..<star]
        let told = text[text.index(after: star)...]
        guard told.utf8.count == 2, let checksum = UInt8(told, radix: 16),
            body.utf8.reduce(0, ^) == checksum
        else { return nil }
        let fields = body.split(separator: ",", omittingEmptySubsequences: false)
        guard let address = fields.first, address.utf8.count >= 5 else { return nil }
        fix = address.hasSuffix("RMC") ? Self.fix(fields) : nil
    }

    /// The fields of RMC: time, status, latitude, N or S, longitude, E or W, knots, course, date.
    private static func fix(_ fields: [Substring]) -> Fix? {
        guard fields.count >= 10, fields[2] == "A", let timestamp = timestamp(date: fields[9], time: fields[1]),
            let latitude = degrees(fields[3], fields[4], "N", "S"),
            let longitude = degrees(fields[5], fields[6], "E", "W")
        else { return nil }
        let knots = DecimalNumber.value(fields[7])
        let fix = Fix(
            GeoPoint(latitude: latitude, longitude: longitude), speed: knots.map { $0 * 1852 / 3600 },
            course: DecimalNumber.value(fields[8]), timestamp: timestamp)
        return fix.fault == nil ? fix : nil
    }

    /// `4807.038`: degrees, and minutes in two digits with a fraction.
    private static func degrees(_ text: Substring, _ side: Substring, _ positive: String, _ negative: String) -> Double?
    {
        guard side == positive || side == negative, let value = DecimalNumber.value(text), value >= 0 else {
            return nil
        }
        let degrees = (value / 100).rounded(.down)
        let minutes = value - degrees * 100
        guard minutes < 60 else { return nil }
        return (degrees + minutes / 60) * (side == negative ? -1 : 1)
    }

    /// `230394` and `123519.00`. Years from 80 on are those of 1900.
    private static func timestamp(date: Substring, time: Substring) -> Timestamp? {
        let (date, time) = (Array(date.utf8), Array(time.utf8))
        guard date.count == 6, time.count >= 6, (date + time.prefix(6)).allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        func pair(_ digits: [UInt8], _ at: Int) -> String { String(decoding: digits[at..<at + 2], as: UTF8.self) }
        let century = pair(date, 4) < "80" ? "20" : "19"
        let fraction = String(decoding: time[6...], as: UTF8.self)
        return Timestamp(
            "\(century)\(pair(date, 4))-\(pair(date, 2))-\(pair(date, 0))T\(pair(time, 0)):\(pair(time, 2)):\(pair(time, 4))\(fraction == "." ? "" : fraction)Z"
        )
    }
}
