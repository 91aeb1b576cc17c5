/// How much damage an input may have and still be accepted.
public enum DamageTolerance: String, Sendable, Codable, CaseIterable {
    /// Whatever a decoder can make of it.
    case none
    /// At most `acceptedShare` is missing; the rest is reported as a warning.
    case standard = "missing"
    /// None: any damage fails the input.
    case warning

    /// The largest share of a picture's area, or of a sound's length, that may be missing by default.
    public static let acceptedShare = 0.25
}
