internal import Glibc

/// Converts CIE L*a*b* of TIFF (section 23, and the tag's ICC extension) to sRGB.
enum LabColor {
    /// Converts full-range samples (0 to 65 535) to encoded sRGB. Out-of-gamut colours are clipped.
    ///
    /// L* is 0 to 100; a* and b* are −128 to 127. With `isOffset` they are stored with an offset as in ICC profiles,
    /// where 100 is 65 280 in 16 bits; otherwise signed.
    static func srgb(_ l: UInt16, _ a: UInt16, _ b: UInt16, isOffset: Bool, isByte: Bool) -> SIMD3<UInt16> {
        // 8-bit samples are multiplied by 257.
        let step = isByte ? 257.0 : 256.0
        let lightness = Double(l) / (isByte || !isOffset ? 65535 : 65280) * 100
        func chroma(_ value: UInt16) -> Double {
            guard !isOffset else { return Double(value) / step - 128 }
            let code = isByte ? Int(Int8(truncatingIfNeeded: value / 257)) * 256 : Int(Int16(bitPattern: value))
            return Double(code) / 256
        }
        return srgb(lightness, chroma(a), chroma(b))
    }

    /// ISO/CIE 11664-4 with white D50, adapted to sRGB's D65 by Bradford's transform.
    private static func srgb(_ l: Double, _ a: Double, _ b: Double) -> SIMD3<UInt16> {
        let fy = (l + 16) / 116
        func light(_ f: Double) -> Double { f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841 }
        let (x, y, z) = (0.9642 * light(fy + a / 500), light(fy), 0.8249 * light(fy - b / 200))
        let linear = [
            3.1338561 * x - 1.6168667 * y - 0.4906146 * z, -0.9787684 * x + 1.9161415 * y + 0.0334540 * z,
            0.0719453 * x - 0.2289914 * y + 1.4052427 * z,
        ]
        var result = SIMD3<UInt16>()
        for (index, value) in linear.enumerated() {
            let light = min(max(value, 0), 1)
            let code = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            result[index] = UInt16((code * 65535).rounded())
        }
        return result
    }
}
