import TestSupport
import Testing

/// Headers of images by address, encrypted sources, fallback images, and pages of other sites.
@Suite struct ImageAnswerTests {
    private static let image = "/v1/images/unsafe/screen:8x8/town.jpg"

    /// Python's parser reads the date, which is that of the latest file.
    @Test func saysWhenAnImageChanged() throws {
        let server = try RunningServer("--recipes recipes") { bench in
            _ = try bench.shell("mkdir recipes; printf 'filters: [noir]\\n' > recipes/grey.yml")
        }
        let text = try server.bench.python(
            #"""
            import email.utils
            base, path = sys.argv[1:]
            os.utime("photos/town.jpg", (1700000000, 1700000000))
            os.utime("recipes/grey.yml", (1700003600, 1700003600))
            time.sleep(1.2)
            def ask(path, **headers): return call(base, "GET", path, None, {k.replace("_", "-"): v for k, v in headers.items()})
            status, headers, _ = ask(path)
            date = headers["last-modified"]
            print(status, email.utils.parsedate_to_datetime(date).timestamp(), date)
            at = lambda seconds: email.utils.formatdate(seconds, usegmt=True)
            print([ask(path, If_Modified_Since=value)[0] for value in (date, at(1700000001), at(1699999999), "yesterday", at(1700000000)[:-1])])
            # A tag comes before a date (RFC 9110, section 13.1.3).
            print(ask(path, If_Modified_Since=date, If_None_Match='"a"')[0], ask(path, If_Modified_Since=at(0), If_None_Match=headers["etag"])[0])
            grey = path.replace("screen", "recipe:grey/screen")
            print(email.utils.parsedate_to_datetime(ask(grey)[1]["last-modified"]).timestamp())
            os.utime("photos/town.jpg", (4000000000, 4000000000))
            time.sleep(1.2)
            print(abs(email.utils.parsedate_to_datetime(ask(path)[1]["last-modified"]).timestamp() - time.time()) < 60, "link" in headers)
            """#, server.base, Self.image)
        #expect(
            text == """
                200 1700000000.0 Tue, 14 Nov 2023 22:13:20 GMT
                [304, 304, 200, 200, 200]
                200 304
                1700003600.0
                True False

                """)
    }

    @Test func linksToWhereEverybodyFindsTheImage() throws {
        let server = try RunningServer("--canonical https://photos.example.org/all/")
        #expect(
            try server.head("/v1/images/unsafe/screen:8x8/deep/wisteria%20%C3%BC.jpg").headers["link"]
                == #"<https://photos.example.org/all/deep/wisteria%20%C3%BC.jpg>; rel="canonical""#)
        for wrong in ["photos", "https://photos.example.org/all", "ftp://a/"] {
            expectRefused(
                try server.bench.shell("wayreel serve --check --images photos --canonical \(wrong)"), 2, "canonical")
        }
    }

    /// The image of a missing or damaged one has the options of the address, and by default the status of the problem.
    @Test func answersWithAFallbackImage() throws {
        func prepare(_ bench: Workbench) throws {
            _ = try bench.shell(
                "mkdir photos; cp \(Workbench.smallPhoto) fallback.jpg; head -c 3000 fallback.jpg > photos/cut.jpg")
            try bench.write("text", to: "photos/text.jpg")
        }
        let server = try RunningServer("--fallback-image fallback.jpg", prepare: prepare)
        for (path, status, code) in [
            ("none.jpg", "404 Not Found", "not-found"), ("cut.jpg", "422 Unprocessable Entity", "decoding"),
            ("text.jpg", "415 Unsupported Media Type", nil),
        ] as [(String, String, String?)] {
            let answer = try server.head("/v1/images/unsafe/screen:40x30/format:png/\(path)")
            #expect(answer.status == "HTTP/1.1 \(status)", "\(path)")
            #expect(answer.headers["content-type"] == "image/png" && answer.headers["etag"] == nil)
            #expect(answer.headers["cache-control"] == "public, max-age=60")
            #expect(code.map { answer.headers["fallback-image"] == $0 } ?? true, "\(answer.headers)")
            #expect(try server.bench.header("body.out") == ImageFileHeader("png", 40, 30))
        }
        // A fault of the request stays one.
        for (path, status) in [("screen:0x0/none.jpg", "400"), ("expires:1/none.jpg", "410")] {
            #expect(try server.head("/v1/images/unsafe/\(path)").status.contains(status))
        }
        #expect(try server.head(Self.image).headers["fallback-image"] == nil)
        let fine = try RunningServer("--fallback-image fallback.jpg --fallback-status 200", prepare: prepare)
        #expect(try fine.head("/v1/images/unsafe/screen:40x30/none.jpg").status == "HTTP/1.1 200 OK")
        for (options, words) in [
            ("--images photos --fallback-image none.jpg", "none.jpg"),
            ("--images photos --fallback-status 200", "--fallback-image"),
            ("--fallback-image fallback.jpg", "--images"),
        ] {
            let run = try server.bench.shell("wayreel serve --check \(options)")
            #expect(run.ending != .exited(0) && run.errors.contains(words), "\(run.errors)")
        }
    }

    /// The derivation of keys (RFC 5869) and the nonce are written here a second time, with Python's HMAC. Python has no
    /// AES: that any change is refused shows the tag.
    @Test func decryptsSources() throws {
        let server = try RunningServer("--source-keys source-keys.txt") { bench in
            try bench.write(
                "b:\(String(repeating: "22", count: 32))\na:\(String(repeating: "11", count: 32))\n",
                to: "source-keys.txt")
            try bench.write("a:\(String(repeating: "11", count: 32))\n", to: "old.txt")
            try bench.write("c:\(String(repeating: "33", count: 32))\n", to: "other.txt")
            try bench.write("c:\(String(repeating: "33", count: 16))\n", to: "short.txt")
        }
        let text = try server.bench.python(
            #"""
            base = sys.argv[1]
            def url(keys): return subprocess.run(["wayreel", "url", "deep/wisteria ü.jpg", "--screen", "8x8", "--encrypt-source", "--source-keys", keys],
                capture_output=True, text=True, check=True).stdout.strip()
            def hkdf(key, info):
                first = hmac.new(bytes(32), key, hashlib.sha256).digest()
                return hmac.new(first, info + b"\x01", hashlib.sha256).digest()
            def status(path): return call(base, "GET", path)[0]
            path = url("source-keys.txt")
            head, _, secret = path.partition("/enc/")
            data = base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))
            source = "deep/wisteria ü.jpg".encode()
            nonce = hmac.new(hkdf(bytes([0x22] * 32), b"wayreel source nonce 1"), source, hashlib.sha256).digest()[:12]
            print(head, data[0], data[1:13] == nonce, len(data) == 1 + 12 + len(source) + 16, path == url("source-keys.txt"))
            print(status(path), status(url("old.txt")), status(url("other.txt")), status("/v1/images/unsafe/screen:8x8/deep/wisteria%20%C3%BC.jpg"))
            refused = set()
            for index in range(len(data)):
                changed = bytearray(data); changed[index] ^= 1
                refused.add(status(head + "/enc/" + b64(bytes(changed))))
            print(refused, status(head + "/enc/" + secret[:20]), status(head + "/enc/" + secret + "/x"), status(head + "/enc/"))
            """#, server.base)
        #expect(
            text == """
                /v1/images/unsafe/screen:8x8 1 True True True
                200 200 400 200
                {400} 400 400 400

