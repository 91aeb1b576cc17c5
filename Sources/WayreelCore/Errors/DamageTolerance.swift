/// The amount of damage that is accepted in an input.
public enum DamageTolerance: String, Sendable, Codable, CaseIterable {
    /// Accepts whatever the decoder returns.
    case none
    /// Accepts up to ``acceptedShare`` of missing data and reports it as a warning.
    case standard = "missing"
    /// Rejects any damage.
    case warning

    /// The default max share of an image's area, or of an audio file's duration, that may be missing.
    public static let acceptedShare = 0.25
}
