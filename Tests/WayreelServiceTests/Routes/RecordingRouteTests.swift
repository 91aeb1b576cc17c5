import HTTPTypes
import StorageSupport
import TestSupport
import Testing
import WayreelService
import WayreelStorage

/// Recordings of players, in memory and in files.
struct RecordingRouteTests {
    private static let key = HTTPField.Name("Idempotency-Key")!
    private static let id = "00000000-0000-4000-8000-000000000001"
    private static let address = "/v1/recordings/\(id)"
    private static let walk = "time,stream,degrees,accuracy\n0,heading,271.5,10\n0.5,heading,272,\n"
    /// What Documentation/streams.md says of NDJSON.
    private static let lines = """
        {"format":"wayreel-recording","version":1}
        {"time":0,"stream":"heading","values":{"accuracy":10,"degrees":271.5}}
        {"time":0.5,"stream":"heading","values":{"degrees":272}}

        """

    enum Stores: CaseIterable { case memory, files }

    private func test(
        _ kind: Stores = .memory, _ flags: [(name: String, value: String)] = [],
        limits: RecordingLimits = RecordingLimits(),
        _ body: @Sendable @escaping (ServiceClient) async throws -> Void
    ) async throws {
        var stores = ServiceStores()
        if kind == .memory { stores.players = MemoryPlayers(maxImageBytes: 1_000_000, recordings: limits) }
        try await TestService([("data", "FOLDER/data")] + flags, stores: stores).test(body)
    }

    private static func upload(
        _ text: String = walk, to client: ServiceClient, query: String = "name=walk.csv", id: String = id
    ) async throws -> Answer {
        try await client.send(
            .post, "/v1/recordings?player=ines&\(query)", [key: id], body: Array(text.utf8))
    }

    private static func get(
        _ path: String = "", _ client: ServiceClient, query: String = "", _ headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await client.send(.get, "\(address)\(path)?player=ines\(query)", headers)
    }

