/// What a level is told in.
public enum LevelUnit: String, Hashable, Sendable, Codable, CaseIterable {
    /// Decibels below full scale: 20 · log₁₀ |v|, and ``floor`` for silence and all below. The sign of a sample is lost.
    case dBFS
    /// Full scale is 1.
    case linear
    /// Full scale is 128: nearest whole number, at least −128, at most 127.
    case int8
    /// Full scale is 32 768: nearest whole number, at least −32 768, at most 32 767.
    case int16

    /// dBFS of silence.
    public static let floor = -160.0

    var isWhole: Bool { self == .int8 || self == .int16 }
    /// Digits after the point where none are asked for: a hundredth of a decibel, a third of a 16-bit step.
    var defaultDecimals: Int {
        switch self {
        case .dBFS: 2
        case .linear: 5
        case .int8, .int16: 0
        }
    }
}
