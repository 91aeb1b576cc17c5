import TestSupport
import Testing

/// What operators and proxies rely on: the log, readiness, metrics, connections, conditions and caches.
@Suite struct OperationsTests {
    /// A line says who asked, as limits count clients, and carries the id of the proxy's own log. A player is named by a
    /// hash, which hashlib makes as well.
    @Test func logsWhoAsks() throws {
        let server = try RunningServer("--data data --player-keys keys.txt --proxies 127.0.0.1") {
            try $0.writeKey("5a", as: "p")
        }
        let text = try server.bench.python(
            #"""
            base, key = sys.argv[1], bytes([0x5a] * 32)
            token = {"Authorization": "Bearer " + hs256({"sub": "Inés/5"}, key)}
            name = hashlib.sha256("Inés/5".encode()).hexdigest()[:12]
            path = "/v1/players/In%C3%A9s%2F5/journal"
            def ask(path, **headers):
                status, answer, body = call(base, "GET", path, None, {k.replace("_", "-"): v for k, v in headers.items()})
                return status, answer["x-request-id"]
            def line(id):
                for _ in range(100):
                    found = [l for l in map(json.loads, open("err.txt")) if l.get("request") == id]
                    if found: return found[0]
                    time.sleep(0.05)
            status, id = ask(path, X_Forwarded_For="192.0.2.7", X_Request_ID="Root=1-67.a:b/c", **token)
            entry = line(id)
            print(status, id, entry["client"], entry["player"] == name, entry["path"] == f"/v1/players/{name}/journal")
            print(line(ask("/health", X_Forwarded_For="2001:db8:1:2:3:4:5:6")[1])["client"])
            # An unknown player, and one whose token is wrong.
            print("player" in line(ask("/health")[1]), "player" in line(ask(path, Authorization="Bearer a.b.c")[1]))
            for id in ("a b", "x" * 129, "é", "", "a\"b", "{}"):
                assert ask("/health", X_Request_ID=id.encode())[1] != id, id
            assert "In" not in open("err.txt").read()
            """#, server.base)
        #expect(text == "200 Root=1-67.a:b/c 192.0.2.7 True True\n2001:db8:1:2::/64\nFalse False\n")
        // Of anybody else it is no id.
        let direct = try RunningServer()
        #expect(try direct.head("/health", "-H 'X-Request-ID: mine'").headers["x-request-id"] != "mine")
        #expect(try direct.bench.text("err.txt").contains(#""client":"127.0.0.1""#))
    }

    /// A load balancer takes a server out of use whose disk is full. A disk in memory has less than a terabyte.
    @Test(arguments: ["data", "cache"])
    func isNotReadyWithoutRoom(setting: String) throws {
        let bench = Workbench()
        let folder = "/dev/shm/\(bench.folder.split(separator: "/").last ?? "")-\(setting)"
        defer { _ = try? bench.shell("rm -r \(folder)") }
        let full = try RunningServer("--\(setting) \(folder) --min-free-bytes 1000GB", in: bench) {
            _ = try $0.shell("mkdir \(folder)")
        }
        #expect(try full.head("/ready").status == "HTTP/1.1 503 Service Unavailable")
        #expect(try full.bench.text("body.out").contains(#""code":"storage""#))
        #expect(try full.head("/health").status == "HTTP/1.1 200 OK")
        let server = try RunningServer("--\(setting) other --min-free-bytes 1B") { _ = try $0.shell("mkdir other") }
        #expect(try server.head("/ready").status == "HTTP/1.1 200 OK")
    }

    /// Rules of proxies compare the address as it is written.
    @Test func hasMetricsAtOneAddress() throws {
        let server = try RunningServer()
        #expect(try server.head("/metrics").status == "HTTP/1.1 200 OK")
        for path in ["/metrics/", "//metrics", "/metrics//", "/Metrics", "/%6detrics", "/./metrics"] {
            #expect(try server.head(path, "--path-as-is").status == "HTTP/1.1 404 Not Found", "\(path)")
        }
    }

    /// No cache answers after the time at which an address expires.
    @Test func cachesEndWithTheAddress() throws {
        let server = try RunningServer()
        func age(_ seconds: Int) throws -> (status: String, cache: String?) {
            let now = try server.bench.shell("date +%s").text.filter { !$0.isNewline }
            let end = try #require(Int(now)) + seconds
            let answer = try server.head("/v1/images/unsafe/expires:\(end)/screen:8x8/town.jpg")
            return (answer.status, answer.headers["cache-control"])
        }
        let soon = try age(60)
        #expect(soon.status == "HTTP/1.1 200 OK")
        let seconds = try #require(soon.cache?.split(separator: "=").last.flatMap { Int($0) })
        #expect((1...60).contains(seconds))
        #expect(try age(100_000).cache == "public, max-age=3600")
        let over = try age(-1)
        #expect(over.status == "HTTP/1.1 410 Gone" && over.cache == "no-store")
    }

    /// HTTP/1.0 closes after an answer, unless both sides keep the connection; it knows no chunks (RFC 9112, sections 9.3
    /// and 6.1).
    @Test func speaksHTTP10() throws {
        let server = try RunningServer("--data data")
        let text = try server.bench.python(
            #"""
            import socket
            base = sys.argv[1]
            host, port = base.split("//")[1].split(":")
            def exchange(*requests):
                s = socket.create_connection((host, int(port))); s.settimeout(10)
                got = b""
                for request in requests: s.sendall(request)
                while True:
                    try: part = s.recv(65536)
                    except TimeoutError: return got.decode(), False
                    if not part: return got.decode(), True
                    got += part
            old = b"GET /health HTTP/1.0\r\n"
            start = time.monotonic()
            got, closed = exchange(old + b"\r\n")
            print(got.split("\r\n")[0], "Connection: close" in got, closed and time.monotonic() - start < 5)
            got, closed = exchange(old + b"Connection: Keep-Alive\r\n\r\n", old + b"\r\n")
            print(got.count("200 OK"), got.count("Connection: keep-alive"), closed)
            # Several at once are answered in order; what follows the last one is dropped.
            got, closed = exchange((old + b"Connection: keep-alive\r\n\r\n") * 3 + old + b"\r\n" + old + b"\r\n")
            print(got.count("200 OK"), closed)
            status, headers, _ = call(base, "POST", "/v1/captures?screen=8x8", png(1, 2, 3), {"Prefer": "respond-async"})
            events = headers["location"] + "/events"
            got, closed = exchange(f"GET {events} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".encode())
            head, _, body = got.partition("\r\n\r\n")
            print(status, "chunked" in head.lower(), "Connection: close" in head, body.startswith("event: "), '"done"' in body, closed)
            got, closed = exchange(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            print(got.split("\r\n")[0], closed)
            """#, server.base)
        #expect(
            text == """
                HTTP/1.1 200 OK True True
                2 1 True
                4 True
                202 False True True True True
                HTTP/1.1 200 OK True

                """)
    }

    /// Sixty clients ask for an image of several megabytes, and do not read it. A connection holds a part of it, not all.
    @Test func clientsThatDoNotReadTakeLittleMemory() throws {
        let server = try RunningServer()
        let text = try server.bench.python(
            #"""
            import socket
            base, process = sys.argv[1], sys.argv[2]
            host, port = base.removeprefix("http://").split(":")
            path = "/v1/images/unsafe/screen:2600x2000/fit:fill/enlarge:true/format:png/town.jpg"
            def anonymous(): return sum(int(line.split()[1]) for line in open(f"/proc/{process}/status") if line.startswith("RssAnon"))
            status, headers, body = call(base, "GET", path)
            assert status == 200 and len(body) > 3_000_000, (status, len(body))
            before, clients = anonymous(), []
            for _ in range(60):
                client = socket.socket()
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect((host, int(port)))
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                clients.append(client)
            assert all(client.recv(15, socket.MSG_WAITALL) == b"HTTP/1.1 200 OK" for client in clients)
            # The answers have begun together, and go as far as they can.
            held = -1
            while held != (held := anonymous()): time.sleep(1)
            print(held - before < 60 * 600)
            """#, server.base, "\(server.process)")
        #expect(text == "True\n")
    }

    /// Audio and videos are handled in processes of `wayreel`, which take less memory than those of `wayreel-full`.
    @Test func itsProcessesAreTheSmallProgram() throws {
        let server = try RunningServer("--data state")
        let text = try server.bench.python(
            #"""
            base, process, program = sys.argv[1:]
            levels = call(base, "POST", "/v1/levels?rate=30", open("Media/radio/bunny-4s.wav", "rb").read())
            query = "screen=426x240&copy=no&preset=veryslow"
            job = call(base, "POST", "/v1/transcodes?" + query, open("Media/scrapbook/bunny-720p-h264-5.1.mp4", "rb").read())
            print(levels[0], job[0])

            def workers():
                for name in filter(str.isdigit, os.listdir("/proc")):
                    try:
                        parent = open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()[1]
                        # A process that has not become its program yet has the arguments of its parent.
                        if parent == process and open(f"/proc/{name}/cmdline").read().split("\0")[1:2] == ["worker"]:
                            yield os.readlink(f"/proc/{name}/exe")
                    except OSError: pass

            # The process of the levels waits for the next ones, and that of the video works for seconds.
            end, running = time.monotonic() + 30, []
            while len(running) < 2 and time.monotonic() < end: running = list(workers())
            assert running == [program] * 2, running
            """#, server.base, "\(server.process)", Workbench.binary)
        #expect(text == "200 202\n")
    }

    /// `If-Match` (RFC 9110, section 13.1.1): nothing is sent, changed or removed where the content is another one.
    @Test func obeysIfMatch() throws {
        let server = try RunningServer("--data data")
        let text = try server.bench.python(
            #"""
            base = sys.argv[1]
            def ask(method, path, match=None, body=None, **more):
                headers = {k.replace("_", "-"): v for k, v in more.items()}
                if match: headers["If-Match"] = match
                return call(base, method, path, body, headers)
            image = "/v1/images/unsafe/screen:8x8/town.jpg"
            tag = ask("GET", image)[1]["etag"]
            print([ask("GET", image, match)[0] for match in (tag, '"a", ' + tag, "*", '"a"', "W/" + tag, tag[:-1])],
                ask("HEAD", image, '"a"')[0], ask("GET", image, '"a"', If_None_Match=tag)[0], ask("GET", image, tag, If_None_Match=tag)[0],
                ask("GET", "/nothing", "*")[0])
            path = "/v1/players/ines/stories/s/journal"
            found = journal("s", found=[{"event": "e", "timestamp": iso(1700000000)}])
            before = ask("GET", path)
            refused = ask("POST", path, '"a"', found)
            print(refused[0], json.loads(refused[2])["code"], ask("GET", path)[2] == before[2],
                ask("POST", path, before[1]["etag"], found)[0], ask("POST", path, before[1]["etag"], found)[0], ask("POST", path, "*", found)[0])
            job = ask("POST", "/v1/captures?screen=8x8", None, png(1, 2, 3), Prefer="respond-async")[1]["location"]
            print(ask("DELETE", job, '"a"')[0], ask("GET", job)[0], ask("DELETE", job, "*")[0], ask("DELETE", "/v1/jobs/none", "*")[0])
            """#, server.base)
        #expect(
            text == """
                [200, 200, 200, 412, 412, 412] 412 412 304 404
                412 precondition True 200 412 200
                412 200 204 404

                """)
    }

    /// A bundle's folder may hold more than the story: drafts, backups, links.
    @Test func servesWhatTheManifestNames() throws {
        let server = try RunningServer("--stories bundles") { try MillStory.prepare(in: $0) }
        let media = try server.bench.shell(
            "cd bundles/mill && find media -type f | head -1; echo private > secret.txt"
        ).text
        let file = try #require(media.split(whereSeparator: \.isNewline).first.map(String.init))
        let folder = try #require(file.split(separator: "/").dropLast().joined(separator: "/") as String?)
        func status(_ path: String) throws -> String {
            String(try server.head("/v1/stories/mill/\(path)").status.dropFirst("HTTP/1.1 ".count).prefix(3))
        }
        #expect(try status(file) == "200")
        _ = try server.bench.shell(
            """
            cd bundles/mill; cp \(file) \(folder)/copy.jpg; ln -s ../../secret.txt \(folder)/link.txt
            mkdir media/more; cp \(file) media/more/a.jpg
            """)
        for path in ["\(folder)/copy.jpg", "\(folder)/link.txt", "media/more/a.jpg"] {
            #expect(try status(path) == "404", "\(path)")
        }
        // A folder that leads elsewhere, with the right name.
        _ = try server.bench.shell("cd bundles/mill; mv \(folder) elsewhere; ln -s \"$PWD/elsewhere\" \(folder)")
        #expect(try status(file) == "404")
        _ = try server.bench.shell("cd bundles/mill; rm \(folder); mv elsewhere \(folder)")
        #expect(try status(file) == "200")
        _ = try server.bench.shell("cd bundles/mill; mv \(file) real; ln -s \"$PWD/real\" \(file)")
        #expect(try status(file) == "404")
    }
}
