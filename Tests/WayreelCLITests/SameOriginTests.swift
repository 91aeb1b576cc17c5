import TestSupport
import Testing

/// A service without keys trusts its machine, but no web page that a browser on it shows.
@Suite struct SameOriginTests {
    /// Prints the statuses of requests from and to other sites.
    private static let program = #"""
        base = sys.argv[1]
        own = base.split("//")[1]
        port = own.split(":")[1]
        ask = lambda method, headers: call(base, method, "/v1/notes?latitude=1&longitude=2&player=ines", png(1, 2, 3) if method == "POST" else None, headers)[0]
        hosts = [own, "localhost:" + port, "[::1]:" + port, "story.localhost", "printer", "rebound.example:" + port, "localhost.example", "127.0.0.1.example"]
        print(*[ask("GET", {"Host": host}) for host in hosts])
        origins = ["http://" + own, "http://a.example", "http://localhost:1", "null"]
        print(*[ask("POST", {"Origin": origin}) for origin in origins], ask("GET", {"Origin": "http://a.example"}))
        # A rebound page has its own name as its origin.
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        for host in ("rebound.example", own):
            print(call(base, "GET", "/v1/levels/live", None, {**upgrade, "Host": host, "Origin": "http://" + host})[0])
        """#

    @Test func refusesOtherSitesWithoutKeys() throws {
        let server = try RunningServer("--data data")
        let text = try server.bench.python(Self.program, server.base)
        #expect(text == "200 200 200 200 200 421 421 421\n201 403 403 403 200\n421\n101\n")
    }

    /// With keys, the names of the service are its operator's.
    @Test func answersToAnyNameWithKeys() throws {
        let server = try RunningServer("--keys keys.txt") { bench in
            try bench.write("k:\(String(repeating: "ab", count: 32))\n", to: "keys.txt")
        }
        let text = try server.bench.python(
            #"""
            print(call(sys.argv[1], "GET", "/health", None, {"Host": "stories.example"})[0],
                call(sys.argv[1], "POST", "/v1/captures?screen=8x8", png(1, 2, 3), {"Host": "stories.example", "Origin": "https://a.example"})[0])
            """#, server.base)
        #expect(text == "200 200\n")
    }
}
