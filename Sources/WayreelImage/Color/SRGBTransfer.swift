internal import Glibc

extension Double {
    /// The linear light of an sRGB-encoded component, 0 to 1 (IEC 61966-2-1).
    var linearFromSRGB: Double {
        self <= 0.04045 ? self / 12.92 : pow((self + 0.055) / 1.055, 2.4)
    }

    /// The sRGB code for linear light, odd-symmetric below 0 (IEC 61966-2-1).
    var encodedAsSRGB: Double {
        let size = abs(self)
        let code = size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
        return self < 0 ? -code : code
    }
}

/// The linear values of all codes by sRGB's transfer function.
enum SRGBTransfer {
    static func table(bits: Int) -> [Float] { bits == 8 ? bytes : words }

    private static let bytes = makeTable(codes: 256)
    private static let words = makeTable(codes: 65_536)

    private static func makeTable(codes: Int) -> [Float] {
        (0..<codes).map { Float((Double($0) / Double(codes - 1)).linearFromSRGB) }
    }
}
