internal import WayreelCore

/// An `http` or `https` URL in one spelling: what is compared with the list of servers is what is connected to.
struct RemoteURL: Hashable, Sendable {
    let scheme: String
    /// In lower case, without a final dot; an IPv6 address without brackets.
    let host: String
    let port: Int
    /// Path and query, percent-encoded; begins with a slash.
    let target: String

    /// nil for another scheme, a user, a fragment, a backslash, a control character, a space, or anything beyond ASCII.
    init?(_ text: String) {
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

    /// Whether the host is an IP address and no name.
    var isAddress: Bool { HostAddress(host) != nil }

    var text: String { "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)\(target)" }

    /// The URL of a `Location` header.
    func resolving(_ location: String) -> RemoteURL? {
        if let colon = location.firstIndex(of: ":"), !location[..<colon].contains("/") { return RemoteURL(location) }
        let origin = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        if location.hasPrefix("//") { return RemoteURL("\(scheme):\(location)") }
        if location.hasPrefix("/") { return RemoteURL(origin + location) }
        let path = target.prefix { $0 != "?" }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return RemoteURL(origin + folder + location)
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

/// What the list of servers allows: all URLs of a scheme, host and port whose path begins with a folder.
struct RemotePrefix: Hashable, Sendable {
    let url: RemoteURL

    /// nil where it is no URL, or names more than a folder.
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

    /// Whether a part of the path steps out of its folder, also where that is percent-encoded.
    private static func climbs(_ target: String) -> Bool {
        let path = target.prefix { $0 != "?" }.lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/")
            .replacing("%5c", with: "/")
        return path.split(separator: "/").contains { $0 == ".." || $0 == "." }
    }
}
