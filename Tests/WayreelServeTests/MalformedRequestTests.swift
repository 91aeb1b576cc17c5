import TestSupport
import Testing

/// Requests that no client library sends: raw bytes on a socket, and what comes back.
@Suite struct MalformedRequestTests {
    /// Sends bytes; returns the statuses that come back, whether the connection was closed, and all bytes of the
    /// answer.
    private static let exchange = #"""
        import re, socket
        def exchange(base, data, seconds=20, until=None):
            host, port = base.rsplit("/", 1)[1].split(":")
            s = socket.create_connection((host, int(port)))
            s.settimeout(seconds)
            got, closed = b"", False
            try:
                s.sendall(data)
                while until is None or until not in got:
                    part = s.recv(65536)
                    if not part: closed = True; break
                    got += part
            except socket.timeout: pass
            except ConnectionError: closed = None
            s.close()
            return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d+) ", got)], closed, got
        """#

    private func run(_ program: String, on server: RunningServer) throws {
        try server.bench.write("import sys\nbase = sys.argv[1]\n\(Self.exchange)\n\(program)\n", to: "program.py")
        let run = try server.bench.shell("python3 program.py \(server.base)")
        #expect(run.ending == .exited(0), "\(run.text) \(run.errors)")
    }

    /// Whatever two servers could read in two ways is refused, and nothing that follows it is answered.
    @Test func refusesWhatCouldSmuggleARequest() throws {
        try run(
            #"""
            import json
            post, get = b"POST /v1/captures HTTP/1.1\r\nHost: x\r\n", b"GET /health HTTP/1.1\r\n"
            after = get + b"Host: x\r\n\r\n"
            chunked = b"Transfer-Encoding: chunked\r\n"
            wrong = {
                "both lengths": post + b"Content-Length: 4\r\n" + chunked + b"\r\n0\r\n\r\n" + after,
                "both lengths, turned": post + chunked + b"Content-Length: 4\r\n\r\n0\r\n\r\n" + after,
                "two lengths": post + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde" + after,
                "one length twice": post + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd" + after,
                "a list of lengths": post + b"Content-Length: 4, 4\r\n\r\nabcd" + after,
                "a length with a sign": post + b"Content-Length: +4\r\n\r\nabcd" + after,
                "a negative length": post + b"Content-Length: -1\r\n\r\nabcd" + after,
                "a huge length": post + b"Content-Length: 99999999999999999999999\r\n\r\nabcd" + after,
                "chunked not last": post + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + after,
                "an unknown coding": post + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + after,
                "two codings": post + chunked + b"Transfer-Encoding: identity\r\n\r\n0\r\n\r\n" + after,
                "a space before the colon": post + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + after,
                "a folded line": get + b"Host: x\r\nX: a\r\n b\r\n\r\n" + after,
                "a folded coding": post + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + after,
                "lines without CR": b"GET /health HTTP/1.1\nHost: x\n\n" + after,
                "one line without CR": get + b"Host: x\nX: y\r\n\r\n" + after,
                "a line without LF": get + b"Host: x\rX: y\r\n\r\n" + after,
                "NUL in a value": get + b"Host: x\r\nX: a\0b\r\n\r\n" + after,
                "NUL in a name": get + b"Host: x\r\nX\0: a\r\n\r\n" + after,
                "NUL in the path": b"GET /hea\0lth HTTP/1.1\r\nHost: x\r\n\r\n" + after,
                "two hosts": get + b"Host: x\r\nHost: y\r\n\r\n" + after,
                "no host": get + b"\r\n" + after,
                "a host with a space": get + b"Host: a b\r\n\r\n" + after,
                "a host with a user": get + b"Host: a@b\r\n\r\n" + after,
                "a host with a path": get + b"Host: a/b\r\n\r\n" + after,
                "chunks of HTTP/1.0": post.replace(b"1.1", b"1.0") + b"Connection: keep-alive\r\n" + chunked + b"\r\n0\r\n\r\n" + after,
                "a coding before chunked": post + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + after,
                "another coding before chunked": post + b"Transfer-Encoding: identity\r\n" + chunked + b"\r\n0\r\n\r\n" + after,
                "a space in a name": get + b"Host: x\r\nX Y: z\r\n\r\n" + after,
                "a space before the first field": get + b" X: y\r\nHost: x\r\n\r\n" + after,
                "a chunk's size too long": post + chunked + b"\r\nFFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n" + after,
                "a chunk that is longer": post + chunked + b"\r\n1\r\naXX0\r\n\r\n" + after,
                "chunks without CR": post + chunked + b"\r\n1\na\n0\n\n" + after,
                "an extension without end": post + chunked + b"\r\n1;" + b"a" * 2000000,
                "extensions without end": post + chunked + b"\r\n" + (b"1;" + b"a" * 10000 + b"\r\nx\r\n") * 200,
                "empty lines without end": b"\r\n" * 1000000,
                "another version": b"GET /health HTTP/3.7\r\nHost: x\r\n\r\n" + after,
                "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
            }
            failed, ids = [], []
            for name, data in wrong.items():
                codes, closed, got = exchange(base, data)
                head, _, body = got.partition(b"\r\n\r\n")
                if codes != [400] or not closed or b"application/problem+json" not in head or json.loads(body)["status"] != 400:
                    failed.append((name, codes, closed, got))
                else: ids.append((re.search(rb"X-Request-ID: (\w+)", head)[1].decode(), json.loads(body)["request"]))
            large = {
                "a field": b"X: " + b"a" * 33000 + b"\r\n", "the fields": b"".join(b"X%d: %s\r\n" % (i, b"a" * 4000) for i in range(10)),
                "their number": b"".join(b"X%d: a\r\n" % i for i in range(110)),
            }
            for name, fields in large.items():
                codes, closed, got = exchange(base, get + b"Host: x\r\n" + fields + b"\r\n")
                if codes != [431] or not closed: failed.append((name, codes, closed))
            codes, closed, _ = exchange(base, b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\nHost: x\r\n\r\n")
            if codes != [431] or not closed: failed.append(("the path", codes, closed))
            # Each has a line in the log with the id of its answer, and is counted.
            logged = {line["request"]: line["status"] for line in map(json.loads, open("err.txt"))}
            for head, body in ids:
                if head != body or logged.get(head) != 400: failed.append(("the log", head, body, logged.get(head)))
            _, _, got = exchange(base, after.replace(b"/health", b"/metrics").replace(b"Host", b"Connection: close\r\nHost"))
            if not re.search(rb'_count{route="malformed",status="431"} 4\n', got): failed.append(("the metrics", got))
            # What is within the limits passes.
            for data in [get + b"Host: x\r\nX: " + b"a" * 30000 + b"\r\n\r\n", b"GET /health?text=" + b"a" * 20000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
                    get + b"Host: x\r\n" + b"X: a\r\n" * 99 + b"\r\n", b"GET /health HTTP/1.0\r\n\r\n", get + b"Host: [::1]:8080\r\n\r\n", get + b"Host:\r\n\r\n"]:
                codes, _, got = exchange(base, data, until=b"ok\n")
                if codes != [200]: failed.append(("within the limits", data[:60], got))
            # The smallest chunks are no fault of the client, nor are many requests at once.
            codes, _, got = exchange(base, post + chunked + b"\r\n" + b"1;a=b\r\nx\r\n" * 200000 + b"0\r\n\r\n", until=b"}\n")
            if codes != [415]: failed.append(("small chunks", codes, got))
            codes, _, got = exchange(base, (get + b"Host: x\r\nX: " + b"a" * 9000 + b"\r\n\r\n") * 100 + after.replace(b"Host", b"Connection: close\r\nHost"))
            if codes != [200] * 101: failed.append(("many requests", len(codes)))
            # A body after HEAD would be read as the next answer.
            for path, code in [(b"/nothing", 404), (b"/v1/levels", 405), (b"/v1/notes", 404), (b"/health", 200)]:
                codes, _, got = exchange(base, b"HEAD " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n" + after, until=b"ok\n")
                if codes != [code, 200] or b"{" in got: failed.append(("HEAD", path, got))
            # What came before it is answered.
            codes, closed, _ = exchange(base, after + after + get + b"Host: x\r\nX Y: z\r\n\r\n" + after)
            if codes != [200, 200, 400] or not closed: failed.append(("after others", codes, closed))
            # A body that nobody reads is no request.
            codes, _, _ = exchange(base, get + b"Host: x\r\nContent-Length: 5\r\n\r\nhello" + after.replace(b"Host", b"Connection: close\r\nHost"))
            if codes != [200, 200]: failed.append(("a body", codes))
            for item in failed: print(*item)
            sys.exit(bool(failed))
            """#, on: RunningServer())
    }

    /// A client that waits with its body gets 100 where the body is wanted, and nothing but the refusal where it is
    /// not.
    @Test func asksForTheBodyOfAClientThatWaits() throws {
        let server = try RunningServer("--max-bytes 3MB --data data --stories stories") {
            _ = try $0.shell("mkdir stories")
        }
        try run(
            #"""
            photo = open("photo.jpg", "rb").read()
            def head(path, count, *fields):
                lines = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {count}", "Expect: 100-Continue", *fields]
                return "\r\n".join(lines + ["", ""]).encode()
            for path in ["/v1/captures?screen=64x64", "/v1/levels", "/v1/transcodes", "/v1/players/ines/journal?story=x"]:
                codes, _, got = exchange(base, head(path, len(photo)), until=b"\r\n\r\n")
                assert codes == [100], (path, got)
                assert got == b"HTTP/1.1 100 Continue\r\n\r\n", (path, got)
            codes, _, got = exchange(base, head("/v1/captures?screen=64x64", len(photo), "Connection: close") + photo)
            assert codes == [100, 200], got[:200]
            for path, fields, code in [("/v1/captures?scren=64x64", [], 400), ("/nothing", [], 404),
                    ("/v1/captures", ["Content-Encoding: gzip"], 415), ("/v1/captures", ["Content-Encoding: identity, gzip"], 415)]:
                codes, closed, _ = exchange(base, head(path, len(photo), *fields))
                assert codes == [code] and closed, (path, codes, closed)
            codes, closed, _ = exchange(base, head("/v1/captures", 10**12))
            assert codes == [413] and closed, codes
            codes, _, _ = exchange(base, head("/v1/captures", 5).replace(b"100-Continue", b"200-maybe"))
            assert codes == [417], codes
            """#, on: server)
        // curl waits for a second where nothing comes, and says so.
        let large = try server.curl(
            "-v -o body.out -H 'Expect: 100-continue' --expect100-timeout 50 "
                + "--data-binary @Media/captures/wisteria-iphone6-8mp.jpg", path: "/v1/captures?screen=64x64")
        #expect(large.errors.contains("HTTP/1.1 100 Continue") && large.errors.contains("HTTP/1.1 200 OK"))
        #expect(!large.errors.contains("Done waiting"))
        #expect(try server.bench.header("body.out") == ImageFileHeader("jpeg", 64, 64))
    }

    /// A body without an end is refused at the limit, and its connection ends although the client goes on.
    @Test func endsChunksThatNeverEnd() throws {
        try run(
            #"""
            host, port = base.rsplit("/", 1)[1].split(":")
            for path, code in [("/v1/captures", b"413"), ("/nothing", b"404"), ("/v1/images/unsafe/town.jpg", b"400")]:
                method = "GET" if "images" in path else "POST"
                s = socket.create_connection((host, int(port)))
                s.settimeout(60)
                s.sendall(f"{method} {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
                chunk = b"1000\r\n" + b"a" * 4096 + b"\r\n"
                try:
                    while True: s.sendall(chunk)
                except ConnectionError: pass
                s.close()
                # A client that stops when it is answered reads why.
                s = socket.create_connection((host, int(port)))
                s.settimeout(60)
                s.sendall(f"{method} {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + chunk * 30)
                got = b""
                while part := s.recv(65536): got += part
                assert got.startswith(b"HTTP/1.1 " + code), (path, got)
                assert b"\r\nConnection: close\r\n" in got, (path, got)
            """#, on: RunningServer("--max-bytes 100kB"))
    }

    /// After a request for another protocol nothing is read: its answer says that it is the last one, and ends the
    /// connection. Clients that try HTTP/2 first ask so each time.
    @Test func endsAfterAnotherProtocolWasAskedFor() throws {
        try run(
            #"""
            plain = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
            http2 = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
            socket_of = b"Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
            right = socket_of + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            post = b"POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n" + http2 + b"\r\n{}"
            asked = [(b"GET /health", 200, http2), (b"GET /nothing", 404, http2), (b"GET /health", 200, socket_of),
                (b"GET /v1/levels/live", 426, socket_of), (b"GET /v1/streams/none/live", 404, right),
                (b"GET /v1/streams/none/live", 404, b""),
                (b"GET /v1/streams/a.b/source", 400, right)]
            requests = [(start + b" HTTP/1.1\r\nHost: x\r\n" + more + b"\r\n", code) for start, code, more in asked]
            for request, code in requests + [(post, 405)]:
                codes, closed, got = exchange(base, plain + request + plain, seconds=5)
                assert codes == [200, code] and closed and got.count(b"\r\nConnection: close") == 1, (request, codes, closed, got)
            # An upgrade that is not named as the connection's is none.
            codes, closed, got = exchange(base, plain.replace(b"Host", b"Upgrade: h2c\r\nHost") * 2, seconds=1)
            assert codes == [200, 200] and not closed and b"close" not in got, (codes, closed, got)
            """#, on: RunningServer())
    }

    /// Every way to write a step out of the folder, or a path of the system.
    private static let sources = [
        "%252e%252e/keys.txt", "..%255ckeys.txt", "%252e%252e%252fkeys.txt", "..%5Ckeys.txt",
        "deep%5C..%5C..%5Ckeys.txt", "%C0%AE%C0%AE/keys.txt", "%E0%80%AE%E0%80%AE/keys.txt",
        "%C0%AF..%C0%AFkeys.txt", "..%C1%9Ckeys.txt", "%F0%80%80%AE%F0%80%80%AE/keys.txt",
        "%u002e%u002e/keys.txt", ".%2E/keys.txt", "%2E./keys.txt", "./keys.txt", "..;/keys.txt",
        "deep/../../keys.txt", "deep//../town.jpg", "/etc/passwd", "%2Fetc%2Fpasswd", "file:%2F%2F%2Fetc%2Fpasswd",
        "file%3A%2F%2F%2Fetc%2Fpasswd", "\u{FF0E}\u{FF0E}/keys.txt", "town.jpg%00.png", "town.jpg%20", "town.jpg.",
        "town.jpg/", "town.jpg/.", "proc/self/environ",
    ]

    @Test func leavesNoFolder() throws {
        let server = try RunningServer { try $0.writeKey("ab", as: "k") }
        let paths = Self.sources + Self.sources.map { "overlay:\($0)/town.jpg" }
        for path in paths {
            let answer = try server.head("/v1/images/unsafe/\(path)", "--path-as-is -g")
            #expect(answer.status.hasPrefix("HTTP/1.1 40"), "\(path): \(answer.status)")
            #expect(answer.headers["content-type"] == "application/problem+json", "\(path)")
            let text = try server.bench.text("body.out")
            #expect(!text.contains("abab") && !text.contains("root:") && !text.contains(server.bench.folder), "\(text)")
        }
    }

    /// Each part of a signature alone, with other endings, for other addresses and in other places.
    @Test func acceptsNoPartOfASignature() throws {
        let server = try RunningServer("--keys keys.txt") { try $0.writeKey("ab", as: "k") }
        let path = try server.bench.shell("wayreel url town.jpg --set screen=64x64 --keys keys.txt").text.filter {
            !$0.isNewline
        }
        #expect(try server.head(path).status == "HTTP/1.1 200 OK")
        let parts = path.split(separator: "/", maxSplits: 3).map(String.init)
        let (signature, signed) = (parts[2], parts[3])
        let cut = stride(from: 0, to: signature.count, by: 5).map { String(signature.prefix($0)) }
        let last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".filter { $0 != signature.last }
        let others = last.map { "\(signature.dropLast())\($0)" }
        let forged = [
            "\(signature)=", "\(signature)A", "\(signature).\(signature)", "K\(signature.dropFirst())", "unsafe",
        ]
        let wrong = (cut + others + forged).map { "\($0)/\(signed)" }
        let replayed = [
            "deep/\(signed)", "\(signed)/", "\(signed)%20", "./\(signed)", "screen:64x64/deep/wisteria%20%C3%BC.jpg",
            "screen:64x64/screen:900x900/town.jpg", "screen%3A64x64/town.jpg", "screen:64x64//town.jpg",
        ].map { "\(signature)/\($0)" }
        for path in wrong {
            let answer = try server.head("/v1/images/\(path)", "--path-as-is -g")
            #expect(answer.status == "HTTP/1.1 403 Forbidden", "\(path): \(answer.status)")
        }
        // What is no address at all is refused as such.
        for path in replayed {
            let answer = try server.head("/v1/images/\(path)", "--path-as-is -g")
            #expect(["403", "400"].contains(answer.status.split(separator: " ").dropFirst().first), "\(path)")
        }
    }
}
