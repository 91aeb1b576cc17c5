package import WayreelCore

/// The timestamps and sizes of a stream's packets, in file order.
package struct PacketLog {
    package struct Entry: Hashable, Sendable {
        /// PTS, or DTS if there is no PTS.
        package var time: Int64?
        package var decodingTime: Int64?
        package var duration: Int64
        package var byteCount: Int
        package var isKeyFrame: Bool
        package var isDiscarded: Bool
        /// Whether ``time`` is a PTS.
        package var hasDisplayTime: Bool

        package init(
            time: Int64?, decodingTime: Int64?, duration: Int64 = 0, byteCount: Int, isKeyFrame: Bool,
            isDiscarded: Bool = false, hasDisplayTime: Bool = true
        ) {
            self.time = time
            self.decodingTime = decodingTime
            self.duration = duration
            self.byteCount = byteCount
            self.isKeyFrame = isKeyFrame
            self.isDiscarded = isDiscarded
            self.hasDisplayTime = hasDisplayTime
        }
    }

    /// Seconds in a unit of the timestamps.
    package let timeBase: Rational
    package private(set) var entries: [Entry] = []
    /// Whether the log holds all packets of the stream.
    package var isWhole: Bool

    package init(timeBase: Rational, entries: [Entry] = [], isWhole: Bool = true) {
        self.timeBase = timeBase
        self.entries = entries
        self.isWhole = isWhole
    }

    package mutating func append(_ entry: Entry) { entries.append(entry) }

    private var unit: Double { timeBase.value }
    private var shown: [Entry] { entries.filter { !$0.isDiscarded } }
    /// DTS in seconds, in file order. A packet without DTS has that of the preceding packet, or the first one.
    private var clock: [(seconds: Double, entry: Entry)] {
        guard var last = entries.compactMap(\.decodingTime).first ?? entries.compactMap(\.time).min() else { return [] }
        return entries.map { entry in
            last = entry.decodingTime ?? last
            return (Double(last) * unit, entry)
        }
    }

    /// Estimates whether frames have a constant rate. `guess` is the rate that the container declares.
    package func frameRate(guess: Rational?) -> FrameRateEstimate {
        FrameRateEstimate(times: shown.compactMap(\.time), timeBase: timeBase, guess: guess)
    }

    /// Whether some packets have a DTS only.
    var lacksDisplayTimes: Bool { entries.contains { !$0.hasDisplayTime } }

    package var shownCount: Int { shown.count }

    /// Seconds from the first PTS to the end of the last packet; nil without timestamps.
    package var seconds: Double? {
        let times = shown.compactMap { entry in entry.time.map { (Double($0), entry.duration) } }
        guard let first = times.map(\.0).min(), let last = times.max(by: { $0.0 < $1.0 }) else { return nil }
        let mean = times.count > 1 ? (last.0 - first) / Double(times.count - 1) : 0
        return (last.0 - first + (last.1 > 0 ? Double(last.1) : mean)) * unit
    }

    /// Returns the duration, treating a gap of more than `maxGap` seconds, or a jump back, as a restart of the clock.
    func seconds(gapsUpTo maxGap: Double) -> Double? {
        let clock = clock
        let steps = zip(clock, clock.dropFirst()).map { $1.seconds - $0.seconds }
        let gaps = steps.filter { (0...maxGap).contains($0) }
        guard !clock.isEmpty else { return nil }
        let mean = gaps.isEmpty ? 0 : gaps.reduce(0, +) / Double(gaps.count)
        return gaps.reduce(0, +) + mean * Double(steps.count - gaps.count + 1)
    }

    /// Average bits per second.
    package var bitRate: Int? {
        guard let seconds, seconds > 0 else { return nil }
        let bits = (Double(entries.reduce(0) { $0 + $1.byteCount }) * 8 / seconds).rounded()
        return Int64(exactly: bits).flatMap(MediaStream.plausible)
    }

    /// Bits within the second with the most.
    package var peakBitRate: Int? {
        let clock = clock
        guard let seconds, seconds >= 1 else { return bitRate }
        var (first, bytes, peak) = (0, 0, 0)
        for (end, entry) in clock {
            bytes += entry.byteCount
            // Counting restarts after a jump back.
            while first < clock.count, end - clock[first].seconds >= 1 || clock[first].seconds > end {
                bytes -= clock[first].entry.byteCount
                first += 1
            }
            peak = max(peak, bytes)
        }
        let (bits, isOver) = peak.multipliedReportingOverflow(by: 8)
        return isOver ? nil : MediaStream.plausible(bitRate: Int64(bits))
    }

    /// The largest distance between keyframes in seconds, including that from the last one to the end.
    package var keyFrameInterval: Double? {
        let times = clock
        guard let last = times.last?.seconds else { return nil }
        let keys = times.filter(\.entry.isKeyFrame).map(\.seconds)
        guard !keys.isEmpty else { return nil }
        return zip(keys, keys.dropFirst() + [last]).map { $1 - $0 }.max()
    }

    /// A longer time without packets, in seconds, is treated as a jump of the timestamps.
    private static let maxPause = 10.0

    /// The largest reordering delay of H.264, in frames.
    private static let maxUntimed = 16

    var jumpsBack: Bool {
        let clock = clock
        return zip(clock, clock.dropFirst()).contains { $1.seconds < $0.seconds }
    }

    /// The reasons against copying the stream as video.
    package var irregularities: [String] {
        entries.contains(where: \.isDiscarded)
            ? timingIrregularities + ["an edit list leaves parts of it out"] : timingIrregularities
    }

    /// The reasons against copying the stream as audio, whose edits are copied.
    var timingIrregularities: [String] {
        var found: [String] = []
        if entries.first?.isKeyFrame == false { found.append("it does not begin with a keyframe") }
        // Missing timestamps at the beginning can be derived from the following ones, within the reordering delay.
        let untimed = entries.count { $0.decodingTime == nil }
        if untimed > Self.maxUntimed || entries.prefix(untimed).contains(where: { $0.decodingTime != nil }) {
            found.append("it has packets without timestamps")
        }
        let steps = zip(clock, clock.dropFirst()).map { $1.seconds - $0.seconds }
        if jumpsBack { found.append("its timestamps jump back") }
        if let longest = steps.max(), longest > Self.maxPause {
            found.append("its timestamps jump ahead by \(Int(min(longest, 1e9))) s")
        }
        return found
    }
}

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
