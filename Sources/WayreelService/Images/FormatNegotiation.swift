internal import WayreelImage

/// Chooses the format of an image by the `Accept` header.
enum FormatNegotiation {
    private static let types: [(type: String, format: Encoding.Format)] = [
        ("image/avif", .avif), ("image/webp", .webp), ("image/png", .png), ("image/jpeg", .jpeg),
    ]

    static var mediaTypes: [String] { types.map(\.type) }

    static func mediaType(of format: Encoding.Format) -> String { types.first { $0.format == format }!.type }

    /// The one of `offered` and JPEG that an `Accept` header prefers. A wildcard stands for JPEG alone: browsers name newer formats beside it
    /// (RFC 9110, section 12.5.1). JPEG also where none is accepted.
    static func format(accept: String?, offered: [Encoding.Format]) -> Encoding.Format {
        let header = AcceptHeader(accept)
        let known = types.filter { $0.format == .jpeg || offered.contains($0.format) && header.quality($0.type) > 0 }
        let best = header.best(of: known.map(\.type))
        return known.first { $0.type == best }?.format ?? .jpeg
    }
}
