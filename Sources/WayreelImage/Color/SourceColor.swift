/// The colour space of a decoded image.
package enum SourceColor: Hashable, Sendable {
    case srgb
    /// An ICC profile.
    case profile([UInt8])
    /// A power of linear light, with sRGB's primaries.
    case gamma(Double)
    /// Primaries, with sRGB's transfer function or a gamma.
    case chromaticities(Chromaticities, gamma: Double?)
    /// Code points of ITU-T H.273. `narrowBits`: the bits per component of R′G′B′ in narrow range; nil for full range.
    case coded(primaries: Int, transfer: Int, narrowBits: Int? = nil)
}

extension SourceColor {
    /// The description that takes precedence in `header`.
    ///
    /// In PNG, code points precede a profile, and that precedes gAMA and cHRM (PNG Specification, Third Edition,
    /// section 4.3); elsewhere a profile is more exact.
    package init(_ header: ImageHeader) {
        let coded = header.codePoints.map { points in
            // Decoders of other formats have converted the range.
            SourceColor.coded(
                primaries: points.primaries, transfer: points.transfer,
                narrowBits: header.format == .png && !points.isFullRange ? header.rowBits : nil)
        }
        let profile = header.profile.map(SourceColor.profile)
        let described = header.chromaticities.map { SourceColor.chromaticities($0, gamma: header.gamma) }
        let ranked = header.format == .png ? coded ?? profile : profile ?? coded
        self = ranked ?? described ?? header.gamma.map(SourceColor.gamma) ?? .srgb
    }
}
