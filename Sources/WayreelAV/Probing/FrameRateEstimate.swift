package import WayreelCore

/// An estimate from timestamps whether frames have a constant rate.
package struct FrameRateEstimate: Hashable, Sendable {
    package var mode: VideoProperties.FrameRateMode
    /// Frames per second: the constant rate, or else the average.
    package var rate: Rational?

    /// Rates of cameras, cinema and displays (SMPTE ST 2036-1 and their halves), tried before any other.
    private static let commonRates: [Rational] = [
        Rational(24000, 1001), 24, 25, Rational(30000, 1001), 30, 48, 50, Rational(60000, 1001), 60, 15,
        Rational(15000, 1001), 12, 10, 20, 90, 100, Rational(120_000, 1001), 120, 240,
    ].compactMap(\.self)

    /// The max fraction of empty grid positions, which are lost frames.
    private static let maxLostShare = 0.01

    /// `times` are in units of `timeBase` seconds, in any order; `guess` is the rate that the container declares.
    package init(times: [Int64], timeBase: Rational, guess: Rational?) {
        let times = times.sorted()
        guard times.count >= 2, let first = times.first, let last = times.last, first < last else {
            (mode, rate) = (.unknown, guess)
            return
        }
        let unit = timeBase.value
        let (span, isOver) = last.subtractingReportingOverflow(first)
        let mean = Double(times.count - 1) / ((isOver ? .infinity : Double(span)) * unit)
        guard mean >= 1e-6, mean <= 1e6 else {
            (mode, rate) = (.unknown, guess)
            return
        }
        var candidates = Self.commonRates.filter { abs($0.value / mean - 1) < 0.02 }
            .sorted { abs($0.value / mean - 1) < abs($1.value / mean - 1) }
        if let guess { candidates.insert(guess, at: Self.commonRates.contains(guess) ? 0 : candidates.count) }
        // The exact mean: n − 1 frames in `ticks` units.
        let (ticks, ticksAreOver) = Int(span).multipliedReportingOverflow(by: timeBase.numerator)
        let (intervals, intervalsAreOver) = (times.count - 1).multipliedReportingOverflow(by: timeBase.denominator)
        if !ticksAreOver, !intervalsAreOver, let exact = Rational(intervals, ticks), exact.denominator < 1 << 30,
            exact.numerator < 1 << 30
        {
            candidates.append(exact)
        }
        if let rate = candidates.first(where: { Self.isGrid($0.value, times, unit: unit) }) {
            (mode, self.rate) = (.constant, rate)
        } else {
            (mode, rate) = (.variable, Rational(Int((mean * 1000).rounded()), 1000))
        }
    }

    /// Returns whether all times are within one unit of n / rate, each at a different n, and few n have no frame.
    private static func isGrid(_ rate: Double, _ times: [Int64], unit: Double) -> Bool {
        let step = 1 / (rate * unit)
        // With a coarse time base, every time would be within one unit.
        let tolerance = min(1, step / 4) + 1e-3
        var last = -1.0
        for time in times {
            let offset = Double(time - times[0])
            let number = (offset / step).rounded()
            guard abs(offset - number * step) <= tolerance, number > last else { return false }
            last = number
        }
        return last + 1 - Double(times.count) <= Double(times.count) * maxLostShare
    }
}
