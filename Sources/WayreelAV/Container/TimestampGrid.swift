internal import WayreelCore

/// Where the pictures of a constant rate stand whose times a container has rounded to units of its own.
struct TimestampGrid {
    /// A finer unit, of which each picture lasts a whole number.
    let timeBase: Rational
    /// Seconds in a unit of the container.
    private let rounded: Double
    private let length: Int64
    private let offset: Int64

    /// Units a second at least, as of the first picture's time.
    private static let leastUnits = 10_000

    /// `rate`: pictures a second; `offset`: when one of them is shown, in seconds; `unit`: in seconds, of the container. nil where the
    /// pictures last a whole number of those.
    init?(rate: Rational, offset: Double, unit: Rational) {
        let (ours, isOurs) = rate.denominator.multipliedReportingOverflow(by: unit.denominator)
        let (theirs, areTheirs) = rate.numerator.multipliedReportingOverflow(by: unit.numerator)
        let times = max(1, (Self.leastUnits + rate.numerator - 1) / rate.numerator)
        let (perSecond, isMany) = rate.numerator.multipliedReportingOverflow(by: times)
        let (length, isLong) = rate.denominator.multipliedReportingOverflow(by: times)
        guard !isOurs, !areTheirs, !ours.isMultiple(of: theirs), !isMany, !isLong, perSecond <= 1_000_000,
            let timeBase = Rational(1, perSecond),
            let offset = Int64(exactly: (offset * Double(perSecond)).rounded())
        else { return nil }
        self.timeBase = timeBase
        self.length = Int64(length)
        self.offset = offset
        rounded = unit.value
    }

    /// Puts the times of a packet, which are in units of the container, onto the grid, in its units.
    func place(_ packet: Packet) {
        packet.presentationTime = packet.presentationTime.flatMap(place)
        packet.decodingTime = packet.decodingTime.flatMap(place)
        packet.duration = packet.duration > 0 ? max(1, whole(Double(packet.duration) * rounded) ?? 1) * length : 0
    }

    private func place(_ time: Int64) -> Int64? {
        whole(Double(time) * rounded - Double(offset) * timeBase.value).map { $0 * length + offset }
    }

    /// So many pictures last about so many seconds; nil beyond what any time can be.
    private func whole(_ seconds: Double) -> Int64? {
        let count = (seconds / (Double(length) * timeBase.value)).rounded()
        return count.magnitude < 1e12 ? Int64(count) : nil
    }
}
