internal import WayreelImage

/// Chooses the format of an image by the `Accept` header.
enum FormatNegotiation {
    private static let formats: [Encoding.Format] = [.avif, .webp, .png, .jpeg]

    static var mediaTypes: [String] { formats.map(\.mediaType) }

    /// The first of `offered` that an `Accept` header names with a quality above 0. A wildcard, or no header, chooses JPEG: browsers name
    /// newer formats beside it (RFC 9110, section 12.5.1).
    static func format(accept: String?, offered: [Encoding.Format]) -> Encoding.Format {
        let header = AcceptHeader(accept)
        return formats.first { offered.contains($0) && header.quality($0.mediaType) > 0 } ?? .jpeg
    }
}
