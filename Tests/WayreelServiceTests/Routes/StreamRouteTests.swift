import HTTPTypes
import StorageSupport
import TestSupport
import Testing
import WayreelService

/// The addresses of live streams of sensors, without an upgrade.
struct StreamRouteTests {
    /// RFC 6455, section 4.2.
    private static let handshake: HTTPFields = [
        .upgrade: "websocket", .connection: "upgrade", .secWebSocketVersion: "13",
        .secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    private static func expect(
        _ status: Int, _ client: ServiceClient, _ path: String, _ headers: HTTPFields = [:]
    ) async throws {
        let answer = try await client.send(.get, path, headers)
        #expect(answer.status == status, "\(path)")
    }

    @Test func pagesHaveTheSensorsOfTheDevice() async throws {
        try await TestService().test { client in
            for path in ["/streams", "/sensors"] {
                let page = try await client.send(.get, path)
                #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
                let permissions = page.header("Permissions-Policy") ?? ""
                let policy = page.header("Content-Security-Policy") ?? ""
                for sensor in ["microphone", "accelerometer", "gyroscope", "magnetometer", "geolocation"] {
                    #expect(permissions.contains("\(sensor)=(self)"))
                }
                #expect(policy.contains("connect-src 'self'"))
                #expect(page.text.contains("src=\"streams/"))
                let slash = try await client.send(.get, "\(path)/")
                #expect(slash.status == 308 && slash.headers[.location] == "..\(path)")
            }
            for file in ["view.js", "sensors.js", "components/element.js", "styles/tokens.css"] {
                try await Self.expect(200, client, "/streams/\(file)")
            }
        }
    }

    @Test func theyAreWebSockets() async throws {
        try await TestService().test { client in
            let plain = try await client.send(.get, "/v1/streams/walk/source")
            #expect(plain.status == 426 && plain.headers[.upgrade] == "websocket")
            // A page, which is not told why its WebSocket was refused, asks so.
            try await Self.expect(404, client, "/v1/streams/walk/live")
            let unknown = try await client.send(.get, "/v1/streams/walk/live", Self.handshake)
            #expect(unknown.status == 404 && unknown.headers[.connection] == "close")
            let long = "/v1/streams/\(String(repeating: "x", count: 65))/source"
            try await Self.expect(400, client, long, Self.handshake)
            var other = Self.handshake
            other[.origin] = "https://other.example.org"
            try await Self.expect(403, client, "/v1/streams/walk/source", other)
        }
    }

    /// Where others reach the service, without accounts there are no streams.
    @Test func theyNeedTokensBeyondThisMachine() async throws {
        let keys = Array("k:\(String(repeating: "ab", count: 32))\n".utf8)
        try await TestService([("keys", "FOLDER/keys")], files: ["keys": keys]).test { client in
            try await Self.expect(404, client, "/streams")
            try await Self.expect(404, client, "/v1/streams/walk/live", Self.handshake)
        }
        let service = try TestService(
            [("data", "FOLDER/data"), ("player-keys", "FOLDER/keys")], files: ["keys": keys],
            stores: ServiceStores(players: MemoryPlayers(maxImageBytes: 1_000_000), accounts: MemoryAccounts()))
        let token = try await PlayerKeys(path: "\(service.folder.path)/keys").token(
            for: "ines", groups: [], audience: nil, seconds: 600)
        try await service.test { client in
            let none = try await client.send(.get, "/v1/streams/walk/live", Self.handshake)
            #expect(none.status == 401 && none.headers[.wwwAuthenticate] == "Bearer")
            var page = Self.handshake
            page[.secWebSocketProtocol] = "wayreel-live, bearer.\(token)"
            try await Self.expect(404, client, "/v1/streams/walk/live", page)
            page[.secWebSocketProtocol] = "wayreel-live, bearer.\(token)x"
            try await Self.expect(401, client, "/v1/streams/walk/live", page)
            page[.secWebSocketProtocol] = "chat, bearer.\(token)"
            try await Self.expect(400, client, "/v1/streams/walk/live", page)
        }
    }
}
