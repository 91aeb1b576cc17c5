import HTTPTypes
import StorageSupport
import TestSupport
import Testing
import WayreelService
import WayreelStorage

/// Who is let in, by tokens (RFC 6750) and sessions.
struct AccountRouteTests {
    /// A service with accounts in memory, and its tokens.
    private struct Accounts: Sendable {
        let service: TestService
        let store: any AccountStoring

        init() throws {
            let store = MemoryAccounts()
            let stores = ServiceStores(players: MemoryPlayers(maxImageBytes: 1_000_000), accounts: store)
            self.store = store
            service = try TestService(
                [
                    ("data", "FOLDER/data"), ("player-keys", "FOLDER/keys"),
                    ("public-url", "https://stories.example.org"),
                ],
                files: ["keys": Array("p:\(String(repeating: "ab", count: 32))\n".utf8)], stores: stores)
        }

        func token(_ player: String) async throws -> String {
            try await PlayerKeys(path: "\(service.folder.path)/keys").token(
                for: player, groups: [], audience: nil, seconds: 600)
        }
    }

    /// RFC 6750, section 3: without credentials there is no error code; section 3.1: `invalid_token`.
    @Test func aRequestNeedsAToken() async throws {
        let accounts = try Accounts()
        let token = try await accounts.token("ines")
        try await accounts.service.test { client in
            let none = try await client.send(.get, "/v1/account")
            #expect(none.status == 401 && none.headers[.wwwAuthenticate] == "Bearer")
            let basic = try await client.send(.get, "/v1/account", [.authorization: "Basic aW5lczp4"])
            #expect(basic.status == 401 && basic.headers[.wwwAuthenticate] == "Bearer")
            for wrong in ["x", "a.b.c", "\(token)x", String(token.dropLast(2))] {
                let answer = try await client.get("/v1/account", token: wrong)
                #expect(answer.status == 401)
                #expect(answer.headers[.wwwAuthenticate] == "Bearer error=\"invalid_token\"")
            }
            let answer = try await client.get("/v1/account", token: token)
            #expect(answer.status == 200 && answer.member("player") == "ines" && answer.member("name") == "ines")
            #expect(answer.headers[.cacheControl] == "no-store")
            // The scheme is case-insensitive (RFC 9110, section 11.1).
            #expect(try await client.send(.get, "/v1/account", [.authorization: "bearer \(token)"]).status == 200)
        }
    }

    @Test func othersHaveTheirOwnData() async throws {
        let accounts = try Accounts()
        let token = try await accounts.token("ines")
        try await accounts.service.test { client in
            let own = try await client.get("/v1/players/ines/journal?story=mill", token: token)
            let other = try await client.get("/v1/players/olaf/journal?story=mill", token: token)
            #expect(own.status == 200 && other.status == 403 && other.member("code") == "player")
        }
    }

    /// The device that is signed in offers a code, another sends it, and has a session when the first agrees.
    @Test func anotherDeviceIsLetIn() async throws {
        let accounts = try Accounts()
        let token = try await accounts.token("ines")
        try await accounts.service.test { client in
            let offer = try await client.post("/v1/account/pairings", "{}", token: token)
            #expect(offer.status == 201)
            let (id, code) = (try #require(offer.member("pairing")), try #require(offer.member("code")))
            let address = "/v1/account/pairings/\(id)"
            #expect(try await client.get(address, token: token).member("state") == "waiting")
            let wrong = try await client.post("/v1/sign-in/pairing", "{\"code\":\"AAAA-AAAA\"}")
            #expect(wrong.status == 404 && wrong.member("code") == "pairing")
            let entered = try await client.post(
                "/v1/sign-in/pairing", "{\"code\":\"\(code)\",\"device\":\"Tablet\"}", peer: "192.0.2.2")
            #expect(entered.status == 200)
            let secret = "{\"pairing\":\"\(try #require(entered.member("pairing")))\"}"
            #expect(try await client.get(address, token: token).member("device") == "Tablet")
            #expect(try await client.post("/v1/sign-in/pairing/result", secret).status == 202)
            #expect(try await client.post(address, "{\"accepted\":true}", token: token).status == 204)
            let signedIn = try await client.post("/v1/sign-in/pairing/result", secret)
            #expect(signedIn.status == 200 && signedIn.member("player") == "ines")
            #expect(try await client.post("/v1/sign-in/pairing/result", secret).status == 404)
            let session = try #require(signedIn.member("token"))
            #expect(try await client.get("/v1/account", token: session).member("player") == "ines")
            let list = try await client.get("/v1/account/sessions", token: session)
            #expect(list.text.contains("\"device\":\"Tablet\"") && list.text.contains("\"isThis\":true"))
            // It ends with the token that has let it in.
            let end = try await client.send(
                .delete, "/v1/account/sessions/current", [.authorization: "Bearer \(token)"])
            #expect(end.status == 204)
            #expect(try await client.get("/v1/account", token: token).status == 401)
            #expect(try await client.get("/v1/account", token: session).status == 401)
        }
        #expect(try await accounts.store.players().isEmpty)
    }

    @Test func aSessionIsEnded() async throws {
        let accounts = try Accounts()
        let made = try await accounts.store.makeSession(
            for: PlayerIdentity(id: "ines"), device: "phone", origin: nil, latest: nil)
        let others = try await accounts.store.makeSession(
            for: PlayerIdentity(id: "olaf"), device: "phone", origin: nil, latest: nil)
        try await accounts.service.test { client in
            func end(_ id: String) async throws -> Int {
                try await client.send(
                    .delete, "/v1/account/sessions/\(id)", [.authorization: "Bearer \(made.secret)"]
                ).status
            }
            let statuses = try await [others.session.id, "x", made.session.id, made.session.id].asyncMap(end)
            #expect(statuses == [404, 404, 204, 401])
            #expect(try await client.get("/v1/account", token: others.secret).status == 200)
        }
    }

    @Test func aPlayerWhoIsRemovedIsLetInNoMore() async throws {
        let accounts = try Accounts()
        let made = try await accounts.store.makeSession(
            for: PlayerIdentity(id: "ines"), device: "phone", origin: nil, latest: nil)
        try await accounts.service.test { client in
            let removed = try await client.send(
                .delete, "/v1/players/ines", [.authorization: "Bearer \(made.secret)"])
            #expect(removed.status == 204)
            #expect(try await client.get("/v1/account", token: made.secret).status == 401)
        }
        #expect(try await accounts.store.players().isEmpty)
    }

    /// Wrong bodies are refused before anything is done: RFC 9110, section 15.5.21.
    @Test func bodiesAreRead() async throws {
        let accounts = try Accounts()
        try await accounts.service.test { client in
            for body in ["", "{", "[]", "{\"code\":1}"] {
                let answer = try await client.post("/v1/sign-in/pairing", body)
                #expect(answer.status == (body.isEmpty ? 400 : 422), "\(body)")
            }
            let long = "{\"code\":\"\(String(repeating: "A", count: 20_000))\"}"
            #expect(try await client.post("/v1/sign-in/pairing", long).status == 413)
            let ways = try await client.send(.get, "/v1/sign-in")
            #expect(
                ways.status == 200 && ways.text.contains("\"passkeys\":true") && ways.text.contains("\"signUp\":false"))
            #expect(try await client.post("/v1/sign-up/passkey/options", "{\"name\":\"Ines\"}").status == 403)
        }
    }
}
