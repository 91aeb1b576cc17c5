internal import Glibc
internal import WayreelCore

/// Formats linear levels in a unit.
struct LevelDigits {
    let unit: LevelUnit
    let decimals: Int
    /// Whether levels beyond full scale are clamped.
    let clamps: Bool
    private let factor: Double

    init(_ unit: LevelUnit, decimals: Int, clamps: Bool) {
        self.unit = unit
        self.decimals = decimals
        self.clamps = clamps
        factor = (0..<decimals).reduce(1.0) { factor, _ in factor * 10 }
    }

    /// Appends `level` to `output`.
    func write(_ level: Float, to output: BufferedOutput) throws(MediaError) {
        let value = convert(level) * factor
        // Integers are exact up to here; only invalid floating-point audio exceeds it.
        guard value.magnitude < 0x1p53 else { return try output.append(level.description) }
        try output.append(Int(value.rounded(.toNearestOrEven)), decimals: decimals)
    }

    private func convert(_ level: Float) -> Double {
        switch unit {
        case .dBFS:
            guard level.magnitude > 1e-8 else { return LevelUnit.floor }
            let level = 20 * log10(Double(level.magnitude))
            return clamps ? min(level, 0) : level
        case .linear: return clamps ? Double(min(max(level, -1), 1)) : Double(level)
        case .int8: return min(max(Double(level) * 128, -128), 127)
        case .int16: return min(max(Double(level) * 32_768, -32_768), 32_767)
        }
    }
}
