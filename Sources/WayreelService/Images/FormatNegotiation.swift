internal import WayreelImage

/// Chooses the format of an image by the `Accept` header.
enum FormatNegotiation {
    private static let types: [(type: String, format: Encoding.Format)] = [
        ("image/avif", .avif), ("image/webp", .webp), ("image/png", .png), ("image/jpeg", .jpeg),
    ]

    static var mediaTypes: [String] { types.map(\.type) }

    static func mediaType(of format: Encoding.Format) -> String { types.first { $0.format == format }!.type }

    /// The first of `offered` that an `Accept` header names with a quality above 0. A wildcard, or no header, chooses JPEG: browsers name
    /// newer formats beside it (RFC 9110, section 12.5.1).
    static func format(accept: String?, offered: [Encoding.Format]) -> Encoding.Format {
        let header = AcceptHeader(accept)
        return types.first { offered.contains($0.format) && header.quality($0.type) > 0 }?.format ?? .jpeg
    }
}
