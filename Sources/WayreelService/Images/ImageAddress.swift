internal import Glibc
package import WayreelCore

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

/// Addresses of images, for pages that show them.
package enum ImageLink {
    /// The address of an image with options, signed with the first of `keys`; without keys an unsigned one. With
    /// `sourceKeys`, the source is encrypted.
    ///
    /// Throws a `parameter` error for a wrong option or source.
    package static func path(
        source: String, options: [(name: String, value: String)], keys: SigningKeys?,
        sourceKeys: SourceKeys? = nil, secondsValid: Int? = nil,
        base: String = ""
    ) throws(MediaError) -> String {
        var options = options
        if let secondsValid { options.append(("expires", "\(Int64(time(nil)) + Int64(secondsValid))")) }
        var checked = ImageOptions()
        for option in options { try checked.set(option.name, option.value) }
        let parts = source.split(separator: "/", omittingEmptySubsequences: false)
        let isPath = !parts.isEmpty && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
        guard RemoteSources.isRemote(source) ? RemoteURL(source) != nil : isPath else {
            throw MediaError(
                .parameter, step: .url, subject: source, reason: "is neither a path in the image folder nor a URL",
                advice: "write it as in photos/tower.jpg or https://photos.example.org/tower.jpg")
        }
        let signed = ImageAddress.signed(
            options: options,
            source: try sourceKeys.map { (keys) throws(MediaError) in try keys.encrypt(source) } ?? source)
        return base + ImageAddress.prefix + (keys?.signature(of: signed) ?? "unsafe") + signed
    }
}

/// A folder with the files that requests may name.
struct ImageFolder: Sendable {
    /// A file in the folder with a stamp that changes with its content.
    struct File: Hashable, Sendable {
        var path: String
        var stamp: FileStamp
    }

    private let folder: ConfinedFolder

    /// Throws an `io` error if there is no such folder.
    init(_ path: String) throws(MediaError) {
        folder = try ConfinedFolder(path, step: .start)
        guard Directory.isDirectory(folder.path) else {
            throw MediaError(.io, step: .start, subject: path, reason: "is not a folder")
        }
    }

    /// The file at a relative path; nil if there is none, for hidden files, and for links that lead out of the folder.
    func file(_ relative: String) -> File? {
        let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
        guard !relative.isEmpty, !relative.utf8.contains(0),
            parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }),
            case .inside(let path) = folder.target(of: relative), let stamp = FileStamp(of: path)
        else { return nil }
        return File(path: path, stamp: stamp)
    }
}
