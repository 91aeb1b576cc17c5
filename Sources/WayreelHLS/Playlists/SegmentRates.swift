/// How many bits a second a run of segments takes.
struct SegmentRates: Hashable {
    /// Bits per second of the whole.
    var average: Int
    /// The most that consecutive segments take which last half to one and a half target durations together: the peak segment
    /// bit rate of RFC 8216, section 4.1.
    var peak: Int

    init(_ segments: [(seconds: Double, bytes: Int)], targetDuration: Int) {
        let seconds = segments.reduce(0) { $0 + $1.seconds }
        let bytes = segments.reduce(0) { $0 + $1.bytes }
        let whole = Self.rate(bytes, seconds)
        let target = Double(max(1, targetDuration))
        var most = 0.0
        for first in segments.indices {
            var run = (seconds: 0.0, bytes: 0)
            for segment in segments[first...] {
                run.seconds += segment.seconds
                run.bytes += segment.bytes
                guard run.seconds <= 1.5 * target else { break }
                if run.seconds >= 0.5 * target { most = max(most, Self.rate(run.bytes, run.seconds)) }
                // A run without length never ends by itself.
                if segment.seconds <= 0 { break }
            }
        }
        average = Self.whole(whole)
        // Less than half of a target duration in all, or segments longer than one and a half.
        peak = Self.whole(most > 0 ? most : segments.map { Self.rate($0.bytes, $0.seconds) }.max() ?? 0)
    }

    private static func rate(_ bytes: Int, _ seconds: Double) -> Double {
        seconds > 0 ? Double(bytes) * 8 / seconds : 0
    }
    private static func whole(_ rate: Double) -> Int { Int(min(rate, 1e15).rounded(.up)) }
}
