import HTTPTypes
import TestSupport
import Testing
import WayreelCore

/// What all routes share, by RFC 9110 (HTTP), RFC 9457 (problems) and the Fetch standard (CORS).
struct RouteTests {
    // MARK: Methods and addresses

    @Test func headIsAnsweredAsGetWithoutABody() async throws {
        try await TestService().test { client in
            let (get, head) = (try await client.send(.get, "/health"), try await client.send(.head, "/health"))
            #expect(get.status == 200 && get.text == "ok\n")
            #expect(head.status == 200 && head.bytes.isEmpty)
            #expect(head.header("Content-Length") ?? "3" == "3")
        }
    }

    /// RFC 9457, section 3. The request's id is that of the header.
    @Test func anUnknownAddressIsAProblem() async throws {
        try await TestService().test { client in
            let answer = try await client.send(.get, "/v1/nothing")
            #expect(answer.status == 404)
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.member("code") == "not-found" && answer.text.contains("\"status\":404"))
            #expect(answer.member("request") != nil)
            #expect(answer.member("request") == answer.header("X-Request-ID"))
        }
    }

    /// Section 15.5.6: the answer lists what the address has, and HEAD is there where GET is.
    @Test func anotherMethodIsRefusedWithThoseThatThereAre() async throws {
        try await TestService().test { client in
            let answer = try await client.send(.delete, "/health")
            #expect(answer.status == 405 && answer.header("Allow") == "GET, HEAD")
            #expect(try await client.send(.get, "/v1/captures").header("Allow") == "POST")
        }
    }

    /// Section 10.1.1.
    @Test func anUnknownExpectationFails() async throws {
        try await TestService().test { client in
            let unknown = try await client.send(.get, "/health", [.expect: "200-ok"])
            let known = try await client.send(.get, "/health", [.expect: "100-Continue"])
            #expect(unknown.status == 417 && known.status == 200)
        }
    }

    // MARK: Ranges and conditions

    @Test func aRangeIsAPart() async throws {
        try await TestService().test { client in
            let whole = try await client.send(.get, "/openapi.json")
            let count = whole.bytes.count
            #expect(whole.status == 200 && whole.header("Accept-Ranges") == "bytes")
            let part = try await client.send(.get, "/openapi.json", [.range: "bytes=10-19"])
            #expect(part.status == 206 && part.bytes == Array(whole.bytes[10..<20]))
            #expect(part.header("Content-Range") == "bytes 10-19/\(count)")
            #expect(part.header("Content-Length") == "10")
            let end = try await client.send(.get, "/openapi.json", [.range: "bytes=-5"])
            #expect(end.bytes == Array(whole.bytes.suffix(5)))
            #expect(end.header("Content-Range") == "bytes \(count - 5)-\(count - 1)/\(count)")
            // Section 15.5.17.
            let none = try await client.send(.get, "/openapi.json", [.range: "bytes=\(count)-"])
            #expect(none.status == 416 && none.header("Content-Range") == "bytes */\(count)")
        }
    }

    /// Section 14.2: a range counts for GET alone. Section 13.1.5: not if the content may be another.
    @Test func aRangeMayBeIgnored() async throws {
        try await TestService().test { client in
            let whole = try await client.send(.get, "/openapi.json")
            let head = try await client.send(.head, "/openapi.json", [.range: "bytes=0-9"])
            #expect(head.status == 200 && head.header("Content-Range") == nil && head.bytes.isEmpty)
            let fields: HTTPFields = [.range: "bytes=0-9", .ifRange: "\"another\""]
            let other = try await client.send(.get, "/openapi.json", fields)
            #expect(other.status == 200 && other.bytes == whole.bytes)
        }
    }

    /// Section 13.1.1: what has no tag is none of those that are named. Section 13.2.1: the condition counts only where
    /// the request would succeed.
    @Test func aConditionIsChecked() async throws {
        try await TestService().test { client in
            let failed = try await client.send(.get, "/openapi.json", [.ifMatch: "\"x\""])
            #expect(failed.status == 412 && failed.member("code") == "precondition")
            #expect(try await client.send(.get, "/openapi.json", [.ifMatch: "*"]).status == 200)
            #expect(try await client.send(.get, "/v1/nothing", [.ifMatch: "\"x\""]).status == 404)
        }
    }

    /// Sections 13.1.2 and 15.4.5: with the fields that the answer would have.
    @Test func knownContentIsNotSentAgain() async throws {
        let service = try TestService(
            [("images", "FOLDER")], files: ["a.png": PNGFile.black(width: 8, height: 8)])
        try await service.test { client in
            let address = "/v1/images/unsafe/screen:4x4/a.png"
            let first = try await client.send(.get, address)
            #expect(first.status == 200)
            let tag = try #require(first.headers[.eTag])
            for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let again = try await client.send(.get, address, [.ifNoneMatch: known])
                #expect(again.status == 304 && again.bytes.isEmpty)
                #expect(again.headers[.eTag] == tag)
                #expect(again.headers[.cacheControl] == first.headers[.cacheControl])
            }
            #expect(try await client.send(.get, address, [.ifNoneMatch: "\"x\""]).status == 200)
            // A date counts only without a tag (section 13.1.3).
            let date = try #require(first.headers[.lastModified])
            #expect(try await client.send(.get, address, [.ifModifiedSince: date]).status == 304)
            let fields: HTTPFields = [.ifNoneMatch: "\"x\"", .ifModifiedSince: date]
            #expect(try await client.send(.get, address, fields).status == 200)
            #expect(try await client.send(.get, address, [.ifMatch: tag]).status == 200)
            #expect(try await client.send(.get, address, [.ifMatch: "W/\(tag)"]).status == 412)
        }
    }

    // MARK: Other sites

    @Test func aPageOfAnotherSiteIsRefused() async throws {
        try await TestService().test { client in
            let answer = try await client.send(.post, "/v1/captures", [.origin: "https://evil.example"], body: [1])
            #expect(answer.status == 403 && answer.member("code") == "origin")
            #expect(
                try await client.send(.post, "/v1/captures", [.origin: "http://localhost"], body: [1]).status != 403)
        }
    }

    @Test func aSiteThatIsAllowedMayRead() async throws {
        let (site, other) = ("https://school.example.org", "https://evil.example")
        try await TestService([("allow-origin", site)]).test { client in
            let method = try #require(HTTPField.Name("Access-Control-Request-Method"))
            let preflight = try await client.send(.options, "/v1/captures", [.origin: site, method: "POST"])
            #expect(preflight.status == 204)
            #expect(preflight.header("Access-Control-Allow-Origin") == site)
            #expect(preflight.header("Access-Control-Allow-Methods")?.contains("POST") == true)
            #expect(preflight.header("Access-Control-Allow-Credentials") == nil)
            let answer = try await client.send(.get, "/health", [.origin: site])
            #expect(answer.header("Access-Control-Allow-Origin") == site)
            #expect(answer.header("Vary")?.contains("Origin") == true)
            let refused = try await client.send(.get, "/health", [.origin: other])
            #expect(refused.header("Access-Control-Allow-Origin") == nil)
        }
    }

    // MARK: Clients

    /// RFC 6585, section 4, and RFC 9110, section 10.2.3. Documentation/service.md: bursts may have ten times the rate; an
    /// IPv6 client is its /64.
    @Test func aClientHasARate() async throws {
        try await TestService([("client-rate", "1")]).test { client in
            func send(_ peer: String) async throws -> Answer { try await client.send(.get, "/v1/nothing", peer: peer) }
            var answers = [try await send("2001:db8::1")]
            // A slow machine lets more pass, one a second.
            while let last = answers.last, last.status == 404, answers.count < 1000 {
                answers.append(try await send("2001:db8::2"))
            }
            let refused = try #require(answers.last)
            #expect(answers.count > 10)
            #expect(refused.status == 429 && refused.member("code") == "client-rate")
            #expect(refused.header("Retry-After").flatMap { Int($0) }.map { $0 >= 1 } == true)
            #expect(try await send("192.0.2.1").status == 404)
            // Those that poll are not counted.
            #expect(try await client.send(.get, "/health", peer: "2001:db8::1").status == 200)
        }
    }

    @Test func aTrustedProxyNamesItsClient() async throws {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let id = try #require(HTTPField.Name("X-Request-ID"))
        try await TestService([("client-rate", "1"), ("proxies", "192.0.2.9")]).test { client in
            for number in 0..<20 {
                // The last address that is no proxy: those before it come from the client.
                let fields: HTTPFields = [forwarded: "192.0.2.1, 198.51.100.\(number)", id: "id-\(number)"]
                let answer = try await client.send(.get, "/v1/nothing", fields, peer: "192.0.2.9")
                #expect(answer.status == 404 && answer.header("X-Request-ID") == "id-\(number)")
            }
            // Another peer may say what it wants.
            let answers = try await (0..<100).asyncMap { number in
                try await client.send(
                    .get, "/v1/nothing", [forwarded: "203.0.113.\(number)", id: "mine"], peer: "198.51.100.200")
            }
            #expect(answers.contains { $0.status == 429 })
            #expect(answers.allSatisfy { $0.header("X-Request-ID") != "mine" })
        }
    }

    // MARK: Stories

    /// A strong tag changes with the text (RFC 9110, section 8.8.1): the JSON of stories of version 1 had this one.
    @Test func theTagOfAStoryIsThatOfItsFormat() async throws {
        let bundle = "\(Fixture.root)/Tests/Fixtures/version-1/bundle"
        let version = try Directory.realPath("\(bundle)/current").fileName ?? ""
        try await TestService([("stories", "\(Fixture.root)/Tests/Fixtures/version-1")]).test { client in
            let list = try await client.send(.get, "/v1/stories")
            let ids = list.text.matches(of: /"id":"([^"]+)"/).map { String($0.output.1) }
            let id = try #require(ids.first)
            let story = try await client.send(.get, "/v1/stories/\(id)", [.ifNoneMatch: "\"\(version)-story\""])
            #expect(story.status == 200 && story.text.contains("\"version\":3"))
        }
    }

    // MARK: Bytes

    @Test func theMetricsCountBytes() async throws {
        try await TestService().test { client in
            for _ in 0..<3 { _ = try await client.send(.get, "/health") }
            _ = try await client.send(.head, "/health")
            let part = try await client.send(.get, "/openapi.json")
            _ = try await client.send(.get, "/openapi.json", [.range: "bytes=0-9"])
            // The signature of a PNG, and nothing that follows it.
            let damaged: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 0, count: 1192)
            let refused = try await client.send(.post, "/v1/captures", body: damaged)
            #expect(refused.status == 422)
            let lines = try await client.send(.get, "/metrics").text.split(separator: "\n")
            func has(_ name: String, _ route: String, _ status: Int, _ bytes: Int) -> Bool {
                lines.contains("wayreel_\(name)_bytes_total{route=\"\(route)\",status=\"\(status)\"} \(bytes)")
            }
            #expect(has("sent", "/health", 200, 9) && has("received", "/health", 200, 0))
            #expect(has("sent", "/openapi.json", 200, part.bytes.count) && has("sent", "/openapi.json", 206, 10))
            #expect(has("sent", "/v1/captures", 422, refused.bytes.count))
            #expect(has("received", "/v1/captures", 422, 1200))
        }
    }
}

extension Sequence {
    func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
