import Glibc
import TestSupport
import Testing

/// Sessions, revocation, codes for other devices, passkeys and OpenID Connect, used by programs of Python. Keys and
/// signatures are OpenSSL's.
@Suite struct AccountTests {
    /// What the programs share: `ask` sends JSON with a bearer token, and returns the status and the JSON, which keeps to
    /// its schema.
    private static let prelude = #"""
        base, key = sys.argv[1], bytes([0x5a] * 32)
        def ask(method, path, token=None, body=None, headers={}):
            sent = {**headers, **({"Authorization": "Bearer " + token} if token else {})}
            data = None if body is None else json.dumps(body).encode()
            status, answered, text = call(base, method, path, data, sent)
            judge(base, method, path, status, answered, text)
            return status, json.loads(text) if text[:1] in (b"{", b"[") else None
        def may(token, player="ines"):
            return ask("GET", "/v1/players/" + urllib.parse.quote(player, safe="") + "/journal", token)[0]
        def unb64(text):
            return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        def pair(token, device="Phone"):
            """Signs another device in by a code, and returns its session."""
            status, offer = ask("POST", "/v1/account/pairings", token, {})
            assert status == 201, (status, offer)
            status, entered = ask("POST", "/v1/sign-in/pairing", None, {"code": offer["code"], "device": device})
            assert status == 200, (status, entered)
            assert ask("POST", "/v1/account/pairings/" + offer["pairing"], token, {"accepted": True})[0] == 204
            status, session = ask("POST", "/v1/sign-in/pairing/result", None, entered)
            assert status == 200, (status, session)
            return session

        """#

    private func run(_ program: String, _ server: RunningServer, _ arguments: String...) throws -> String {
        try server.bench.python(Self.prelude + program, ([server.base] + arguments).joined(separator: " "))
    }

    private func start(_ options: String = "", in bench: Workbench = Workbench()) throws -> RunningServer {
        try RunningServer("--data data --player-keys keys.txt \(options)", in: bench) {
            try $0.writeKey("5a", as: "p")
        }
    }

    @Test func saysWhoATokenBelongsTo() throws {
        _ = try run(
            #"""
            token = hs256({"sub": "ines", "groups": ["b", "a"], "exp": 4102444800}, key)
            status, account = ask("GET", "/v1/account", token)
            assert status == 200 and account == {"format": "wayreel-account", "version": 1, "player": "ines", "name": "ines",
                "groups": ["a", "b"], "expires": "2100-01-01T00:00:00Z"}, account
            for wrong in None, "x", token[:-1], "a.b.c", b64({"alg": "none"}) + "." + b64({"sub": "ines"}) + ".":
                assert ask("GET", "/v1/account", wrong)[0] == 401, wrong
            assert ask("GET", "/v1/account?player=ines")[0] == 400
            status, ways = ask("GET", "/v1/sign-in")
            assert status == 200 and ways == {"format": "wayreel-sign-in", "version": 1, "passkeys": False, "signUp": False}, ways
            """#, try start())
    }

    /// A session is what it was made from: it has the groups, expires no later, and ends with it.
    @Test func pairsAnotherDevice() throws {
        _ = try run(
            #"""
            now = int(time.time())
            token = hs256({"sub": "ines", "groups": ["a"], "exp": now + 3600, "jti": "t1"}, key)
            bob = hs256({"sub": "bob", "jti": "t2"}, key)
            status, offer = ask("POST", "/v1/account/pairings", token, {})
            code, path = offer["code"], "/v1/account/pairings/" + offer["pairing"]
            assert status == 201 and len(code) == 9 and code[4] == "-" and offer["seconds"] == 300, offer
            assert ask("GET", path, token) == (200, {"state": "waiting"})
            # Others see nothing of it, and nobody agrees before a device has asked.
            assert ask("GET", path, bob)[0] == ask("POST", path, bob, {"accepted": True})[0] == 404
            assert ask("GET", path)[0] == 401 and ask("POST", path, token, {"accepted": True})[0] == 404
            for wrong in "AAAA-AAAA", "", code[:-1]:
                assert ask("POST", "/v1/sign-in/pairing", None, {"code": wrong})[0] == 404
            status, entered = ask("POST", "/v1/sign-in/pairing", None, {"code": code.lower().replace("-", " "), "device": "Chrome, Android"})
            assert status == 200 and ask("GET", path, token) == (200, {"state": "asked", "device": "Chrome, Android"})
            # The code is used up, and nothing is given before the first device agrees.
            assert ask("POST", "/v1/sign-in/pairing", None, {"code": code})[0] == 404
            result = lambda: ask("POST", "/v1/sign-in/pairing/result", None, entered)
            assert result()[0] == 202 and ask("POST", path, bob, {"accepted": True})[0] == 404 and result()[0] == 202
            assert ask("POST", path, token, {"accepted": True})[0] == 204
            status, session = result()
            assert status == 200 and session["player"] == "ines" and result()[0] == 404, session
            assert ask("POST", path, token, {"accepted": True})[0] == 404
            phone = session["token"]
            assert "." not in phone and may(phone) == 200 and may(phone, "bob") == 403
            status, account = ask("GET", "/v1/account", phone)
            assert account["groups"] == ["a"] and account["expires"] == iso(now + 3600) and account["session"] == session["session"], account
            # Its token is nowhere in the database.
            content = b"".join(open("data/" + name, "rb").read() for name in os.listdir("data") if name.startswith("accounts"))
            assert phone.encode() not in content and b"Chrome, Android" in content

