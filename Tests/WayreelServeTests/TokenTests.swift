import TestSupport
import Testing

/// Players' tokens, created and read by Python's hmac and by OpenSSL.
@Suite struct TokenTests {
    private static func shared(_ digits: String) -> String { String(repeating: digits, count: 32) }

    @Test func acceptsTokensOfOthersAndRefusesForgedOnes() throws {
        let server = try RunningServer("--data data --player-keys keys.txt") { bench in
            try bench.write("new:\(Self.shared("ab"))\nold:\(Self.shared("01"))\n", to: "keys.txt")
        }
        let text = try server.bench.python(
            #"""
            base, now = sys.argv[1], int(time.time())
            new, old = bytes([0xab] * 32), bytes([0x01] * 32)
            ok = {"sub": "ines", "exp": now + 60}
            right = hs256(ok, new, kid="new")
            parts = right.split(".")
            def forged(claims=None, header=None):
                return ".".join([b64(header) if header else parts[0], b64(claims) if claims else parts[1], parts[2]])
            def unsigned(alg):
                return b64({"alg": alg}) + "." + b64(ok) + "."
            text = b64({"alg": "HS512"}) + "." + b64(ok)
            other = text + "." + b64(hmac.new(new, text.encode(), hashlib.sha512).digest())
            cases = {
                "right": (right, 200), "without kid": (hs256(ok, new), 200), "the key before": (hs256(ok, old, kid="old"), 200),
                "the key before, without kid": (hs256(ok, old), 200), "no exp": (hs256({"sub": "ines"}, new), 200),
                "valid since": (hs256({**ok, "nbf": now - 5}, new), 200), "groups": (hs256({**ok, "groups": ["a"]}, new), 200),
                "fraction": (hs256({**ok, "exp": now + 60.5}, new), 200),
                "expired": (hs256({"sub": "ines", "exp": now - 1}, new), 401), "early": (hs256({**ok, "nbf": now + 60}, new), 401),
                "kid of another key": (hs256(ok, new, kid="old"), 401), "unknown kid": (hs256(ok, new, kid="none"), 401),
                "another's key": (hs256(ok, bytes([2] * 32)), 401), "other claims": (forged(claims={**ok, "sub": "bob"}), 401),
                "other header": (forged(header={"alg": "HS256", "kid": "old"}), 401), "none": (unsigned("none"), 401),
                "None": (unsigned("None"), 401), "nOnE": (unsigned("nOnE"), 401), "empty signature": (unsigned("HS256"), 401),
                "HS512": (other, 401), "no alg": (b64({}) + "." + b64(ok) + "." + parts[2], 401),
                "critical": (hs256(ok, new, crit=["exp"]), 401), "no subject": (hs256({"exp": now + 60}, new), 401),
                "empty subject": (hs256({**ok, "sub": ""}, new), 401), "number": (hs256({**ok, "sub": 7}, new), 401),
                "control": (hs256({**ok, "sub": "a\u0000b"}, new), 401), "exp null": (hs256({**ok, "exp": None}, new), 401), "aud null": (hs256({**ok, "aud": None}, new), 401), "exp as text": (hs256({**ok, "exp": "soon"}, new), 401),
                "groups as text": (hs256({**ok, "groups": "a"}, new), 401), "two parts": (".".join(parts[:2]), 401),
                "four parts": (right + ".a", 401), "padded": (right + "=", 401), "garbage": ("a.b.c", 401), "empty": ("", 401),
                "another player": (hs256({**ok, "sub": "bob"}, new), 403), "looks the same": (hs256({**ok, "sub": "in\u0435s"}, new), 403),
            }
            for name, (token, expected) in cases.items():
                status, headers, body = call(base, "GET", "/v1/players/ines/journal", headers={"Authorization": "Bearer " + token})
                assert status == expected, (name, status, body)
                if status == 401:
                    assert headers["www-authenticate"].startswith("Bearer"), name
                    assert headers["content-type"] == "application/problem+json", name
            # One é is a letter, the other one two characters: two players, though texts may be compared as equal.
            token = {"Authorization": "Bearer " + hs256({**ok, "sub": "\u00e9"}, new)}
            assert call(base, "GET", "/v1/players/%C3%A9/journal", headers=token)[0] == 200
            assert call(base, "GET", "/v1/players/e%CC%81/journal", headers=token)[0] == 403
            for headers in {}, {"Authorization": "Basic aTpq"}, {"Authorization": right}:
                assert call(base, "GET", "/v1/players/ines/journal", headers=headers)[0] == 401
            assert call(base, "GET", "/v1/players/ines/journal?access_token=" + right)[0] == 401
            # Without tokens, a name in the query would be anybody's.
            assert call(base, "GET", "/v1/notes?latitude=0&longitude=0&player=ines")[0] == 401
            print(len(cases))
            """#, server.base)
        #expect(text == "37\n")
    }

    @Test func acceptsES256AndNoSecretThatIsPublic() throws {
        let server = try RunningServer("--data data --player-keys public.pem") { bench in
            let made =
                "openssl ecparam -name prime256v1 -genkey -noout -out private.pem && openssl ec -in private.pem -pubout -out public.pem"
            expectDone(try bench.shell("(\(made)) 2>/dev/null"))
        }
        let bench = server.bench
        let token = try bench.shell("wayreel token ines --keys private.pem --seconds 60").text.filter { !$0.isNewline }
        _ = try bench.python(
            #"""
            base, own = sys.argv[1:]
            def der(raw):
                def integer(part):
                    part = part.lstrip(b"\0") or b"\0"
                    part = (b"\0" if part[0] & 0x80 else b"") + part
                    return b"\x02" + bytes([len(part)]) + part
                body = integer(raw[:32]) + integer(raw[32:])
                return b"\x30" + bytes([len(body)]) + body
            def raw(der):
                def integer(data):
                    return int.from_bytes(data[2:2 + data[1]], "big").to_bytes(32, "big"), data[2 + data[1]:]
                first, rest = integer(der[2:])
                return first + integer(rest)[0]
            def es256(claims, key="private.pem", **header):
                text = b64({"alg": "ES256", **header}) + "." + b64(claims)
                signed = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=text.encode(), capture_output=True, check=True)
                return text + "." + b64(raw(signed.stdout))
            def status(token):
                return call(base, "GET", "/v1/players/ines/journal", headers={"Authorization": "Bearer " + token})[0]
            ok = {"sub": "ines", "exp": int(time.time()) + 60}
            right = es256(ok)
            assert status(right) == 200
            assert status(es256(ok, kid="any")) == 200
            assert status(es256({**ok, "exp": 1})) == 401
            assert status(right[:-8] + "AAAAAAAA") == 401
            # The public key is known to all: it is no secret for HS256.
            for secret in open("public.pem", "rb").read(), open("public.pem", "rb").read().strip():
                assert status(hs256(ok, secret)) == 401
            # Another key of the same kind.
            subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "other.pem"], check=True)
            assert status(es256(ok, key="other.pem")) == 401
            # OpenSSL's opinion of the command's token.
            assert status(own) == 200
            text, signature = own.rsplit(".", 1)
            open("signature", "wb").write(der(base64.urlsafe_b64decode(signature + "==")))
            subprocess.run(["openssl", "dgst", "-sha256", "-verify", "public.pem", "-signature", "signature"],
                input=text.encode(), check=True, stdout=subprocess.DEVNULL)
            """#, server.base, token)
        expectRefused(try bench.wayreel("token", "ines", "--keys", "public.pem"), 2, "public.pem", "signs nothing")
    }

    @Test func theCommandMakesTokensThatOthersRead() throws {
        let bench = Workbench()
        try bench.write("p1:\(Self.shared("ab"))\n", to: "keys.txt")
        let token = try bench.shell(
            "wayreel token 'Inés de la Torre' --keys keys.txt --seconds 90 --group ringers --group b"
        )
        .text.filter { !$0.isNewline }
        _ = try bench.python(
            #"""
            head, body, signature = sys.argv[1].split(".")
            assert signature == b64(hmac.new(bytes([0xab] * 32), (head + "." + body).encode(), hashlib.sha256).digest())
            read = lambda part: json.loads(base64.urlsafe_b64decode(part + "=="))
            assert read(head)["alg"] == "HS256" and read(head)["kid"] == "p1", read(head)
            claims = read(body)
            assert claims["sub"] == "Inés de la Torre" and claims["groups"] == ["ringers", "b"], claims
            assert 80 <= claims["exp"] - time.time() <= 91, claims
            """#, token)
        expectRefused(try bench.wayreel("token", "", "--keys", "keys.txt"), 2, "is not a name of 1 to 255 bytes")
        #expect(try bench.wayreel("token", "a", "--keys", "keys.txt", "--seconds", "0").ending == .exited(2))
        expectRefused(try bench.wayreel("token", "a", "--keys", "none.txt"), 1, "none.txt")
    }

    @Test(arguments: [
        ("p:0123\n", ["at least 16 bytes"]),
        ("p:00112233445566778899aabbccddeeff\n", ["'p'", "16 bytes", "HS256 needs 32"]),
        ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", ["P-256"]), ("", ["empty"]),
    ]) func refusesKeysThatAreNone(content: String, words: [String]) throws {
        let bench = Workbench()
        try bench.write(content, to: "keys.txt")
        let run = try bench.shell("wayreel serve --check --data data --player-keys keys.txt")
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(run.lines.count == 1)
        #expect(try bench.shell("wayreel serve --check --player-keys keys.txt").errors.contains("folder of data"))
    }

    /// The commands of Documentation/service.md, with a phone's capture of 12 megapixels, and the description checked
    /// by a validator.
    @Test func worksAsDocumented() throws {
        let server = try RunningServer("--data data --stories bundles --player-keys player-keys.txt") { bench in
            try bench.prepareSampleStory()
            expectDone(try bench.shell("openssl rand -hex 32 | sed 's/^/p1:/' > player-keys.txt"))
        }
        let bench = server.bench
        let photo = "Media/story/captures/sign-iphone11pro-12mp.heic"
        let run = try bench.shell(
            """
            set -e
            token=$(wayreel token ines --keys player-keys.txt --group bellringers)
            bearer="Authorization: Bearer $token"
            curl -sf -H "$bearer" -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" --data-binary @\(photo) \
                '\(server.base)/v1/stories/late-post/events/bell-tower/captures?screen=iphone-15' -o treated.jpg
            curl -sf -H "$bearer" \(server.base)/v1/players/ines/stories/late-post/journal -o journal.json
            curl -sf -H "$bearer" --data-binary @journal.json \(server.base)/v1/players/ines/journal -o merged.json
            cmp journal.json merged.json
            wayreel journal import journal.json -o player.sqlite
            curl -sf -H "$bearer" --data-binary @\(photo) '\(server.base)/v1/notes?latitude=35.2803&longitude=-120.6640&visibility=group:bellringers&until=2099-12-31T23:00:00Z&text=Look%20up&screen=1024x' -o note.json
            curl -sf -H "$bearer" '\(server.base)/v1/notes?latitude=35.28&longitude=-120.66&radius=500' -o notes.json
            grep -c 'Look up' notes.json
            curl -sf \(server.base)/openapi.json -o openapi.json
            """)
        expectDone(run)
        expectDone(
            try bench.wayreel(
                "capture", photo, "-o", "expected.jpg", "--screen", "iphone-15", "--story", "Media/story/story.xml",
                "--event", "bell-tower"))
        #expect(try bench.bytes("treated.jpg") == bench.bytes("expected.jpg"))
        if References.have("openapi_spec_validator") {
            expectDone(try bench.shell("\(References.folder)/openapi-spec-validator openapi.json"))
        }
    }

    /// Outside the loopback interface, where players cannot be trusted, these resources are unavailable without
    /// players' keys.
    @Test func keepsNothingForStrangers() throws {
        func keys(_ bench: Workbench) throws { try bench.write("k:\(Self.shared("ab"))\n", to: "keys.txt") }
        let paths = [
            "/v1/players/ines/journal", "/v1/players/ines/stories/a/journal",
            "/v1/notes?latitude=0&longitude=0&player=ines",
            "/v1/players/ines/captures/8e03978e-40d5-43dd-bc93-6894a57f9324",
        ]
        let bench = Workbench()
        try keys(bench)
        // The requests that a proxy on this machine forwards come from others.
        for options in ["127.0.0.1:0 --keys keys.txt", "0.0.0.0:0 --keys keys.txt", "127.0.0.1:0 --proxies 127.0.0.1"] {
            let open = try bench.shell("timeout 10 wayreel serve --data data --listen \(options)")
            expectRefused(open, 2, "--player-keys", "journals")
            #expect(bench.listing("data").isEmpty)
        }
        let closed = try RunningServer(
            "--listen 0.0.0.0:0 --keys keys.txt --data data --player-keys keys.txt", prepare: keys)
        for path in paths { #expect(try closed.head(path).status == "HTTP/1.1 401 Unauthorized") }
        let without = try RunningServer()
        for path in paths { #expect(try without.head(path).status == "HTTP/1.1 404 Not Found") }
    }

    /// `aud` is a text or a list of them (RFC 7519, section 4.1.3).
    @Test func wantsItsAudience() throws {
        let server = try RunningServer("--data data --player-keys keys.txt --audience https://a.example") {
            try $0.writeKey("5a", as: "p")
        }
        let made = try server.bench.shell("wayreel token ines --keys keys.txt --audience https://a.example")
        let text = try server.bench.python(
            #"""
            base, made, key = sys.argv[1], sys.argv[2], bytes([0x5a] * 32)
            claims = json.loads(base64.urlsafe_b64decode(made.split(".")[1] + "=="))
            assert claims["aud"] in ("https://a.example", ["https://a.example"]), claims
            def status(token):
                return call(base, "GET", "/v1/players/ines/journal", headers={"Authorization": "Bearer " + token})[0]
            right = [made] + [hs256({"sub": "ines", "aud": aud}, key) for aud in
                ("https://a.example", ["https://a.example"], ["https://b.example", "https://a.example"])]
            wrong = [hs256({"sub": "ines"}, key)] + [hs256({"sub": "ines", "aud": aud}, key) for aud in
                ("https://b.example", ["https://b.example"], "https://a.example/", "", [], [""], 7, None, {"a": 1})]
            print([status(token) for token in right], {status(token) for token in wrong})
            """#, server.base, made.text.filter { !$0.isNewline })
        #expect(text == "[200, 200, 200, 200] {401}\n")
        let usage = try server.bench.shell("wayreel serve --audience a --check")
        #expect(usage.errors.contains("--player-keys"), "\(usage.errors)")
    }
}
