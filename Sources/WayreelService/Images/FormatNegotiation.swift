internal import WayreelImage

/// Chooses the format of an image by the `Accept` header.
enum FormatNegotiation {
    private static let formats: [Encoding.Format] = [.avif, .webp, .png, .jpeg]

    static var mediaTypes: [String] { formats.map(\.mediaType) }

    /// Returns the format among `offered` and JPEG that an `Accept` header prefers (RFC 9110, section 12.5.1). A wildcard
    /// matches JPEG only, because browsers list newer formats explicitly. JPEG is also the format if none is accepted.
    static func format(accept: String?, offered: [Encoding.Format]) -> Encoding.Format {
        let header = AcceptHeader(accept)
        let known = formats.filter { $0 == .jpeg || offered.contains($0) && header.quality($0.mediaType) > 0 }
        let best = header.best(of: known.map(\.mediaType))
        return known.first { $0.mediaType == best } ?? .jpeg
    }
}
