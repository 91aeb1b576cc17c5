internal import Glibc

/// An IPv4 or IPv6 address, as 4 or 16 bytes.
package struct HostAddress: Hashable, Sendable {
    let bytes: [UInt8]

    /// Parses the usual notations only: `192.0.2.1`, `2001:db8::1`.
    package init?(_ text: String) {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    /// 4 or 16 bytes.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Returns an address of `host` to connect to. Blocks.
    ///
    /// Throws if there is none, or if any address of the host is not public: a name with both kinds is an
    /// attack.
    static func resolve(_ host: String, allowsPrivate: Bool) throws(SourceFault) -> String {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0, let list else {
            throw .failed(.noAddress)
        }
        defer { freeaddrinfo(list) }
        var addresses: [HostAddress] = []
        var next: UnsafeMutablePointer<addrinfo>? = list
        while let entry = next {
            if let address = HostAddress(entry.pointee) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        guard let first = addresses.first, allowsPrivate || addresses.allSatisfy(\.isPublic) else {
            throw .notPublic
        }
        return first.text
    }

    private init?(_ info: addrinfo) {
        guard let socket = info.ai_addr else { return nil }
        switch info.ai_family {
        case AF_INET:
            bytes = socket.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { socket in
                withUnsafeBytes(of: socket.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = socket.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { socket in
                withUnsafeBytes(of: socket.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes {
            inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &buffer, socklen_t(buffer.count))
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the address is reachable from the Internet: it is in no registry of special-purpose addresses (RFC 6890,
    /// IANA's registries of 2024). An IPv6 address that contains an IPv4 address counts as the latter.
    package var isPublic: Bool {
        if let carried { return carried.isPublic }
        return !(bytes.count == 4 ? Self.special4 : Self.special6).contains { $0.contains(bytes) }
    }

    /// The IPv4 address in one that is mapped (RFC 4291), translated (RFC 6052), compatible, or of 6to4 (RFC 3056).
    private var carried: HostAddress? {
        guard bytes.count == 16 else { return nil }
        let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
        if bytes.starts(with: Self.mapped) || bytes.starts(with: translated) {
            return HostAddress(bytes: Array(bytes[12...]))
        }
        if bytes.starts(with: [0x20, 0x02]) { return HostAddress(bytes: Array(bytes[2..<6])) }
        return nil
    }

    /// The IPv4 address of a mapped one, as sockets for both families show it; any other as it is.
    var unmapped: HostAddress {
        bytes.starts(with: Self.mapped) ? HostAddress(bytes: Array(bytes[12...])) : self
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    private struct Network {
        var start: [UInt8]
        var bits: Int

        init(_ text: String) {
            let parts = text.split(separator: "/")
            start = HostAddress(String(parts[0]))!.bytes
            bits = Int(parts[1])!
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            let whole = bits / 8
            guard bytes.prefix(whole) == start.prefix(whole) else { return false }
            return bits % 8 == 0 || (bytes[whole] ^ start[whole]) >> UInt8(8 - bits % 8) == 0
        }
    }

    private static let special4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ].map(Network.init)

    /// All but global unicast (2000::/3), and what is special within it.
    private static let special6 = [
        "0000::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "3fff::/20",
    ].map(Network.init)
}
