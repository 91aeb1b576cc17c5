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

    /// Returns the duration of the section within a video of `seconds`; nil if both are unknown.
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

    /// Parses a time of a timeline: `90`, `1:30` or `00:01:30.5`. nil for anything else.
    package static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3, let last = parts.last.flatMap({ number($0) }) else { return nil }
        var seconds = 0.0
        for part in parts.dropLast() {
            guard let whole = Int(part), whole >= 0 else { return nil }
            seconds = (seconds + Double(whole)) * 60
        }
        return parts.count == 1 || last < 60 ? seconds + last : nil
    }

    private static func number(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }) else { return nil }
        return Double(text)
    }
}
