import TestSupport
import Testing

/// The service's treatment of individual clients: their sizes, their encodings, their share.
struct ClientTests {
    @Test func sizesImagesByHints() throws {
        let server = try RunningServer("--client-hints")
        func size(_ path: String, _ hints: String) throws -> ImageFileHeader {
            let answer = try server.head(path, hints)
            #expect(answer.status == "HTTP/1.1 200 OK")
            #expect(answer.headers["accept-ch"] == "Sec-CH-DPR, Sec-CH-Width")
            #expect(answer.headers["vary"]?.contains("Sec-CH-Width") == true)
            return try #require(try server.bench.header("body.out"))
        }
        let town = "/v1/images/unsafe/fit:contain/town.jpg"
        let whole = try size(town, "")
        // Widths are rounded up to 64 pixels; the height follows from the image.
        #expect(try size(town, "-H 'Sec-CH-Width: 250'").width == 256)
        #expect(try size(town, "-H 'Width: 256'").width == 256)
        #expect(try size(town, "-H 'Sec-CH-Width: 0'") == whole)
        #expect(try size(town, "-H 'Sec-CH-Width: -1'") == whole)
        #expect(try size(town, "-H 'Sec-CH-Width: 1e999'") == whole)
        // A ratio alone has no effect without a size.
        #expect(try size(town, "-H 'Sec-CH-DPR: 2'") == whole)
        let small = "/v1/images/unsafe/screen:100x80/town.jpg"
        #expect(try size(small, "-H 'Sec-CH-DPR: 1.8'") == ImageFileHeader("jpeg", 200, 160))
        #expect(try size(small, "-H 'DPR: 2' -H 'Sec-CH-Width: 700'") == ImageFileHeader("jpeg", 200, 160))
        #expect(
            try size("/v1/images/unsafe/screen:100x80/dpr:1/town.jpg", "-H 'DPR: 2'")
                == ImageFileHeader("jpeg", 100, 80))
    }

    @Test func compressesTheTextsOfStories() throws {
        let server = try RunningServer("--stories bundles") { try MillStory.prepare(in: $0) }
        for path in ["/v1/stories/mill", "/v1/stories/mill/manifest.json"] {
            let plain = try server.head(path)
            #expect(plain.headers["content-encoding"] == nil)
            let isStory = path.hasSuffix("mill")
            #expect(plain.headers["vary"] == (isStory ? "Accept-Encoding, Accept-Language" : "Accept-Encoding"))
            let text = try server.bench.bytes("body.out")
            let packed = try server.head(path, "-H 'Accept-Encoding: br, gzip'")
            #expect(packed.headers["content-encoding"] == "gzip")
            #expect(packed.headers["etag"] != plain.headers["etag"])
            #expect(try server.bench.bytes("body.out").count < text.count)
            #expect(try server.bench.shell("gzip -dc < body.out > body.txt").ending == .exited(0))
            #expect(try server.bench.bytes("body.txt") == text)
            #expect(try server.head(path, "-H 'Accept-Encoding: gzip;q=0'").headers["content-encoding"] == nil)
            let tag = try #require(packed.headers["etag"])
            #expect(try server.head(path, "-H 'If-None-Match: \(tag)'").status == "HTTP/1.1 304 Not Modified")
        }
    }

    @Test func givesEachClientItsShare() throws {
        func codes(_ server: RunningServer, _ headers: [String], path: String = "/v1/jobs/none") throws -> [String] {
            try headers.map { try server.curl("-o /dev/null -w '%{http_code}' \($0)", path: path).text }
        }
        // Ten requests are accepted at once, then hardly any more.
        let server = try RunningServer("--client-rate 1")
        #expect(try codes(server, Array(repeating: "", count: 12)).prefix(10).allSatisfy { $0 == "404" })
        let refused = try server.head("/v1/jobs/none")
        #expect(refused.status == "HTTP/1.1 429 Too Many Requests")
        #expect(refused.headers["retry-after"] == "1")
        // The client's own header has no effect.
        #expect(try codes(server, ["-H 'X-Forwarded-For: 192.0.2.7'"]) == ["429"])
        #expect(try server.head("/health").status == "HTTP/1.1 200 OK")
        // Pages are counted apart, ten times as many.
        #expect(try codes(server, Array(repeating: "", count: 30), path: "/api") == Array(repeating: "200", count: 30))

        let behind = try RunningServer("--client-rate 0.1 --proxies 127.0.0.1")
        let asked = try codes(
            behind,
            [
                "-H 'X-Forwarded-For: 192.0.2.1'", "-H 'X-Forwarded-For: 192.0.2.1'", "-H 'X-Forwarded-For: 192.0.2.2'",
                // Only the last address comes from the proxy.
                "-H 'X-Forwarded-For: 192.0.2.9, 192.0.2.1'", "-H 'X-Forwarded-For: 2001:db8::1'",
                // Addresses in one IPv6 network.
                "-H 'X-Forwarded-For: 2001:db8::ffff'",
            ])
        #expect(asked == ["404", "429", "404", "429", "404", "429"])
        // A customer has a /48 with 65,536 such networks, and the share of few clients; another one is not concerned.
        let networks = try codes(behind, (0..<20).map { "-H 'X-Forwarded-For: 2001:db8:7:\($0)::1'" })
        #expect(networks.filter { $0 == "404" }.count == 4 && networks.first == "404", "\(networks)")
        #expect(try codes(behind, ["-H 'X-Forwarded-For: 2001:db8:8::1'"]) == ["404"])
    }

    /// A connection is kept for the next request, also after one that was refused; work for a client that has closed
    /// its connection is stopped.
    @Test func keepsConnectionsAndStopsForWhoHasGone() throws {
        let server = try RunningServer("--data data --queue 1")
        let text = try server.bench.python(
            #"""
            import socket
            base = sys.argv[1]
            host, port = base.split("//")[1].split(":")
            connection = http.client.HTTPConnection(host, int(port), timeout=60)
            def ask(method, path, body=None):
                connection.request(method, path, body)
                answer = connection.getresponse(); answer.read()
                assert answer.getheader("connection") is None
                return answer.status
            connection.connect(); first = connection.sock
            image, pcm = png(1, 2, 3), bytes(2000)
            kept = [ask("GET", f"/v1/images/unsafe/screen:{n}x9/town.jpg") for n in (7, 8)] + [ask("POST", "/v1/captures", image),
                ask("POST", "/v1/levels?raw=s16le:8000:1", pcm), ask("POST", "/v1/notes?latitude=1&longitude=2&player=ines", image)]
            assert kept == [200, 200, 200, 200, 201], kept
            def queue(): return [l for l in call(base, "GET", "/metrics")[2].decode().splitlines() if l.startswith("wayreel_queue_requests ")][0]
            def wait(line):
                for _ in range(600):
                    if queue() == line: return
                    time.sleep(0.01)
                raise AssertionError(queue())
            # An image that takes seconds; the queue is full with it.
            busy = socket.create_connection((host, int(port)))
            busy.sendall(b"GET /v1/images/unsafe/screen:3000x3000/format:avif/enlarge:true/town.jpg HTTP/1.1\r\nHost: x\r\n\r\n")
            wait("wayreel_queue_requests 1.0")
            assert [ask("GET", f"/v1/images/unsafe/screen:{n}x9/town.jpg") for n in (9, 10)] == [503, 503]
            busy.close()
            wait("wayreel_queue_requests 0.0")
            assert ask("GET", "/v1/images/unsafe/screen:11x9/town.jpg") == 200 and connection.sock is first
            # An upload that its client breaks off is no overload.
            for path in "/v1/captures", "/v1/levels", "/v1/players/ines/journal", "/v1/transcodes":
                broken = socket.create_connection((host, int(port)))
                broken.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n".encode() + bytes(1000))
                time.sleep(0.2)
                broken.close()
            lines = []
            for _ in range(600):
                lines = [l for l in call(base, "GET", "/metrics")[2].decode().splitlines() if "_count{" in l]
                if sum('status="499"' in l for l in lines) == 5: break
                time.sleep(0.01)
            # Four of them, and the image above.
            assert sum('status="499"' in l for l in lines) == 5, lines
            assert [l for l in lines if 'status="503"' in l] == ['wayreel_request_seconds_count{route="/v1/images/**",status="503"} 2'], lines
            print("kept")
            """#, server.base)
        #expect(text == "kept\n")
    }

    /// A client that does not read its response is disconnected, and its response is not kept in memory.
    @Test func closesConnectionsThatAreNotRead() throws {
        let server = try RunningServer("--idle-seconds 1")
        let text = try server.bench.python(
            """
            import socket
            host, port = sys.argv[1].rsplit("/", 1)[1].split(":")
            s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096); s.connect((host, int(port)))
            s.sendall(b"GET /v1/images/unsafe/format:png/deep/wisteria%20%C3%BC.jpg HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
            got = s.recv(1000)
            length = int(got.split(b"Content-Length: ")[1].split(b"\\r\\n")[0])
            time.sleep(5)
            total = len(got)
            try:
                while part := s.recv(1 << 20): total += len(part)
            except OSError: pass
            print("closed" if total < length else "whole")
            """, server.base)
        #expect(text == "closed\n")
        #expect(try server.head("/health").status == "HTTP/1.1 200 OK")
    }

    /// A trace that another program began is continued: request, image and queue are spans of it. A trace that is not
    /// sampled is not written.
    @Test func goesOnWithTraces() throws {
        let server = try RunningServer("--traces traces.jsonl")
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let path = "/v1/images/unsafe/screen:64x64/town.jpg"
        _ = try server.head(path, "-H 'traceparent: 00-\(trace)-b7ad6b7169203331-01'")
        _ = try server.head(path, "-H 'traceparent: 00-11111111111111111111111111111111-b7ad6b7169203331-00'")
        _ = try server.head("/health?token=secret", "-H 'traceparent: damaged'")
        let program = """
            import json
            spans = [s for line in open("traces.jsonl") for r in json.loads(line)["resourceSpans"]
                for c in r["scopeSpans"] for s in c["spans"]]
            mine = {s["name"]: s for s in spans if s["traceId"] == "\(trace)"}
            request = next(s for s in mine.values() if s["kind"] == 2)
            print(request["parentSpanId"], mine["prepare"]["parentSpanId"] == request["spanId"])
            print(all(int(s["startTimeUnixNano"]) <= int(s["endTimeUnixNano"]) for s in spans), len(spans))
            print({a["key"]: list(a["value"].values())[0] for a in request["attributes"]}["http.response.status_code"])
            """
        try server.bench.write(program, to: "spans.py")
        // A span ends after its response was sent.
        let run = try server.bench.shell("sleep 0.3; python3 spans.py; grep -c secret traces.jsonl")
        #expect(run.text == "b7ad6b7169203331 True\nTrue 3\n200\n0\n", "\(run.errors)")
    }
}
