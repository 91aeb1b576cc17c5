internal import WayreelCore

/// The path of a request for an image after `/v1/images/`: a signature, options, a source.
///
///     unsafe/screen:512x512/fit:contain/photos/tower.jpg
///     unsafe/screen:512x512/https%3A%2F%2Fphotos.example.org%2Ftower.jpg
///
/// Options are segments of the form `name:value`; the first other segment begins the source. All segments are
/// percent-encoded.
struct ImageAddress {
    var signature: String
    /// The signed part: everything after the signature, as it was sent.
    var signed: String
    var options: ImageOptions
    /// A path relative to the folder of images, or the URL of a remote image.
    var source: String

    static let prefix = "/v1/images/"

    /// Throws a ``Problem`` if the path is malformed, and a `parameter` error for a wrong option.
    init(path: String) throws {
        let rest = path.dropFirst(Self.prefix.count)
        guard path.hasPrefix(Self.prefix), let slash = rest.firstIndex(of: "/") else {
            throw Problem.badRequest("write \(Self.prefix){signature}/{name:value}/…/{source}")
        }
        signature = String(rest[..<slash])
        signed = String(rest[slash...])
        options = ImageOptions()
        var parts = signed.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        while let part = parts.first, let option = Self.option(part) {
            guard let value = PercentEncoding.decode(option.value) else {
                throw Problem.badRequest("the value of '\(option.name)' is not percent-encoded UTF-8")
            }
            try options.set(option.name, value)
            parts = parts.dropFirst()
        }
        let decoded = parts.map { PercentEncoding.decode($0) }
        if decoded.count == 1, let url = decoded[0], RemoteSources.isRemote(url) {
            source = url
            return
        }
        // An encoded slash could hide a `..`.
        guard !decoded.isEmpty, decoded.allSatisfy({ $0.map { !$0.isEmpty && !$0.contains("/") } ?? false }) else {
            throw Problem.badRequest("the source is missing or not percent-encoded UTF-8")
        }
        source = decoded.compactMap(\.self).joined(separator: "/")
    }

    /// Splits `name:value`; nil if the name cannot be that of an option.
    private static func option(_ part: Substring) -> (name: String, value: Substring)? {
        guard let colon = part.firstIndex(of: ":"), colon > part.startIndex,
            part[..<colon].utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        return (String(part[..<colon]), part[part.index(after: colon)...])
    }

    /// The path for options and a source without prefix and signature: the signed part.
    static func signed(options: [(name: String, value: String)], source: String) -> String {
        let parts = options.map { "\($0.name):\(PercentEncoding.encode($0.value, keeping: ":@=,+!*"))" }
        let names = RemoteSources.isRemote(source) ? [source[...]] : source.split(separator: "/")
        return (parts + names.map { PercentEncoding.encode(String($0)) }).map { "/\($0)" }.joined()
    }
}
