internal import WayreelCore

/// The result of validating a folder of HLS.
public struct HLSValidation: Hashable, Sendable, Codable {
    /// The path of the folder or playlist.
    public var path: String
    /// The number of playlists that were read.
    public var playlists: Int
    public var segments: Int
    /// The length of the longest rendition.
    public var seconds: Double
    public var violations: [HLSViolation]

    /// Whether there are no errors.
    public var isValid: Bool { !violations.contains { $0.severity == .error } }
}

/// A violation of a rule.
public struct HLSViolation: Hashable, Sendable, Codable, CustomStringConvertible {
    public var rule: HLSRule
    public var severity: HLSRule.Severity
    /// A path relative to the folder, with a line after a colon: `audio/playlist.m3u8:8`.
    public var location: String
    /// The actual value, without a full stop.
    public var found: String
    /// The expected value.
    public var expected: String?

    /// The violation on one line: `error: 1-960x540/playlist.m3u8:9: EXTINF is 6.000 s, the segment is 5.000 s long
    /// (segment-duration)`.
    public var description: String {
        ("\(severity.rawValue): \(location): \(found)" + (expected.map { "; expected: \($0)" } ?? "")
            + " (\(rule.rawValue))")
            .onOneLine
    }
}