                """)
        #expect(
            try server.bench.text("err.txt").split(separator: "\n").filter { $0.contains("/enc/") }.allSatisfy {
                !$0.contains("wisteria")
            })
        expectRefused(
            try server.bench.shell("wayreel url a.jpg --encrypt-source --source-keys short.txt"), 2, "AES-256 needs 32")
        let alone = try server.bench.shell("wayreel url a.jpg --encrypt-source")
        #expect(alone.ending == .exited(2) && alone.errors.contains("belong together"), "\(alone.errors)")
    }

    /// Pages of the named origins may use the service, and no others (fetch.spec.whatwg.org, section 3.2).
    @Test func letsNamedOriginsIn() throws {
        let server = try RunningServer("--allow-origin https://school.example.org,http://b.example:8000")
        let text = try server.bench.python(
            #"""
            base, path = sys.argv[1:]
            def ask(method, path, origin, body=None, **more):
                status, headers, _ = call(base, method, path, body, {"Origin": origin, **{k.replace("_", "-"): v for k, v in more.items()}})
                return status, headers.get("access-control-allow-origin"), headers.get("vary")
            good, bad = "https://school.example.org", "https://school.example.org:444"
            for origin in (good, bad):
                print(ask("GET", path, origin), ask("GET", "/v1/images/unsafe/none.jpg", origin)[:2], ask("POST", "/v1/captures?screen=8x8", origin, png(1, 2, 3))[:2])
            preflight = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "idempotency-key"}
            print(ask("OPTIONS", "/v1/captures", good, **preflight), ask("OPTIONS", "/v1/captures", bad, **preflight)[:2])
            headers = call(base, "OPTIONS", "/v1/captures", None, {"Origin": "http://b.example:8000", "Access-Control-Request-Method": "POST"})[1]
            print("POST" in headers["access-control-allow-methods"], "Idempotency-Key" in headers["access-control-allow-headers"],
                "ETag" in call(base, "GET", path, None, {"Origin": good})[1]["access-control-expose-headers"])
            """#, server.base, Self.image)
        #expect(
            text == """
                (200, 'https://school.example.org', 'Accept, Origin') (404, 'https://school.example.org') (200, 'https://school.example.org')
                (200, None, 'Accept, Origin') (404, None) (403, None)
                (204, 'https://school.example.org', 'Origin') (403, None)
                True True True

                """)
        let open = try RunningServer("--allow-origin '*'")
        #expect(
            try open.head(Self.image, "-H 'Origin: https://a.example'").headers["access-control-allow-origin"] == "*")
        let closed = try RunningServer()
        let answer = try closed.head(Self.image, "-H 'Origin: https://a.example'")
        #expect(answer.headers["access-control-allow-origin"] == nil && answer.headers["vary"] == "Accept")
        for wrong in ["school.example.org", "https://a/b", "https://a.example/", "null", ""] {
            expectRefused(try open.bench.shell("wayreel serve --check --allow-origin '\(wrong)'"), 2, "allow-origin")
        }
    }

    @Test func letsNamedSitesShowItsPages() throws {
        for (options, wanted) in [
            ("", "frame-ancestors 'none'"), ("--frame-ancestors none", "frame-ancestors 'none'"),
            (
                "--frame-ancestors self,https://*.school.example.org",
                "frame-ancestors 'self' https://*.school.example.org"
            ),
        ] {
            let server = try RunningServer(options)
            let policy = try #require(try server.head("/api").headers["content-security-policy"])
            #expect(policy.hasSuffix("; \(wanted)") && policy.contains("script-src 'self'"), "\(policy)")
        }
        let bench = Workbench()
        for wrong in ["*", "https://a.example; script-src *", "a.example", "none,self", "https://*", ""] {
            expectRefused(try bench.shell("wayreel serve --check --frame-ancestors '\(wrong)'"), 2, "frame-ancestors")
        }
    }
}
