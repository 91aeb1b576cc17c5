internal import WayreelCore

/// A normalised `http` or `https` URL. The same value is compared with the list of servers and fetched.
package struct RemoteURL: Hashable, Sendable {
    let scheme: String
    /// In lower case, without a final dot; an IPv6 address without brackets.
    let host: String
    let port: Int
    /// Path and query, percent-encoded; begins with a slash.
    let target: String

    /// nil for another scheme, a user, a fragment, a backslash, a control character, a space, or anything beyond ASCII.
    package init?(_ text: String) {
        guard text.utf8.count <= 4096,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\\#\"<>^`{|}".utf8.contains($0) }),
            let scheme = ["https", "http"].first(where: { text.hasPrefix("\($0)://") })
        else { return nil }
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        guard let (host, port) = Self.split(authority) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? (scheme == "https" ? 443 : 80)
        self.target = target.hasPrefix("/") ? String(target) : "/\(target)"
    }

    /// Whether the host is an IP address, not a name.
    var isAddress: Bool { HostAddress(host) != nil }

    package var text: String { origin + target }

    private var origin: String { "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// The URL of a `Location` header, which may be relative (RFC 3986, section 5.2). Its fragment is not sent, and left
    /// out. nil for a URL that is not one of ``init(_:)``.
    package func resolving(_ location: String) -> RemoteURL? {
        let reference = location.prefix { $0 != "#" }
        let first = reference.first { ":/?".contains($0) }
        if first == ":" { return RemoteURL(String(reference))?.withoutDotSegments }
        if reference.hasPrefix("//") { return RemoteURL("\(scheme):\(reference)")?.withoutDotSegments }
        let path = target.prefix { $0 != "?" }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        let target =
            switch reference.first {
            case nil: self.target
            case "?": "\(path)\(reference)"
            case "/": "\(reference)"
            default: "\(folder)\(reference)"
            }
        return RemoteURL(origin + target)?.withoutDotSegments
    }

    /// The same URL after the removal of `.` and `..` from its path (RFC 3986, section 5.2.4).
    private var withoutDotSegments: RemoteURL? {
        let path = target.prefix { $0 != "?" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for segment in segments where segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        // The path of a folder ends with a slash.
        if let last = segments.last, last == "." || last == ".." { kept.append("") }
        return RemoteURL("\(origin)/\(kept.joined(separator: "/"))\(target[path.endIndex...])")
    }

    private static func split(_ authority: Substring) -> (host: String, port: Int?)? {
        var host = authority
        var port: Int?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            guard HostAddress(String(host)) != nil else { return nil }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.dropFirst().isEmpty { port = Int(rest.dropFirst()) ?? -1 }
        } else {
            if let colon = authority.firstIndex(of: ":") {
                host = authority[..<colon]
                let digits = authority[authority.index(after: colon)...]
                if !digits.isEmpty { port = Int(digits) ?? -1 }
            }
            if host.hasSuffix(".") { host = host.dropLast() }
            guard !host.isEmpty, host.utf8.count <= 253,
                host.lowercased().utf8.allSatisfy({
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E
                })
            else { return nil }
        }
        guard port.map({ (1...65535).contains($0) }) ?? true else { return nil }
        return (host.lowercased(), port)
    }
}

/// An entry in the list of servers: it allows all URLs with its scheme, host and port whose path is in its folder.
struct RemotePrefix: Hashable, Sendable {
    let url: RemoteURL

    /// nil if `text` is not a URL, or has a query.
    init?(_ text: String) {
        guard let url = RemoteURL(text.hasSuffix("/") ? text : text + "/"), !url.target.contains("?") else {
            return nil
        }
        self.url = url
    }

    func covers(_ other: RemoteURL) -> Bool {
        (other.scheme, other.host, other.port) == (url.scheme, url.host, url.port) && other.target.hasPrefix(url.target)
            && !Self.climbs(other.target)
    }

    /// Whether the path has a segment `.` or `..`, also percent-encoded.
    private static func climbs(_ target: String) -> Bool {
        let path = target.prefix { $0 != "?" }.lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/")
            .replacing("%5c", with: "/")
        return path.split(separator: "/").contains { $0 == ".." || $0 == "." }
    }
}
