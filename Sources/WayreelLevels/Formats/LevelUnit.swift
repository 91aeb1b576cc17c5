/// The unit of written levels.
public enum LevelUnit: String, Hashable, Sendable, Codable, CaseIterable {
    /// Decibels relative to full scale: 20 · log₁₀ |v|, with ``floor`` as minimum. The sign of a sample is lost.
    case dBFS
    /// Full scale is 1.
    case linear
    /// Full scale is 128: rounded to nearest, −128 to 127.
    case int8
    /// Full scale is 32 768: rounded to nearest, −32 768 to 32 767.
    case int16

    /// Level of silence in dBFS.
    public static let floor = -160.0

    var isWhole: Bool { self == .int8 || self == .int16 }
    /// Default number of decimals: a hundredth of a decibel, a third of a 16-bit step.
    var defaultDecimals: Int {
        switch self {
        case .dBFS: 2
        case .linear: 5
        case .int8, .int16: 0
        }
    }
}
