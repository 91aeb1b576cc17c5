internal import CLCMS2
internal import WayreelCore

/// Converts CMYK to sRGB. May be used by several threads at once.
package final class CMYKConverter: Sendable {
    /// nil for inks without a profile.
    private let transform: ICCTransform?

    /// Converts inks without a profile: red = (1 − cyan)·(1 − black) and so on, as in PostScript and PDF (ISO 32000-1,
    /// section 10.3.5). The result is brighter than real print.
    package init() { transform = nil }

    /// Converts the inks of `profile`. Little CMS builds a 16-bit table with 17 points per ink.
    init(_ profile: ICCProfile) throws(ICCProfile.Fault) {
        transform = try ICCTransform(profile, from: wr_format_cmyk_16, to: wr_format_rgb_16)
    }

    /// Converts `count` pixels. Inks are 0 for none to 1 for full, clamped; the output is sRGB-encoded.
    package func convert(
        cyan: UnsafePointer<Float>, magenta: UnsafePointer<Float>, yellow: UnsafePointer<Float>,
        black: UnsafePointer<Float>, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
        blue: UnsafeMutablePointer<Float>, count: Int
    ) {
        let inks = [cyan, magenta, yellow, black]
        let lights = [red, green, blue]
        guard let transform else {
            for x in 0..<count {
                let paper = 1 - min(max(black[x], 0), 1)
                for c in 0..<3 { lights[c][x] = (1 - min(max(inks[c][x], 0), 1)) * paper }
            }
            return
        }
        let block = 1024
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: block * 7) { memory in
            let packed = memory.baseAddress!
            let result = packed + block * 4
            for start in stride(from: 0, to: count, by: block) {
                let pixels = min(block, count - start)
                for c in 0..<4 {
                    let ink = inks[c] + start
                    // NaN → 0.
                    for x in 0..<pixels { packed[4 * x + c] = UInt16(min(max(0, ink[x]), 1) * 65535 + 0.5) }
                }
                transform.run(packed, result, pixels: pixels)
                for c in 0..<3 {
                    let light = lights[c] + start
                    for x in 0..<pixels { light[x] = Float(result[3 * x + c]) * (1 / 65535) }
                }
            }
        }
    }

    /// Converts an image whose four planes are inks.
    func convert(_ image: Image, task: TaskContext) throws(MediaError) -> Image {
        var converted = try Image(unset: image.size, hasAlpha: false)
        try image.withPlanes { (inks) throws(MediaError) in
            try converted.withMutablePlanes { (lights) throws(MediaError) in
                for y in 0..<inks.height {
                    if y % 16 == 0 { try task.check() }
                    convert(
                        cyan: inks.row(y, plane: 0), magenta: inks.row(y, plane: 1), yellow: inks.row(y, plane: 2),
                        black: inks.row(y, plane: 3), red: lights.row(y, plane: 0), green: lights.row(y, plane: 1),
                        blue: lights.row(y, plane: 2), count: inks.width)
                }
            }
        }
        return converted
    }
}
