internal import WayreelImage

/// Chooses the format of an image by the `Accept` header.
enum FormatNegotiation {
    private static let formats: [Encoding.Format] = [.avif, .webp, .png, .jpeg]

    static var mediaTypes: [String] { formats.map(\.mediaType) }

    /// The one of `offered` and JPEG that an `Accept` header prefers. A wildcard means JPEG alone: browsers name newer
    /// formats beside it (RFC 9110, section 12.5.1). JPEG also where none is accepted.
    static func format(accept: String?, offered: [Encoding.Format]) -> Encoding.Format {
        let header = AcceptHeader(accept)
        let known = formats.filter { $0 == .jpeg || offered.contains($0) && header.quality($0.mediaType) > 0 }
        let best = header.best(of: known.map(\.mediaType))
        return known.first { $0.mediaType == best } ?? .jpeg
    }
}
