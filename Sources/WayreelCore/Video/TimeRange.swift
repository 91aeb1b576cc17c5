/// A section of a video timeline.
public struct TimeRange: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Seconds, 0 or more.
    public var start: Double
    /// Seconds, after ``start``; nil for the end of the video.
    public var end: Double?

    public init(start: Double = 0, end: Double? = nil) {
        self.start = start
        self.end = end
    }

    /// Duration of the section within a video of `seconds`; nil if both are unknown.
    package func length(in seconds: Double?) -> Double? {
        let last = [seconds, end].compactMap(\.self).min()
        return last.map { max(0, $0 - start) }
    }

    /// Duration of the section; nil without an end.
    package var length: Double? { end.map { $0 - start } }

    /// `from 1.5 s to 4 s`.
    public var description: String {
        "from \(Self.rounded(start)) s" + (end.map { " to \(Self.rounded($0)) s" } ?? " to the end")
    }

    private static func rounded(_ seconds: Double) -> String { ((seconds * 1000).rounded() / 1000).shortDescription }
}
