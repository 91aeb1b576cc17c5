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

    /// Prints, for each kind of request, the statuses of one for a name that another site may have, and of one from a page
    /// of another site.
    private static let kinds = #"""
        base, key = sys.argv[1], bytes([0xab] * 32)
        signed = "/screen:8x8/town.jpg"
        signature = "k." + b64(hmac.new(key, signed.encode(), hashlib.sha256).digest())
        token = {"Authorization": "Bearer " + hs256({"sub": "ines"}, key)}
        def row(name, method, path, body=None, headers={}):
            def ask(**more): return call(base, method, path, body() if body else None, {**headers, **more})[0]
            print(name, ask(Host="rebound.example"), ask(Origin="https://a.example"), ask())
        row("health", "GET", "/health")
        row("image", "GET", "/v1/images/" + (signature if "keys" in sys.argv else "unsafe") + signed)
        if "keys" not in sys.argv: row("doubled", "GET", "//v1//images/unsafe" + signed)
        row("capture", "POST", "/v1/captures?screen=8x8", lambda: png(1, 2, 3))
        row("levels", "POST", "/v1/levels?raw=s16le:8000:1", lambda: bytes(2000))
        row("note", "POST", "/v1/notes?latitude=1&longitude=2", lambda: png(1, 2, 3), token)
        row("journal", "GET", "/v1/players/ines/journal", None, token)
        """#

    /// Players' tokens protect what they keep, and nothing else.
    @Test func refusesOtherSitesWhereNoTokenIsNeeded() throws {
        let server = try RunningServer("--data data --player-keys keys.txt") { try $0.writeKey("ab", as: "k") }
        let text = try server.bench.python(Self.kinds, server.base)
        #expect(
            text == """
                health 200 200 200
                image 421 200 200
                doubled 421 400 400
                capture 421 403 200
                levels 421 403 200
                note 201 201 201
                journal 200 200 200

                """)
    }

    /// With keys, the names of the service are its operator's, and pages of other sites still send no uploads.
    @Test func answersToAnyNameWithKeys() throws {
        let server = try RunningServer("--data data --keys keys.txt --player-keys keys.txt") {
            try $0.writeKey("ab", as: "k")
        }
        let text = try server.bench.python(Self.kinds, server.base, "keys")
        #expect(
            text == """
                health 200 200 200
                image 200 200 200
                capture 200 403 200
                levels 200 403 200
                note 201 201 201
                journal 200 200 200

                """)
    }
}
