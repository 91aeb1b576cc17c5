internal import Glibc

/// The transfer function of sRGB (IEC 61966-2-1), by its definition.
enum SRGBTransfer {
    /// Encoded 0…1 → linear 0…1.
    static func linear(_ encoded: Double) -> Double {
        encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
    }

    /// Linear 0…1 → encoded 0…1.
    static func encoded(_ linear: Double) -> Double {
        linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }

    /// The linear value of every code of 8 or 16 bits.
    static func table(bits: Int) -> [Float] { bits == 8 ? bytes : words }

    private static let bytes = makeTable(codes: 256)
    private static let words = makeTable(codes: 65_536)

    private static func makeTable(codes: Int) -> [Float] {
        (0..<codes).map { Float(linear(Double($0) / Double(codes - 1))) }
    }
}
