internal import WayreelCore

/// The result of validating a folder of HLS.
public struct HLSValidation: Hashable, Sendable, Codable {
    /// The folder or playlist.
    public var path: String
    /// The number of playlists that were read.
    public var playlists: Int
    public var segments: Int
    /// The length of the longest rendition.
    public var seconds: Double
    public var violations: [HLSViolation]

    /// Whether it has no errors.
    public var isValid: Bool { !violations.contains { $0.severity == .error } }
}

/// A violation of a rule.
public struct HLSViolation: Hashable, Sendable, Codable, CustomStringConvertible {
    public var rule: HLSRule
    public var severity: HLSRule.Severity
    /// A path relative to the folder, with a line after a colon: `sound/playlist.m3u8:8`.
    public var location: String
    /// What is there, without a full stop.
    public var found: String
    /// What should be there.
    public var expected: String?

    /// `error: 1-960x540/playlist.m3u8:9: EXTINF is 6.000 s, the segment is 5.000 s long (segment-duration)`, on one line.
    public var description: String {
        ("\(severity.rawValue): \(location): \(found)" + (expected.map { "; expected: \($0)" } ?? "")
            + " (\(rule.rawValue))")
            .onOneLine
    }
}
