/// Who made an image, audio or a video, and under which licence it may be shown, as the file's own metadata say.
public struct MediaAttribution: Hashable, Sendable, Codable {
    public var author: String?
    /// The licence or its address; else the copyright notice.
    public var license: String?
    /// The address of a page about the work and its rights.
    public var origin: String?

    /// The texts become one line each, of at most 1,000 characters. Returns nil if all are empty.
    package init?(author: String? = nil, license: String? = nil, origin: String? = nil) {
        (self.author, self.license, self.origin) = (Self.line(author), Self.line(license), Self.line(origin))
        if self.author == nil, self.license == nil, self.origin == nil { return nil }
    }

    private static let maxLength = 1000

    /// Returns a text on one line, without control characters; nil if nothing is left.
    private static func line(_ text: String?) -> String? {
        let lines = (text ?? "").prefix(10 * maxLength).split(whereSeparator: \.isNewline).map { line in
            line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        var joined = lines.filter { !$0.isEmpty }.joined(separator: ", ")
        joined.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
        return joined.isEmpty ? nil : String(joined.prefix(maxLength))
    }
}
