package import WayreelCore

extension Encoding.Format {
    /// The media type: `image/jpeg`.
    package var mediaType: String { "image/\(rawValue)" }

    /// Further names in common use besides ``extensions``.
    private static let aliases: [String: Encoding.Format] = ["jpe": .jpeg]

    /// Formats that can be read but not written, and alternatives.
    private static let unwritten = [
        "heic": "avif, which is HEIF with AV1 in it", "heif": "avif, which is HEIF with AV1 in it",
        "tif": "png, which has 16 bits as well", "tiff": "png, which has 16 bits as well", "gif": "webp or png",
        "bmp": "png", "jxl": "avif or webp",
    ]

    /// The format for a file extension.
    package init?(fileName: String) {
        guard let ending = fileName.fileExtension?.lowercased(),
            let format = Self.allCases.first(where: { $0.extensions.contains(ending) })
        else { return nil }
        self = format
    }

    /// Looks up a format by name, ignoring case: `jpeg`, `jpg`, …
    ///
    /// Throws a `parameter` error with a suggestion.
    package init(named name: String) throws(MediaError) {
        let plain = name.lowercased()
        if let format = Self.allCases.first(where: { $0.extensions.contains(plain) }) ?? Self.aliases[plain] {
            self = format
            return
        }
        if let unwritten = Self.unwritten(plain) { throw unwritten }
        let names = Self.allCases.map(\.rawValue)
        let near: MediaError.Advice? = nearestName(to: plain, in: names.sorted()).map { "did you mean '\($0)'?" }
        throw MediaError(
            .parameter, step: "encode", reason: "unknown output format '\(name)'",
            advice: near ?? "use \(names.alternatives)")
    }

    /// Returns the error for a format that can only be read, by name or file extension; nil for others.
    package static func unwritten(_ name: String) -> MediaError? {
        unwritten[name.lowercased()].map {
            MediaError(.parameter, step: "encode", reason: "\(name) can be read but not written", advice: "use \($0)")
        }
    }
}
