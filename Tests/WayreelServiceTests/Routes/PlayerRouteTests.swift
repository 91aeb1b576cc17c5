import HTTPTypes
import StorageSupport
import TestSupport
import Testing
import WayreelService
import WayreelStorage

/// Journals and notes of players, kept by other stores than files.
struct PlayerRouteTests {
    private static let key = HTTPField.Name("Idempotency-Key")!
    private static let id = "00000000-0000-4000-8000-000000000001"
    private static let notes = "/v1/notes?player=ines&latitude=1&longitude=2&format=png&visibility=all"

    private static func png(_ width: Int) -> [UInt8] { PNGFile.black(width: width, height: 12) }

    private func test(
        maxImageBytes: Int = 1_000_000, _ body: @Sendable @escaping (ServiceClient, MemoryPlayers) async throws -> Void
    ) async throws {
        let stores = MemoryPlayers(maxImageBytes: maxImageBytes)
        let service = try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: stores))
        try await service.test { try await body($0, stores) }
    }

    @Test func aNoteIsKeptOnce() async throws {
        try await test { client, stores in
            func leave(_ image: [UInt8]) async throws -> Answer {
                try await client.send(.post, Self.notes, [Self.key: Self.id], body: image)
            }
            let first = try await leave(Self.png(16))
            #expect(first.status == 201 && first.headers[.location] == "/v1/notes/\(Self.id)")
            let again = try await leave(Self.png(16))
            #expect(again.status == 201 && again.bytes == first.bytes)
            let other = try await leave(Self.png(17))
            #expect(other.status == 422 && other.member("code") == "idempotency")
            #expect(await stores.notes(by: PlayerIdentity(id: "ines")).map(\.id) == [Self.id])

            let address = "/v1/notes/\(Self.id)"
            let deleted = try await client.send(.delete, address + "?player=bob")
            #expect(deleted.status == 403 && deleted.member("code") == "player")
            #expect(try await client.send(.delete, address + "?player=ines").status == 204)
            let repeated = try await leave(Self.png(16))
            #expect(repeated.status == 410 && repeated.member("title") == "The note was deleted")
            #expect(try await client.send(.get, address + "?player=ines").status == 404)
        }
    }

    /// Numbers are decimal, to their end.
    @Test(arguments: [
        "latitude=1%00&longitude=2", "latitude=1&longitude=2%005", "latitude=0x1&longitude=2",
        "latitude=1&longitude=2&radius=5%00", "latitude=1&longitude=2&after=5%00_x",
    ]) func placesAreNumbers(query: String) async throws {
        try await test { client, _ in
            let wrong = try await client.send(.get, "/v1/notes?player=ines&\(query)")
            let right = try await client.send(.get, "/v1/notes?player=ines&latitude=1&longitude=2")
            #expect(wrong.status == 400 && right.status == 200)
        }
    }

    @Test func anImageIsSentInParts() async throws {
        try await test { client, stores in
            _ = try await client.send(.post, Self.notes, [Self.key: Self.id], body: Self.png(16))
            let note = try #require(await stores.note(Self.id))
            let bytes = try await stores.blobs.read(note.file)
            let address = "/v1/notes/\(Self.id)/image?player=bob"
            let whole = try await client.send(.get, address)
            #expect(whole.status == 200 && whole.bytes == bytes && whole.headers[.contentType] == "image/png")
            let part = try await client.send(.get, address, [.range: "bytes=8-15"])
            #expect(part.status == 206 && part.bytes == Array(bytes[8..<16]))
            #expect(part.headers[.contentRange] == "bytes 8-15/\(bytes.count)")
            #expect(try await client.send(.get, address, [.range: "bytes=100000-"]).status == 416)
            let tag = try #require(whole.headers[.eTag])
            #expect(try await client.send(.get, address, [.ifNoneMatch: tag]).status == 304)
            let head = try await client.send(.head, address)
            #expect(head.status == 200 && head.bytes.isEmpty && head.headers[.contentLength] == "\(bytes.count)")
            // The row is there, the image is not.
            try await stores.blobs.delete([note.file])
            #expect(try await client.send(.get, address).status == 404)
        }
    }

    @Test func aQuotaRefusesBeforeTheImage() async throws {
        try await test(maxImageBytes: 1) { client, stores in
            #expect(try await client.send(.post, Self.notes, body: Self.png(16)).status == 201)
            // It is not looked at.
            let refused = try await client.send(.post, Self.notes, body: [1, 2, 3])
            #expect(refused.status == 403 && refused.member("title") == "The player's images are full")
            #expect(refused.member("detail") == "at most 1 bytes are kept; delete captures or notes")
        }
    }

    @Test func journalsAreMergedAndErased() async throws {
        try await test { client, stores in
            func found(_ event: String) -> String {
                #"{"format":"wayreel-journal","version":1,"story":"mill","found":[{"event":"\#(event)","#
                    + #""timestamp":"2026-01-01T00:00:00Z"}]}"#
            }
            let address = "/v1/players/ines/stories/mill/journal"
            #expect(try await client.post(address, found("wheel")).status == 200)
            let merged = try await client.post(address, found("door"))
            #expect(merged.text.contains("wheel") && merged.text.contains("door"))
            let changes = try await client.post(address + "?since=", found("door"))
            #expect(changes.text.contains("wheel") && !changes.text.contains("door"))
            #expect(try await client.post("/v1/players/ines/stories/bell/journal", found("door")).status == 400)
            #expect(try await client.post(address, "{").member("title") == "The body is not a journal")
            #expect(try await client.send(.get, "/v1/players/ines/journal").text.hasPrefix("[{"))
            #expect(try await client.send(.delete, address).status == 204)
            #expect(try await client.send(.get, "/v1/players/ines/journal").text == "[]\n")
            // What is older than the deletion does not come back.
            _ = try await client.post(address, found("wheel"))
            #expect(try await !client.send(.get, address).text.contains("wheel"))
        }
    }
}
