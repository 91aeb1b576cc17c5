/// What is known of the colours of a decoded picture.
package enum SourceColor: Hashable, Sendable {
    case srgb
    /// An ICC profile.
    case profile([UInt8])
    /// Linear light raised to this power; sRGB's primaries.
    case gamma(Double)
    /// Primaries, with sRGB's transfer function or a power of linear light.
    case chromaticities(Chromaticities, gamma: Double?)
    /// Code points of ITU-T H.273.
    case coded(primaries: Int, transfer: Int)
}

extension SourceColor {
    /// The description that counts where `header` has several.
    ///
    /// In PNG code points stand above a profile, and that above gAMA and cHRM (PNG Specification, Third Edition,
    /// section 4.3); elsewhere a profile is the more exact description.
    package init(_ header: PictureHeader) {
        let coded = header.codePoints.map { SourceColor.coded(primaries: $0.primaries, transfer: $0.transfer) }
        let profile = header.profile.map(SourceColor.profile)
        let described = header.chromaticities.map { SourceColor.chromaticities($0, gamma: header.gamma) }
        let ranked = header.format == .png ? coded ?? profile : profile ?? coded
        self = ranked ?? described ?? header.gamma.map(SourceColor.gamma) ?? .srgb
    }
}