    @Test(arguments: Stores.allCases) func aRecordingIsKept(_ kind: Stores) async throws {
        try await test(kind) { client in
            let sent = try await Self.upload(to: client, query: "name=walk.csv&title=To%20the%20mill")
            #expect(sent.status == 201 && sent.headers[.location] == Self.address)
            #expect(sent.member("title") == "To the mill" && sent.member("origin") == "walk.csv")
            let described = try await Self.get("/description", client)
            #expect(described.bytes == sent.bytes)
            for part in [
                #""first":0,"#, #""last":0.5,"#, #""seconds":0.5,"#, #""samples":3,"#, #""recording":false,"#,
                #""channels":[{"name":"heading.degrees"},{"name":"heading.accuracy"}]"#,
            ] { #expect(described.text.contains(part), "\(part) in \(described.text)") }

            let content = try await Self.get(client: client)
            #expect(content.status == 200 && content.text == Self.lines)
            #expect(content.headers[.contentType] == "application/x-ndjson")
            let tag = try #require(content.headers[.eTag])
            #expect(try await Self.get("", client, [.ifNoneMatch: tag]).status == 304)
            let part = try await Self.get("", client, [.range: "bytes=1-8"])
            #expect(part.status == 206 && part.text == "\"format\"")
            let table = try await Self.get("", client, query: "&format=csv")
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(table.text == "seconds,heading.accuracy,heading.degrees\n0,10,271.5\n0.5,,272\n")
            #expect(try await Self.get("", client, query: "&format=wav").status == 400)
            // Headings are no electrocardiogram.
            let other = try await Self.get("", client, query: "&format=dicom")
            #expect(other.status == 422 && other.member("title") == "The recording does not fit this format")
            #expect(!other.text.contains("image") && !other.text.contains("--"), "\(other.text)")

            let list = try await client.send(.get, "/v1/recordings?player=ines")
            #expect(list.text == "{\"recordings\":[\(sent.text)]}")
            #expect(try await client.send(.get, "/v1/recordings?player=olaf").text == "{\"recordings\":[]}")
            for path in ["", "/description", "/settings", "/marks", "/plot.svg"] {
                #expect(try await client.send(.get, "\(Self.address)\(path)?player=olaf").status == 404)
            }
        }
    }

    @Test(arguments: Stores.allCases) func listsPageByPage(_ kind: Stores) async throws {
        try await test(kind) { client in
            for number in 1...3 {
                let id = String(Self.id.dropLast()) + "\(number)"
                #expect(try await Self.upload(to: client, query: "title=\(number)", id: id).status == 201)
                // The newest is the first.
                try await Task.sleep(for: .milliseconds(5))
            }
            let first = try await client.send(.get, "/v1/recordings?player=ines&limit=2")
            #expect(first.text.contains(#""title":"3""#) && first.text.contains(#""title":"2""#))
            #expect(!first.text.contains(#""title":"1""#))
            let next = try #require(first.member("next"))
            let rest = try await client.send(.get, "/v1/recordings?player=ines&limit=2&after=\(next)")
            #expect(rest.text.contains(#""title":"1""#) && rest.member("next") == nil)
            for wrong in ["limit=0", "limit=x", "after=x", "day=1"] {
                #expect(try await client.send(.get, "/v1/recordings?player=ines&\(wrong)").status == 400)
            }
        }
    }

    @Test(arguments: Stores.allCases) func isSentOnce(_ kind: Stores) async throws {
        try await test(kind) { client in
            let first = try await Self.upload(to: client)
            let again = try await Self.upload(to: client)
            #expect(again.status == 201 && again.bytes == first.bytes)
            let other = try await Self.upload(Self.walk + "1,heading,3,\n", to: client)
            #expect(other.status == 422 && other.member("code") == "idempotency")
            #expect(try await client.send(.delete, Self.address + "?player=olaf").status == 404)
            #expect(try await client.send(.delete, Self.address + "?player=ines").status == 204)
            #expect(try await Self.get(client: client).status == 404)
            let repeated = try await Self.upload(to: client)
            #expect(repeated.status == 410 && repeated.member("title") == "The recording was deleted")
        }
    }

    @Test func whatIsNoRecordingIsRefused() async throws {
        try await test(.memory, [("max-recording-bytes", "1kB")]) { client in
            let damaged = try await Self.upload(Self.walk + "x,heading,1,\n", to: client)
            #expect(damaged.status == 422 && damaged.member("detail")?.contains("line 4") == true, "\(damaged.text)")
            // No path of the server is told.
            #expect(!damaged.text.contains("/data/"))
            #expect(try await Self.upload("\u{0}\u{1}", to: client).status == 422)
            #expect(try await Self.upload("time,stream,degrees\n", to: client).status == 422)
            #expect(try await Self.upload("", to: client).status == 400)
            let large = try await Self.upload(String(repeating: "x", count: 1001), to: client)
            #expect(large.status == 413)
            // Its header would name a file of the server.
            #expect(try await Self.upload("x 1 250\n", to: client, query: "name=x.hea").status == 415)
            #expect(try await Self.upload(to: client, query: "name=x%0A.csv").status == 400)
            #expect(try await Self.upload(to: client, query: "name=").status == 400)
            // A name is no path.
            let kept = try await Self.upload(to: client, query: "name=..%2F..%2Fwalk.csv")
            #expect(kept.status == 201 && kept.member("origin") == "../../walk.csv")
        }
    }

    @Test func aQuotaRefuses() async throws {
        let bytes = Self.lines.utf8.count
        try await test(limits: RecordingLimits(playerBytes: 2 * bytes - 1, totalBytes: 10_000)) { client in
            #expect(try await Self.upload(to: client).status == 201)
            let other = String(Self.id.dropLast()) + "2"
            let refused = try await Self.upload(to: client, id: other)
            #expect(refused.status == 403 && refused.member("title") == "The player's recordings are full")
            #expect(try await client.send(.delete, Self.address + "?player=ines").status == 204)
            #expect(try await Self.upload(to: client, id: other).status == 201)
        }
    }

    @Test(arguments: Stores.allCases) func settingsAreReplacedByWhoKnowsThem(_ kind: Stores) async throws {
        try await test(kind) { client in
            _ = try await Self.upload(to: client)
            let path = "\(Self.address)/settings?player=ines"
            let start = try await client.send(.get, path)
            #expect(start.text == #"{"format":"wayreel-plot","version":1}"#)
            let tag = try #require(start.headers[.eTag])
            func put(_ members: String, _ headers: HTTPFields = [:]) async throws -> Answer {
                let json = #"{"format":"wayreel-plot","version":1\#(members)}"#
                return try await client.send(.put, path, headers, body: Array(json.utf8))
            }
            let stored = try await put(#","span":10,"movement":"sweep""#, [.ifMatch: tag])
            #expect(stored.status == 200)
            let found = try await client.send(.get, path)
            #expect(found.text == #"{"format":"wayreel-plot","movement":"sweep","span":10,"version":1}"#)
            #expect(found.headers[.eTag] == stored.headers[.eTag])
            let late = try await put(#","span":20"#, [.ifMatch: tag])
            #expect(late.status == 412)
            #expect(try await client.send(.get, path).bytes == found.bytes)
            for wrong in [
                #","colour":"red""#, #","span":0"#, #","span":"x""#, #","movement":"jump""#, #","lanes":[[]]"#,
                #","lanes":[["heading"]]"#, #","ranges":{"heading.degrees":[2,1]}"#,
                #","colors":{"heading.degrees":"red"}"#, #","filters":["heading:no"]"#,
                #","scales":{"heading.degrees":"cube"}"#,
                #","scales":{"heading.degrees":"log"},"ranges":{"heading.degrees":[0,1]}"#,
            ] {
                let answer = try await put(wrong)
                #expect(answer.status == 422 && answer.member("code") == "settings", "\(wrong)")
            }
            for other in ["", "[]", "{}", #"{"format":"wayreel-plot","version":2}"#] {
                let answer = try await client.send(.put, path, body: Array(other.utf8))
                #expect(answer.status == (other.isEmpty ? 400 : 422), "\(other)")
            }
            let large = try await put(#","hidden":["\#(String(repeating: "x", count: 70_000))"]"#)
            #expect(large.status == 413)
        }
    }

    @Test(arguments: Stores.allCases) func marksAreInTheContent(_ kind: Stores) async throws {
        try await test(kind) { client in
            _ = try await Self.upload(to: client)
            let path = "\(Self.address)/marks?player=ines"
            let before = try await Self.get(client: client)
            let added = try await client.post(
                path, #"{"time":0.25,"seconds":0.5,"text":"a \"gust\"","channel":"heading.degrees"}"#)
            #expect(added.status == 201 && added.headers[.location] == "\(Self.address)/marks/1")
            let json = #"{"channel":"heading.degrees","id":1,"seconds":0.5,"text":"a \"gust\"","time":0.25}"#
            #expect(added.text == json)
            #expect(try await client.send(.get, path).text == "{\"marks\":[\(json)]}")
            let content = try await Self.get(client: client)
            let line = #"{"time":0.25,"seconds":0.5,"mark":"a \"gust\"","channel":"heading.degrees"}"#
            #expect(content.text == Self.lines + line + "\n")
            #expect(content.headers[.eTag] != before.headers[.eTag])
            // A part over the end of the samples.
            let edge = Self.lines.utf8.count
            let part = try await Self.get("", client, [.range: "bytes=\(edge - 2)-\(edge + 1)"])
            #expect(part.text == "}\n{\"")
            for wrong in [
                "{}", #"{"time":"2026-01-01T00:00:00Z","text":"x"}"#, #"{"time":1,"text":""}"#,
                #"{"time":1,"text":"x","seconds":-1}"#, #"{"time":1e300,"text":"x"}"#,
                #"{"time":1,"text":"x","channel":"heading.speed"}"#,
            ] { #expect(try await client.post(path, wrong).status == 422, "\(wrong)") }
            #expect(try await client.send(.delete, "\(Self.address)/marks/1?player=ines").status == 204)
            #expect(try await client.send(.delete, "\(Self.address)/marks/1?player=ines").status == 404)
            #expect(try await client.send(.delete, "\(Self.address)/marks/x?player=ines").status == 404)
            #expect(try await Self.get(client: client).text == Self.lines)
        }
    }

    /// Those of the file that is sent are marks as others.
    @Test func marksOfAFileAreKept() async throws {
        try await test { client in
            let text = Self.lines + "{\"time\":0.5,\"mark\":\"wind\"}\n"
            #expect(try await Self.upload(text, to: client, query: "name=walk.ndjson").status == 201)
            let marks = try await client.send(.get, "\(Self.address)/marks?player=ines")
            #expect(marks.text == #"{"marks":[{"id":1,"seconds":0,"text":"wind","time":0.5}]}"#)
            #expect(try await Self.get(client: client).text == text)
        }
    }

    @Test func isDrawnAsTheSettingsSay() async throws {
        try await test { client in
            _ = try await Self.upload(to: client, query: "name=walk.csv&title=Mill")
            let plot = try await Self.get("/plot.svg", client)
            #expect(plot.status == 200 && plot.headers[.contentType] == "image/svg+xml", "\(plot.text.prefix(300))")
            #expect(plot.text.contains("<svg") && plot.text.contains("Mill"))
            for wrong in ["x", "0%00", "0%001", "0x0"] {
                #expect(try await Self.get("/plot.svg", client, query: "&from=\(wrong)").status == 400, "\(wrong)")
            }
            let hidden = #"{"format":"wayreel-plot","version":1,"hidden":["heading.degrees","heading.accuracy"]}"#
            _ = try await client.send(.put, "\(Self.address)/settings?player=ines", body: Array(hidden.utf8))
            #expect(try await Self.get("/plot.svg", client).status == 422)
        }
    }

    /// Filters of a long recording take longer than a plot may. Others are answered meanwhile.
    @Test(.timeLimit(.minutes(2))) func aPlotTakesNoLongerThanAnImage() async throws {
        try await test(.memory, [("max-seconds", "0.05")]) { client in
            let rows = (0..<200_000).map { "\(Double($0) / 1000),\($0 % 97)\n" }.joined()
            let sent = try await Self.upload("seconds,a.x\n" + rows, to: client)
            #expect(sent.status == 201)
            let filters = Array(repeating: #""x:median=999,wrap=360""#, count: 8).joined(separator: ",")
            let settings = #"{"format":"wayreel-plot","version":1,"filters":[\#(filters)]}"#
            let set = try await client.send(.put, "\(Self.address)/settings?player=ines", body: Array(settings.utf8))
            #expect(set.status == 200)
            let plot = try await Self.get("/plot.svg", client)
            #expect(plot.status == 503 && plot.text.contains("took longer than 0.05 s"), "\(plot.text.prefix(300))")
            #expect(try await Self.get(client: client).status == 200)
        }
    }

    private static func get(client: ServiceClient) async throws -> Answer { try await get("", client) }
}
