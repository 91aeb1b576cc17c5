/// The sRGB profile of outputs: ICC version 4.3, 480 bytes, with a parametric curve and constant content (ICC.1:2010,
/// sections 7 to 10).
package enum SRGBProfile {
    package static let bytes: [UInt8] = {
        let curve = ICCWriter.parametric([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        let colorants = ICCWriter.colorants(XYZ.fromSRGB)
        let white = XYZ.color(Chromaticities.sRGB.white)
        return ICCWriter.profile([
            ("desc", ICCWriter.text("sRGB")), ("cprt", ICCWriter.text("CC0")),
            ("wtpt", ICCWriter.xyz(ICCWriter.d50)),
            ("chad", ICCWriter.matrix(XYZ.adaptation(from: white) ?? .identity)),
            ("rXYZ", ICCWriter.xyz(colorants.red)), ("gXYZ", ICCWriter.xyz(colorants.green)),
            ("bXYZ", ICCWriter.xyz(colorants.blue)),
            ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ])
    }()
}

/// Writes the ICC tags of a matrix profile.
private enum ICCWriter {
    typealias Fixed = SIMD3<Int32>

    /// The connection space's white, exactly as in every profile header.
    static let d50: Fixed = [0xF6D6, 0x10000, 0xD32D]

    /// s15Fixed16Number, rounded to nearest.
    private static func fixed(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }

    private static func fixed(_ values: SIMD3<Double>) -> Fixed { [fixed(values.x), fixed(values.y), fixed(values.z)] }

    private static func bytes(_ values: some Sequence<Int32>) -> [UInt8] {
        values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    }

    /// Returns the colorants, rounded so that their sum is exactly D50: white stays exactly white.
    static func colorants(_ matrix: Matrix3) -> (red: Fixed, green: Fixed, blue: Fixed) {
        let columns = matrix.transposed.rows
        let (red, blue) = (fixed(columns[0]), fixed(columns[2]))
        return (red, d50 &- red &- blue, blue)
    }

    static func text(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let record = Array("enUS".utf8) + bytes([Int32(units.count), 28])
        return type("mluc") + bytes([1, 12]) + record + units
    }

    static func xyz(_ value: Fixed) -> [UInt8] { type("XYZ ") + bytes([value.x, value.y, value.z]) }

    static func matrix(_ matrix: Matrix3) -> [UInt8] {
        type("sf32") + bytes(matrix.rows.flatMap { [$0.x, $0.y, $0.z].map(fixed) })
    }

    /// Function type 3: (a·x + b)^g from d, c·x below; `parameters` are g, a, b, c, d.
    static func parametric(_ parameters: [Double]) -> [UInt8] {
        type("para") + [0, 3, 0, 0] + bytes(parameters.map(fixed))
    }

    private static func type(_ signature: String) -> [UInt8] { Array(signature.utf8) + [0, 0, 0, 0] }

    /// Header, tag table and tags; equal tags are stored once.
    static func profile(_ tags: [(signature: String, data: [UInt8])]) -> [UInt8] {
        var table: [UInt8] = bytes([Int32(tags.count)])
        var body: [UInt8] = []
        var offsets: [[UInt8]: Int] = [:]
        for (signature, data) in tags {
            let start = 128 + 4 + 12 * tags.count
            let offset = offsets[data] ?? start + body.count
            if offsets.updateValue(offset, forKey: data) == nil {
                body += data + Array(repeating: 0, count: (4 - data.count % 4) % 4)
            }
            table += Array(signature.utf8) + bytes([Int32(offset), Int32(data.count)])
        }
        return header(size: 128 + table.count + body.count) + table + body
    }

    private static func header(size: Int) -> [UInt8] {
        var header = bytes([Int32(size), 0, 0x0430_0000]) + Array("mntrRGB XYZ ".utf8)
        // 1 January 2026, 00:00: a date is required, and a constant one keeps outputs reproducible.
        header += [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
        header += Array(repeating: 0, count: 68 - header.count)
        header += bytes([d50.x, d50.y, d50.z])
        return header + Array(repeating: 0, count: 128 - header.count)
    }
}
