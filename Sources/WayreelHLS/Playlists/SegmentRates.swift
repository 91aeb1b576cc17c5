/// The bit rates of the segments of a rendition.
package struct SegmentRates: Hashable {
    /// The average bits per second.
    package var average: Int
    /// The highest rate of consecutive segments that together last 0.5 to 1.5 target durations: the peak segment bit
    /// rate of RFC 8216, section 4.1.
    package var peak: Int

    /// Calls `check` before each segment: a playlist of many short segments takes long.
    package init<Failure>(
        _ segments: [(seconds: Double, bytes: Int)], targetDuration: Int, check: () throws(Failure) -> Void
    ) throws(Failure) {
        let seconds = segments.reduce(0) { $0 + $1.seconds }
        let bytes = segments.reduce(0) { $0 + $1.bytes }
        let whole = Self.rate(bytes, seconds)
        let target = Double(max(1, targetDuration))
        var highest = 0.0
        for first in segments.indices {
            try check()
            var run = (seconds: 0.0, bytes: 0)
            for segment in segments[first...] {
                run.seconds += segment.seconds
                run.bytes += segment.bytes
                guard run.seconds <= 1.5 * target else { break }
                if run.seconds >= 0.5 * target { highest = max(highest, Self.rate(run.bytes, run.seconds)) }
                // Segments without a duration would extend the run forever.
                if segment.seconds <= 0 { break }
            }
        }
        average = Self.whole(whole)
        // If the whole rendition is shorter than half a target duration, or all segments are longer than 1.5, there
        // is no run.
        peak = Self.whole(highest > 0 ? highest : segments.map { Self.rate($0.bytes, $0.seconds) }.max() ?? 0)
    }

    init(_ segments: [(seconds: Double, bytes: Int)], targetDuration: Int) {
        self.init(segments, targetDuration: targetDuration, check: {})
    }

    private static func rate(_ bytes: Int, _ seconds: Double) -> Double {
        seconds > 0 ? Double(bytes) * 8 / seconds : 0
    }
    private static func whole(_ rate: Double) -> Int { Int(min(rate, 1e15).rounded(.up)) }
}
