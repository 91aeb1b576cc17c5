internal import WayreelCore

/// Codec names with profiles, as defined by RFC 6381 and the codecs' bindings to ISO/IEC 14496-12.
package enum CodecString {
    /// Returns a name such as `avc1.640028`: ISO/IEC 14496-15, the three bytes after the version of an AVC decoder
    /// configuration.
    package static func avc(_ format: String, profile: UInt8, constraints: UInt8, level: UInt8) -> String {
        format + "." + [profile, constraints, level].hexadecimal
    }

    /// Returns a name such as `hvc1.1.6.L93.B0`: ISO/IEC 14496-15, annex E.
    package static func hevc(_ format: String, configuration: [UInt8]) -> String {
        guard configuration.count > 12 else { return format }
        let profile = ["", "A", "B", "C"][Int(configuration[1] >> 6)] + String(configuration[1] & 0x1F)
        let tier = configuration[1] & 0x20 == 0 ? "L" : "H"
        // The compatibility flags are in reverse bit order.
        var flags: UInt32 = 0
        for index in 0..<32 where configuration[2 + index / 8] & 0x80 >> UInt8(index % 8) != 0 {
            flags |= 1 << UInt32(index)
        }
        var constraints = Array(configuration[6..<12])
        while constraints.last == 0 { constraints.removeLast() }
        let start = [format, profile, String(flags, radix: 16, uppercase: true), tier + String(configuration[12])]
        return (start + constraints.map { String($0, radix: 16, uppercase: true) }).joined(separator: ".")
    }

    /// Returns a name such as `av01.0.08M.08`: AV1 Codec ISO Media File Format Binding, section 5. Optional parts are
    /// omitted.
    package static func av1(configuration: [UInt8]) -> String {
        guard configuration.count > 2 else { return "av01" }
        let level = String(configuration[1] & 0x1F, paddedTo: 2)
        let isHigh = configuration[2] & 0x80 != 0
        let depth = configuration[2] & 0x40 == 0 ? "08" : configuration[2] & 0x20 == 0 ? "10" : "12"
        return "av01.\(configuration[1] >> 5).\(level)\(isHigh ? "H" : "M").\(depth)"
    }
}