            # The first device says no.
            status, offer = ask("POST", "/v1/account/pairings", phone, {})
            entered = ask("POST", "/v1/sign-in/pairing", None, {"code": offer["code"], "device": "x\u202e"})[1]
            path = "/v1/account/pairings/" + offer["pairing"]
            assert ask("GET", path, phone)[1]["device"] == "?"
            assert ask("POST", path, phone, {"accepted": False})[0] == 204 and ask("POST", path, phone, {"accepted": True})[0] == 404
            status, problem = result()
            assert (status, problem["code"]) == (403, "pairing-refused") and result()[0] == 404

            # A device that a device has let in: the list, and the end of one and all.
            tablet = pair(phone, "Tablet")["token"]
            status, listed = ask("GET", "/v1/account/sessions", phone)
            assert sorted((s["device"], s["isThis"]) for s in listed["sessions"]) == [("Chrome, Android", True), ("Tablet", False)], listed
            other = [s["id"] for s in listed["sessions"] if not s["isThis"]][0]
            assert ask("DELETE", "/v1/account/sessions/" + other, bob)[0] == 404 and may(tablet) == 200
            assert ask("DELETE", "/v1/account/sessions/" + other, phone)[0] == 204 and may(tablet) == 401
            assert ask("DELETE", "/v1/account/sessions/" + other, phone)[0] == 404
            tablet = pair(phone)["token"]
            assert ask("DELETE", "/v1/account/sessions/current", tablet)[0] == 204 and may(tablet) == 401 and may(phone) == 200
            # The token at the beginning is signed out: what it has let in ends, another token does not.
            tablet = pair(phone)["token"]
            again = hs256({"sub": "ines", "jti": "t3"}, key)
            assert ask("DELETE", "/v1/account/sessions/current", token)[0] == 204
            assert [may(t) for t in (token, phone, tablet, again)] == [401, 401, 401, 200] and may(bob, "bob") == 200
            # A token without jti, too, also with another signature of the same claims.
            plain = hs256({"sub": "ines"}, key)
            assert ask("DELETE", "/v1/account/sessions/current", plain)[0] == 204 and may(plain) == 401 and may(again) == 200
            """#, try start())
    }

    /// The command works beside the service, which knows it at once.
    @Test func revokesTokens() throws {
        let server = try start()
        let text = try run(
            #"""
            def wayreel(*arguments):
                return subprocess.run(["wayreel", "token", *arguments], capture_output=True, text=True)
            def make(player="ines"):
                return wayreel(player, "--keys", "keys.txt").stdout.strip()
            claims = lambda token: json.loads(unb64(token.split(".")[1]))
            first, second, bob = make(), make(), make("bob")
            told = claims(first)
            assert told["jti"] != claims(second)["jti"] and abs(told["iat"] - time.time()) < 30 and told["exp"] - told["iat"] >= 86399, told
            phone, tablet = pair(first)["token"], pair(second)["token"]
            run = wayreel("revoke", "ines", "--data", "data", "--jti", told["jti"])
            assert run.returncode == 0 and run.stdout == f"revoked the token {told['jti']} of ines; 1 session ended\n", run
            assert [may(t) for t in (first, phone, second, tablet)] == [401, 401, 200, 200]
            problem = ask("GET", "/v1/account", first)
            assert problem[0] == 401 and "revoked" in problem[1]["detail"], problem
            undated = hs256({"sub": "ines"}, key)
            assert may(undated) == 200
            run = wayreel("revoke", "ines", "--data", "data")
            assert run.returncode == 0 and run.stdout == "revoked all tokens of ines; 1 session ended\n", run
            assert [may(t) for t in (first, phone, second, tablet, undated)] == [401] * 5 and may(bob, "bob") == 200
            # One that is made afterwards is valid, also in the same second.
            after = make()
            assert may(after) == 200 and may(pair(after)["token"]) == 200
            assert may(hs256({"sub": "ines", "iat": time.time() + 5}, key)) == 200
            for wrong in [], {"a": 1}, None, "soon":
                assert may(hs256({"sub": "ines", "iat": wrong}, key)) == 401, wrong
                if wrong != "soon": assert may(hs256({"sub": "ines", "iat": time.time(), "jti": wrong}, key)) == 401, wrong
            print(after)
            """#, server)
        let bench = server.bench
        // The revocation outlives the service.
        server.kill9()
        let again = try RunningServer("--data data --player-keys keys.txt", in: bench)
        _ = try run(
            #"""
            assert may(sys.argv[2]) == 200
            old = hs256({"sub": "ines", "iat": time.time() - 3600}, key)
            assert may(old) == 401
            """#, again, text.filter { !$0.isNewline })
        expectRefused(
            try bench.wayreel("token", "revoke", "ines", "--data", "photos"), 1, "photos",
            "is not a folder of data of wayreel serve")
        expectRefused(try bench.wayreel("token", "revoke", "ines", "--data", "none"), 1, "none")
        expectRefused(try bench.wayreel("token", "revoke", "", "--data", "data"), 2, "1 to 255 bytes")
        #expect(try bench.shell("ls photos/accounts.sqlite none 2> /dev/null | wc -l").text == "0\n")
    }

    /// A session expires 180 days after its last use, and no later than what it was made from; a player has 50. The times
    /// are set in the database by Python's SQLite.
    @Test func expiresSessions() throws {
        _ = try run(
            #"""
            import sqlite3
            database = sqlite3.connect("data/accounts.sqlite", isolation_level=None, timeout=10)
            times = lambda: database.execute("SELECT used, expires FROM session").fetchone()
            day, token = 86400, hs256({"sub": "ines"}, key)
            phone = pair(token)["token"]
            first, expires = times()
            assert abs(first - time.time()) < 30 and expires - first == 180 * day
            # Ten days later, a use prolongs it; on the same day, nothing is written.
            database.execute("UPDATE session SET used = used - ?, expires = expires - ?", [10 * day] * 2)
            assert may(phone) == 200
            used, expires = times()
            assert 0 <= used - first < 60 and expires - used == 180 * day
            database.execute("UPDATE session SET expires = expires - 7")
            assert may(phone) == 200 and times() == (used, expires - 7)
            latest = int(time.time()) + 100
            database.execute("UPDATE session SET used = used - ?, latest = ?", [day, latest])
            assert may(phone) == 200 and times()[1] == latest
            database.execute("UPDATE session SET expires = ?", [int(time.time()) - 1])
            assert may(phone) == 401
            # Sixty devices, of which the first ones were used longest ago; those of others do not count.
            now = int(time.time())
            for player in "ines", "bob":
                for number in range(60):
                    name = f"{player}{number}"
                    database.execute("INSERT INTO session VALUES (?, ?, ?, '[]', ?, NULL, ?, ?, ?, NULL)",
                        [hashlib.sha256(name.encode()).digest(), name, player, name, now - 1000, now - 1000 + number, now + 1000])
            assert may("ines0") == 200 and pair(token)["player"] == "ines"
            left = [row[0] for row in database.execute("SELECT id FROM session WHERE player = 'ines' ORDER BY used")]
            assert len(left) == 50 and left[:-1] == [f"ines{number}" for number in range(11, 60)], left
            assert may("ines10") == 401 and may("ines11") == 200 and may("bob0", "bob") == 200
            """#, try start())
    }

    /// Codes cannot be tried out, nor the service be filled with them.
    @Test func limitsAttempts() throws {
        _ = try run(
            #"""
            token = hs256({"sub": "ines"}, key)
            status, offer = ask("POST", "/v1/account/pairings", token, {})
            tries = [ask("POST", "/v1/sign-in/pairing", None, {"code": "AAAA-AAAA"})[0] for _ in range(45)]
            assert tries[:30] == [404] * 30 and tries[-5:] == [429] * 5, tries
            # A body that is too large, slow to read, or another one.
            for body, status in (b"x" * 70000, 413), (b"{}", 422), (b"[]", 422), (b"\xff", 422), (b'{"code":7}', 422):
                got = call(base, "POST", "/v1/sign-in/pairing/result", body)[0]
                assert got == status, (body[:9], got)
            # One player has three codes at most: the first one is gone.
            codes = [ask("POST", "/v1/account/pairings", token, {})[1] for _ in range(3)]
            assert ask("GET", "/v1/account/pairings/" + offer["pairing"], token)[0] == 404
            assert ask("GET", "/v1/account/pairings/" + codes[0]["pairing"], token)[0] == 200
            many = [ask("POST", "/v1/sign-in/pairing/result", None, {"pairing": "x"})[0] for _ in range(160)]
            assert many[0] == 404 and many[-1] == 429, many
            # Who is signed in is not held up by that.
            assert may(token) == 200
            """#, try start())
    }

    /// The requests of a browser, with an authenticator of Python and OpenSSL.
    @Test func signsInByPasskeys() throws {
        let server = try start("--public-url https://stories.example.org --sign-up true")
        _ = try run(Self.authenticator + Self.passkeyProgram, server)
    }

    @Test func addsPasskeys() throws {
        let server = try start("--public-url https://stories.example.org --sign-up true")
        _ = try run(Self.authenticator + Self.addProgram, server)
    }

    private static let authenticator = #"""
        class Passkey:
            """A passkey of P-256, with its private key in a file."""
            def __init__(self, name, site="stories.example.org"):
                self.file, self.id, self.counter = name + ".pem", os.urandom(20), 0
                self.site = hashlib.sha256(site.encode()).digest()
                subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.file], check=True)
                public = subprocess.run(["openssl", "ec", "-in", self.file, "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
                self.key = bytes.fromhex("a5010203262001215820") + public[-64:-32] + bytes.fromhex("225820") + public[-32:]
            def client(self, kind, challenge, origin="https://stories.example.org"):
                return json.dumps({"type": "webauthn." + kind, "challenge": challenge, "origin": origin, "crossOrigin": False}).encode()
            def made(self, challenge, **more):
                data = self.site + b"\x45" + struct.pack(">I", self.counter) + bytes(16) + struct.pack(">H", len(self.id)) + self.id + self.key
                object = bytes.fromhex("a363666d74646e6f6e656761747453746d74a0686175746844617461") + b"\x58" + bytes([len(data)]) + data
                return {"clientDataJSON": b64(self.client("create", challenge, **more)), "attestationObject": b64(object), "device": "Phone"}
            def answer(self, challenge, **more):
                self.counter += 1
                client, data = self.client("get", challenge, **more), self.site + b"\x05" + struct.pack(">I", self.counter)
                open("signed", "wb").write(data + hashlib.sha256(client).digest())
                signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.file, "signed"], check=True, capture_output=True).stdout
                return {"id": b64(self.id), "clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature)}

        """#

    private static let passkeyProgram = #"""
        challenge = lambda: ask("POST", "/v1/sign-in/passkey/options", None, {})[1]["challenge"]
        enter = lambda answer: ask("POST", "/v1/sign-in/passkey", None, answer)
        assert ask("GET", "/v1/sign-in")[1]["passkeys"] is True
        status, options = ask("POST", "/v1/sign-up/passkey/options", None, {"name": "Zoë"})
        assert status == 200 and options["rp"]["id"] == "stories.example.org" and options["user"]["name"] == "Zoë", options
        assert len(unb64(options["challenge"])) == 32 and 16 <= len(unb64(options["user"]["id"])) <= 64
        assert [p["alg"] for p in options["pubKeyCredParams"]] == [-7, -8] and options["attestation"] == "none"
        passkey = Passkey("zoe")
        # For another page, or another challenge: refused, and the challenge is used up by that.
        status, problem = ask("POST", "/v1/sign-up/passkey", None, passkey.made(options["challenge"], origin="https://evil.example"))
        assert (status, problem["code"]) == (403, "passkey"), problem
        assert ask("POST", "/v1/sign-up/passkey", None, passkey.made(options["challenge"]))[0] == 403
        assert ask("POST", "/v1/sign-up/passkey", None, passkey.made(b64(bytes(32))))[0] == 403
        options = ask("POST", "/v1/sign-up/passkey/options", None, {"name": "Zoë"})[1]
        status, session = ask("POST", "/v1/sign-up/passkey", None, passkey.made(options["challenge"]))
        assert status == 201 and session["name"] == "Zoë" and session["player"].startswith("account-"), session
        player = session["player"]
        assert may(session["token"], player) == 200 and may(session["token"]) == 403
        # Sign-in: once for each challenge, and by nobody else.
        asked = challenge()
        answer = passkey.answer(asked)
        status, session = enter(answer)
        assert status == 200 and session["player"] == player and session["name"] == "Zoë", session
        assert enter(answer)[0] == 403 and enter(passkey.answer(asked))[0] == 403
        assert enter(passkey.answer(options["challenge"]))[0] == 403
        assert enter({**passkey.answer(challenge()), "userHandle": b64(b"another")})[0] == 403
        assert enter({**passkey.answer(challenge()), "userHandle": options["user"]["id"]})[0] == 200
        stranger = Passkey("stranger")
        assert enter(stranger.answer(challenge()))[0] == 403
        assert enter({**stranger.answer(challenge()), "id": b64(passkey.id)})[0] == 403
        assert enter(passkey.answer(challenge(), origin="https://evil.example"))[0] == 403
        # A copy that is one use behind.
        passkey.counter -= 2
        status, problem = enter(passkey.answer(challenge()))
        assert status == 403 and "copied" in problem["detail"], problem
        passkey.counter += 10
        assert enter(passkey.answer(challenge()))[0] == 200

        """#

    private static let addProgram = #"""
        challenge = lambda: ask("POST", "/v1/sign-in/passkey/options", None, {})[1]["challenge"]
        enter = lambda answer: ask("POST", "/v1/sign-in/passkey", None, answer)
        passkey = Passkey("zoe")
        options = ask("POST", "/v1/sign-up/passkey/options", None, {"name": "Zoë"})[1]
        status, session = ask("POST", "/v1/sign-up/passkey", None, passkey.made(options["challenge"]))
        assert status == 201, session
        # A player with a token adds one, and has its groups with it.
        token = hs256({"sub": "ines", "groups": ["a"]}, key)
        status, options = ask("POST", "/v1/account/passkeys/options", token, {})
        own = Passkey("ines")
        # Another player cannot use the challenge, nor can somebody make an account with it.
        assert ask("POST", "/v1/account/passkeys", session["token"], own.made(options["challenge"]))[0] == 403
        options = ask("POST", "/v1/account/passkeys/options", token, {})[1]
        assert ask("POST", "/v1/account/passkeys", token, own.made(options["challenge"]))[0] == 204
        options = ask("POST", "/v1/account/passkeys/options", token, {})[1]
        assert [c["id"] for c in options["excludeCredentials"]] == [b64(own.id)]
        # The passkey of another player is not overwritten.
        own.id, kept = passkey.id, own.id
        assert ask("POST", "/v1/account/passkeys", token, own.made(options["challenge"]))[0] == 403
        own.id = kept
        status, session = enter(own.answer(challenge()))
        assert status == 200 and session["player"] == "ines" and ask("GET", "/v1/account", session["token"])[1]["groups"] == ["a"]
        status, listed = ask("GET", "/v1/account/passkeys", token)
        assert [(p["id"], p["device"]) for p in listed["passkeys"]] == [(b64(own.id), "Phone")], listed
        assert ask("DELETE", "/v1/account/passkeys/" + b64(passkey.id), token)[0] == 404
        assert ask("DELETE", "/v1/account/passkeys/" + b64(own.id), token)[0] == 204
        assert enter(own.answer(challenge()))[0] == 403 and may(session["token"]) == 200
        for name in "", "x" * 61, " ", "a\u0000", "a\u202eb":
            assert ask("POST", "/v1/sign-up/passkey/options", None, {"name": name})[0] in (422, 429), name
        """#

    @Test(arguments: [
        ("--public-url http://stories.example.org --data data", ["--public-url", "https"]),
        ("--public-url https://192.0.2.1 --data data", ["--public-url"]),
        ("--public-url https://stories.example.org", ["--data"]), ("--sign-up true --data data", ["--public-url"]),
        ("--oidc-issuer http://login.example.org", ["--oidc-issuer", "https"]),
        ("--oidc-issuer https://login.example.org --data data", ["--oidc-client-id", "--public-url"]),
        ("--oidc-client-id a --data data", ["--oidc-issuer"]),
        (
            "--oidc-issuer https://a.example --oidc-client-id a --public-url https://b.example --data data --oidc-client-secret-file none.txt",
            ["none.txt"]
        ),
    ]) func refusesSettings(options: String, words: [String]) throws {
        let run = try Workbench().shell("wayreel serve --check \(options)")
        #expect(run.ending != .exited(0) && run.lines.count == 1)
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
    }

    /// Without keys of the operator, a JWT lets nobody in; and no request names its player.
    @Test func needsNoKeysOfTheOperator() throws {
        let server = try RunningServer("--data data --public-url https://stories.example.org")
        _ = try run(
            #"""
            assert may(hs256({"sub": "ines"}, key)) == 401 and may(None) == 401
            assert ask("GET", "/v1/players/ines/journal?player=ines")[0] == 401
            assert ask("POST", "/v1/sign-up/passkey/options", None, {"name": "Zoe"})[0] == 403
            """#, server)
    }

    // MARK: OpenID Connect

    /// A provider on the loopback interface; a code says how its ID token is. It writes what it was asked to `asked.txt`.
    private static let provider = #"""
        import http.server
        def key(name):
            subprocess.run(["openssl", "genrsa", "-out", name + ".pem", "2048"], check=True, capture_output=True)
            text = subprocess.run(["openssl", "rsa", "-in", name + ".pem", "-noout", "-modulus"], check=True, capture_output=True).stdout
            return {"kty": "RSA", "kid": name, "use": "sig", "alg": "RS256", "e": "AQAB", "n": b64(bytes.fromhex(text.decode().strip().split("=")[1]))}
        def rs256(claims, name, **header):
            text = b64({"alg": "RS256", "kid": name, **header}) + "." + b64(claims)
            signed = subprocess.run(["openssl", "dgst", "-sha256", "-sign", name + ".pem"], input=text.encode(), check=True, capture_output=True)
            return text + "." + b64(signed.stdout)
        keys = {name: key(name) for name in ("first", "second", "stranger")}
        known = ["first"]
        class Provider(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_): pass
            def answer(self, value, status=200):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_GET(self):
                open("asked.txt", "a").write(self.path + "\n")
                if self.path == "/o/.well-known/openid-configuration":
                    return self.answer({"issuer": issuer, "authorization_endpoint": issuer + "/login?a=b", "token_endpoint": issuer + "/token",
                        "jwks_uri": issuer + "/keys", "token_endpoint_auth_methods_supported": ["client_secret_basic"]})
                if self.path == "/o/keys":
                    others = [{"kty": "OKP", "crv": "Ed25519", "x": "AA"}, {"kty": "oct", "k": "AA", "kid": "first"}, {**keys["stranger"], "use": "enc"}]
                    return self.answer({"keys": others + [keys[name] for name in known]})
                self.answer({}, 404)
            def do_POST(self):
                form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
                open("asked.txt", "a").write(self.path + "\n")
                code = json.loads(form["code"])
                proof = b64(hashlib.sha256(form["code_verifier"].encode()).digest())
                basic = "Basic " + base64.b64encode(b"way%20reel:s%3Acret%2F").decode()
                right = proof == code["challenge"] and self.headers["Authorization"] == basic and form["grant_type"] == "authorization_code" \
                    and form["redirect_uri"] == "https://stories.example.org/v1/sign-in/provider/callback"
                if not right: return self.answer({"error": "invalid_grant"}, 400)
                now, how = time.time(), code["how"]
                claims = {"iss": issuer, "sub": code.get("sub", "7"), "aud": "way reel", "exp": now + 60, "iat": now, "nonce": code["nonce"],
                    "name": "Inés de la Torre", "groups": ["ringers", 7] if how == "odd groups" else ["ringers"]}
                signer, header = "first", {}
                if how == "nonce": claims["nonce"] = "another"
                if how == "no nonce": del claims["nonce"]
                if how == "aud": claims["aud"] = "another"
                if how == "auds": claims["aud"] = ["way reel", "another"]
                if how == "auds, azp": claims.update(aud=["way reel", "another"], azp="way reel")
                if how == "no aud": claims["aud"] = []
                if how == "azp": claims["azp"] = "another"
                if how == "iss": claims["iss"] = issuer + "/"
                if how == "exp": claims["exp"] = now - 1
                if how == "no exp": del claims["exp"]
                if how == "no sub": claims["sub"] = ""
                if how == "new key":
                    signer = "second"
                    known.append("second")
                if how in ("unknown kid", "for encryption"): signer = "stranger"
                if how == "another's key": signer, header = "stranger", {"kid": "first"}
                if how == "crit": header = {"crit": ["exp"]}
                token = rs256(claims, signer, **header)
                if how == "none": token = b64({"alg": "none"}) + "." + b64(claims) + "."
                if how == "HS256": token = hs256(claims, open("first.pem", "rb").read(), kid="first")
                if how == "alg": token = b64({"alg": "ES256", "kid": "first"}) + "." + token.split(".", 1)[1]
                if how == "cut": token = token[:-6]
                if how == "no token": return self.answer({"access_token": "x"})
                if how == "large": return self.answer({"id_token": token, "more": "x" * (2 << 20)})
                if how == "status": return self.answer({"id_token": token}, 500)
                self.answer({"id_token": token})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
        issuer = f"http://127.0.0.1:{server.server_port}/o"
        open("port.txt", "w").write(f"{server.server_port}\n")
        server.serve_forever()
        """#

    /// A service with such a provider, both of which `body` uses.
    private func withProvider(_ body: (RunningServer) throws -> Void) throws {
        let bench = Workbench()
        try bench.write("s:cret/\n", to: "secret.txt")
        let pid = try bench.start(python: Self.provider, "provider.py")
        defer { kill(pid, SIGKILL) }
        for _ in 0..<600 where !bench.exists("port.txt") { usleep(50_000) }
        let port = try bench.text("port.txt").filter { !$0.isNewline }
        let server = try start(
            """
            --public-url https://stories.example.org --oidc-issuer http://127.0.0.1:\(port)/o --oidc-client-id 'way reel' \
                --oidc-client-secret-file secret.txt
            """, in: bench)
        try body(server)
    }

    private static let browser = #"""
        def sha(text): return b64(hashlib.sha256(text.encode()).digest())
        def begin(secret="a secret of the page"):
            """Asks where the provider is, and returns the fields of that address."""
            status, answer = ask("POST", "/v1/sign-in/provider", None, {"challenge": sha(secret), "device": "Phone"})
            assert status == 200, (status, answer)
            return dict(urllib.parse.parse_qsl(answer["address"].split("?", 1)[1])), answer["address"]
        def come_back(fields, how, **more):
            """The browser comes back from the provider. Returns the fragment of the page's address."""
            code = json.dumps({"how": how, "nonce": fields["nonce"], "challenge": fields["code_challenge"], **more})
            query = urllib.parse.urlencode({"code": code, "state": fields["state"]})
            status, headers, _ = call(base, "GET", "/v1/sign-in/provider/callback?" + query)
            assert status == 303 and headers["location"].startswith("https://stories.example.org/#"), (status, headers)
            return headers["location"].split("#")[1]
        def exchange(code, secret="a secret of the page"):
            return ask("POST", "/v1/sign-in/provider/session", None, {"code": code, "secret": secret})

        """#

    @Test func signsInAtAProvider() throws {
        try withProvider { server in
            _ = try run(
                Self.browser + #"""
                    assert ask("GET", "/v1/sign-in")[1]["provider"] == "127.0.0.1"
                    fields, address = begin()
                    assert "/o/login?a=b&" in address and fields["response_type"] == "code" and fields["client_id"] == "way reel", fields
                    assert fields["redirect_uri"] == "https://stories.example.org/v1/sign-in/provider/callback" and "openid" in fields["scope"].split()
                    assert fields["code_challenge_method"] == "S256" and len(unb64(fields["state"])) == len(unb64(fields["nonce"])) == 32
                    name, code = come_back(fields, "right").split("=")
                    assert name == "sign-in"
                    # The state is used up.
                    assert come_back(fields, "right") == "sign-in-error=expired"
                    # The code is worth nothing without the page's secret, and is used up by the attempt.
                    assert exchange(code, "another")[0] == 403 and exchange(code)[0] == 403
                    code = come_back(begin()[0], "right").split("=")[1]
                    status, session = exchange(code)
                    assert status == 200 and session["name"] == "Inés de la Torre" and exchange(code)[0] == 403, session
                    player = session["player"]
                    assert player.startswith("openid-") and may(session["token"], player) == 200
                    assert ask("GET", "/v1/account", session["token"])[1]["groups"] == ["ringers"]
                    # The same person is the same player; another one another.
                    assert exchange(come_back(begin()[0], "auds, azp").split("=")[1])[1]["player"] == player
                    assert exchange(come_back(begin()[0], "odd groups", sub="8").split("=")[1])[1]["player"] != player
                    # The provider has a new key.
                    assert open("asked.txt").read().split().count("/o/keys") == 1
                    """#, server)
        }
    }

    @Test func refusesWrongAnswersOfAProvider() throws {
        try withProvider { server in
            _ = try run(
                Self.browser + #"""
                    for how in ("nonce", "no nonce", "aud", "auds", "no aud", "azp", "iss", "exp", "no exp", "no sub", "another's key", "crit", "none",
                                "HS256", "alg"):
                        assert come_back(begin()[0], how) == "sign-in-error=provider", how
                    """#, server)
            let log = try server.bench.text("err.txt")
            #expect(log.contains("the ID token has expired") && log.contains("is for another client"), "\(log)")
        }
        try withProvider { server in
            _ = try run(
                Self.browser + #"""
                    for how in "cut", "no token", "large", "status", "for encryption", "unknown kid":
                        assert come_back(begin()[0], how) == "sign-in-error=provider", how
                    # Keys are asked for again for a new key, but not each time that somebody sends another one.
                    assert open("asked.txt").read().split().count("/o/keys") == 1
                    fields = begin()[0]
                    wrong = {**fields, "code_challenge": sha("another")}
                    assert come_back(wrong, "right") == "sign-in-error=provider"
                    fields = begin()[0]
                    query = urllib.parse.urlencode({"error": "access_denied", "state": fields["state"]})
                    assert call(base, "GET", "/v1/sign-in/provider/callback?" + query)[1]["location"].endswith("#sign-in-error=denied")
                    fields = begin()[0]
                    query = urllib.parse.urlencode({"code": "x", "state": fields["state"], "iss": "https://evil.example"})
                    assert call(base, "GET", "/v1/sign-in/provider/callback?" + query)[1]["location"].endswith("#sign-in-error=provider")
                    for challenge in "", "x", b64(bytes(31)):
                        assert ask("POST", "/v1/sign-in/provider", None, {"challenge": challenge})[0] == 422
                    """#, server)
        }
        // A new key is found by the next service, whose keys are not of this minute.
        try withProvider { server in
            _ = try run(
                Self.browser + #"""
                    assert come_back(begin()[0], "new key").startswith("sign-in=")
                    """#, server)
        }
    }

    /// Without its provider the service says so, and works.
    @Test func outlivesItsProvider() throws {
        try withProvider { server in
            _ = try server.bench.shell("kill -9 $(cat provider.pid)")
            _ = try run(
                Self.browser + #"""
                    status, problem = ask("POST", "/v1/sign-in/provider", None, {"challenge": sha("x")})
                    assert (status, problem["code"]) == (502, "provider") and "127.0.0.1" not in json.dumps(problem), problem
                    assert ask("GET", "/v1/sign-in")[0] == 200
                    """#, server)
        }
    }
}
