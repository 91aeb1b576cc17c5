internal import WayreelCore

/// Rounds the timestamps of a stream with a constant frame rate to that rate, if the container has rounded them to its
/// own units.
struct TimestampRepair {
    /// Seconds in a unit of the grid's timestamps. A frame lasts an integer number of units.
    let timeBase: Rational
    private let containerUnit: Double
    private let frameLength: Int64
    private let offset: Int64

    /// The grid keeps the first frame's timestamp to a tenth of a millisecond.
    private static let minUnitsPerSecond = 10_000

    /// `rate` is in frames per second, `offset` is the PTS of any frame in seconds, and `unit` is the container's time
    /// base. Returns nil if a frame lasts an integer number of container units.
    init?(rate: Rational, offset: Double, unit: Rational) {
        let (ours, isOurs) = rate.denominator.multipliedReportingOverflow(by: unit.denominator)
        let (theirs, areTheirs) = rate.numerator.multipliedReportingOverflow(by: unit.numerator)
        // Rates above a million would exceed the limit below.
        guard !isOurs, !areTheirs, !ours.isMultiple(of: theirs), rate.numerator <= 1_000_000 else { return nil }
        let times = max(1, (Self.minUnitsPerSecond + rate.numerator - 1) / rate.numerator)
        let perSecond = rate.numerator * times
        let (length, isLong) = rate.denominator.multipliedReportingOverflow(by: times)
        guard !isLong, perSecond <= 1_000_000, let timeBase = Rational(1, perSecond),
            let offset = Int64(exactly: (offset * Double(perSecond)).rounded())
        else { return nil }
        self.timeBase = timeBase
        frameLength = Int64(length)
        self.offset = offset
        containerUnit = unit.value
    }

    /// Converts the timestamps of a packet from the container's units to units of the grid.
    func align(_ packet: Packet) {
        packet.presentationTime = packet.presentationTime.flatMap(aligned)
        packet.decodingTime = packet.decodingTime.flatMap(aligned)
        let frames = max(1, frameCount(in: Double(packet.duration) * containerUnit) ?? 1)
        packet.duration = packet.duration > 0 ? frames * frameLength : 0
    }

    private func aligned(_ time: Int64) -> Int64? {
        frameCount(in: Double(time) * containerUnit - Double(offset) * timeBase.value)
            .flatMap { frames in
                let (length, overflow) = frames.multipliedReportingOverflow(by: frameLength)
                let (time, sumOverflow) = length.addingReportingOverflow(offset)
                return overflow || sumOverflow ? nil : time
            }
    }

    /// Returns the nearest number of frames; nil beyond any plausible duration.
    private func frameCount(in seconds: Double) -> Int64? {
        let count = (seconds / (Double(frameLength) * timeBase.value)).rounded()
        return count.magnitude < 1e12 ? Int64(count) : nil
    }
}
