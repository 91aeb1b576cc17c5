import TestSupport
import Testing
import WayreelService

struct HostAddressTests {
    /// Compared with Python's tables of the IANA registries: the ends of each network, their neighbours, and random
    /// addresses.
    @Test func knowsPublicAddressesAsPythonDoes() throws {
        let program = """
            import ipaddress, random
            random.seed(1)
            networks = ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
                "192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
                "224.0.0.0/4", "240.0.0.0/4", "::/127", "::ffff:0:0/96", "100::/64", "2001::/23", "2001:db8::/32",
                "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "2002::/16", "4000::/3", "64:ff9b:1::/48"]
            every = [ipaddress.ip_address(a) for a in ["8.8.8.8", "1.1.1.1", "169.254.169.254", "2606:4700::1111",
                "::ffff:127.0.0.1", "::ffff:8.8.8.8", "2002:7f00:1::", "2002:808:808::1", "::127.0.0.1", "fd00:ec2::254"]]
            for network in map(ipaddress.ip_network, networks):
                first, last = int(network[0]), int(network[-1])
                top = 2 ** network.max_prefixlen
                kind = type(network[0])
                every += [kind(n) for n in (first - 1, first, last, last + 1) if 0 <= n < top]
            every += [ipaddress.IPv4Address(random.randrange(2 ** 32)) for _ in range(3000)]
            every += [ipaddress.IPv6Address(random.randrange(2 ** 128)) for _ in range(1000)]
            every += [ipaddress.IPv6Address((0x2 << 124) + random.randrange(2 ** 124)) for _ in range(1000)]
            def public(a):
                inner = getattr(a, "ipv4_mapped", None) or getattr(a, "sixtofour", None)
                if inner: return public(inner)
                return (a.is_global and not a.is_multicast and not a.is_reserved and not getattr(a, "is_site_local", False)
                    # The relays of 6to4 were given up; all of the block for protocols; documentation, since 2024; translation within one network.
                    and a not in ipaddress.ip_network("192.88.99.0/24") and a not in ipaddress.ip_network("192.0.0.0/24") and a not in ipaddress.ip_network("3fff::/20")
                    and a not in ipaddress.ip_network("64:ff9b:1::/48"))
            for a in every: print(a, public(a))
            """
        let run = try Command("/usr/bin/env", ["python3", "-c", program]).run()
        let lines = run.text.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.count > 5000)
        for line in lines {
            let address = try #require(HostAddress(String(line[0])))
            #expect(address.isPublic == (line[1] == "True"), "\(line[0])")
        }
    }

    @Test(arguments: [
        "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1 ", "[::1]", "::1%lo", "", "localhost",
    ])
    func readsTheUsualNotationsAlone(text: String) { #expect(HostAddress(text) == nil) }
}
