internal import WayreelCore

/// What was found in a folder of HLS.
public struct HLSValidation: Hashable, Sendable, Codable {
    /// The folder or playlist that was looked at.
    public var path: String
    /// That were read.
    public var playlists: Int
    public var segments: Int
    /// Of the longest rendition.
    public var seconds: Double
    public var violations: [HLSViolation]

    /// Whether no rule is broken that is more than advice.
    public var isValid: Bool { !violations.contains { $0.severity == .error } }
}

/// A rule that a folder breaks, and where.
public struct HLSViolation: Hashable, Sendable, Codable, CustomStringConvertible {
    public var rule: HLSRule
    public var severity: HLSRule.Severity
    /// From the folder on, with a line behind a colon: `sound/playlist.m3u8:8`.
    public var place: String
    /// What is there, without a full stop.
    public var found: String
    /// What should be there.
    public var expected: String?

    /// `error: 1-960x540/playlist.m3u8:9: EXTINF is 6.000 s, the segment is 5.000 s long (segment-duration)`, on one line.
    public var description: String {
        ("\(severity.rawValue): \(place): \(found)" + (expected.map { "; expected: \($0)" } ?? "")
            + " (\(rule.rawValue))")
            .onOneLine
    }
}
