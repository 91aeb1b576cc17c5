package import WayreelCore

/// The packets of one stream, in the order of the file: when each is due and how large it is.
package struct PacketLog {
    package struct Entry: Hashable, Sendable {
        /// When it is shown; that of decoding where only this is known.
        package var time: Int64?
        package var decodingTime: Int64?
        package var duration: Int64
        package var byteCount: Int
        package var isKeyFrame: Bool
        package var isDiscarded: Bool
        /// Whether its time is that of display.
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

    /// Seconds in a unit of the times.
    package let timeBase: Rational
    package private(set) var entries: [Entry] = []
    /// Whether these are all packets of the stream.
    package var isWhole: Bool

    package init(timeBase: Rational, entries: [Entry] = [], isWhole: Bool = true) {
        self.timeBase = timeBase
        self.entries = entries
        self.isWhole = isWhole
    }

    package mutating func append(_ entry: Entry) { entries.append(entry) }

    private var unit: Double { timeBase.value }
    private var shown: [Entry] { entries.filter { !$0.isDiscarded } }
    /// Decoding times in seconds, in the order of the file; packets without one come with those before, or with the first.
    private var clock: [(seconds: Double, entry: Entry)] {
        guard var last = entries.compactMap(\.decodingTime).first ?? entries.compactMap(\.time).min() else { return [] }
        return entries.map { entry in
            last = entry.decodingTime ?? last
            return (Double(last) * unit, entry)
        }
    }

    /// Whether pictures come at a constant rate; `guess` is what the container says.
    package func frameRate(guess: Rational?) -> FrameRateEstimate {
        FrameRateEstimate(times: shown.compactMap(\.time), timeBase: timeBase, guess: guess)
    }

    /// Whether some packets have decoding times only.
    var lacksDisplayTimes: Bool { entries.contains { !$0.hasDisplayTime } }

    package var shownCount: Int { shown.count }

    /// From the first time to the end of the last packet, in seconds; nil where there are no times.
    package var seconds: Double? {
        let times = shown.compactMap { entry in entry.time.map { (Double($0), entry.duration) } }
        guard let first = times.map(\.0).min(), let last = times.max(by: { $0.0 < $1.0 }) else { return nil }
        let usual = times.count > 1 ? (last.0 - first) / Double(times.count - 1) : 0
        return (last.0 - first + (last.1 > 0 ? Double(last.1) : usual)) * unit
    }

    /// The same, where what is beyond `most` seconds, or goes back, is no gap but a jump of the clock.
    func seconds(gapsUpTo most: Double) -> Double? {
        let clock = clock
        let steps = zip(clock, clock.dropFirst()).map { $1.seconds - $0.seconds }
        let gaps = steps.filter { (0...most).contains($0) }
        guard !clock.isEmpty else { return nil }
        let usual = gaps.isEmpty ? 0 : gaps.reduce(0, +) / Double(gaps.count)
        return gaps.reduce(0, +) + usual * Double(steps.count - gaps.count + 1)
    }

    /// Bits per second of the whole.
    package var bitRate: Int? {
        guard let seconds, seconds > 0 else { return nil }
        let bits = (Double(entries.reduce(0) { $0 + $1.byteCount }) * 8 / seconds).rounded()
        return Int64(exactly: bits).flatMap(MediaStream.plausible)
    }

    /// Bits of the second that has most.
    package var peakBitRate: Int? {
        let clock = clock
        guard let seconds, seconds >= 1 else { return bitRate }
        var (first, bytes, most) = (0, 0, 0)
        for (end, entry) in clock {
            bytes += entry.byteCount
            // What jumps back counts from there on.
            while first < clock.count, end - clock[first].seconds >= 1 || clock[first].seconds > end {
                bytes -= clock[first].entry.byteCount
                first += 1
            }
            most = max(most, bytes)
        }
        let (bits, isOver) = most.multipliedReportingOverflow(by: 8)
        return isOver ? nil : MediaStream.plausible(bitRate: Int64(bits))
    }

    /// Seconds between key frames at most; from the last of them to the end counts too.
    package var keyFrameInterval: Double? {
        let times = clock
        guard let last = times.last?.seconds else { return nil }
        let keys = times.filter(\.entry.isKeyFrame).map(\.seconds)
        guard !keys.isEmpty else { return nil }
        return zip(keys, keys.dropFirst() + [last]).map { $1 - $0 }.max()
    }

    /// Seconds without any packet that are more than a pause.
    private static let longestPause = 10.0

    /// As many as H.264 can keep back for reordering.
    private static let mostUntimed = 16

    /// What stands against taking the stream over as it is.
    package var irregularities: [String] {
        var found: [String] = []
        if entries.first?.isKeyFrame == false { found.append("it does not begin with a key frame") }
        // Those that come first can be reckoned back from the next; no container leaves out more of them.
        let untimed = entries.count { $0.decodingTime == nil }
        if untimed > Self.mostUntimed || entries.prefix(untimed).contains(where: { $0.decodingTime != nil }) {
            found.append("packets of it have no timestamps")
        }
        if entries.contains(where: \.isDiscarded) { found.append("an edit list leaves parts of it out") }
        let steps = zip(clock, clock.dropFirst()).map { $1.seconds - $0.seconds }
        if steps.contains(where: { $0 < 0 }) { found.append("its timestamps jump back") }
        if let longest = steps.max(), longest > Self.longestPause {
            found.append("its timestamps jump ahead by \(Int(min(longest, 1e9))) s")
        }
        return found
    }
}
